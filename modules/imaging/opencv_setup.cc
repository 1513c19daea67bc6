#include "imaging/opencv_setup.h"

#include <mutex>
#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>

namespace flyscribe {

void SetUpOpenCv() {
  static std::once_flag once;
  std::call_once(once, [] {
    cv::setNumThreads(1);
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  });
}

int OpenCvThreads() { return cv::getNumThreads(); }

bool OpenCvIsSilent() { return cv::utils::logging::getLogLevel() == cv::utils::logging::LOG_LEVEL_SILENT; }

std::string ImagingLibraryVersion() { return cv::getVersionString(); }

}  // namespace flyscribe
