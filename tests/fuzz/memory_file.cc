#include "tests/fuzz/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

#include "core/file.h"

namespace flyscribe {

MemoryFile::MemoryFile(std::string_view content)
    : descriptor_(memfd_create("flyscribe-fuzz", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(descriptor_)) {
  if (descriptor_ < 0) throw std::runtime_error("no file in memory");
  WriteFile(path_, content, Durability::kUnsynced);
}

MemoryFile::~MemoryFile() { close(descriptor_); }

}  // namespace flyscribe
