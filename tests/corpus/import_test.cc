#include "corpus/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/csv.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/rng.h"
#include "core/text.h"
#include "corpus/intake.h"
#include "data/collection.h"
#include "data/image.h"
#include "tests/support/expect_error.h"
#include "tests/support/ordinary_user.h"
#include "tests/support/real_data.h"
#include "tests/support/recording_progress.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const StageRange kRange = StageRange::FromCode(4);

std::string Bmp(int gray) { return EncodeBmp(RgbImage(4, 2, static_cast<std::uint8_t>(gray))); }

// Two tables and a folder of images, as small as can be. Gene k is CGk, symbol gk, FBgnk.
class TestCorpus {
 public:
  TestCorpus() { fs::create_directories(ImageFolder()); }

  void Annotate(int gene, const std::string& term, int stage = 4) {
    const std::string k = std::to_string(gene);
    annotations_.push_back("CG" + k + ",g" + k + ",FBgn" + k + "," + std::to_string(stage) + ",\"" + term + "\"\n");
  }
  void List(int gene, int number, int stage = 4, const std::string& view = "lateral") {
    const std::string k = std::to_string(gene);
    images_.push_back("CG" + k + ",g" + k + ",g" + k + ",FBgn" + k + ",,img_dir_0/insitu" + std::to_string(number) +
                      ".jpe," + std::to_string(stage) + "," + view + ",,\n");
  }
  fs::path AddFile(int number) const { return AddFile(number, number); }
  fs::path AddFile(int number, int picture) const {
    return folder_.Write("images/insitu" + std::to_string(number) + ".bmp", Bmp(picture));
  }
  // A listed image with its file.
  void Add(int gene, int number) {
    List(gene, number);
    AddFile(number);
  }
  void ShuffleRows(std::uint64_t seed) {
    Rng rng(seed);
    rng.Shuffle(annotations_);
    rng.Shuffle(images_);
  }
  fs::path ImageFolder() const { return folder_ / "images"; }

  Collection Import(const IngestOptions& options = {}, int threads = 1, StageRange range = kRange) const {
    const Sources sources{folder_.Write("annot.csv", Join(annotations_, "")),
                          folder_.Write("images.csv", Join(images_, "")),
                          {ImageFolder()}};
    return flyscribe::Import(Corpus(sources), range, options, {.threads = threads}, NoProgress());
  }

 private:
  TempFolder folder_;
  std::vector<std::string> annotations_;
  std::vector<std::string> images_;
};

std::vector<std::string> Skips(const Collection& collection) {
  std::vector<std::string> lines;
  for (const Skipped& skipped : collection.skipped) {
    lines.push_back(skipped.input + " " + skipped.reason + (skipped.fault ? " !" : ""));
  }
  return lines;
}

std::vector<std::string> ImageIds(const Collection& collection) {
  std::vector<std::string> ids;
  for (const ImageRecord& image : collection.images) ids.push_back(image.id);
  return ids;
}

TEST(Import, BagsImagesAndLabelsAreSorted) {
  TestCorpus corpus;
  corpus.Annotate(2, "eye");
  corpus.Annotate(2, "brain");
  corpus.Annotate(1, "gut");
  corpus.Annotate(1, "other range", 5);
  corpus.Add(2, 20);
  corpus.Add(2, 100);
  corpus.Add(1, 5);
  const Collection collection = corpus.Import();
  EXPECT_EQ(collection.range, kRange);
  ASSERT_EQ(collection.bags.size(), 2U);
  const Bag& first = collection.bags[0];
  EXPECT_EQ(first, (Bag{"FBgn1", "FBgn1", "g1", "FBgn1", FoldOfGene("FBgn1", 5, 1), {"gut"}, first.names}));
  EXPECT_EQ(first.names, (GeneNames{{"CG1", "FBgn1"}, {"g1"}}));
  EXPECT_THAT(collection.bags[1].terms, ElementsAre("brain", "eye"));
  EXPECT_THAT(ImageIds(collection), ElementsAre("insitu5", "insitu100", "insitu20"));
  EXPECT_EQ(collection.images[0], (ImageRecord{"insitu5", 0, "insitu5.bmp", Sha256OfText(Bmp(5)), 0}));
  EXPECT_EQ(collection.images[1].bag, 1U);
  EXPECT_THAT(collection.skipped, IsEmpty());
}

TEST(Import, OrderOfRowsAndNumberOfThreadsDoNotMatter) {
  TestCorpus corpus;
  for (int gene = 1; gene <= 12; ++gene) {
    for (int i = 0; i < 3; ++i) corpus.Add(gene, 10 * gene + i);
    for (int i = 0; i <= gene % 4; ++i) corpus.Annotate(gene, "term" + std::to_string(i));
  }
  const Collection before = corpus.Import({}, 1);
  EXPECT_EQ(before.images.size(), 36U);
  for (const int threads : {1, 3}) {
    corpus.ShuffleRows(static_cast<std::uint64_t>(threads));
    const Collection after = corpus.Import({}, threads);
    EXPECT_EQ(after.bags, before.bags);
    EXPECT_EQ(after.images, before.images);
    EXPECT_EQ(after.skipped, before.skipped);
  }
}

TEST(Import, NoStainingIsAnAnnotationWithoutATerm) {
  TestCorpus corpus;
  corpus.Annotate(1, "no staining");
  corpus.Annotate(2, "No Staining");
  corpus.Annotate(2, "brain");
  corpus.Add(1, 1);
  corpus.Add(2, 2);
  const Collection collection = corpus.Import();
  ASSERT_EQ(collection.bags.size(), 2U);
  EXPECT_THAT(collection.bags[0].terms, IsEmpty());
  EXPECT_THAT(collection.bags[1].terms, ElementsAre("brain"));
}

TEST(Import, CuratorsNotesAreNoTerms) {
  TestCorpus corpus;
  corpus.Annotate(1, "flag_for_volker");
  corpus.Annotate(2, "need new term(localised)");
  corpus.Annotate(2, "brain");
  corpus.Add(1, 1);
  corpus.Add(2, 2);
  const Collection collection = corpus.Import();
  ASSERT_EQ(collection.bags.size(), 1U);
  EXPECT_THAT(collection.bags[0].terms, ElementsAre("brain"));
  EXPECT_THAT(Skips(collection),
              ElementsAre("annot.csv:1 bookkeeping term: flag_for_volker",
                          "annot.csv:2 bookkeeping term: need new term(localised)",
                          "images.csv:1 no annotation"));
}

TEST(Import, Duplicates) {
  TestCorpus corpus;
  corpus.Annotate(1, "brain");
  corpus.Annotate(1, "brain");
  corpus.Add(1, 1);
  corpus.List(1, 1);
  const Collection collection = corpus.Import();
  EXPECT_THAT(ImageIds(collection), ElementsAre("insitu1"));
  EXPECT_THAT(Skips(collection), ElementsAre("annot.csv:2 duplicate row", "images.csv:2 duplicate row"));
}

TEST(Import, Views) {
  TestCorpus corpus;
  corpus.Annotate(1, "brain");
  for (int number = 1; number <= 3; ++number) corpus.AddFile(number);
  corpus.List(1, 1, 4, "Lateral");
  corpus.List(1, 2, 4, "dorsal");
  corpus.List(1, 3, 4, "");
  const Collection lateral = corpus.Import();
  EXPECT_THAT(ImageIds(lateral), ElementsAre("insitu1"));
  EXPECT_THAT(Skips(lateral),
              ElementsAre("images.csv:2 view not wanted: dorsal", "images.csv:3 view not wanted: blank"));
  EXPECT_THAT(ImageIds(corpus.Import({.blank_view = IngestOptions::BlankView::kKeep})),
              ElementsAre("insitu1", "insitu3"));
  EXPECT_THAT(ImageIds(corpus.Import({.views = {" DORSAL"}})), ElementsAre("insitu2"));
  EXPECT_THAT(ImageIds(corpus.Import({.views = {}})), ElementsAre("insitu1", "insitu2"));
}

TEST(Import, AnImageOfTwoGenesBelongsToNeither) {
  TestCorpus corpus;
  corpus.Annotate(1, "brain");
  corpus.Annotate(2, "eye");
  corpus.Add(1, 7);
  corpus.List(2, 7);
  corpus.Add(2, 8);
  const Collection collection = corpus.Import();
  EXPECT_THAT(ImageIds(collection), ElementsAre("insitu8"));
  EXPECT_THAT(Skips(collection),
              ElementsAre("images.csv:1 image listed under two genes: insitu7 !",
                          "images.csv:2 image listed under two genes: insitu7 !",
                          "annot.csv:1 annotation without image"));
}

TEST(Import, MissingFilesAreSkippedOrStopTheRun) {
  TestCorpus corpus;
  corpus.Annotate(1, "brain");
  corpus.Add(1, 1);
  corpus.List(1, 2);
  const Collection collection = corpus.Import();
  EXPECT_THAT(ImageIds(collection), ElementsAre("insitu1"));
  EXPECT_THAT(Skips(collection), ElementsAre("images.csv:2 image file not found: insitu2 !"));
  const CaughtError error = ExpectError([&] { corpus.Import({.on_bad_image = IngestOptions::OnBadImage::kFail}); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("images.csv:2: error: image file not found: insitu2\n  hint: add the folder"));
  EXPECT_THAT(error.text, HasSubstr("set `on_bad_image: skip`"));
}

TEST(Import, EveryBadImageHasAHintOfItsOwn) {
  const auto error_of = [](TestCorpus& corpus) {
    return ExpectError([&] { corpus.Import({.on_bad_image = IngestOptions::OnBadImage::kFail}); }).text;
  };
  TestCorpus listed_twice;
  listed_twice.Annotate(1, "brain");
  listed_twice.Add(1, 7);
  listed_twice.List(2, 7);
  EXPECT_THAT(error_of(listed_twice),
              HasSubstr("image listed under two genes: insitu7\n  hint: correct the rows of this image, or set "
                        "`on_bad_image: skip` to go on without it"));
  TestCorpus equal;
  for (const int gene : {1, 2}) equal.Annotate(gene, "brain");
  equal.Add(1, 1);
  equal.List(2, 2);
  equal.AddFile(2, 1);
  EXPECT_THAT(error_of(equal),
              HasSubstr("same picture under two genes: insitu1, insitu2\n  hint: take the picture from the gene it "
                        "does not show, or set `on_bad_image: skip` to go on without it"));
}

TEST(Import, AnIdInTheSymbolColumnIsNoOtherGene) {
  const TempFolder folder;
  folder.Write("1.bmp", Bmp(1));
  folder.Write("2.bmp", Bmp(2));
  const Sources sources{
      folder.Write("annot.csv", ",FBgn1,,4,brain\nCG1,a,FBgn1,4,eye\n"),
      folder.Write("i.csv", "FBgn1,a,a,,,d/insitu1.jpe,4,lateral\nCG1,a,a,FBgn1,,d/insitu2.jpe,4,lateral\n"),
      {folder.path()}};
  const Collection collection = Import(Corpus(sources), kRange, {}, {}, NoProgress());
  ASSERT_EQ(collection.bags.size(), 1U);
  EXPECT_EQ(collection.bags[0].id, "FBgn1");
  EXPECT_THAT(collection.bags[0].terms, ElementsAre("brain", "eye"));
  EXPECT_THAT(ImageIds(collection), ElementsAre("insitu1", "insitu2"));
}

TEST(Import, AnUnreadableFileIsAFault) {
  TestCorpus corpus;
  corpus.Annotate(1, "brain");
  corpus.Add(1, 1);
  corpus.List(1, 2);
  const fs::path locked = corpus.AddFile(2);
  ASSERT_EQ(chmod(locked.c_str(), 0), 0);
  ASSERT_EQ(chmod(corpus.ImageFolder().parent_path().c_str(), 0777), 0);
  Collection collection;
  {
    const AsOrdinaryUser user;
    collection = corpus.Import();
  }
  EXPECT_THAT(ImageIds(collection), ElementsAre("insitu1"));
  EXPECT_THAT(Skips(collection),
              ElementsAre("images.csv:2 image file unreadable: insitu2.bmp: cannot read: Permission denied !"));
}

TEST(Import, TableProblemsAreListedInTheRangeTheyConcern) {
  const TempFolder folder;
  const Sources sources{
      folder.Write("annot.csv", "CG1,a,FBgn1,4,brain\nCG1,a\nCG1,a,FBgn1,4,\nCG1,a,FBgn1,5,\n"),
      folder.Write("images.csv", "CG1,a,a,FBgn1,,d/insitu1.jpe,4,lateral\nCG1,a,a,FBgn1,,production_images/2.jpe,4\n"),
      {folder.path()}};
  folder.Write("1.bmp", Bmp(1));
  EXPECT_THAT(Skips(Import(Corpus(sources), kRange, {}, {}, NoProgress())),
              ElementsAre("annot.csv:2 too few columns: 2 !",
                          "annot.csv:3 no term !",
                          "images.csv:2 production image, a field of many embryos"));
}

TEST(Import, SymbolDoesNotDependOnTheOrder) {
  const TempFolder folder;
  folder.Write("1.bmp", Bmp(1));
  folder.Write("2.bmp", Bmp(2));
  const std::string b = "CG1,b,b,FBgn1,,d/insitu1.jpe,4,lateral\n";
  const std::string a = "CG1,a,a,FBgn1,,d/insitu2.jpe,4,lateral\n";
  for (const std::string& images : {a + b, b + a}) {
    const Sources sources{
        folder.Write("annot.csv", "CG1,x,FBgn1,4,brain\n"), folder.Write("i.csv", images), {folder.path()}};
    EXPECT_EQ(Import(Corpus(sources), kRange, {}, {}, NoProgress()).bags[0].symbol, "a");
  }
}

TEST(Import, AnImageOfTwoRangesBelongsToNeither) {
  TestCorpus corpus;
  corpus.Annotate(1, "brain");
  corpus.Add(1, 7);
  corpus.List(1, 7, 5);
  corpus.Add(1, 8);
  EXPECT_THAT(Skips(corpus.Import()), ElementsAre("images.csv:1 image listed under two stage ranges: insitu7 !"));
}

TEST(Import, OneGeneUnderTwoIdsIsOneBag) {
  const TempFolder folder;
  folder.Write("1.bmp", Bmp(1));
  folder.Write("2.bmp", Bmp(2));
  const Sources sources{folder.Write("annot.csv", "CG1,a,FBgn1,4,brain\nCG1,a,FBgn2,4,eye\nCG1,a,FBgn2,4,gut\n"),
                        folder.Write("i.csv", "CG1,a,a,FBgn1,,1.jpe,4,lateral\n,a,a,,,2.jpe,4,lateral\n"),
                        {folder.path()}};
  const Collection collection = Import(Corpus(sources), kRange, {}, {}, NoProgress());
  ASSERT_EQ(collection.bags.size(), 1U);
  EXPECT_THAT(collection.bags[0].terms, ElementsAre("brain", "eye", "gut"));
  EXPECT_THAT(ImageIds(collection), ElementsAre("insitu1", "insitu2"));
}

TEST(Import, EqualPicturesCountOnceInABagAndNeverInTwo) {
  TestCorpus corpus;
  for (const int gene : {1, 2, 3}) corpus.Annotate(gene, "brain");
  corpus.Add(1, 1);
  corpus.List(1, 11);
  corpus.AddFile(11, 1);
  corpus.Add(2, 2);
  corpus.List(3, 3);
  corpus.AddFile(3, 2);
  corpus.Add(3, 33);
  const Collection collection = corpus.Import();
  EXPECT_THAT(ImageIds(collection), ElementsAre("insitu1", "insitu33"));
  EXPECT_THAT(Skips(collection),
              ElementsAre("images.csv:2 same picture twice: insitu11, insitu1",
                          "images.csv:3 same picture under two genes: insitu2, insitu3 !",
                          "images.csv:4 same picture under two genes: insitu3, insitu2 !",
                          "annot.csv:2 annotation without image"));
}

TEST(Import, WhatIsNoTermIsTheConfigsChoice) {
  TestCorpus corpus;
  corpus.Annotate(1, "flag_for_volker");
  corpus.Annotate(1, "ubiquitous");
  corpus.Annotate(1, "no staining");
  corpus.Add(1, 1);
  EXPECT_THAT(corpus.Import().bags[0].terms, ElementsAre("ubiquitous"));
  EXPECT_THAT(corpus.Import({.absence_terms = {}, .bookkeeping_terms = {"ubiq*"}}).bags[0].terms,
              ElementsAre("flag_for_volker", "no staining"));
}

TEST(Import, OurOwnTableRepeatsTermsWithoutANotice) {
  const TempFolder folder;
  folder.Write("1.bmp", Bmp(1));
  folder.Write("x.bmp", Bmp(2));
  const fs::path table = folder.Write("m.tsv",
                                      "file\tgene\tstage_range\tview\tterms\n"
                                      "1.bmp\totp\t9-10\tlateral\tbrain|eye\nx.bmp\totp\t9-10\tlateral\tbrain|eye\n");
  const Collection collection = Import(Corpus({{}, table, {}}), kRange, {}, {}, NoProgress());
  EXPECT_THAT(ImageIds(collection), ElementsAre("1.bmp", "x.bmp"));
  EXPECT_THAT(collection.bags.at(0).terms, ElementsAre("brain", "eye"));
  EXPECT_THAT(Skips(collection), ElementsAre("m.tsv:1 header line"));
}

TEST(Import, PermutedLabelsAreTheSameLabelsElsewhere) {
  TestCorpus corpus;
  for (int gene = 1; gene <= 9; ++gene) {
    corpus.Annotate(gene, "term" + std::to_string(gene));
    corpus.Add(gene, gene);
  }
  const Collection original = corpus.Import();
  const auto permute = [&](std::int64_t seed) {
    Collection collection = corpus.Import();
    PermuteLabels(seed, collection);
    return collection;
  };
  const Collection permuted = permute(3);
  EXPECT_EQ(permuted.images, original.images);
  EXPECT_EQ(permuted.bags, permute(3).bags);
  EXPECT_NE(permuted.LabelsDigest(), original.LabelsDigest());
  EXPECT_NE(permuted.LabelsDigest(), permute(4).LabelsDigest());
  EXPECT_EQ(permuted.FoldsDigest(), original.FoldsDigest());
  std::vector<std::string> terms;
  for (const Bag& bag : permuted.bags) terms.push_back(bag.terms.at(0));
  std::sort(terms.begin(), terms.end());
  EXPECT_EQ(terms.front(), "term1");
  EXPECT_EQ(std::unique(terms.begin(), terms.end()) - terms.begin(), 9);
}

TEST(Import, ARangeWithoutAnyBag) {
  TestCorpus corpus;
  corpus.Annotate(1, "brain");
  corpus.List(1, 1);
  corpus.List(1, 2, 4, "dorsal");
  corpus.List(1, 3, 4, "ventral");
  const CaughtError error = ExpectError([&] { corpus.Import(); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(
      error.text,
      HasSubstr("images.csv: error: no bag in stage range 9-10: of 3 image rows and 1 annotation rows none was "
                "usable; left out: image file not found (1), view not wanted (2), annotation without image (1)"));
  EXPECT_THAT(error.text, HasSubstr("hint: check the image folders and the options `views` and `blank_view`"));
  EXPECT_THAT(ExpectError([&] { corpus.Import({}, 1, StageRange::FromCode(6)); }).text,
              HasSubstr("no bag in stage range 13-16: of 0 image rows and 0 annotation rows none was usable; left out: "
                        "nothing"));
}

TEST(Import, StopsWhenAsked) {
  const TempFolder folder;
  const Sources sources{folder.Write("a.csv", "CG1,a,FBgn1,4,brain\n"),
                        folder.Write("i.csv", "CG1,a,a,FBgn1,,d/insitu1.jpe,4,lateral\n"),
                        {folder.path()}};
  folder.Write("1.bmp", Bmp(1));
  const Corpus corpus(sources);
  RecordingProgress progress(AtOnce);
  EXPECT_EQ(ExpectError([&] { Import(corpus, kRange, {}, {}, progress); }).code, ErrorCode::kInterrupted);
}

TEST(IngestOptions, KeyText) {
  EXPECT_EQ(KeyText(IngestOptions{}),
            "views: [\"lateral\"]\nblank_view: \"drop\"\nabsence_terms: [\"no staining\"]\n"
            "bookkeeping_terms: [\"flag_for_volker\", \"need new term*\"]\nfolds: 5\nsplit_seed: 1\npermute_labels: 0\n"
            "on_bad_image: \"skip\"\n");
}

// --- BDGP's real tables, where they are at hand.

// CG id and symbol of each image as its row spells them, by the image's id; nothing of the module's own is asked.
std::map<std::string, std::vector<std::string>> RawNames(const fs::path& images_table) {
  std::map<std::string, std::vector<std::string>> names;
  for (const TableRow& row : ParseTable(ToUtf8(ReadFile(images_table)), ',').rows) {
    const std::string& path = row.fields.at(5);
    const std::size_t start = path.find("insitu");
    names[path.substr(start, path.rfind('.') - start)] = {"CG " + row.fields[0], "symbol " + row.fields[1]};
  }
  return names;
}

TEST(ImportRealTables, EveryRowIsAccountedFor) {
  const fs::path data = RealDataFile("bdgp");
  FLYSCRIBE_SKIP_WITHOUT(data / "insitu_annot.csv");
  const Sources sources{
      data / "insitu_annot.csv", data / "insitu_images.csv", {data / "images_80x32", data / "images_320x128"}};
  const Corpus corpus(sources);
  ASSERT_EQ(corpus.tables.size(), 2U);
  EXPECT_EQ(corpus.tables[0].rows, 16086U);
  EXPECT_EQ(corpus.tables[1].rows, 1795U);
  std::map<std::string, int> used_or_skipped;  // table -> rows
  std::size_t bags = 0;
  const auto raw_names = RawNames(sources.images_table);
  std::map<std::string, std::set<int>> folds;  // of a gene's raw names, in all ranges
  for (const StageRange range : StageRange::All()) {
    const Collection collection = Import(corpus, range, {}, {.threads = 2}, NoProgress());
    bags += collection.bags.size();
    used_or_skipped["insitu_images.csv"] += static_cast<int>(collection.images.size());
    for (const Bag& bag : collection.bags) {
      used_or_skipped["insitu_annot.csv"] += static_cast<int>(bag.terms.size());
    }
    for (const ImageRecord& image : collection.images) {
      for (const std::string& name : raw_names.at(image.id)) folds[name].insert(collection.bags[image.bag].fold);
    }
    for (const Skipped& skipped : collection.skipped) ++used_or_skipped[Split(skipped.input, ':')[0]];
    EXPECT_EQ(collection.images.size() > collection.bags.size(), true) << range.name();
  }
  EXPECT_EQ(used_or_skipped["insitu_annot.csv"], 16086);
  EXPECT_EQ(used_or_skipped["insitu_images.csv"], 1795);
  EXPECT_EQ(used_or_skipped.size(), 2U);
  EXPECT_GT(bags, 1000U);
  EXPECT_LT(bags, 1687U);  // lateral rows
  EXPECT_GT(folds.size(), 1000U);
  for (const auto& [name, of_name] : folds) EXPECT_EQ(of_name.size(), 1U) << name << " stands on both sides of a split";
}

TEST(KindOfLabel, TermsAbsenceAndNotes) {
  const IngestOptions rules{.absence_terms = {"no staining"},
                            .bookkeeping_terms = {"flag_for_volker", " Need new term*"}};
  const auto kind_of = [&](const std::string& word) { return KindOfLabel(word, rules); };
  EXPECT_EQ(kind_of("no staining"), LabelKind::kAbsence);
  EXPECT_EQ(kind_of("No Staining"), LabelKind::kAbsence);
  EXPECT_EQ(kind_of("no staining here"), LabelKind::kTerm);
  EXPECT_EQ(kind_of("Flag_For_Volker"), LabelKind::kBookkeeping);
  EXPECT_EQ(kind_of("flag_for_volker2"), LabelKind::kTerm);
  EXPECT_EQ(kind_of("need new term"), LabelKind::kBookkeeping);
  EXPECT_EQ(kind_of("need new term(localised)"), LabelKind::kBookkeeping);
  for (const char* term : {"ubiquitous", "faint ubiquitous", "maternal", "subset", "gap", "pair rule"}) {
    EXPECT_EQ(kind_of(term), LabelKind::kTerm) << term;
  }
}

TEST(KindOfLabel, EmptyListsLeaveAllTerms) {
  EXPECT_EQ(KindOfLabel("no staining", {.absence_terms = {}, .bookkeeping_terms = {}}), LabelKind::kTerm);
  EXPECT_EQ(KindOfLabel("brain", {.absence_terms = {}, .bookkeeping_terms = {"*"}}), LabelKind::kBookkeeping);
}

}  // namespace
}  // namespace flyscribe
