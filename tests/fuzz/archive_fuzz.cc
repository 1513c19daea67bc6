// Archives: whatever they hold, no more than the limits comes out, under plain names, and nothing lies outside.
//
// The bytes are tried as a file, and as a tar that is packed and sealed as it must be.
#include <set>

#include "core/archive.h"
#include "core/file.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"
#include "tests/support/archive_bytes.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

constexpr ArchiveLimits kLimits = {.files = 8, .name_bytes = 60, .file_bytes = 4096, .total_bytes = 1 << 16};

// Whether it was unpacked.
bool TryExtract(std::string_view bytes) {
  static const TempFolder desk;
  const fs::path out = desk / "a/b/out";
  RemoveTree(out);
  CreateFolder(out);
  const MemoryFile file(bytes);
  const auto names = TryRead([&] { return ExtractArchive(file.path(), out, kLimits); });
  Promise(
      EntriesOf(desk.path()).size() == 1 && EntriesOf(desk / "a").size() == 1 && EntriesOf(desk / "a/b").size() == 1,
      "nothing is written outside the folder");
  std::set<std::string> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(out)) {
    if (fs::is_directory(entry.symlink_status())) continue;
    Promise(fs::is_regular_file(entry.symlink_status()), "only files come out");
    Promise(fs::file_size(entry.path()) <= kLimits.file_bytes, "no file is larger than the limit");
    found.insert(entry.path().lexically_relative(out).generic_string());
  }
  Promise(found.size() <= kLimits.files, "no more files than the limit");
  if (!names) return false;
  Promise(found == std::set<std::string>(names->begin(), names->end()), "the names are those of the files");
  Promise(names->size() == found.size(), "no name comes twice");
  const fs::path again = desk / "a/b/out.again";
  WriteArchive(out, again);
  Promise(TryRead([&] {
            RequireSealed(again);
            return true;
          }).has_value(),
          "what is written is sealed");
  fs::remove(again);
  return true;
}

bool TrySeal(std::string_view bytes) {
  const MemoryFile file(bytes);
  return TryRead([&] {
           RequireSealed(file.path());
           return true;
         })
      .has_value();
}

}  // namespace

void FuzzArchive(std::string_view bytes) {
  TryExtract(bytes);
  TrySeal(bytes);
  const std::string packed = Sealed(ZstdFrame(std::string(bytes)));
  TryExtract(packed);
  Promise(TrySeal(packed), "a sealed frame is sealed");
  Promise(!TrySeal(packed + " ") && !TrySeal(packed.substr(0, packed.size() - 1)), "a seal is the end");
}

}  // namespace flyscribe
