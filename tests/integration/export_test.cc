// flyscribe export: from a config to a model as one file, and what inspect says of it.
#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

using testing::MatchesRegex;
using testing::StartsWith;

class ExportCommandTest : public Workspace {
 protected:
  ExportCommandTest() { WriteTinyConfig(); }

  ProgramResult Export(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"export", "tiny.yaml", "--output", "model.tar.zst"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Flyscribe(arguments);
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const fs::path& entry : EntriesOf(folder_.path())) names.push_back(entry.filename().string());
    return names;
  }
};

TEST_F(ExportCommandTest, TrainsWritesAndIsInspected) {
  const ProgramResult first = Export({"--threads", "2"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out,
              MatchesRegex("model [0-9a-f]{16}\n  4-6 .* terms?, .* skipped, .* genes, 24 atoms\n"
                           "  time .*\n  file     model.tar.zst, .*\n"));
  EXPECT_THAT(first.err, HasSubstr("train 4-6"));
  EXPECT_THAT(Names(), testing::ElementsAre("cache", "model.tar.zst", "tiny.yaml"));
  const std::string bytes = ReadFile(folder_ / "model.tar.zst");

  // Not again without being told to; then from the cache, the same bytes with any number of threads.
  const ProgramResult again = Export();
  EXPECT_EQ(again.exit_code, 4);
  EXPECT_EQ(again.err,
            "model.tar.zst: error: there is a file of this name already\n"
            "  hint: give another name, or --force to replace it\n");
  const ProgramResult forced = Export({"--force", "--quiet", "--threads", "1"});
  EXPECT_EQ(forced.exit_code, 0) << forced.err;
  EXPECT_EQ(forced.out + forced.err, "");
  EXPECT_EQ(ReadFile(folder_ / "model.tar.zst"), bytes);

  const ProgramResult text = Flyscribe({"inspect", "model.tar.zst"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, StartsWith("model.tar.zst: model\n"));
  EXPECT_THAT(text.out, HasSubstr("all of it was verified"));
  const auto json = nlohmann::json::parse(Flyscribe({"inspect", "model.tar.zst", "--json"}).out);
  EXPECT_THAT(first.out, HasSubstr(json.at("model").at("id").get<std::string>()));

  WriteFile(folder_ / "model.tar.zst", bytes.substr(0, bytes.size() - 3));
  EXPECT_EQ(Flyscribe({"inspect", "model.tar.zst"}).exit_code, 6);
  WriteFile(folder_ / "model.tar.zst", bytes.substr(0, bytes.size() - 1) + "x");
  const ProgramResult damaged = Flyscribe({"inspect", "model.tar.zst"});
  EXPECT_EQ(damaged.exit_code, 6);
  EXPECT_THAT(damaged.out, HasSubstr("the archive is damaged: its bytes do not fit its seal"));
  EXPECT_THAT(damaged.out, HasSubstr(json.at("model").at("id").get<std::string>())) << "the rest is shown";
}

TEST_F(ExportCommandTest, ProblemsAreToldBeforeAnythingRuns) {
  EXPECT_EQ(Flyscribe({"export", "tiny.yaml"}).exit_code, 4) << "no output is named";
  fs::create_directory(folder_ / "model.tar.zst");
  const ProgramResult folder = Export();
  EXPECT_EQ(folder.exit_code, 4);
  EXPECT_THAT(folder.err, StartsWith("model.tar.zst: error: a folder is there"));
  EXPECT_EQ(Export({"--set", "learn.atom=3"}).exit_code, 4);
  folder_.Write("file", "");
  EXPECT_EQ(Flyscribe({"export", "tiny.yaml", "--output", "file/model.tar.zst"}).exit_code, 8);
  EXPECT_FALSE(fs::exists(folder_ / "cache" / "4-6"));
}

TEST_F(ExportCommandTest, InterruptedItLeavesNothing) {
  RunningProgram program(FLYSCRIBE_BINARY,
                         {"export", "tiny.yaml", "--output", "model.tar.zst", "--set", "learn.epochs=5000"},
                         folder_.path());
  while (program.running() && !fs::exists(folder_ / "cache" / "4-6" / "normalise")) {
  }
  program.Signal(SIGINT);
  EXPECT_EQ(program.Wait().exit_code, 130);
  EXPECT_THAT(Names(), testing::ElementsAre("cache", "tiny.yaml"));
}

}  // namespace
}  // namespace flyscribe
