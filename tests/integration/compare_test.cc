// flyscribe compare: two runs side by side, with the real binary.
#include <nlohmann/json.hpp>

#include "core/file.h"
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

using nlohmann::json;

// Tables of a run that was never run: quick, and with known scores.
class CompareCommandTest : public Workspace {
 protected:
  static constexpr const char* kHeader =
      "bag\tgene\tterm\tfold\tlabel\tdecision_value\tprobability\tthreshold\tcall\tscore_source\n";

  // Twelve genes of one fold, six with the term; `values` are their decision values.
  void WriteTable(const std::string& folder, const std::vector<int>& values, const std::string& term = "gut") const {
    std::string text = kHeader;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string gene = "g" + std::to_string(i);
      text += gene + "_4-6\t" + gene + "\t" + term + "\t0\t" + (i % 2 == 0 ? "1" : "0") + "\t" +
              std::to_string(values[i]) + "\t0.5\t0.5\t0\ttest\n";
    }
    CreateFolder(folder_ / folder);
    folder_.Write(folder + "/predictions.tsv", text);
  }

  const std::vector<int> perfect_ = {9, 1, 8, 2, 7, 3, 9, 1, 8, 2, 7, 3};
  const std::vector<int> middling_ = {9, 1, 8, 7, 2, 3, 9, 8, 1, 2, 7, 3};
};

TEST_F(CompareCommandTest, SaysTheDifferenceWithItsInterval) {
  WriteTable("a/4-6", middling_);
  WriteTable("b/4-6", perfect_);
  const ProgramResult text = Flyscribe({"compare", "a", "b"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("A  a\nB  b\n12 genes tested by both\n"));
  EXPECT_THAT(text.out, HasSubstr("4-6, top   1 term  0.6667  1.0000  +0.3333"));
  EXPECT_THAT(text.out, HasSubstr("1.0000"));

  const ProgramResult result = Flyscribe({"compare", "a", "b", "--json", "--top", "3", "--bootstrap", "200"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const json record = json::parse(result.out);
  const json& top = record.at("ranges")[0].at("top").at("macro_auc");
  EXPECT_DOUBLE_EQ(top.at("second"), 1.0);
  EXPECT_LT(top.at("first"), 1.0);
  EXPECT_GE(top.at("difference_interval")[0], 0.0);
  EXPECT_EQ(record.at("bootstrap"), 200);
  EXPECT_EQ(record.at("ranges")[0].at("terms")[0].at("term"), "gut");
  EXPECT_EQ(Flyscribe({"compare", "a", "b", "--json", "--threads", "1"}).out,
            Flyscribe({"compare", "a", "b", "--json", "--threads", "3"}).out);
}

TEST_F(CompareCommandTest, TakesASingleRangeThePixelsOfOneAndThoseOfAll) {
  WriteTable("a/4-6", perfect_);
  WriteTable("a/4-6/pixels", middling_);
  WriteTable("a/7-8", perfect_);
  WriteTable("a/7-8/pixels", middling_);
  const auto ranges = [&](const std::string& first, const std::string& second) {
    const ProgramResult result = Flyscribe({"compare", first, second, "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? json::parse(result.out).at("ranges").size() : 0;
  };
  EXPECT_EQ(ranges("a/4-6/pixels", "a"), 1U);
  EXPECT_EQ(ranges("a/4-6/pixels", "a/4-6"), 1U);
  EXPECT_EQ(ranges("a/pixels", "a"), 2U);
  EXPECT_EQ(ranges("a", "a"), 2U);
  EXPECT_THAT(Flyscribe({"compare", "a/pixels", "a"}).out, HasSubstr("mean, top  2 ranges"));
}

TEST_F(CompareCommandTest, RefusesWhatDoesNotCompare) {
  WriteTable("a/4-6", perfect_);
  WriteTable("b/7-8", perfect_);
  WriteTable("c/4-6", perfect_, "brain");
  WriteTable("d", perfect_);
  const ProgramResult ranges = Flyscribe({"compare", "a", "b"});
  EXPECT_EQ(ranges.exit_code, 5);
  EXPECT_THAT(ranges.err, HasSubstr("error: the two runs share no stage range: 4-6 against 7-8\n"));
  EXPECT_THAT(Flyscribe({"compare", "a", "c"}).err, HasSubstr("error: the two runs share no term"));
  const ProgramResult missing = Flyscribe({"compare", "a", "nowhere"});
  EXPECT_EQ(missing.exit_code, 5);
  EXPECT_THAT(missing.err, HasSubstr("nowhere: no predictions here\n  hint: run the config first"));
  EXPECT_THAT(Flyscribe({"compare", "a", "d"}).err, HasSubstr("d: no folder on the way says which stage range"));
  EXPECT_EQ(Flyscribe({"compare", "a", "a", "--top", "0"}).exit_code, 4);
  EXPECT_EQ(Flyscribe({"compare", "a"}).exit_code, 4);
}

TEST_F(CompareCommandTest, ARealRunAndItsConfig) {
  WriteTinyConfig();
  const ProgramResult run = Flyscribe(
      {"run", "tiny.yaml", "--quiet", "--set", "protocol.pixel_baseline=true", "--set", "protocol.test_folds=2"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const ProgramResult result = Flyscribe({"compare", "output/4-6/pixels", "tiny.yaml"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("4-6, all"));
  EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace flyscribe
