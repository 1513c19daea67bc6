#include "pipeline/inspect/outline.h"

#include <fmt/core.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

namespace flyscribe {
namespace {

constexpr std::size_t kMaxHeaderLine = std::size_t{1} << 20;  // of a table, in bytes
constexpr std::size_t kMaxEntries = 100;                      // of a JSON object
constexpr std::size_t kMaxValue = 72;                         // characters of a JSON value

// An object or list in a few words: its keys or elements if they fit into a line, else how many there are.
struct OpenValue {
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
class JsonOutliner : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return Add("null"); }
  bool boolean(bool value) override { return Add(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return Add(fmt::format("{}", value)); }
  bool number_unsigned(number_unsigned_t value) override { return Add(fmt::format("{}", value)); }
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
    const std::string what = error.what();  // "[json.exception.parse_error.101] parse error at ..."
    const std::size_t end = what.find("] ");
    outline_ = {};
    outline_.problem =
        "not readable as JSON: " + Printable(end == std::string::npos ? what : what.substr(end + 2), 200);
    return false;
  }

  const JsonOutline& outline() const { return outline_; }

 private:
  bool Open(const std::string& form) {
    if (depth_ < open_.size()) {
      open_[depth_] = OpenValue();
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
    if (depth_ == 0) {
      outline_.form = open_[0].form.empty() ? "value" : open_[0].form;
      outline_.count = open_[0].count;
      if (!open_[0].is_object()) outline_.entries.emplace_back("", value);
      return true;
    }
    if (depth_ <= open_.size()) open_[depth_ - 1].Add(value);
    const bool listed = depth_ == 1 && open_[0].is_object() && outline_.entries.size() < kMaxEntries;
    if (listed) outline_.entries.emplace_back(open_[0].key, value);
    return true;
  }

  JsonOutline outline_;
  std::array<OpenValue, 2> open_;
  std::size_t depth_ = 0;
};

}  // namespace

// Counts rows and fields without keeping them.
TableOutline OutlineTable(const fs::path& path, const Progress& progress) {
  TableOutline table;
  std::string header;
  std::uint64_t line = 0;
  std::size_t fields = 1;
  bool blank = true;
  const auto end_line = [&] {
    ++line;
    const std::size_t columns = table.columns.size();
    if (!blank && columns == 0) table.columns = Split(header, '\t');
    if (!blank && columns > 0) ++table.rows;
    if (!blank && columns > 0 && fields != columns && table.problem.empty()) {
      table.problem =
          fmt::format("line {} has another number of fields than the header: {}, not {}", line, fields, columns);
    }
    blank = true;
    fields = 1;
  };
  ForEachBlock(path, [&](std::string_view block) {
    progress.ThrowIfStopped();
    for (const char c : block) {
      if (c == '\n') end_line();
      if (c == '\n' || c == '\r') continue;
      blank = false;
      if (c == '\t') ++fields;
      if (!table.columns.empty()) continue;
      if (header.size() == kMaxHeaderLine) {
        throw Error(ErrorCode::kCorrupt, "no table: the first line has more than 1 MiB");
      }
      header += c;
    }
  });
  end_line();  // the last line may lack its end
  if (table.columns.empty()) table.problem = "the table is empty: it lacks even a header";
  return table;
}

JsonOutline OutlineJson(const fs::path& path) {
  const MappedFile text(path);
  JsonOutliner outliner;
  nlohmann::json::sax_parse(text.bytes(), &outliner);
  return outliner.outline();
}

}  // namespace flyscribe
