#include "pipeline/config/config_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>

#include "core/file.h"
#include "core/text.h"

namespace flyscribe {
namespace {

constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxDepth = 16;

// Builds the tree from the parser's events. A node is finished when its collection ends; `open_` holds those that are
// not finished, outermost first.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string source, fs::path base) : source_(std::move(source)), base_(std::move(base)) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    RefuseAnchor(mark, anchor);
    Add(Make(ConfigNode::Kind::kNull, mark));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override { RefuseAnchor(mark, 1); }
  void OnScalar(const YAML::Mark& mark,
                const std::string& tag,
                YAML::anchor_t anchor,
                const std::string& value) override {
    RefuseAnchor(mark, anchor);
    if (value.find('\0') != std::string::npos) {
      throw Error(ErrorCode::kUsage, "a value holds a NUL character", "remove the \\0", PlaceOf(mark));
    }
    ConfigNode node = Make(ConfigNode::Kind::kScalar, mark);
    node.quoted = tag == "!";  // yaml-cpp's mark for a quoted word
    node.text = value;
    // An unquoted ~ or null is nothing, as YAML has it.
    if (!node.quoted && (value == "~" || value == "null")) node.kind = ConfigNode::Kind::kNull;
    Add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark,
                       const std::string& /*tag*/,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    Open(ConfigNode::Kind::kSequence, mark, anchor);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark,
                  const std::string& /*tag*/,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    Open(ConfigNode::Kind::kMap, mark, anchor);
  }
  void OnMapEnd() override { Close(); }

  ConfigNode Finish() {
    if (!problems_.empty()) throw Error(ErrorCode::kUsage, problems_);
    return std::move(root_);
  }

 private:
  struct OpenNode {
    ConfigNode node;
    bool expects_value = false;  // a map's key has been read, its value has not
    std::string key;
    Place key_place;
  };

  Place PlaceOf(const YAML::Mark& mark) const { return {source_, mark.line + 1, mark.column + 1}; }

  ConfigNode Make(ConfigNode::Kind kind, const YAML::Mark& mark) const {
    ConfigNode node;
    node.kind = kind;
    node.place = PlaceOf(mark);
    node.base = base_;
    return node;
  }

  void RefuseAnchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
    if (anchor == 0) return;
    throw Error(ErrorCode::kUsage,
                "anchors (&) and aliases (*) are not supported",
                "write the value out; a config is a dozen lines",
                PlaceOf(mark));
  }

  void Open(ConfigNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    RefuseAnchor(mark, anchor);
    if (open_.size() >= kMaxDepth) {
      throw Error(ErrorCode::kUsage, "nested too deeply", "a config has two levels", PlaceOf(mark));
    }
    open_.push_back({Make(kind, mark), false, {}, {}});
  }

  void Close() {
    ConfigNode node = std::move(open_.back().node);
    open_.pop_back();
    Add(std::move(node));
  }

  void Add(ConfigNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    OpenNode& parent = open_.back();
    if (parent.node.kind == ConfigNode::Kind::kSequence) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.expects_value) {
      ReadKey(parent, node);
    } else {
      parent.expects_value = false;
      node.key_place = parent.key_place;
      parent.node.entries.push_back({parent.key, std::move(node)});
    }
  }

  void ReadKey(OpenNode& parent, const ConfigNode& key) {
    if (key.kind != ConfigNode::Kind::kScalar) {
      throw Error(ErrorCode::kUsage, "a key must be a word", {}, key.place);
    }
    if (const ConfigNode* first = parent.node.Find(key.text)) {
      problems_.push_back({"'" + key.text + "' is given twice",
                           "the first is on line " + std::to_string(first->key_place.line) + "; keep one of them",
                           key.place});
    }
    parent.expects_value = true;
    parent.key = key.text;
    parent.key_place = key.place;
  }

  std::string source_;
  fs::path base_;
  ConfigNode root_;
  std::vector<OpenNode> open_;
  std::vector<Diagnostic> problems_;
};

// The value of an argument. It is one line: its place is the argument, not a line and column of it.
ConfigNode ParseValue(const std::string& text, const std::string& source) {
  try {
    return ParseConfigText(text, source, fs::current_path());
  } catch (const Error& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& diagnostic : diagnostics) diagnostic.place = {source};
    throw Error(error.code(), std::move(diagnostics));
  }
}

}  // namespace

const ConfigNode* ConfigNode::Find(const std::string& key) const {
  for (const auto& [name, node] : entries) {
    if (name == key) return &node;
  }
  return nullptr;
}

ConfigNode* ConfigNode::Find(const std::string& key) {
  return const_cast<ConfigNode*>(std::as_const(*this).Find(key));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

std::string ConfigNode::Describe() const {
  switch (kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kScalar:
      return "'" + text + "'";
    case Kind::kSequence:
      return "a list";
    case Kind::kMap:
      return "a map";
  }
  return {};
}

ConfigNode ParseConfigText(const std::string& text, const std::string& source, const fs::path& base) {
  TreeBuilder builder(source, base);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      throw Error(ErrorCode::kUsage,
                  "the config is empty",
                  "configs/quickstart.yaml is an example; `flyscribe defaults` lists all keys",
                  {source});
    }
    TreeBuilder rest(source, base);
    if (parser.HandleNextDocument(rest)) {
      throw Error(ErrorCode::kUsage, "more than one YAML document", "remove the '---' in the middle", {source});
    }
  } catch (const YAML::ParserException& error) {
    throw Error(ErrorCode::kUsage,
                "not valid YAML: " + error.msg,
                "look at this line and the one before it: a missing colon, quote or bracket?",
                {source, error.mark.line + 1, error.mark.column + 1});
  }
  return builder.Finish();
}

ConfigNode ReadConfigFile(const fs::path& path) {
  const std::string text = ReadFile(path, kMaxConfigBytes);
  if (!IsUtf8(text) || text.find('\0') != std::string::npos) {
    throw Error(ErrorCode::kUsage,
                "the config is not UTF-8 text",
                "save it as UTF-8; is this a config at all?",
                {path.string()});
  }
  return ParseConfigText(text, path.string(), fs::absolute(path).parent_path());
}

void ApplyOverride(ConfigNode& root, const std::string& argument) {
  ApplyOverride(root, argument, "--set " + argument);
}

void ApplyOverride(ConfigNode& root, const std::string& argument, const std::string& source) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(ErrorCode::kUsage, "expected key=value", "for example --set learn.lambda=0.12", {source});
  }
  const std::string value_text = argument.substr(equals + 1);
  ConfigNode value;
  if (!Trim(value_text).empty()) value = ParseValue(value_text, source);
  value.place = {source};
  value.key_place = {source};
  value.base = fs::current_path();
  for (ConfigNode& item : value.items) item.place = {source};

  if (root.kind != ConfigNode::Kind::kMap) return;  // reading it will say what is wrong
  ConfigNode* node = &root;
  const std::vector<std::string> keys = Split(argument.substr(0, equals), '.');
  for (const std::string& key : keys) {
    node->kind = ConfigNode::Kind::kMap;
    if (node->Find(key) == nullptr) {
      ConfigNode fresh;
      fresh.place = fresh.key_place = {source};
      node->entries.push_back({key, fresh});
    }
    node = node->Find(key);
  }
  *node = std::move(value);
}

}  // namespace flyscribe
