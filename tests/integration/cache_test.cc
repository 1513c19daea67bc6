// flyscribe cache: what lies in a cache, whether it is intact, and what can go.
#include <nlohmann/json.hpp>

#include "core/file.h"
#include "tests/integration/tiny_suite.h"
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;
using testing::ContainsRegex;

class CacheCommandTest : public TinySuite {};

TEST_F(CacheCommandTest, IsListedAndMeasured) {
  const auto before = Listing();
  const ProgramResult text = Flyscribe({"cache", "ls", "tiny.yaml"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out,
              ContainsRegex("  learn 4-6 fold-0 +[0-9a-f]+ +[0-9.]+ kB  just now  this config, tiny  "
                            "learn.atoms 24, learn.epochs 2, learn.lambda 0.1\n"));
  EXPECT_THAT(text.out, ContainsRegex("  items of extract \\([0-9]+\\) .* this config, tiny  extract.stride 32\n"));
  EXPECT_THAT(text.out, ContainsRegex("\n[0-9.]+ MB in all\n"));
  const Json list = Json::parse(Flyscribe({"cache", "ls", "--cache", "cache", "--json"}).out);
  EXPECT_EQ(list["pieces"].size(), 13U);
  EXPECT_EQ(list["pieces"][0]["in_plan"], false) << "no plan without a config";
  EXPECT_EQ(list["pieces"][0]["needed_by"], Json::array({"tiny"}));

  const ProgramResult size = Flyscribe({"cache", "size", "tiny.yaml"});
  EXPECT_THAT(size.out, ContainsRegex("  learn +1 +[0-9.]+ kB\n"));
  EXPECT_THAT(size.out, ContainsRegex("  all +13 +[0-9.]+ MB\n"));
  EXPECT_EQ(Json::parse(Flyscribe({"cache", "size", "tiny.yaml", "--json"}).out)["bytes"], list["bytes"]);

  const ProgramResult verified = Flyscribe({"cache", "verify", "tiny.yaml"});
  EXPECT_EQ(verified.exit_code, 0);
  EXPECT_THAT(verified.out, ContainsRegex("^11 artifacts and [0-9]+ items: all intact\n"));
  EXPECT_EQ(Listing(), before) << "nothing on disk has changed";
}

TEST_F(CacheCommandTest, GarbageGoesWhenAsked) {
  EXPECT_EQ(Flyscribe({"run", "tiny.yaml", "--quiet", "--set", "train.c=3"}).exit_code, 0);
  const ProgramResult unasked = Flyscribe({"cache", "gc", "tiny.yaml"});
  EXPECT_THAT(unasked.out, ContainsRegex("^removed 0 pieces, .*\nonly what nobody can use goes unasked; --max-size, "));
  const ProgramResult dry = Flyscribe({"cache", "gc", "tiny.yaml", "--max-size", "1kB", "--dry-run"});
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_THAT(dry.out, HasSubstr("  evaluate 4-6 "));
  EXPECT_THAT(dry.out, ContainsRegex("\nwould remove 3 pieces, "));
  const Json gone = Json::parse(Flyscribe({"cache", "gc", "tiny.yaml", "--max-size", "1kB", "--json"}).out);
  EXPECT_EQ(gone["removed"].size(), 3U) << "a dry run had removed nothing";
  EXPECT_LT(gone["bytes_after"], gone["bytes_before"]);
  EXPECT_THAT(Flyscribe({"cache", "gc", "tiny.yaml", "--max-size", "1kB"}).out,
              HasSubstr("the rest is needed by this config or runs that go on, and stays\n"));
  EXPECT_EQ(Flyscribe({"plan", "tiny.yaml", "--exit-code"}).exit_code, 0) << "what the config needs stays";
}

TEST_F(CacheCommandTest, ErrorsSayWhatIsWrong) {
  const std::map<std::vector<std::string>, std::string> expected = {
      {{"cache"}, "error: it is not said what to do with the cache\n  hint: flyscribe cache ls | size | verify | gc"},
      {{"cache", "ls"}, "error: neither a config nor --cache is given"},
      {{"cache", "gc", "tiny.yaml", "--max-size", "much"},
       "--max-size much: error: expected a size\n  hint: for example 20GB"},
      {{"cache", "gc", "tiny.yaml", "--older-than", "ages"},
       "--older-than ages: error: expected a time\n  hint: for example 30d, 12h"},
      {{"cache", "gc", "tiny.yaml", "--keep-last", "0"}, "--keep-last"}};
  for (const auto& [arguments, text] : expected) {
    const ProgramResult result = Flyscribe(arguments);
    EXPECT_EQ(result.exit_code, 4) << text;
    EXPECT_THAT(result.err, HasSubstr(text));
  }
  const ProgramResult missing = Flyscribe({"cache", "verify", "--cache", "nowhere"});
  EXPECT_EQ(missing.exit_code, 5);
  EXPECT_THAT(missing.err, HasSubstr("nowhere: error: there is no such folder\n  hint: check the spelling"));
}

class CacheOfRealDataTest : public Workspace {};

TEST_F(CacheOfRealDataTest, WithImagesThatCannotBeReadNothingGoes) {
  WriteRealConfig();
  fs::create_symlink("circle.bmp", folder_ / "data/images/circle.bmp");
  const ProgramResult refused = Flyscribe({"cache", "gc", "real.yaml", "--older-than", "1d"});
  EXPECT_EQ(refused.exit_code, 5);
  EXPECT_THAT(
      refused.err,
      HasSubstr("images/circle.bmp: error: file cannot be looked at: Too many levels of symbolic links; with it "
                "this config may need other artifacts, so nothing was removed\n  hint: make it readable, or name "
                "the cache by --cache DIR"));
  EXPECT_EQ(Flyscribe({"cache", "gc", "real.yaml"}).exit_code, 0) << "what nobody can use goes all the same";
}

class DamagedCacheTest : public Workspace {};

TEST_F(DamagedCacheTest, VerifyFindsDamageAndARunMendsIt) {
  WriteTinyConfig();
  ASSERT_EQ(Flyscribe({"run", "tiny.yaml", "--quiet"}).exit_code, 0);
  const fs::path artifact = fs::directory_iterator(folder_ / "cache/4-6/evaluate")->path();
  std::string table = ReadFile(artifact / "terms.tsv");
  table[3] ^= 1;  // the same size
  WriteFileAtomically(artifact / "terms.tsv", table);
  fs::path item;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "cache/items/extract")) {
    if (fs::is_regular_file(entry.path()) && entry.path().filename() != "recipe.txt") item = entry.path();
  }
  WriteFileAtomically(item, ReadFile(item) + "x");

  const ProgramResult found = Flyscribe({"cache", "verify", "tiny.yaml"});
  EXPECT_EQ(found.exit_code, 6);
  EXPECT_THAT(found.out, ContainsRegex("^11 artifacts and [0-9]+ items: 2 damaged\n"));
  EXPECT_THAT(found.err, HasSubstr("terms.tsv"));
  EXPECT_FALSE(fs::exists(artifact));
  EXPECT_FALSE(fs::exists(item));
  EXPECT_THAT(Flyscribe({"cache", "ls", "tiny.yaml"}).out, HasSubstr("damaged, set aside"));
  EXPECT_EQ(Flyscribe({"cache", "verify", "tiny.yaml"}).exit_code, 0);
  EXPECT_THAT(Flyscribe({"run", "tiny.yaml"}).out, HasSubstr("10 hits, 1 misses"));
  EXPECT_THAT(Flyscribe({"cache", "gc", "tiny.yaml"}).out, HasSubstr("removed 1 piece, "));
}

}  // namespace
}  // namespace flyscribe
