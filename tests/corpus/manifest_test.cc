#include "corpus/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/corpus.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RowContent Read(const Fields& header, const Fields& fields) { return ManifestFormat().read(Header(header), fields); }

TEST(ManifestFormat, KnownByItsHeader) {
  const auto is_manifest = [](const Fields& header) { return ManifestFormat().is_header(Header(header)); };
  EXPECT_TRUE(is_manifest({"file", "gene", "stage_range"}));
  EXPECT_TRUE(is_manifest({"stage_range", "fbgn", "image_id", "other"}));
  EXPECT_FALSE(is_manifest({"file", "stage_range"}));
  EXPECT_FALSE(is_manifest({"gene", "stage", "image_url"}));
}

TEST(ManifestFormat, ARowMayNameItsBag) {
  EXPECT_EQ(Read({"file", "gene", "stage_range", "bag_id"}, {"a.bmp", "otp", "4-6", "plate 7"}).images[0].bag,
            "plate 7");
  EXPECT_EQ(Read({"file", "gene", "stage_range"}, {"a.bmp", "otp", "4-6"}).images[0].bag, "");
}

TEST(ManifestFormat, FilesMayLieInAnImageFolder) {
  const TempFolder folder;
  folder.Write("files/sub/a.png", "1");
  folder.Write("tables/b.png", "2");
  folder.Write("files/b.png", "other");
  const fs::path table =
      folder.Write("tables/m.tsv", "file\tgene\tstage_range\nsub/a.png\totp\t4-6\nb.png\totp\t4-6\n");
  const Corpus corpus({{}, table, {folder / "files"}});
  ASSERT_EQ(corpus.images.size(), 2U);
  EXPECT_EQ(corpus.PathOf(*corpus.images[0].file), folder / "files" / "sub" / "a.png");
  EXPECT_EQ(corpus.PathOf(*corpus.images[1].file), folder / "tables" / "b.png") << "its own folder comes first";
}

TEST(ManifestFormat, OneImageAndItsTerms) {
  const RowContent content = Read({"file", "symbol", "fbgn", "stage_range", "view", "terms"},
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

TEST(ManifestFormat, NamesAndRefusals) {
  const Fields header = {"image_id", "file", "gene", "stage_range"};
  EXPECT_EQ(Read(header, {"mine", "a/7.bmp", "otp", "4-6"}).images.at(0).Id(), "mine");
  EXPECT_EQ(Read(header, {"", "b/../a/embryo.bmp", "CG1", "4-6"}).images.at(0).Id(), "a/embryo.bmp");
  EXPECT_EQ(Read(header, {"", "a/7.bmp", "CG1", "4-6"}).images.at(0).Id(), "a/7.bmp") << "no number of BDGP's";
  EXPECT_EQ(Read(header, {"7", "a/x.bmp", "CG1", "4-6"}).images.at(0).Id(), "7");
  EXPECT_EQ(Read(header, {"", "a/7_s.bmp", "CG1", "4-6"}).images.at(0).Id(), "insitu7");
  EXPECT_EQ(Read(header, {"insitu5", "", "CG1", "4-6"}).images.at(0).number, 5);
  EXPECT_EQ(Read(header, {"5", "", "CG1", "4-6"}).images.at(0).number, 5) << "there is no file to go by";
  const auto reason = [&](const Fields& fields) { return Read(header, fields).refusals.at(0).reason; };
  EXPECT_EQ(reason({"mine", "", "otp", "4-6"}), "neither a file nor an image number");
  EXPECT_EQ(reason({"mine", "a.bmp", "", "4-6"}), "no gene");
  EXPECT_EQ(reason({"mine", "a.bmp", "otp", "late"}), "bad stage code: 'late'");
}

TEST(ManifestFormat, ARowHoldsSoManyTerms) {
  const Fields header = {"file", "gene", "stage_range", "terms"};
  const auto read = [&](std::size_t terms) {
    std::string list = "t";
    for (std::size_t i = 1; i < terms; ++i) list += "|t";
    return Read(header, {"a.bmp", "otp", "4-6", list});
  };
  EXPECT_EQ(read(1000).annotations.size(), 1000U);
  const RowContent long_one = read(1001);
  EXPECT_THAT(long_one.annotations, IsEmpty());
  EXPECT_EQ(long_one.refusals.at(0).reason, "list of more than 1000 words: 1001 in column 'terms'");
}

TEST(ManifestText, PathsLeadToTheFilesThroughALink) {
  const TempFolder folder;
  folder.Write("images/insitu7.bmp", "x");
  fs::create_directories(folder / "far/away/real");
  fs::create_directory_symlink(folder / "far/away/real", folder / "out");
  fs::create_directory_symlink(folder / "images", folder / "far/link");
  const fs::path table = folder.Write("images.csv", "CG1,a,a,FBgn1,,d/insitu7.jpe,4,dorsal\n");
  const Corpus corpus({{}, table, {folder / "far/link"}});
  const std::string text = ManifestText(corpus, folder / "out", {});
  EXPECT_THAT(text, HasSubstr("\t../../../images/insitu7.bmp\t"));
  const Corpus again({{}, folder.Write("out/manifest.tsv", text), {}});
  EXPECT_TRUE(again.images.at(0).IsJoined()) << text;
}

TEST(ManifestText, IsReadBackAsItWasWritten) {
  const TempFolder folder;
  folder.Write("images/insitu7.bmp", "x");
  folder.Write("images/insitu8.bmp", "x");
  const Corpus corpus({folder.Write("annot.csv", "CG1,a,FBgn1,4,eye\nCG1,a,FBgn1,4,brain\nCG1,a,FBgn1,5,gut\n"),
                       folder.Write("images.csv",
                                    "CG1,a,a,FBgn1,,d/insitu7.jpe,4,dorsal\nCG1,a,a,FBgn1,,d/insitu9.jpe,4,\n"
                                    "CG2,b,b,FBgn2,,d/insitu8.jpe,4,\n"),
                       {folder / "images"}});
  const auto id_of = [](const std::string& term, StageRange range) {
    return term == "brain" && range.name() == "9-10" ? "FBbt:1" : "";
  };
  const std::string text = ManifestText(corpus, folder / "out", id_of);
  const std::string fbdv = StageRange::FromCode(4).fbdv();
  EXPECT_EQ(text,
            "image_id\tfile\tstage_range\tfbdv_ids\tfbgn\tcg\tsymbol\tview\tterms\tfbbt_ids\n"
            "insitu7\t../images/insitu7.bmp\t9-10\t" +
                fbdv +
                "\tFBgn1\tCG1\ta\tdorsal\tbrain|eye\tFBbt:1|\n"
                "insitu8\t../images/insitu8.bmp\t9-10\t" +
                fbdv + "\tFBgn2\tCG2\tb\t\t\t\n");
  const Corpus again({{}, folder.Write("out/manifest.tsv", text), {}});
  EXPECT_EQ(ManifestText(again, folder / "out", id_of), text);
  EXPECT_THAT(again.notes, IsEmpty());
}

TEST(ManifestText, QuotesInNamesAndTermsAreReadBack) {
  const TempFolder folder;
  folder.Write("images/\"q\".bmp", "x");
  const fs::path table = folder.Write(
      "m.csv",
      "file,symbol,stage_range,view,terms,image_id\n"
      "\"images/\"\"q\"\".bmp\",\"\"\"a\"\" b\",4-6,lateral,\"\"\"deep\"\" brain|eye\",\"\"\"mine\"\"\"\n");
  const Corpus corpus({{}, table, {}});
  ASSERT_EQ(corpus.images.size(), 1U);
  ASSERT_TRUE(corpus.images[0].IsJoined());
  const std::string text = ManifestText(corpus, folder / "images", {});
  const Corpus again({{}, folder.Write("images/manifest.tsv", text), {}});
  ASSERT_EQ(again.images.size(), 1U) << text;
  EXPECT_TRUE(again.images[0].IsJoined()) << text;
  EXPECT_EQ(again.images[0].id, "\"mine\"");
  EXPECT_EQ(again.genes[0].symbol, "\"a\" b");
  ASSERT_EQ(again.labels.size(), 2U);
  EXPECT_EQ(again.labels[0].term, "\"deep\" brain");
}

TEST(ManifestText, APathThatIsNoTextIsAnError) {
  const TempFolder folder;
  folder.Write("caf\xe9/insitu1.bmp", "x");
  const Corpus corpus({{}, folder.Write("i.csv", "CG1,a,a,FBgn1,,d/insitu1.jpe,4,lateral\n"), {folder.path()}});
  ASSERT_TRUE(corpus.images.at(0).IsJoined()) << "a run does not mind";
  const CaughtError error = ExpectError([&] { ManifestText(corpus, folder.path(), {}); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(
      error.text,
      HasSubstr("caf\xc3\xa9/insitu1.bmp: error: a manifest cannot name this file: its path is not UTF-8 text"));
}

}  // namespace
}  // namespace flyscribe
