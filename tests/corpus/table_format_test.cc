#include "corpus/table_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Reasons(const RowContent& content) {
  std::vector<std::string> reasons;
  for (const Refusal& refusal : content.refusals) reasons.push_back(refusal.reason + (refusal.fault ? " !" : ""));
  return reasons;
}

TableFormat Format(std::string_view name) {
  const std::vector<TableFormat> formats = TableFormats();
  const auto found = std::ranges::find(formats, name, &TableFormat::name);
  return found == formats.end() ? throw std::out_of_range("no such format") : *found;
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
  const RowContent content =
      ReadByPlace(Format("BDGP annotations"), {"CG10036", "otp", "FBgn0015524", "4", "brain", "", ""});
  EXPECT_EQ(content.stage, 4);
  EXPECT_THAT(Terms(content), ElementsAre("FBgn0015524 brain"));
  EXPECT_EQ(content.annotations[0].gene, (Gene{"CG10036", "otp", "FBgn0015524"}));
  EXPECT_EQ(content.annotations[0].stage, 4);
}

TEST(BdgpAnnotations, Refusals) {
  const auto reasons = [](const Fields& fields) { return Reasons(ReadByPlace(Format("BDGP annotations"), fields)); };
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
  EXPECT_THAT(Images(ReadByPlace(Format("BDGP images"), ten)), ElementsAre("FBgn1 insitu4593 lateral"));
  const Fields seven(ten.begin(), ten.begin() + 7);
  EXPECT_THAT(Images(ReadByPlace(Format("BDGP images"), seven)), ElementsAre("FBgn1 insitu4593 "));
}

TEST(BdgpImages, Refusals) {
  const auto reasons = [](const std::string& path, const std::string& gene = "CG1") {
    return Reasons(ReadByPlace(Format("BDGP images"), {gene, "", "", "", "", path, "3"}));
  };
  EXPECT_THAT(reasons("img_dir_1/embryo.jpe"), ElementsAre("no image number in the path: 'img_dir_1/embryo.jpe' !"));
  EXPECT_THAT(reasons("production_images/7/insitu12.jpe"), ElementsAre("production image, a field of many embryos"));
  EXPECT_THAT(reasons("img_dir_1/insitu1.jpe", ""), ElementsAre("no gene !"));
}

TEST(FlyMineRows, AnImageAndATermARow) {
  const RowContent content =
      ReadByPlace(Format("FlyMine"), {"CG10002", "2", "img_dir_25/insitu25283.jpe", "yolk nuclei"});
  EXPECT_THAT(Images(content), ElementsAre("CG10002 insitu25283 "));
  EXPECT_TRUE(content.images[0].may_repeat);
  EXPECT_THAT(Terms(content), ElementsAre("CG10002 yolk nuclei"));
  EXPECT_THAT(content.refusals, IsEmpty());
  EXPECT_THAT(Terms(ReadByPlace(Format("FlyMine"), {"CG1", "2", "", "yolk"})), ElementsAre("CG1 yolk"));
  EXPECT_THAT(Reasons(ReadByPlace(Format("FlyMine"), {"CG1", "2", "x.jpe", "yolk"})),
              ElementsAre("no image number in the path: 'x.jpe' !"));
}

TEST(FlyExpressImages, ListsAsTuples) {
  const Header header({"gene", "stage", "direction", "image_url"});
  const auto read = [&](const Fields& fields) { return Format("FlyExpress images").read(header, fields); };
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
    return Format("FlyExpress images")
        .read(Header({"gene", "stage", "direction", "image_url"}), {"otp", "2", "", list + ")"});
  };
  EXPECT_EQ(read(1000).images.size(), 1000U);
  EXPECT_THAT(read(1001).images, IsEmpty());
  EXPECT_THAT(Reasons(read(1001)), ElementsAre("list of more than 1000 words: 1001 in column 'image_url' !"));
}

TEST(FlyExpressAnnotations, ListsAsTuples) {
  const Header header({"stage", "annotation", "gene"});
  const auto read = [&](const Fields& fields) { return Format("FlyExpress annotations").read(header, fields); };
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
  EXPECT_TRUE(Format("BDGP annotations").fits(annotation));
  EXPECT_FALSE(Format("BDGP annotations").fits(image));
  EXPECT_FALSE(Format("BDGP annotations").fits(mine));
  EXPECT_TRUE(Format("BDGP images").fits(image));
  EXPECT_FALSE(Format("BDGP images").fits(annotation));
  EXPECT_TRUE(Format("FlyMine").fits(mine));
  EXPECT_FALSE(Format("FlyMine").fits(annotation));
  EXPECT_FALSE(Format("FlyMine").fits(image));
}

TEST(Header, ColumnsByNameInAnyCaseAndOrder) {
  const Header header({"Stage", "gene", "gene"});
  EXPECT_TRUE(header.Has("stage"));
  EXPECT_FALSE(header.Has("view"));
  EXPECT_EQ(header.Get({"4", "otp", "other"}, "gene"), "otp");
  EXPECT_EQ(header.Get({"4"}, "gene"), "");
  EXPECT_EQ(header.Get({"4", "otp"}, "view"), "");
}

TEST(CleanField, TrimsAndEmpties) {
  EXPECT_EQ(CleanField("  otp "), "otp");
  EXPECT_EQ(CleanField("\\N"), "");
  EXPECT_EQ(CleanField("NULL"), "");
  EXPECT_EQ(CleanField("a\tb\r\nc"), "a b  c");
}

TEST(ParseStageCode, CodesAndNames) {
  EXPECT_EQ(ParseStageCode("1"), 1);
  EXPECT_EQ(ParseStageCode("6"), 6);
  EXPECT_EQ(ParseStageCode("4-6"), 2);
  EXPECT_EQ(ParseStageCode("13-16"), 6);
  EXPECT_EQ(ParseStageCode("13-17"), 6);
  EXPECT_EQ(ParseStageCode("stage9-10"), 4);
  EXPECT_EQ(ParseStageCode("Stage 11-12"), 5);
  for (const char* wrong : {"", "0", "7", "-1", "4-7", "stage", "stage4", "1.0", "99999999999999999999"}) {
    EXPECT_EQ(ParseStageCode(wrong), std::nullopt) << wrong;
  }
}

TEST(ReadStage, RefusesWithTheText) {
  RowContent content;
  EXPECT_TRUE(ReadStage("4-6", content));
  EXPECT_EQ(content.stage, 2);
  EXPECT_FALSE(ReadStage("late", content));
  ASSERT_EQ(content.refusals.size(), 1U);
  EXPECT_EQ(content.refusals[0].reason, "bad stage code: 'late'");
}

TEST(ParseWordList, TuplesListsAndPlainText) {
  EXPECT_THAT(*ParseWordList("('45376_s.bmp',)"), ElementsAre("45376_s.bmp"));
  EXPECT_THAT(*ParseWordList(" ('a', \"b's\" , 'c\\'d') "), ElementsAre("a", "b's", "c'd"));
  EXPECT_THAT(*ParseWordList("['a','b']"), ElementsAre("a", "b"));
  EXPECT_THAT(*ParseWordList("()"), IsEmpty());
  EXPECT_THAT(*ParseWordList("[]"), IsEmpty());
  EXPECT_THAT(*ParseWordList(" "), IsEmpty());
  EXPECT_THAT(*ParseWordList("brain"), ElementsAre("brain"));
  EXPECT_THAT(*ParseWordList("(dorsal) ectoderm"), ElementsAre("(dorsal) ectoderm"));
}

TEST(ParseWordList, BrokenTuplesAreNone) {
  for (const char* broken : {"('a'", "('a' 'b')", "('a,)", "('a', b)", "['a'", "['a')", "[a]", "('"}) {
    EXPECT_EQ(ParseWordList(broken), std::nullopt) << broken;
  }
}

RowContent ReadOurs(const Fields& header, const Fields& fields) {
  return Format("flyscribe images").read(Header(header), fields);
}

TEST(FlyscribeImages, KnownByItsHeader) {
  const auto is_ours = [](const Fields& header) { return Format("flyscribe images").is_header(Header(header)); };
  EXPECT_TRUE(is_ours({"file", "gene", "stage_range"}));
  EXPECT_TRUE(is_ours({"stage_range", "fbgn", "image_id", "other"}));
  EXPECT_FALSE(is_ours({"file", "stage_range"}));
  EXPECT_FALSE(is_ours({"gene", "stage", "image_url"}));
}

TEST(FlyscribeImages, ARowMayNameItsBag) {
  EXPECT_EQ(ReadOurs({"file", "gene", "stage_range", "bag_id"}, {"a.bmp", "otp", "4-6", "plate 7"}).images[0].bag,
            "plate 7");
  EXPECT_EQ(ReadOurs({"file", "gene", "stage_range"}, {"a.bmp", "otp", "4-6"}).images[0].bag, "");
}

TEST(FlyscribeImages, OneImageAndItsTerms) {
  const RowContent content = ReadOurs({"file", "symbol", "fbgn", "stage_range", "view", "terms"},
                                      {"a/insitu7.bmp", "otp", "FBgn1", "13-17", "Lateral", "brain| eye ||"});
  ASSERT_EQ(content.images.size(), 1U);
  EXPECT_EQ(content.images[0].Id(), "insitu7");
  EXPECT_EQ(content.images[0].file, "a/insitu7.bmp");
  EXPECT_EQ(content.images[0].view, "lateral");
  EXPECT_EQ(content.images[0].stage, 6);
  EXPECT_EQ(content.images[0].gene, (Gene{"", "otp", "FBgn1"}));
  std::vector<std::string> terms;
  for (const AnnotationRow& row : content.annotations) terms.push_back(row.term);
  EXPECT_THAT(terms, ElementsAre("brain", "eye"));
}

TEST(FlyscribeImages, NamesAndRefusals) {
  const Fields header = {"image_id", "file", "gene", "stage_range"};
  EXPECT_EQ(ReadOurs(header, {"mine", "a/7.bmp", "otp", "4-6"}).images.at(0).Id(), "mine");
  EXPECT_EQ(ReadOurs(header, {"", "b/../a/embryo.bmp", "CG1", "4-6"}).images.at(0).Id(), "a/embryo.bmp");
  EXPECT_EQ(ReadOurs(header, {"", "a/7.bmp", "CG1", "4-6"}).images.at(0).Id(), "a/7.bmp") << "no number of BDGP's";
  EXPECT_EQ(ReadOurs(header, {"7", "a/x.bmp", "CG1", "4-6"}).images.at(0).Id(), "7");
  EXPECT_EQ(ReadOurs(header, {"", "a/7_s.bmp", "CG1", "4-6"}).images.at(0).Id(), "insitu7");
  EXPECT_EQ(ReadOurs(header, {"insitu5", "", "CG1", "4-6"}).images.at(0).number, 5);
  EXPECT_EQ(ReadOurs(header, {"5", "", "CG1", "4-6"}).images.at(0).number, 5) << "there is no file to go by";
  const auto reason = [&](const Fields& fields) { return ReadOurs(header, fields).refusals.at(0).reason; };
  EXPECT_EQ(reason({"mine", "", "otp", "4-6"}), "neither a file nor an image number");
  EXPECT_EQ(reason({"mine", "a.bmp", "", "4-6"}), "no gene");
  EXPECT_EQ(reason({"mine", "a.bmp", "otp", "late"}), "bad stage code: 'late'");
}

TEST(FlyscribeImages, ARowHoldsSoManyTerms) {
  const Fields header = {"file", "gene", "stage_range", "terms"};
  const auto read = [&](std::size_t terms) {
    std::string list = "t";
    for (std::size_t i = 1; i < terms; ++i) list += "|t";
    return ReadOurs(header, {"a.bmp", "otp", "4-6", list});
  };
  EXPECT_EQ(read(1000).annotations.size(), 1000U);
  const RowContent long_one = read(1001);
  EXPECT_THAT(long_one.annotations, IsEmpty());
  EXPECT_EQ(long_one.refusals.at(0).reason, "list of more than 1000 words: 1001 in column 'terms'");
}

}  // namespace
}  // namespace flyscribe
