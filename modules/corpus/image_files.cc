#include "corpus/image_files.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "core/error.h"
#include "core/text.h"
#include "corpus/table_format.h"

namespace flyscribe {
namespace {

constexpr std::array<std::string_view, 7> kExtensions = {".bmp", ".png", ".jpg", ".jpeg", ".jpe", ".tif", ".tiff"};

// Walks over all folders, one after the other.
class Walker {
 public:
  explicit Walker(const Progress& progress) : progress_(progress) {}

  void Walk(std::size_t folder, const fs::path& root) {
    folder_ = folder;
    root_ = root;
    std::vector<fs::path> pending = {fs::path()};  // relative to the root
    while (!pending.empty()) {
      progress_.ThrowIfStopped();
      const fs::path below = pending.back();
      pending.pop_back();
      std::vector<fs::path> inner = Visit(below);
      pending.insert(pending.end(), inner.rbegin(), inner.rend());
    }
  }

  ImageFiles Take() { return std::move(found_); }

 private:
  // Adds the images of one folder and returns the folders in it, by name.
  std::vector<fs::path> Visit(const fs::path& below) {
    boost::system::error_code error;
    const fs::path real = fs::canonical(root_ / below, error);
    if (error) Problem(below, "folder cannot be read: " + error.message());
    if (error || !entered_.insert(real.native()).second) return {};
    std::vector<fs::path> inner;
    for (const fs::path& name : NamesIn(below)) {
      const fs::path path = below / name;
      const fs::file_type type = fs::status(root_ / path, error).type();
      if (type == fs::directory_file) {
        inner.push_back(path);
      } else if (HasImageExtension(path)) {
        Consider(path, type, error);
      }
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
    std::ranges::sort(names, [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
    return names;
  }

  // `error`: why the type could not be told, if it could not.
  void Consider(const fs::path& path, fs::file_type type, boost::system::error_code error) {
    if (type == fs::file_not_found) return Problem(path, "link to a file that is not there");
    if (type == fs::status_error) return Problem(path, "file cannot be looked at: " + error.message());
    if (type != fs::regular_file) return Problem(path, "not a regular file");
    if (path.native().find_first_of("\t\r\n") != std::string::npos) {
      return Problem(path, "a tab or line end in the path");
    }
    const ImageFile file{folder_, path.native(), fs::file_size(root_ / path, error)};
    if (error) return Problem(path, "file cannot be looked at: " + error.message());
    found_.all.push_back(file);
  }

  void Problem(const fs::path& below, const std::string& reason) {
    found_.problems.push_back({ToUtf8((root_.filename() / below).native()), reason, true});
  }

  const Progress& progress_;
  std::size_t folder_ = 0;
  fs::path root_;
  std::set<std::string> entered_;
  ImageFiles found_;
};

void RequireReadableFolder(const fs::path& folder) {
  const auto refuse = [&](const std::string& message, const std::string& hint) {
    throw Error(ErrorCode::kInput, message, hint, {folder.string()});
  };
  boost::system::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_not_found) {
    refuse("image folder does not exist",
           "check the spelling; relative paths in a config are relative to the config's own folder");
  }
  if (status.type() != fs::directory_file) {
    refuse("image folder is not a folder", "name the folder the images lie in, not a single file");
  }
  const fs::directory_iterator probe(folder, error);
  if (error) {
    refuse("image folder cannot be read: " + error.message(),
           "check the permissions of the folder and of those above it");
  }
}

// Nothing if the file does not lie in <gene>/<stage range>/.
std::optional<ImageRow> RowOf(const ImageFile& file) {
  const fs::path path = file.file;
  const fs::path range = path.parent_path();
  const std::string gene = range.parent_path().filename().string();
  const std::optional<int> stage = ParseStageCode(range.filename().string());
  if (!stage || Trim(gene).empty()) return std::nullopt;
  ImageRow row;
  row.gene = GeneFromWord(gene);
  row.stage = *stage;
  row.number = ExplicitImageNumber(path.stem().native()).value_or(-1);
  row.may_be_copy = row.number >= 0;
  row.id = file.file;
  row.file = file.file;
  row.folder = file.folder;
  return row;
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

std::optional<std::int64_t> ExplicitImageNumber(std::string_view stem) {
  return ParseInteger(stem) ? std::nullopt : ImageNumber(stem);
}

bool HasImageExtension(const fs::path& path) {
  const std::string extension = ToLower(path.extension().native());
  return std::ranges::find(kExtensions, extension) != kExtensions.end();
}

void ThrowNoImageFile(const std::string& place) {
  throw Error(ErrorCode::kInput,
              "there is no image file here",
              "image files end in bmp, png, jpg, jpeg, jpe, tif or tiff",
              {place});
}

bool IsPlainText(const std::string& name) { return Printable(name, name.size()) == name; }

ImageFiles FindImageFiles(const std::vector<fs::path>& folders,
                          const ImageSizeOf& size_of,
                          const NumberOfStem& number_of,
                          const Progress& progress) {
  for (const fs::path& folder : folders) RequireReadableFolder(folder);
  Walker walker(progress);
  for (std::size_t i = 0; i < folders.size(); ++i) walker.Walk(i, folders[i]);
  ImageFiles files = walker.Take();
  const auto size = [&](const ImageFile& file) { return size_of ? size_of(folders[file.folder] / file.file) : 0; };
  // The larger one, of equals that of the earlier folder.
  const auto is_better = [&](const ImageFile& a, const ImageFile& b) {
    return std::tuple(size(b), b.bytes, a.folder, a.file) < std::tuple(size(a), a.bytes, b.folder, b.file);
  };
  for (const ImageFile& file : files.all) {
    const auto number = number_of(fs::path(file.file).stem().native());
    if (!number) continue;
    progress.ThrowIfStopped();
    const auto [known, is_new] = files.by_number.try_emplace(*number, file);
    if (!is_new && is_better(file, known->second)) known->second = file;
  }
  return files;
}

bool IsFolderTree(const ImageFiles& files) {
  return std::ranges::any_of(files.all, [](const ImageFile& file) { return RowOf(file).has_value(); });
}

void ReadFolderTree(const ImageFiles& files, SourceRows& rows) {
  std::vector<ImageFile> ordered = files.all;
  std::stable_partition(ordered.begin(), ordered.end(), [&](const ImageFile& file) {
    const auto number = ExplicitImageNumber(fs::path(file.file).stem().native());
    return !number || files.by_number.at(*number) == file;
  });
  SourceTable table{rows.folders.empty() ? "" : rows.folders[0].filename().string(), "folder tree", ordered.size(), {}};
  const std::size_t index = rows.tables.size();
  for (const ImageFile& file : ordered) {
    table.row_names.push_back(ToUtf8((rows.folders[file.folder].filename() / file.file).string()));
    const RowPlace place = {index, static_cast<int>(table.row_names.size())};
    std::optional<ImageRow> row = RowOf(file);
    if (!IsPlainText(file.file)) {
      rows.left_out.push_back({place, 0, "name is not plain UTF-8 text", true});
    } else if (row) {
      row->place = place;
      rows.images.push_back(std::move(*row));
    } else {
      rows.left_out.push_back({place, 0, "file does not lie in <gene>/<stage range>/", true});
    }
  }
  rows.tables.push_back(std::move(table));
}

}  // namespace flyscribe
