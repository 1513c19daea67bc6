// OpenCV's process-wide settings, made once: one thread (flyscribe has its own pool) and no log of its own.
#pragma once

#include <string>

namespace flyscribe {

// Thread-safe; every function that calls OpenCV calls it first. Later calls cost nothing.
void SetUpOpenCv();

// What is in force.
int OpenCvThreads();
bool OpenCvIsSilent();

// Such as "4.6.0": decoding and interpolation may differ between versions.
std::string ImagingLibraryVersion();

}  // namespace flyscribe
