#include "corpus/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CorpusTest : public testing::Test {
 protected:
  Corpus Read(const std::string& annotations, const std::string& images) const {
    fs::create_directories(folder_ / "images");
    return Corpus({folder_.Write("annot.csv", annotations), folder_.Write("images.csv", images), {folder_ / "images"}});
  }
  static std::string Image(const std::string& gene, int number, int stage = 4, const std::string& view = "lateral") {
    return gene + ",,,,,d/insitu" + std::to_string(number) + ".jpe," + std::to_string(stage) + "," + view + "\n";
  }
  static std::vector<std::string> Images(const Corpus& corpus) {
    std::vector<std::string> images;
    for (const CorpusImage& image : corpus.images) {
      images.push_back(corpus.NameOf(image.place) + " " + image.id + " " + corpus.genes[image.gene].Identity() +
                       (image.file ? " " + image.file->file : "") +
                       (image.problem.empty() ? "" : " | " + image.problem));
    }
    return images;
  }

  TempFolder folder_;
};

TEST_F(CorpusTest, JoinsRowsGenesAndFiles) {
  folder_.Write("images/insitu7.bmp", "x");
  const Corpus corpus = Read("CG1,a,FBgn1,4,brain\n", Image("CG1", 7) + Image("CG1", 8));
  EXPECT_THAT(Images(corpus), ElementsAre("images.csv:1 insitu7 FBgn1 insitu7.bmp", "images.csv:2 insitu8 FBgn1"));
  EXPECT_TRUE(corpus.images[0].IsJoined());
  EXPECT_FALSE(corpus.images[1].IsJoined());
  EXPECT_EQ(corpus.PathOf(*corpus.images[0].file), folder_ / "images/insitu7.bmp");
  ASSERT_EQ(corpus.labels.size(), 1U);
  EXPECT_EQ(corpus.labels[0].gene, corpus.images[0].gene);
  EXPECT_EQ(corpus.files, 1U);
}

TEST_F(CorpusTest, ContradictingRowsBelongToNobody) {
  const Corpus corpus = Read(
      "CG1,a,FBgn1,4,brain\n",
      Image("CG1", 1) + Image("CG2", 1) + Image("CG1", 2) + Image("CG1", 2, 5) + Image("CG1", 3) + Image("CG1", 3));
  EXPECT_THAT(Images(corpus),
              ElementsAre("images.csv:1 insitu1 FBgn1 | image listed under two genes: insitu1",
                          "images.csv:2 insitu1 CG2 | image listed under two genes: insitu1",
                          "images.csv:3 insitu2 FBgn1 | image listed under two stage ranges: insitu2",
                          "images.csv:4 insitu2 FBgn1 | image listed under two stage ranges: insitu2",
                          "images.csv:5 insitu3 FBgn1",
                          "images.csv:6 insitu3 FBgn1 | duplicate row"));
  EXPECT_TRUE(corpus.images[0].fault);
  EXPECT_FALSE(corpus.images[5].fault);
}

TEST_F(CorpusTest, UsedRowsThatContradictOthersAreNoted) {
  const Corpus corpus = Read("CG1,a,FBgn1,4,brain\nCG1,a,FBgn2,4,eye\n",
                             Image("CG9", 1, 4, "") + Image("CG9", 1) + Image("CG9", 1, 4, "dorsal"));
  EXPECT_EQ(corpus.images[0].view, "lateral");  // of the first row that says one
  std::vector<std::string> notes;
  for (const LeftOut& note : corpus.notes) notes.push_back(corpus.NameOf(note.place) + " " + note.reason);
  EXPECT_THAT(notes,
              ElementsAre("annot.csv:1 gene with several ids: CG1 stands for FBgn1 and FBgn2",
                          "annot.csv:2 gene with several ids: CG1 stands for FBgn1 and FBgn2",
                          "images.csv:3 image listed with two views: insitu1"));
}

TEST_F(CorpusTest, AReusedSymbolAloneIsNobodys) {
  const Corpus corpus = Read("CG1,a,FBgn1,4,brain\nCG2,a,FBgn2,4,eye\n,a,,4,gut\n", Image("CG1", 1));
  EXPECT_EQ(corpus.labels.size(), 2U);
  ASSERT_EQ(corpus.left_out.size(), 1U);
  EXPECT_EQ(corpus.left_out[0].reason, "symbol of several genes: a");
  EXPECT_TRUE(corpus.left_out[0].fault);
}

TEST_F(CorpusTest, WithoutAnImagesTableTheFoldersAreATree) {
  folder_.Write("tree/a/9-10/insitu1.bmp", "x");
  folder_.Write("tree/a/9-10/other.bmp", "x");
  const Corpus corpus({folder_.Write("annot.csv", "CG1,a,FBgn1,4,brain\n"), {}, {folder_ / "tree"}});
  EXPECT_THAT(Images(corpus),
              ElementsAre("tree/a/9-10/insitu1.bmp insitu1 FBgn1 a/9-10/insitu1.bmp",
                          "tree/a/9-10/other.bmp a/9-10/other.bmp FBgn1 a/9-10/other.bmp"));
  EXPECT_THAT(corpus.left_out, IsEmpty());
}

TEST_F(CorpusTest, FilesOfOneNameInTwoFoldersAreTwoImages) {
  for (const char* file : {"plate1/embryo.bmp", "plate2/embryo.bmp", "plate3/1.bmp", "plate4/1.bmp"}) {
    folder_.Write(file, file);
  }
  const Corpus corpus({{},
                       folder_.Write("m.tsv",
                                     "file\tgene\tstage_range\nplate1/embryo.bmp\totp\t4-6\n"
                                     "plate2/embryo.bmp\totp\t4-6\nplate3/1.bmp\totp\t4-6\nplate4/1.bmp\teve\t4-6\n"),
                       {}});
  EXPECT_THAT(Images(corpus),
              ElementsAre("m.tsv:2 plate1/embryo.bmp otp plate1/embryo.bmp",
                          "m.tsv:3 plate2/embryo.bmp otp plate2/embryo.bmp",
                          "m.tsv:4 plate3/1.bmp otp plate3/1.bmp",
                          "m.tsv:5 plate4/1.bmp eve plate4/1.bmp"));
}

TEST_F(CorpusTest, AnIdOfTwoFilesIsAFault) {
  folder_.Write("a.bmp", "a");
  folder_.Write("b.bmp", "b");
  const Corpus corpus({{},
                       folder_.Write("m.tsv",
                                     "file\tgene\tstage_range\timage_id\na.bmp\totp\t4-6\tmine\n"
                                     "b.bmp\totp\t4-6\tmine\na.bmp\totp\t4-6\tmine\n"),
                       {}});
  EXPECT_THAT(Images(corpus),
              ElementsAre("m.tsv:2 mine otp a.bmp",
                          "m.tsv:3 mine otp b.bmp | another file of the same image id: mine",
                          "m.tsv:4 mine otp a.bmp | duplicate row"));
  EXPECT_TRUE(corpus.images[1].fault);
  EXPECT_FALSE(corpus.images[2].fault);
}

TEST_F(CorpusTest, ANumberOfTwoFilesIsAFaultToo) {
  folder_.Write("x/insitu7.bmp", "a");
  folder_.Write("y/insitu7.bmp", "b");
  const std::string table =
      "file\tgene\tstage_range\timage_id\nx/insitu7.bmp\totp\t4-6\t\ny/insitu7.bmp\totp\t4-6\t\n\totp\t4-6\tinsitu7\n";
  const Corpus corpus({{}, folder_.Write("m.tsv", table), {}});
  EXPECT_THAT(Images(corpus),
              ElementsAre("m.tsv:2 insitu7 otp x/insitu7.bmp",
                          "m.tsv:3 insitu7 otp y/insitu7.bmp | another file of the same image id: insitu7",
                          "m.tsv:4 insitu7 otp | duplicate row"));
  EXPECT_TRUE(corpus.images[1].fault);
  EXPECT_FALSE(corpus.images[2].fault);
}

TEST_F(CorpusTest, ATreeListsCopiesOfANumber) {
  folder_.Write("tree/otp/4-6/insitu7.bmp", "large");
  folder_.Write("tree/otp/4-6/insitu7_s.bmp", "s");
  const Corpus corpus({{}, {}, {folder_ / "tree"}});
  EXPECT_THAT(Images(corpus),
              ElementsAre("tree/otp/4-6/insitu7.bmp insitu7 otp otp/4-6/insitu7.bmp",
                          "tree/otp/4-6/insitu7_s.bmp insitu7 otp otp/4-6/insitu7_s.bmp | duplicate row"));
  EXPECT_FALSE(corpus.images[1].fault);
}

TEST_F(CorpusTest, ATreeOfBareDigitsKeepsEveryImage) {
  for (const char* file : {"tree/otp/4-6/1.bmp", "tree/eve/4-6/1.bmp", "tree/eve/4-6/1.png"}) folder_.Write(file, file);
  const Corpus corpus({{}, {}, {folder_ / "tree"}});
  ASSERT_EQ(corpus.images.size(), 3U);
  for (const CorpusImage& image : corpus.images) EXPECT_TRUE(image.IsJoined()) << image.id << image.problem;
  EXPECT_EQ(corpus.used_files, 3U);
  EXPECT_EQ(corpus.copies, 0U);
}

TEST_F(CorpusTest, NotesDoNotGrowWithTheNumberOfIds) {
  std::string annotations;
  for (int i = 10; i < 60; ++i) annotations += "CG" + std::to_string(i) + ",a,FBgn0000000,4,brain\n";
  const Corpus corpus = Read(annotations, Image("CG10", 1));
  ASSERT_EQ(corpus.notes.size(), 51U);
  EXPECT_EQ(corpus.notes[0].reason, "gene with several ids: CG10 and CG11 and CG12 and 47 more stands for FBgn0000000");
}

TEST_F(CorpusTest, GenesThatMayBeOneAreNoted) {
  const Corpus corpus = Read(",a,FBgn1,4,brain\nCG1,a,,4,eye\nCG2,b,,4,gut\n", Image("CG1", 1));
  EXPECT_EQ(corpus.genes.size(), 3U);
  std::vector<std::string> notes;
  for (const LeftOut& note : corpus.notes) notes.push_back(corpus.NameOf(note.place) + " " + note.reason);
  EXPECT_THAT(notes,
              ElementsAre("annot.csv:1 symbol shared by genes without a common id: a is CG1 and FBgn1",
                          "annot.csv:2 symbol shared by genes without a common id: a is CG1 and FBgn1"));
}

TEST_F(CorpusTest, TheLargestImageOfANumberIsUsed) {
  folder_.Write("a/1.bmp", "many bytes, few pixels");
  folder_.Write("b/insitu1.jpe", "jpeg");
  const Sources sources{folder_.Write("annot.csv", "CG1,a,FBgn1,4,brain\n"),
                        folder_.Write("images.csv", Image("CG1", 1)),
                        {folder_.path()}};
  const auto pixels = [](const fs::path& path) { return path.extension() == ".jpe" ? 100U : 10U; };
  EXPECT_EQ(Corpus(sources, pixels).images[0].file->file, "b/insitu1.jpe");
  EXPECT_EQ(Corpus(sources).images[0].file->file, "a/1.bmp");
  EXPECT_EQ(Corpus(sources).copies, 1U);
}

TEST_F(CorpusTest, StopsAtAnyRowOrFolder) {
  for (int i = 1; i <= 5; ++i) folder_.Write("images/" + std::to_string(i) + "/insitu1.bmp", "x");
  const Sources sources{folder_.Write("annot.csv", "CG1,a,FBgn1,4,brain\nCG1,a,FBgn1,4,eye\n"),
                        folder_.Write("images.csv", Image("CG1", 1)),
                        {folder_ / "images"}};
  const auto after = [](int questions) {
    return RecordingProgress([questions](const RecordingProgress&) mutable { return --questions < 0; });
  };
  const int questions = 3 + 6 + 5;  // rows, folders, files with a number
  for (int i = 0; i < questions; ++i) {
    EXPECT_EQ(ExpectError([&] { Corpus(sources, {}, after(i)); }).code, ErrorCode::kInterrupted) << i;
  }
  EXPECT_EQ(Corpus(sources, {}, after(questions)).images.size(), 1U);
}

TEST_F(CorpusTest, NothingListed) {
  const CaughtError none = ExpectError([&] { Corpus({folder_.Write("annot.csv", "CG1,a,FBgn1,4,brain\n"), {}, {}}); });
  EXPECT_EQ(none.code, ErrorCode::kInput);
  EXPECT_THAT(none.text, HasSubstr("annot.csv: error: no image is listed\n  hint: name a table of images, or folders"));
  CreateFolder(folder_ / "pictures");
  EXPECT_THAT(ExpectError([&] {
                Corpus({{}, {}, {folder_ / "pictures"}});
              }).text,
              HasSubstr("pictures: error: no image is listed\n"));
}

TEST_F(CorpusTest, FilesOfOurOwnTableMayLieInAnImageFolder) {
  folder_.Write("files/sub/a.png", "1");
  folder_.Write("tables/b.png", "2");
  folder_.Write("files/b.png", "other");
  const fs::path table =
      folder_.Write("tables/m.tsv", "file\tgene\tstage_range\nsub/a.png\totp\t4-6\nb.png\totp\t4-6\n");
  const Corpus corpus({{}, table, {folder_ / "files"}});
  ASSERT_EQ(corpus.images.size(), 2U);
  EXPECT_EQ(corpus.PathOf(*corpus.images[0].file), folder_ / "files" / "sub" / "a.png");
  EXPECT_EQ(corpus.PathOf(*corpus.images[1].file), folder_ / "tables" / "b.png") << "its own folder comes first";
}

TEST_F(CorpusTest, SingleImagesAreBagsOfTheirOwn) {
  for (const char* file : {"one.png", "sub/one.png", "CG123.png", "two.bmp", "two.png", "\x1b[2J.png"}) {
    folder_.Write(std::string("flat/") + file, file);
  }
  const fs::path flat = folder_ / "flat";
  fs::create_symlink("nowhere", flat / "gone.png");
  const Corpus corpus = SingleImages(flat, FindImageFiles({flat}), StageRange::FromName("4-6"));
  EXPECT_THAT(Images(corpus),
              ElementsAre("CG123.png CG123 CG123 CG123.png",
                          "one.png one  one.png",
                          "two.bmp two.bmp  two.bmp",
                          "two.png two.png  two.png",
                          "sub/one.png sub/one  sub/one.png"));
  for (const CorpusImage& image : corpus.images) {
    EXPECT_EQ(image.bag, image.id);
    EXPECT_EQ(image.stage, 2);
    EXPECT_EQ(corpus.PathOf(*image.file), flat / image.file->file);
  }
  EXPECT_EQ(corpus.names[0], (GeneNames{{"CG123"}, {}}));
  EXPECT_THAT(corpus.folder_problems,
              ElementsAre(Skipped{"flat/gone.png", "link to a file that is not there", true},
                          Skipped{corpus.folder_problems.back().input, "name is not plain UTF-8 text", true}));
}

}  // namespace
}  // namespace flyscribe
