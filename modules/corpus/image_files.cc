#include "corpus/image_files.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/error.h"
#include "core/text.h"

namespace flyscribe {
namespace {

bool HasImageExtension(const fs::path& path) {
  constexpr std::array<std::string_view, 7> kExtensions = {".bmp", ".png", ".jpg", ".jpeg", ".jpe", ".tif", ".tiff"};
  const std::string extension = ToLower(path.extension().native());
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

bool Better(const ImageFile& a, const ImageFile& b) {
  if (a.size != b.size) return a.size > b.size;
  if (a.folder != b.folder) return a.folder < b.folder;
  return a.file < b.file;
}

// Walks over all folders, one after the other.
class Walker {
 public:
  void Walk(std::size_t folder, const fs::path& root) {
    folder_ = folder;
    root_ = root;
    std::vector<fs::path> pending = {fs::path()};  // relative to the root
    while (!pending.empty()) {
      const fs::path below = pending.back();
      pending.pop_back();
      std::vector<fs::path> inner = Visit(below);
      pending.insert(pending.end(), inner.rbegin(), inner.rend());
    }
  }

  ImageFiles Take() { return std::move(found_); }

 private:
  // Takes up the images of one folder and returns the folders in it, by name.
  std::vector<fs::path> Visit(const fs::path& below) {
    boost::system::error_code error;
    const fs::path real = fs::canonical(root_ / below, error);
    if (error || !entered_.insert(real.native()).second) return {};
    std::vector<fs::path> inner;
    for (const fs::path& name : NamesIn(below)) {
      const fs::path path = below / name;
      const fs::file_type type = fs::status(root_ / path, error).type();
      if (type == fs::directory_file) inner.push_back(path);
      if (type == fs::regular_file) Consider(path);
    }
    return inner;
  }

  std::vector<fs::path> NamesIn(const fs::path& below) {
    std::vector<fs::path> names;
    boost::system::error_code error;
    fs::directory_iterator entry(root_ / below, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      names.push_back(entry->path().filename());
    }
    if (error) Problem(below, "folder cannot be read: " + error.message());
    std::sort(names.begin(), names.end(), [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
    return names;
  }

  void Consider(const fs::path& path) {
    const auto number = ImageNumber(path.stem().native());
    if (!number || !HasImageExtension(path)) return;
    if (path.native().find_first_of("\t\r\n") != std::string::npos) {
      Problem(path, "a tab or line end in the path");
      return;
    }
    boost::system::error_code error;
    ImageFile file{folder_, path.native(), fs::file_size(root_ / path, error)};
    if (error) return;
    const auto [known, is_new] = found_.by_number.try_emplace(*number, file);
    if (!is_new && Better(file, known->second)) known->second = file;
  }

  void Problem(const fs::path& below, const std::string& reason) {
    found_.problems.push_back({(root_.filename() / below).native(), reason, true});
  }

  std::size_t folder_ = 0;
  fs::path root_;
  std::set<std::string> entered_;
  ImageFiles found_;
};

void RequireReadableFolder(const fs::path& folder) {
  boost::system::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_not_found) {
    throw Error(ErrorCode::kInput,
                "image folder does not exist",
                "check the spelling; relative paths in a config are relative to the config's own folder",
                {folder.string()});
  }
  if (status.type() != fs::directory_file) {
    throw Error(ErrorCode::kInput,
                "image folder is not a folder",
                "name the folder the images lie in, not a single file",
                {folder.string()});
  }
  const fs::directory_iterator probe(folder, error);
  if (error) {
    throw Error(ErrorCode::kInput,
                "image folder cannot be read: " + error.message(),
                "check the permissions of the folder and of those above it",
                {folder.string()});
  }
}

}  // namespace

std::optional<std::int64_t> ImageNumber(std::string_view stem) {
  constexpr std::string_view kPrefix = "insitu";
  constexpr std::string_view kSuffix = "_s";
  const std::string lower = ToLower(stem);
  std::string_view digits = lower;
  if (digits.starts_with(kPrefix)) digits.remove_prefix(kPrefix.size());
  if (digits.ends_with(kSuffix)) digits.remove_suffix(kSuffix.size());
  const bool only_digits = digits.find_first_not_of("0123456789") == std::string_view::npos;
  return only_digits ? ParseInteger(digits) : std::nullopt;
}

ImageFiles FindImageFiles(const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) RequireReadableFolder(folder);
  Walker walker;
  for (std::size_t i = 0; i < folders.size(); ++i) walker.Walk(i, folders[i]);
  return walker.Take();
}

}  // namespace flyscribe
