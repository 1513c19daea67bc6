#include "corpus/table_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Reasons(const RowContent& content) {
  std::vector<std::string> reasons;
  for (const Refusal& refusal : content.refusals) reasons.push_back(refusal.reason + (refusal.fault ? " !" : ""));
  return reasons;
}

RowContent ReadByPlace(const TableFormat& format, const Fields& fields) { return format.read(Header(), fields); }

std::vector<std::string> Terms(const RowContent& content) {
  std::vector<std::string> terms;
  for (const AnnotationRow& row : content.annotations) terms.push_back(row.gene.Identity() + " " + row.term);
  return terms;
}

std::vector<std::string> Images(const RowContent& content) {
  std::vector<std::string> images;
  for (const ImageRow& row : content.images) images.push_back(row.gene.Identity() + " " + row.Id() + " " + row.view);
  return images;
}

TEST(BdgpAnnotations, OneTermARow) {
  const RowContent content = ReadByPlace(BdgpAnnotations(), {"CG10036", "otp", "FBgn0015524", "4", "brain", "", ""});
  EXPECT_EQ(content.stage, 4);
  EXPECT_THAT(Terms(content), ElementsAre("FBgn0015524 brain"));
  EXPECT_EQ(content.annotations[0].gene, (Gene{"CG10036", "otp", "FBgn0015524"}));
  EXPECT_EQ(content.annotations[0].stage, 4);
}

TEST(BdgpAnnotations, Refusals) {
  const auto reasons = [](const Fields& fields) { return Reasons(ReadByPlace(BdgpAnnotations(), fields)); };
  EXPECT_THAT(reasons({"CG1", "a", "FBgn1"}), ElementsAre("too few columns: 3 !"));
  EXPECT_THAT(reasons({"CG1", "a", "FBgn1", "7", "brain"}), ElementsAre("bad stage code: '7' !"));
  EXPECT_THAT(reasons({"CG1", "a", "FBgn1", "4", "brain", "larval"}),
              ElementsAre("too many columns: 6 (a term with a comma must be quoted) !"));
  EXPECT_THAT(reasons({"", "", "", "4", "brain"}), ElementsAre("no gene !"));
  EXPECT_THAT(reasons({"CG1", "a", "FBgn1", "4", ""}), ElementsAre("no term !"));
  EXPECT_THAT(reasons({"CG1", "a", "FBgn1", "4", "eye|ear"}), ElementsAre("'|' in a term: 'eye|ear' !"));
}

TEST(BdgpImages, SevenOrTenColumns) {
  const Fields ten = {"CG1", "a", "a", "FBgn1", "RE1", "img_dir_4/insitu4593.jpe", "5", "Lateral", "", ""};
  EXPECT_THAT(Images(ReadByPlace(BdgpImages(), ten)), ElementsAre("FBgn1 insitu4593 lateral"));
  const Fields seven(ten.begin(), ten.begin() + 7);
  EXPECT_THAT(Images(ReadByPlace(BdgpImages(), seven)), ElementsAre("FBgn1 insitu4593 "));
}

TEST(BdgpImages, Refusals) {
  const auto reasons = [](const std::string& path, const std::string& gene = "CG1") {
    return Reasons(ReadByPlace(BdgpImages(), {gene, "", "", "", "", path, "3"}));
  };
  EXPECT_THAT(reasons("img_dir_1/embryo.jpe"), ElementsAre("no image number in the path: 'img_dir_1/embryo.jpe' !"));
  EXPECT_THAT(reasons("production_images/7/insitu12.jpe"), ElementsAre("production image, a field of many embryos"));
  EXPECT_THAT(reasons("img_dir_1/insitu1.jpe", ""), ElementsAre("no gene !"));
}

TEST(FlyMineRows, AnImageAndATermARow) {
  const RowContent content = ReadByPlace(FlyMineRows(), {"CG10002", "2", "img_dir_25/insitu25283.jpe", "yolk nuclei"});
  EXPECT_THAT(Images(content), ElementsAre("CG10002 insitu25283 "));
  EXPECT_TRUE(content.images[0].may_repeat);
  EXPECT_THAT(Terms(content), ElementsAre("CG10002 yolk nuclei"));
  EXPECT_THAT(content.refusals, IsEmpty());
  EXPECT_THAT(Terms(ReadByPlace(FlyMineRows(), {"CG1", "2", "", "yolk"})), ElementsAre("CG1 yolk"));
  EXPECT_THAT(Reasons(ReadByPlace(FlyMineRows(), {"CG1", "2", "x.jpe", "yolk"})),
              ElementsAre("no image number in the path: 'x.jpe' !"));
}

TEST(FlyExpressImages, ListsAsTuples) {
  const Header header({"gene", "stage", "direction", "image_url"});
  const auto read = [&](const Fields& fields) { return FlyExpressImages().read(header, fields); };
  EXPECT_THAT(Images(read({"otp", "4-6", "lateral", "('45376_s.bmp', 'insitu7.jpe')"})),
              ElementsAre("otp insitu45376 lateral", "otp insitu7 lateral"));
  EXPECT_THAT(Images(read({"otp", "2", "('lateral','dorsal')", "('1_s.bmp', '2_s.bmp')"})),
              ElementsAre("otp insitu1 lateral", "otp insitu2 dorsal"));
  EXPECT_THAT(Images(read({"CG1", "13-17", "", "('1_s.bmp',)"})), ElementsAre("CG1 insitu1 "));
  // One bad name costs itself.
  const RowContent partly = read({"otp", "2", "lateral", "('1_s.bmp', 'x.bmp')"});
  EXPECT_THAT(Images(partly), ElementsAre("otp insitu1 lateral"));
  EXPECT_THAT(Reasons(partly), ElementsAre("no image number in the path: 'x.bmp' !"));
  EXPECT_THAT(Reasons(read({"otp", "2", "lateral", "('1_s.bmp'"})),
              ElementsAre("list in column 'image_url' cannot be read: ('1_s.bmp' !"));
  EXPECT_THAT(Reasons(read({"otp", "2", "lateral", "()"})), ElementsAre("no image !"));
  EXPECT_THAT(Reasons(read({"otp"})), ElementsAre("bad stage code: '' !"));
  const RowContent unclear = read({"otp", "2", "('lateral','dorsal')", "('1_s.bmp', '2_s.bmp', '3_s.bmp')"});
  EXPECT_THAT(unclear.images, IsEmpty()) << "which view is whose is not said";
  EXPECT_THAT(Reasons(unclear), ElementsAre("views do not fit the images: 2 for 3 !"));
  EXPECT_THAT(Reasons(read({"otp", "2", "('lateral','dorsal')", "('1_s.bmp',)"})),
              ElementsAre("views do not fit the images: 2 for 1 !"));
}

TEST(FlyExpressImages, ARowHoldsSoManyWords) {
  const auto read = [](int words) {
    std::string list = "(";
    for (int i = 0; i < words; ++i) list += "'" + std::to_string(i) + "_s.bmp',";
    return FlyExpressImages().read(Header({"gene", "stage", "direction", "image_url"}), {"otp", "2", "", list + ")"});
  };
  EXPECT_EQ(read(1000).images.size(), 1000U);
  EXPECT_THAT(read(1001).images, IsEmpty());
  EXPECT_THAT(Reasons(read(1001)), ElementsAre("list of more than 1000 words: 1001 in column 'image_url' !"));
}

TEST(FlyExpressAnnotations, ListsAsTuples) {
  const Header header({"stage", "annotation", "gene"});
  const auto read = [&](const Fields& fields) { return FlyExpressAnnotations().read(header, fields); };
  EXPECT_THAT(Terms(read({"6", "('embryonic brain', 'ventral nerve cord')", "otp"})),
              ElementsAre("otp embryonic brain", "otp ventral nerve cord"));
  EXPECT_THAT(Terms(read({"6", "gap", "otp"})), ElementsAre("otp gap"));
  EXPECT_THAT(Reasons(read({"6", "()", "otp"})), ElementsAre("no term !"));
  EXPECT_THAT(Reasons(read({"6", "('gap',)", ""})), ElementsAre("no gene !"));
}

TEST(TableFormat, ShapesTellThemApart) {
  const Fields annotation = {"CG1", "a", "FBgn1", "4", "brain"};
  const Fields image = {"CG1", "a", "a", "FBgn1", "", "d/insitu1.jpe", "4"};
  const Fields mine = {"CG1", "2", "d/insitu1.jpe", "yolk"};
  EXPECT_TRUE(BdgpAnnotations().fits(annotation));
  EXPECT_FALSE(BdgpAnnotations().fits(image));
  EXPECT_FALSE(BdgpAnnotations().fits(mine));
  EXPECT_TRUE(BdgpImages().fits(image));
  EXPECT_FALSE(BdgpImages().fits(annotation));
  EXPECT_TRUE(FlyMineRows().fits(mine));
  EXPECT_FALSE(FlyMineRows().fits(annotation));
  EXPECT_FALSE(FlyMineRows().fits(image));
}

}  // namespace
}  // namespace flyscribe
