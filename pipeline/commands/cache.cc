// flyscribe cache ls | size | verify | gc: what lies in a cache, whether it is intact, and what can go.
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text.h"
#include "data/tables.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/arguments/config_arguments.h"
#include "pipeline/cache/catalogue.h"
#include "pipeline/command.h"
#include "pipeline/explain/gc.h"
#include "pipeline/terminal/console.h"
#include "pipeline/terminal/text_table.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kOptionsWidth = 80;  // a report has them all; --json shows them

struct CacheCommandArguments {
  CacheArguments cache;
  std::string max_size;
  std::string older_than;
  int keep_last = 0;  // 0: not given
  bool dry_run = false;
  bool json = false;
};

// The present plan of the config, if one is given.
std::optional<Plan> PresentPlan(const CacheCommandArguments& arguments) {
  if (!arguments.cache.has_config()) return std::nullopt;
  const Config config = arguments.cache.config.Read();
  return PlanWithoutRunning(config, QuietStore(config.cache.dir));
}

std::string NeededBy(const CachePiece& piece) {
  std::vector<std::string> names = piece.needed_by;
  if (piece.in_plan) names.insert(names.begin(), "this config");
  return Join(names, ", ");
}

Json PieceJson(const CachePiece& piece) {
  return {{"name", piece.name},
          {"options", piece.options},
          {"key", piece.key},
          {"folder", piece.folder.string()},
          {"bytes", piece.bytes},
          {"last_use", UtcText(piece.last_use)},
          {"needed_by", piece.needed_by},
          {"in_plan", piece.in_plan},
          {"problem", piece.problem}};
}

std::string PiecesTable(const std::vector<CachePiece>& pieces) {
  TextTable table({"what", "key", ">size", "last use", "needed by", "options"});
  const std::time_t now = std::time(nullptr);
  for (const CachePiece& piece : pieces) {
    table.Add({piece.name + (piece.problem.empty() ? "" : " (damaged)"),
               piece.key.substr(0, 8),
               HumanBytes(piece.bytes),
               HumanAge(piece.last_use, now),
               NeededBy(piece),
               Printable(piece.options, kOptionsWidth)});
  }
  return table.ToString();
}

std::uint64_t BytesOf(const std::vector<CachePiece>& pieces) {
  std::uint64_t bytes = 0;
  for (const CachePiece& piece : pieces) bytes += piece.bytes;
  return bytes;
}

int RunLs(const CacheCommandArguments& arguments) {
  const std::optional<Plan> plan = PresentPlan(arguments);
  const std::vector<CachePiece> pieces = ListPieces(arguments.cache.Root(), plan ? &*plan : nullptr);
  if (arguments.json) {
    Json list = Json::array();
    for (const CachePiece& piece : pieces) list.push_back(PieceJson(piece));
    PrintResult(JsonLines(Json{{"format", 1}, {"bytes", BytesOf(pieces)}, {"pieces", list}}));
  } else {
    PrintResult(pieces.empty() ? "the cache is empty\n"
                               : PiecesTable(pieces) + "\n" + HumanBytes(BytesOf(pieces)) + " in all\n");
  }
  return 0;
}

std::string KindName(CachePiece::Kind kind) {
  switch (kind) {
    case CachePiece::Kind::kArtifact:
      return "artifacts";
    case CachePiece::Kind::kItems:
      return "items";
    case CachePiece::Kind::kCheckpoint:
      return "checkpoints";
    case CachePiece::Kind::kLeftover:
      return "unfinished";
    case CachePiece::Kind::kDamaged:
      return "damaged";
  }
  return "other";
}

int RunSize(const CacheCommandArguments& arguments) {
  const fs::path root = arguments.cache.Root();
  // By step for artifacts, by kind for the rest.
  std::map<std::string, std::pair<std::size_t, std::uint64_t>> groups;
  const std::vector<CachePiece> pieces = ListPieces(root, nullptr);
  for (const CachePiece& piece : pieces) {
    const bool artifact = piece.kind == CachePiece::Kind::kArtifact;
    auto& [count, bytes] = groups[artifact ? piece.name.substr(0, piece.name.find(' ')) : KindName(piece.kind)];
    ++count;
    bytes += piece.bytes;
  }
  Json json = {{"format", 1}, {"bytes", BytesOf(pieces)}, {"groups", Json::object()}};
  TextTable table({"what", ">number", ">size"});
  for (const auto& [name, group] : groups) {
    table.Add({name, std::to_string(group.first), HumanBytes(group.second)});
    json["groups"][name] = {{"number", group.first}, {"bytes", group.second}};
  }
  table.Add({"all", std::to_string(pieces.size()), HumanBytes(BytesOf(pieces))});
  PrintResult(arguments.json ? JsonLines(json) : table.ToString());
  return 0;
}

Json VerifiedJson(const std::vector<VerifiedPiece>& pieces) {
  Json list = Json::array();
  for (const VerifiedPiece& piece : pieces) {
    list.push_back({{"artifact", piece.path.string()}, {"problem", piece.problem}});
  }
  return list;
}

std::string VerifiedText(const VerifyResult& result) {
  std::string text = std::to_string(result.artifacts) + " artifacts and " + std::to_string(result.items) + " items: ";
  text += result.damaged.empty() ? "none damaged" : std::to_string(result.damaged.size()) + " damaged";
  if (result.damaged.empty() && result.unreadable.empty()) text = text.substr(0, text.rfind(':')) + ": all intact";
  text += "\n";
  for (const VerifiedPiece& piece : result.unreadable) {
    text += "could not be read, and was left as it is: " + piece.path.string() + ": " + piece.problem + "\n";
  }
  return text;
}

int RunVerify(const CacheCommandArguments& arguments) {
  const fs::path root = arguments.cache.Root();
  Console console(DetectConsoleStyle(arguments.json));
  const ArtifactStore store(root, [&](const std::string& message) { console.Warn(message); });
  const VerifyResult result = VerifyCache(store, console);
  const Json json = {{"format", 1},
                     {"artifacts", result.artifacts},
                     {"items", result.items},
                     {"damaged", VerifiedJson(result.damaged)},
                     {"unreadable", VerifiedJson(result.unreadable)}};
  PrintResult(arguments.json ? JsonLines(json) : VerifiedText(result));
  if (!result.damaged.empty()) return static_cast<int>(ErrorCode::kCorrupt);
  return result.unreadable.empty() ? 0 : static_cast<int>(ErrorCode::kInput);
}

GcRequest RequestOf(const CacheCommandArguments& arguments, const Plan* plan) {
  GcRequest request;
  request.plan = plan;
  request.dry_run = arguments.dry_run;
  request.clear_damaged = true;
  if (!arguments.max_size.empty()) {
    request.max_bytes = ParseBytes(arguments.max_size);
    if (!request.max_bytes) {
      throw Error(ErrorCode::kUsage, "expected a size", "for example 20GB", {"--max-size " + arguments.max_size});
    }
  } else if (arguments.cache.has_config()) {
    request.max_bytes = arguments.cache.config.Read().cache.MaxBytes();
  }
  if (!arguments.older_than.empty()) {
    request.older_than = ParseDuration(arguments.older_than);
    if (!request.older_than) {
      throw Error(
          ErrorCode::kUsage, "expected a time", "for example 30d, 12h", {"--older-than " + arguments.older_than});
    }
  }
  if (arguments.keep_last > 0) request.keep_last = arguments.keep_last;
  return request;
}

int RunGc(const CacheCommandArguments& arguments) {
  const std::optional<Plan> plan = PresentPlan(arguments);
  const GcRequest request = RequestOf(arguments, plan ? &*plan : nullptr);
  const bool asked = request.max_bytes || request.older_than || request.keep_last;
  if (plan && asked) RequireKnownNeeds(*plan);
  const GcResult result = CollectGarbage(arguments.cache.Root(), request);
  if (arguments.json) {
    Json list = Json::array();
    for (const CachePiece& piece : result.removed) list.push_back(PieceJson(piece));
    PrintResult(JsonLines(Json{{"format", 1},
                               {"dry_run", arguments.dry_run},
                               {"bytes_before", result.bytes_before},
                               {"bytes_after", result.bytes_after},
                               {"removed", list}}));
    return 0;
  }
  std::string text = result.removed.empty() ? "" : PiecesTable(result.removed) + "\n";
  text += std::string(arguments.dry_run ? "would remove " : "removed ") + std::to_string(result.removed.size()) +
          (result.removed.size() == 1 ? " piece, " : " pieces, ") + HumanBytes(result.bytes_before) + " -> " +
          HumanBytes(result.bytes_after) + "\n";
  if (request.max_bytes && result.bytes_after > *request.max_bytes) {
    text += "the rest is needed by " + std::string(plan ? "this config or " : "") + "runs that go on, and stays\n";
  }
  if (!asked) {
    text += "only what nobody can use goes unasked; --max-size, --older-than or --keep-last say what else may go\n";
  }
  PrintResult(text);
  return 0;
}

}  // namespace

Command CacheCommand() {
  return {
      "cache", "List, measure, verify or clean up a cache", [](const CommandLine& line) {
        auto arguments = std::make_shared<CacheCommandArguments>();
        auto chosen = std::make_shared<std::function<int()>>([]() -> int {
          throw Error(ErrorCode::kUsage,
                      "it is not said what to do with the cache",
                      "flyscribe cache ls | size | verify | gc, then a config or --cache DIR");
        });
        line.RequireSubcommand(0, 1);
        const auto add = [&](const char* name, const char* summary, int (*run)(const CacheCommandArguments&)) {
          const CommandLine sub = line.Subcommand(
              name, summary, [arguments, chosen, run] { *chosen = [arguments, run] { return run(*arguments); }; });
          DeclareCacheArguments(sub, arguments->cache);
          sub.Flag("--json", arguments->json, "Print JSON");
          return sub;
        };
        add("ls", "List artifacts with names that people understand", RunLs);
        add("size", "Say what takes how much room", RunSize);
        add("verify", "Hash everything again; set aside what is damaged (exit 6)", RunVerify);
        const CommandLine gc = add("gc", "Remove what is no longer wanted; what the config needs stays", RunGc);
        gc.Value("--max-size", arguments->max_size, "Remove the least recently used until this fits").Named("SIZE");
        gc.Value("--older-than", arguments->older_than, "Remove what was not used for so long: 30d, 12h").Named("TIME");
        gc.Value("--keep-last", arguments->keep_last, "Keep what the last N runs of each config used")
            .Named("N")
            .Between(1, 1000000);
        gc.Flag("--dry-run,-n", arguments->dry_run, "Only say what would be removed");
        return [chosen] { return (*chosen)(); };
      }};
}

}  // namespace flyscribe
