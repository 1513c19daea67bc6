#include "pipeline/annotate/new_bags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/hash.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class NewBagsTest : public testing::Test {
 protected:
  NewBagOptions Options(const std::string& images) const {
    NewBagOptions options;
    options.images = folder_ / images;
    options.known_ranges = {StageRange::FromName("4-6"), StageRange::FromName("7-8")};
    return options;
  }
  static NewBags Find(const NewBagOptions& options) { return FindNewBags(options, NoProgress()); }
  static std::vector<std::string> Names(const NewBags& bags) {
    std::vector<std::string> names;
    for (const NewBag& bag : bags.bags) {
      names.push_back(bag.id + " " + bag.range.name() + " " + std::to_string(bag.images.size()));
    }
    return names;
  }
  static std::vector<std::string> Reasons(const NewBags& bags) {
    std::vector<std::string> reasons;
    for (const Skipped& item : bags.skipped) {
      reasons.push_back(item.input + ": " + item.reason + (item.fault ? "" : " (choice)"));
    }
    return reasons;
  }

  TempFolder folder_;
};

TEST_F(NewBagsTest, ATreeNamesGeneAndRange) {
  folder_.Write("tree/otp/4-6/b.png", "1");
  folder_.Write("tree/otp/4-6/a.png", "2");
  folder_.Write("tree/FBgn0000001/7-8/x.png", "3");
  folder_.Write("tree/otp/13-16/x.png", "4");
  folder_.Write("tree/stray.png", "5");
  const NewBags bags = Find(Options("tree"));
  EXPECT_THAT(Names(bags), ElementsAre("otp 4-6 2", "FBgn0000001 7-8 1"));
  EXPECT_EQ(bags.bags[0].images[0].id, "otp/4-6/a.png");
  EXPECT_EQ(bags.bags[0].images[0].digest, Sha256OfText("2"));
  EXPECT_EQ(bags.bags[0].gene.symbol, "otp");
  EXPECT_EQ(bags.bags[1].gene.fbgn, "FBgn0000001");
  EXPECT_EQ(bags.bags[0].slug, "otp_4-6");
  EXPECT_THAT(Reasons(bags),
              ElementsAre("tree/stray.png: file does not lie in <gene>/<stage range>/",
                          "tree/otp/13-16/x.png: stage range not in the model: 13-16"));
}

TEST_F(NewBagsTest, SingleImagesAreBagsOfTheirOwn) {
  folder_.Write("flat/one.png", "1");
  folder_.Write("flat/sub/one.png", "2");
  folder_.Write("flat/CG123.png", "3");
  folder_.Write("flat/two.bmp", "4");
  folder_.Write("flat/two.png", "5");
  NewBagOptions options = Options("flat");
  options.range = StageRange::FromName("4-6");
  const NewBags bags = Find(options);
  EXPECT_THAT(Names(bags), ElementsAre("CG123 4-6 1", "one 4-6 1", "sub/one 4-6 1", "two.bmp 4-6 1", "two.png 4-6 1"));
  EXPECT_EQ(bags.bags[0].gene.cg, "CG123");
  EXPECT_EQ(bags.bags[1].gene, Gene());
  EXPECT_EQ(bags.bags[2].slug, "sub-one_4-6");
  EXPECT_EQ(bags.ImageCount(), 5U);
}

TEST_F(NewBagsTest, SingleImagesNeedARange) {
  folder_.Write("flat/one.png", "1");
  const CaughtError error = ExpectError([&] { Find(Options("flat")); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("--range 4-6"));
}

TEST_F(NewBagsTest, ARangeTheModelLacksIsRefused) {
  folder_.Write("flat/one.png", "1");
  NewBagOptions options = Options("flat");
  options.range = StageRange::FromName("9-10");
  const CaughtError error = ExpectError([&] { Find(options); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("the model has no stage range 9-10"));
  EXPECT_THAT(error.text, HasSubstr("it has 4-6, 7-8"));
}

TEST_F(NewBagsTest, ATableOfBdgps) {
  folder_.Write("images/insitu1.bmp", "1");
  folder_.Write("images/insitu2.bmp", "2");
  folder_.Write("images/insitu4.bmp", "4");
  folder_.Write("images/insitu5.bmp", "5");
  folder_.Write("images/insitu6.bmp", "1");
  folder_.Write("table.csv",
                "\"CG1\",\"a\",\"a\",\"FBgn1\",,\"img_dir_0/insitu1.jpe\",2,\"lateral\",,\n"
                "\"CG1\",\"a\",\"a\",\"FBgn1\",,\"img_dir_0/insitu2.jpe\",2,\"dorsal\",,\n"
                "\"CG1\",\"a\",\"a\",\"FBgn1\",,\"img_dir_0/insitu3.jpe\",2,\"lateral\",,\n"
                "\"CG2\",\"b\",\"b\",\"\",,\"img_dir_0/insitu4.jpe\",2,\"\",,\n"
                "\"CG2\",\"b\",\"b\",\"\",,\"img_dir_0/insitu5.jpe\",3,\"lateral\",,\n"
                "\"CG1\",\"a\",\"a\",\"FBgn1\",,\"img_dir_0/insitu6.jpe\",2,\"lateral\",,\n");
  NewBagOptions options = Options("table.csv");
  options.image_folders = {folder_ / "images"};
  const NewBags all = Find(options);
  EXPECT_THAT(Names(all), ElementsAre("CG2 4-6 1", "FBgn1 4-6 1", "CG2 7-8 1")) << "FBgn, else CG id";
  EXPECT_THAT(Reasons(all),
              ElementsAre("table.csv:2: view not wanted: dorsal (choice)",
                          "table.csv:3: image file not found: insitu3",
                          "table.csv:6: same picture twice: insitu6 (choice)"));
  options.range = StageRange::FromName("7-8");
  const NewBags one = Find(options);
  EXPECT_THAT(Names(one), ElementsAre("CG2 7-8 1"));
  EXPECT_THAT(Reasons(one), testing::Contains("table.csv:1: other stage range: 4-6"));
  options.range.reset();
  options.views.clear();
  options.keep_blank_view = false;
  EXPECT_THAT(Names(Find(options)), ElementsAre("FBgn1 4-6 2", "CG2 7-8 1"));
}

TEST_F(NewBagsTest, OurOwnTableMayNameTheBags) {
  folder_.Write("files/x.png", "1");
  folder_.Write("files/y.png", "2");
  folder_.Write("files/z.png", "3");
  folder_.Write(
      "t/manifest.tsv",
      "file\tgene\tstage_range\tbag_id\nx.png\totp\t4-6\tplate 1\ny.png\totp\t4-6\tplate 1\nz.png\totp\t4-6\t\n");
  NewBagOptions options = Options("t/manifest.tsv");
  options.image_folders = {folder_ / "files"};
  EXPECT_THAT(Names(Find(options)), ElementsAre("otp 4-6 1", "plate 1 4-6 2"));
}

TEST_F(NewBagsTest, ABagIsOfOneGene) {
  for (const std::string name : {"w", "x", "y", "z"}) folder_.Write("files/" + name + ".png", name);
  folder_.Write("t/manifest.tsv",
                "file\tgene\tstage_range\tbag_id\nx.png\totp\t4-6\tplate 1\ny.png\tdl\t4-6\tplate 1\n"
                "z.png\totp\t4-6\tplate 1\nw.png\tdl\t7-8\tplate 1\n");
  NewBagOptions options = Options("t/manifest.tsv");
  options.image_folders = {folder_ / "files"};
  const NewBags bags = Find(options);
  EXPECT_THAT(Names(bags), ElementsAre("plate 1 4-6 2", "plate 1 7-8 1"));
  EXPECT_EQ(bags.bags[0].gene.symbol, "otp");
  EXPECT_THAT(Reasons(bags), testing::Contains("manifest.tsv:3: bag of two genes: plate 1 (otp, dl)"));
  options.fail_on_bad_image = true;
  EXPECT_THAT(ExpectError([&] { Find(options); }).text, HasSubstr("bag of two genes: plate 1 (otp, dl)"));
}

TEST_F(NewBagsTest, NothingLeftIsAnErrorThatSaysWhy) {
  folder_.Write("table.csv", "\"CG1\",\"a\",\"a\",\"FBgn1\",,\"img_dir_0/insitu1.jpe\",2,\"lateral\",,\n");
  const CaughtError error = ExpectError([&] { Find(Options("table.csv")); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("no image is left to annotate; left out: image file not found (1)"));
  fs::create_directory(folder_ / "empty");
  EXPECT_THAT(ExpectError([&] { Find(Options("empty")); }).text, HasSubstr("there is no image file here"));
  EXPECT_EQ(ExpectError([&] { Find(Options("missing.csv")); }).code, ErrorCode::kInput);
}

TEST_F(NewBagsTest, IdsOfGenesMayBeInAnyCase) {
  folder_.Write("tree/cg1/4-6/a.png", "1");
  folder_.Write("tree/CG1 /4-6/b.png", "2");
  folder_.Write("tree/FBGN2/4-6/c.png", "3");
  folder_.Write("tree/ /4-6/d.png", "4");
  const NewBags bags = Find(Options("tree"));
  EXPECT_THAT(Names(bags), ElementsAre("CG1 4-6 2", "FBgn2 4-6 1"));
  EXPECT_THAT(Reasons(bags), ElementsAre("tree/ /4-6/d.png: file does not lie in <gene>/<stage range>/"));
  folder_.Write("flat/fbgn2.png", "5");
  NewBagOptions options = Options("flat");
  options.range = StageRange::FromName("4-6");
  EXPECT_EQ(Find(options).bags.at(0).gene.fbgn, "FBgn2");
}

TEST_F(NewBagsTest, TheOutputMayNotLieAmongTheImages) {
  folder_.Write("images/otp/4-6/a.png", "1");
  fs::create_directory_symlink(folder_ / "images", folder_ / "link");
  const std::vector<fs::path> images = {folder_ / "elsewhere", folder_ / "images/"};
  for (const std::string inside : {"images", "images/out", "images/new/out/", "link/out", "beside/../images/out"}) {
    const fs::path output = folder_ / inside;
    const CaughtError error = ExpectError([&] { RequireOutside(output, images); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    EXPECT_EQ(error.text,
              output.string() + ": error: the output folder lies in the folder of images " + images[1].string() +
                  ": the next run would take its pictures for images\n  hint: choose an --output beside the images");
  }
  for (const std::string outside : {"out", "images-out", "images/../out", "."}) {
    EXPECT_NO_THROW(RequireOutside(folder_ / outside, images)) << outside;
  }
  EXPECT_NO_THROW(RequireOutside("out", images));
}

TEST_F(NewBagsTest, ABadImageMayStopTheRun) {
  folder_.Write("images/insitu2.bmp", "1");
  folder_.Write("table.csv",
                "\"CG1\",\"a\",\"a\",\"FBgn1\",,\"img_dir_0/insitu1.jpe\",2,\"lateral\",,\n"
                "\"CG1\",\"a\",\"a\",\"FBgn1\",,\"img_dir_0/insitu2.jpe\",2,\"lateral\",,\n");
  NewBagOptions options = Options("table.csv");
  options.image_folders = {folder_ / "images"};
  EXPECT_THAT(Names(Find(options)), ElementsAre("FBgn1 4-6 1"));
  options.fail_on_bad_image = true;
  EXPECT_THAT(ExpectError([&] { Find(options); }).text, HasSubstr("image file not found: insitu1"));
}

}  // namespace
}  // namespace flyscribe
