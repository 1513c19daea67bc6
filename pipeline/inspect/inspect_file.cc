#include "pipeline/inspect/inspect_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"
#include "pipeline/cache/key.h"

namespace flyscribe {
namespace {

constexpr std::size_t kKeyDigits = 64;
constexpr std::size_t kMaxHeaderLine = std::size_t{1} << 20;  // of a table, in bytes
constexpr std::size_t kMaxEntries = 100;                      // of a JSON object
constexpr std::size_t kMaxValue = 72;                         // characters of a JSON value

struct KindOfExtension {
  std::string_view extension;
  std::string_view kind;
};
constexpr std::array<KindOfExtension, 13> kKinds = {{{".npy", "array"},
                                                     {".tsv", "table"},
                                                     {".csv", "table"},
                                                     {".json", "json"},
                                                     {".html", "page"},
                                                     {".bmp", "image"},
                                                     {".png", "image"},
                                                     {".jpg", "image"},
                                                     {".jpeg", "image"},
                                                     {".txt", "text"},
                                                     {".yaml", "config"},
                                                     {".yml", "config"},
                                                     {".zst", "model"}}};

// Lies where the cache puts items: items/<step>/<recipe>/<first two digits>/<key>.
bool IsItem(const fs::path& path) {
  const std::string name = path.filename().string();
  const fs::path shelf = fs::absolute(path).parent_path();
  return IsKey(name) && shelf.filename() == name.substr(0, 2) && IsItemGroup(shelf.parent_path());
}

std::string KindOf(const fs::path& path) {
  if (IsItem(path)) return "item";
  const std::string extension = ToLower(path.extension().string());
  const auto* const known = std::find_if(
      kKinds.begin(), kKinds.end(), [&](const KindOfExtension& entry) { return entry.extension == extension; });
  return known == kKinds.end() ? "file" : std::string(known->kind);
}

// Counts rows and fields without keeping them. No quoting, blank lines are passed over: as LoadTsv reads.
class TableCounter {
 public:
  void Add(std::string_view block) {
    for (const char c : block) AddCharacter(c);
  }
  // The last line may lack its end.
  void Finish() { EndLine(); }

  const TableFacts& facts() const { return facts_; }
  const std::string& problem() const { return problem_; }
  bool empty() const { return facts_.columns.empty(); }

 private:
  void AddCharacter(char c) {
    if (c == '\n') return EndLine();
    if (c == '\r') return;
    blank_ = false;
    if (c == '\t') ++fields_;
    if (!empty()) return;
    if (header_.size() == kMaxHeaderLine) {
      throw Error(ErrorCode::kCorrupt, "no table: the first line has more than 1 MiB");
    }
    header_ += c;
  }

  void EndLine() {
    ++line_;
    if (!blank_) EndRow();
    blank_ = true;
    fields_ = 1;
  }

  void EndRow() {
    if (empty()) {
      facts_.columns = Split(header_, '\t');
      return;
    }
    ++facts_.rows;
    if (fields_ == facts_.columns.size() || !problem_.empty()) return;
    problem_ = fmt::format(
        "line {} has another number of fields than the header: {}, not {}", line_, fields_, facts_.columns.size());
  }

  TableFacts facts_;
  std::string problem_;
  std::string header_;
  std::uint64_t line_ = 0;
  std::size_t fields_ = 1;
  bool blank_ = true;
};

void ExplainTable(const fs::path& path, const Progress& progress, FileFacts& file) {
  TableCounter counter;
  ForEachBlock(path, [&](std::string_view block) {
    progress.ThrowIfStopped();
    counter.Add(block);
  });
  counter.Finish();
  file.problem = counter.empty() ? "the table is empty: it lacks even a header" : counter.problem();
  if (!counter.empty()) file.content = counter.facts();
}

// What an object or list holds, in a few words: its keys or elements if they fit into a line, else how many there are.
struct Outline {
  std::string form;
  std::string key;  // the last one met
  std::uint64_t count = 0;
  std::string line;
  bool flat = true;  // no element is an object or list of the third level

  bool is_object() const { return form == "object"; }
  void Add(const std::string& element) {
    ++count;
    if (line.size() <= kMaxValue) line += (count == 1 ? "" : ", ") + (is_object() ? key : element);
  }
  std::string ToString() const {
    if (line.size() > kMaxValue || (!flat && !is_object())) return fmt::format("{} of {}", form, count);
    return is_object() ? "{" + line + "}" : "[" + line + "]";
  }
};

// Outlines the two upper levels of a JSON text while it is parsed, without building a tree: a hostile file may nest
// without end.
class JsonOutline : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return Add("null"); }
  bool boolean(bool value) override { return Add(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return Add(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return Add(std::to_string(value)); }
  bool number_float(number_float_t value, const string_t& /*text*/) override {
    return Add(fmt::format("{:.6g}", value));
  }
  bool string(string_t& value) override { return Add(Printable(value, kMaxValue)); }
  bool binary(binary_t& /*value*/) override { return Add("binary"); }  // not of text

  bool start_object(std::size_t /*size*/) override { return Open("object"); }
  bool start_array(std::size_t /*size*/) override { return Open("list"); }
  bool end_object() override { return Close("object"); }
  bool end_array() override { return Close("list"); }
  bool key(string_t& name) override {
    if (depth_ <= open_.size()) open_[depth_ - 1].key = Printable(name, kMaxValue);
    return true;
  }

  bool parse_error(std::size_t /*at*/, const std::string& /*token*/, const nlohmann::json::exception& error) override {
    problem_ = JsonProblem(error.what());
    return false;
  }

  const JsonFacts& facts() const { return facts_; }
  const std::string& problem() const { return problem_; }

 private:
  bool Open(const std::string& form) {
    if (depth_ < open_.size()) {
      open_[depth_] = Outline();
      open_[depth_].form = form;
    }
    if (depth_ == open_.size()) open_.back().flat = false;
    ++depth_;
    return true;
  }

  bool Close(const std::string& form) {
    --depth_;
    return Add(depth_ < open_.size() ? open_[depth_].ToString() : form);
  }

  // A finished value: the whole text, or an element of what is open.
  bool Add(const std::string& value) {
    if (depth_ == 0) return Finish(value);
    if (depth_ <= open_.size()) open_[depth_ - 1].Add(value);
    const bool listed = depth_ == 1 && open_[0].is_object() && facts_.entries.size() < kMaxEntries;
    if (listed) facts_.entries.emplace_back(open_[0].key, value);
    return true;
  }

  bool Finish(const std::string& value) {
    facts_.form = open_[0].form.empty() ? "value" : open_[0].form;
    facts_.count = open_[0].count;
    if (!open_[0].is_object()) facts_.entries.emplace_back("", value);
    return true;
  }

  JsonFacts facts_;
  std::string problem_;
  std::array<Outline, 2> open_;
  std::size_t depth_ = 0;
};

void ExplainJson(const fs::path& path, FileFacts& file) {
  const MappedFile text(path);
  JsonOutline outline;
  nlohmann::json::sax_parse(text.bytes(), &outline);
  file.problem = outline.problem();
  if (file.problem.empty()) file.content = outline.facts();
}

void ExplainArray(const fs::path& path, const Progress& progress, FileFacts& file) {
  const AnyNpy array(path);
  file.content = ArrayFacts{array.header(), StatisticsOf(array, progress)};
}

void ExplainItem(const fs::path& path, const Progress& progress, FileFacts& file) {
  ItemFacts item;
  item.key = path.filename().string();
  item.step = fs::absolute(path).parent_path().parent_path().parent_path().filename().string();
  std::string digest;
  Sha256 hash;
  ForEachBlock(path, [&](std::string_view block) {
    progress.ThrowIfStopped();
    const std::string_view start = block.substr(0, kKeyDigits - digest.size());
    digest += start;
    block.remove_prefix(start.size());
    hash.Update(block);
    item.payload_bytes += block.size();
  });
  item.intact = hash.HexDigest() == digest;
  if (!item.intact) file.problem = "the digest does not fit the payload";
  if (digest.size() < kKeyDigits) file.problem = "shorter than the digest it must begin with";
  file.content = item;
}

void ExplainContent(const fs::path& path, const Progress& progress, FileFacts& file) {
  if (file.kind == "array") ExplainArray(path, progress, file);
  if (file.kind == "json") ExplainJson(path, file);
  if (file.kind == "item") ExplainItem(path, progress, file);
  // Tables with commas are others' and may have no header.
  if (file.kind == "table" && ToLower(path.extension().string()) == ".tsv") ExplainTable(path, progress, file);
}

}  // namespace

bool IsItemGroup(const fs::path& folder) {
  return IsKey(folder.filename().string()) && folder.parent_path().parent_path().filename() == "items";
}

std::string JsonProblem(const std::string& what) {
  const std::size_t end = what.find("] ");  // "[json.exception.parse_error.101] parse error at ..."
  return "not readable as JSON: " + Printable(end == std::string::npos ? what : what.substr(end + 2), 200);
}

FileFacts NameFile(const fs::path& path, const std::string& name) {
  FileFacts file;
  file.name = name;
  file.kind = KindOf(path);
  boost::system::error_code error;
  const std::uint64_t bytes = fs::file_size(path, error);
  if (error) file.problem = "cannot be read: " + error.message();
  if (!error) file.bytes = bytes;
  return file;
}

FileFacts ExplainFile(const fs::path& path, const std::string& name, const Progress& progress) {
  FileFacts file = NameFile(path, name);
  if (!file.problem.empty()) return file;
  try {
    ExplainContent(path, progress, file);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInterrupted) throw;
    file.problem = error.diagnostics().front().message;
  }
  return file;
}

std::string DigestOf(const fs::path& path, const Progress& progress) {
  Sha256 hash;
  ForEachBlock(path, [&](std::string_view block) {
    progress.ThrowIfStopped();
    hash.Update(block);
  });
  return hash.HexDigest();
}

}  // namespace flyscribe
