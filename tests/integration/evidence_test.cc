// flyscribe evidence: heat maps from what annotate kept, with the bytes of those that it writes at once.
#include <set>

#include "core/file.h"
#include "data/annotation.h"
#include "data/bag_evidence.h"
#include "data/tables.h"
#include "tests/integration/tiny_suite.h"

namespace flyscribe {
namespace {

// The embryos of the tiny run, annotated without and with maps.
class EvidenceTest : public TinySuite {
 protected:
  static void SetUpTestSuite() {
    TinySuite::SetUpTestSuite();
    ASSERT_EQ(Flyscribe({"export", "tiny.yaml", "--output", "model.tar.zst", "--quiet"}).exit_code, 0);
    const fs::path data = OnlyEntry(Folder() / "cache" / "all" / "simulate");
    for (const auto& [output, maps] : {std::pair("plain", "none"), {"maps", "calls"}}) {
      const ProgramResult annotated = Flyscribe({"annotate",
                                                 "--model",
                                                 "model.tar.zst",
                                                 "--images",
                                                 (data / "insitu_images.csv").string(),
                                                 "--image-dir",
                                                 (data / "images").string(),
                                                 "--output",
                                                 output,
                                                 "--maps",
                                                 maps,
                                                 "--quiet"});
      ASSERT_EQ(annotated.exit_code, 0) << annotated.err;
    }
  }

  static std::vector<std::string> Draw(const std::string& bag,
                                       const std::string& term,
                                       const fs::path& output,
                                       const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {
        "evidence", "plain", "--bag", bag, "--term", term, "--output", output.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  TempFolder folder_;
};

TEST_F(EvidenceTest, DrawsTheBytesThatMapsHave) {
  for (const std::string& name : FilesBelow(Folder() / "plain")) EXPECT_FALSE(name.ends_with(".png")) << name;
  for (const char* table : {"predictions.tsv", "review.tsv", "annot.csv"}) {
    EXPECT_EQ(ReadFile(Folder() / "plain" / table), ReadFile(Folder() / "maps" / table)) << table;
  }
  std::size_t drawn = 0;
  for (const fs::path& maps : EntriesOf(Folder() / "maps" / "evidence")) {
    if (!fs::is_directory(maps) || drawn > 12) continue;
    const fs::path file = Folder() / "plain" / "evidence" / (maps.filename().string() + ".json");
    const BagEvidence evidence = DecodeEvidence(ReadFile(file), file);
    std::multiset<std::string> at_once;
    for (const fs::path& png : EntriesOf(maps)) at_once.insert(ReadFile(png));
    std::multiset<std::string> later;
    for (const TermEvidence& term : evidence.terms) {
      const ProgramResult result = Flyscribe(Draw(evidence.bag_id, term.term, folder_ / "map.png", {"--force"}));
      ASSERT_EQ(result.exit_code, 0) << result.err;
      EXPECT_THAT(result.out, HasSubstr(term.term + " in " + evidence.bag_id + ", 4-6: decision value"));
      later.insert(ReadFile(folder_ / "map.png"));
      ++drawn;
    }
    EXPECT_TRUE(at_once == later) << maps;
  }
  EXPECT_GT(drawn, 12U);
}

TEST_F(EvidenceTest, ReplacesNoFileUnasked) {
  const auto rows = LoadTsv(Folder() / "plain" / "predictions.tsv", PredictionHeader());
  const auto draw = [&](const std::string& output, const std::vector<std::string>& more = {}) {
    return Flyscribe(Draw(rows[0][0], rows[0][5], folder_ / output, more));
  };
  EXPECT_EQ(draw("map.png").exit_code, 0);
  EXPECT_EQ(draw("map.png").exit_code, 4);
  EXPECT_THAT(draw("map.png").err, HasSubstr("give another name, or --force to replace it"));
  EXPECT_EQ(draw("map.png", {"--force"}).exit_code, 0);
  folder_.Write("notes.txt", "mine");
  EXPECT_THAT(draw("notes.txt", {"--force"}).err, HasSubstr("the file of this name is no PNG"));
  EXPECT_EQ(ReadFile(folder_ / "notes.txt"), "mine");
  EXPECT_THAT(draw("").err, HasSubstr("name a file, such as map.png"));
  EXPECT_EQ(draw("new/map.png").exit_code, 0) << "folders are made";
}

TEST_F(EvidenceTest, SaysWhatThereIs) {
  const auto rows = LoadTsv(Folder() / "plain" / "predictions.tsv", PredictionHeader());
  const ProgramResult bag = Flyscribe(Draw(rows[0][0] + "0", rows[0][5], folder_ / "map.png"));
  EXPECT_EQ(bag.exit_code, 4);
  EXPECT_THAT(bag.err, HasSubstr("there is no bag of this name"));
  EXPECT_THAT(bag.err, HasSubstr("did you mean '"));
  const ProgramResult term = Flyscribe(Draw(rows[0][0], "tail", folder_ / "map.png"));
  EXPECT_EQ(term.exit_code, 4);
  EXPECT_THAT(term.err, HasSubstr("terms: " + rows[0][5]));
  const ProgramResult folder =
      Flyscribe({"evidence", "output", "--bag", rows[0][0], "--term", rows[0][5], "--output", "map.png"});
  EXPECT_EQ(folder.exit_code, 5);
  EXPECT_THAT(folder.err, HasSubstr("this is no folder that `flyscribe annotate` made"));
  EXPECT_FALSE(fs::exists(folder_ / "map.png"));
}

TEST_F(EvidenceTest, IsInspected) {
  const fs::path file = FilesBelow(Folder() / "plain" / "evidence").at(0);
  const ProgramResult result = Flyscribe({"inspect", (fs::path("plain") / "evidence" / file).string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("score_source"));
}

}  // namespace
}  // namespace flyscribe
