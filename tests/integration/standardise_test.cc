// flyscribe standardise: photographs in, embryos and what was found out.
#include "core/error.h"
#include "data/quality.h"
#include "data/skipped.h"
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class StandardiseCommandTest : public Workspace {
 protected:
  // Simulated photographs in data/.
  void Simulate() {
    const ProgramResult result = Flyscribe({"simulate",
                                            "-o",
                                            "data",
                                            "--ranges",
                                            "11-12",
                                            "--set",
                                            "photographs=true",
                                            "--set",
                                            "genes=4",
                                            "--set",
                                            "seed=5"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
};

TEST_F(StandardiseCommandTest, WritesEmbryosQualityAndPicturesAndScoresThem) {
  Simulate();
  const ProgramResult result = Flyscribe(
      {"standardise", "--images", "data/images", "--output", "out", "--debug-images", "--poses", "data/poses.tsv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("0 passed as they are, 0 enlarged, "));
  EXPECT_THAT(result.out, HasSubstr("known poses: "));
  EXPECT_THAT(result.out, HasSubstr("within 4 px, 3 degrees and 5 % of the axes"));
  const std::vector<ImageQuality> qualities = LoadQuality(folder_ / "out");
  ASSERT_GT(qualities.size(), 3U);
  for (const ImageQuality& quality : qualities) {
    EXPECT_EQ(quality.way, ImageQuality::Way::kFound);
    EXPECT_TRUE(fs::exists(folder_ / "out" / "images" / (quality.image + ".png")));
    EXPECT_TRUE(fs::exists(folder_ / "out" / "debug" / (quality.image + ".png")));
  }
  // What it wrote is standardised: it passes, and an unusable file beside it does not stop it.
  folder_.Write("out/images/zero.png", "");
  fs::create_symlink("nowhere", folder_ / "out/images/link.png");
  const ProgramResult again = Flyscribe({"standardise", "--images", "out/images", "--output", "again"});
  EXPECT_EQ(again.exit_code, 3) << again.err;
  EXPECT_THAT(again.out, HasSubstr(std::to_string(qualities.size()) + " passed as they are, 0 enlarged, 0 found"));
  EXPECT_THAT(again.out, HasSubstr("2 unusable"));
  const std::vector<Skipped> skipped = LoadSkipped(folder_ / "again");
  ASSERT_EQ(skipped.size(), 2U);
  EXPECT_EQ(skipped[0].reason, "link to a file that is not there");
  EXPECT_EQ(skipped[1].reason, "image file is empty");
  const std::string name = qualities[0].image + ".png";
  EXPECT_EQ(ReadFile(folder_ / "again" / "images" / name), ReadFile(folder_ / "out" / "images" / name));
}

TEST_F(StandardiseCommandTest, MistakesAreNamed) {
  folder_.Write("a/insitu1.png", "x");
  folder_.Write("b/insitu1.png", "x");
  const ProgramResult twice = Flyscribe({"standardise", "--images", "a", "b", "--output", "out"});
  EXPECT_EQ(twice.exit_code, 4);
  EXPECT_THAT(twice.err, HasSubstr("b/insitu1.png: error: two images have the same name"));
  const ProgramResult missing = Flyscribe({"standardise", "--images", "a/insitu2.png", "--output", "out"});
  EXPECT_EQ(missing.exit_code, 5);
  EXPECT_THAT(missing.err, HasSubstr("a/insitu2.png: error: no such image file or folder"));
  folder_.Write("empty/readme.txt", "x");
  const ProgramResult none = Flyscribe({"standardise", "--images", "empty", "--output", "out"});
  EXPECT_EQ(none.exit_code, 5);
  EXPECT_THAT(none.err, HasSubstr("empty: error: there is no image file here"));
  const ProgramResult full = Flyscribe({"standardise", "--images", "a", "--output", "b"});
  EXPECT_EQ(full.exit_code, 4);
  EXPECT_THAT(full.err, HasSubstr("b: error: the output folder is not empty"));
  const ProgramResult option =
      Flyscribe({"standardise", "--images", "a", "--output", "out", "--set", "min_confidence=2"});
  EXPECT_EQ(option.exit_code, 4);
  EXPECT_THAT(option.err, HasSubstr("min_confidence"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(StandardiseCommandTest, RunDrawsWhatItDecided) {
  folder_.Write(
      "c.yaml",
      "ranges: [4-6]\noutput: output\ncache: {dir: cache}\nsimulate: {genes: 8, images_max: 1, photographs: true}\n");
  for (const char* folder : {"first", "second"}) {  // the second time everything comes from the cache
    const ProgramResult result = Flyscribe({"run", "c.yaml", "--until", "standardise", "--debug-images", folder});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  std::size_t pictures = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "first" / "4-6")) {
    ++pictures;
    EXPECT_EQ(ReadFile(entry.path()), ReadFile(folder_ / "second" / "4-6" / entry.path().filename().string()));
  }
  EXPECT_GT(pictures, 3U);
  const ProgramResult again = Flyscribe({"run", "c.yaml", "--until", "standardise", "--debug-images", "first"});
  EXPECT_EQ(again.exit_code, 4);
  EXPECT_THAT(again.err, HasSubstr("first: error: the folder for pictures is not empty\n  hint: choose another one"));
  // Pictures that cannot be drawn do not cost the results.
  folder_.Write("taken", "a file, no folder");
  fs::remove(folder_ / "output" / "run.json");
  const ProgramResult taken = Flyscribe({"run", "c.yaml", "--until", "standardise", "--debug-images", "taken"});
  EXPECT_EQ(taken.exit_code, static_cast<int>(ErrorCode::kDisk)) << taken.err;
  EXPECT_THAT(taken.err, HasSubstr("taken"));
  EXPECT_TRUE(fs::exists(folder_ / "output" / "run.json"));
}

}  // namespace
}  // namespace flyscribe
