#include "pipeline/annotate/annotate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"
#include "data/tables.h"
#include "pipeline/annotate/annotation_folder.h"
#include "tests/pipeline/annotate/tiny_model.h"
#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

// path -> bytes of all files below a folder.
std::map<std::string, std::string> AllBytes(const fs::path& folder) {
  std::map<std::string, std::string> bytes;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (fs::is_regular_file(entry.path())) bytes[fs::relative(entry.path(), folder).string()] = ReadFile(entry.path());
  }
  return bytes;
}

// Every bag several times under other names, with one image each, so that there are chunks.
NewBags ManyBags() {
  NewBags many = TinyBags();
  const std::vector<NewBag> bags = many.bags;
  for (int copy = 1; copy < 3; ++copy) {
    for (NewBag bag : bags) {
      bag.id += "-" + std::to_string(copy);
      bag.slug += "-" + std::to_string(copy);
      bag.gene = {};
      bag.names = {};
      bag.images.resize(1);
      many.bags.push_back(std::move(bag));
    }
  }
  return many;
}

// Other windows than the model was trained with: what it says is of no interest here, and they are fast.
Model FastModel(std::size_t genes) {
  Model model = TinyModel(genes);
  model.options.extract.window_function = ExtractOptions::WindowFunction::kFlat;
  return model;
}

AnnotateRun RunOn(int threads) {
  AnnotateRun run;
  run.facts = {{"Model", "x"}};
  run.threads = threads;
  return run;
}

AnnotateOutcome AnnotateInto(const fs::path& output,
                             const Model& model,
                             const NewBags& bags,
                             const AnnotateRun& run = RunOn(2),
                             Progress& progress = NoProgress()) {
  AnnotationFolder folder(output);
  return Annotate(model, bags, run, folder, progress);
}

TEST(Annotate, AResultHasTheEntriesThatAreListed) {
  NewBags bags = TinyBags();
  bags.bags.resize(1);
  const TempFolder folder;
  AnnotateInto(folder / "out", FastModel(0), bags);
  std::vector<std::string> names;
  for (const fs::path& entry : EntriesOf(folder / "out")) names.push_back(entry.filename().string());
  EXPECT_THAT(names, testing::ElementsAreArray(kAnnotationEntries));
}

TEST(Annotate, SameBytesForAnyNumberOfThreadsAndAfterAnInterruption) {
  const Model model = FastModel(10);
  const NewBags bags = ManyBags();
  ASSERT_GT(bags.bags.size(), 2 * kBagsAChunk);
  const TempFolder folder;
  const AnnotateOutcome one = AnnotateInto(folder / "one", model, bags, RunOn(1));
  EXPECT_EQ(one.counts.bags, bags.bags.size());
  EXPECT_EQ(one.counts.images, bags.ImageCount());
  EXPECT_EQ(one.counts.out_of_fold, 10U);
  const std::map<std::string, std::string> expected = AllBytes(folder / "one");
  AnnotateInto(folder / "three", model, bags, RunOn(3));
  EXPECT_EQ(AllBytes(folder / "three"), expected);

  RecordingProgress impatient(AfterItems(bags.ImageCount() * 2 / 3));
  const CaughtError error = ExpectError([&] { AnnotateInto(folder / "cut", model, bags, RunOn(1), impatient); });
  EXPECT_EQ(error.code, ErrorCode::kInterrupted);
  EXPECT_FALSE(fs::exists(folder / "cut" / "predictions.tsv"));
  const AnnotateOutcome rest = AnnotateInto(folder / "cut", model, bags);
  EXPECT_LT(rest.annotated_now, bags.ImageCount()) << "the first chunks are not annotated again";
  EXPECT_GT(rest.annotated_now, 0U);
  EXPECT_EQ(AllBytes(folder / "cut"), expected);
}

// As after a power cut: the chunks are there, files that belong to them are empty or gone.
TEST(Annotate, FilesThatWereLostAreMadeAgain) {
  const Model model = FastModel(10);
  const NewBags bags = ManyBags();
  const TempFolder folder;
  AnnotateInto(folder / "whole", model, bags);
  const std::map<std::string, std::string> expected = AllBytes(folder / "whole");

  RecordingProgress impatient(AfterItems(bags.ImageCount() * 9 / 10));
  ExpectError([&] { AnnotateInto(folder / "cut", model, bags, RunOn(1), impatient); });
  const fs::path result = folder / "cut" / kUnfinishedAnnotation / "result";
  ASSERT_TRUE(fs::exists(folder / "cut" / kUnfinishedAnnotation / "chunks" / "00001.jsonl"));
  WriteFile(result / "evidence" / (bags.bags.front().slug + ".json"), "");
  const AnnotateOutcome rest = AnnotateInto(folder / "cut", model, bags);
  EXPECT_LT(rest.annotated_now, bags.ImageCount()) << "one chunk is as it was written";
  EXPECT_EQ(AllBytes(folder / "cut"), expected);

  for (const auto& [name, bytes] : expected) {
    if (!name.starts_with("gallery/")) continue;
    WriteFile(folder / "cut" / name, "");
    EXPECT_FALSE(AnnotateInto(folder / "cut", model, bags).was_finished) << name;
    EXPECT_EQ(AllBytes(folder / "cut"), expected);
    break;
  }
  EXPECT_TRUE(AnnotateInto(folder / "cut", model, bags).was_finished);
}

TEST(Annotate, EveryFileOfTheFoldersIsListed) {
  const TempFolder folder;
  AnnotateInto(folder / "out", FastModel(10), TinyBags());
  std::map<std::string, std::string> listed;
  for (const std::string& row : Split(ReadFile(folder / "out" / kFileList), '\n')) {
    if (!row.empty()) listed[Split(row, '\t')[0]] = row + "\n";
  }
  std::map<std::string, std::string> there;
  for (const auto& [name, bytes] : AllBytes(folder / "out")) {
    if (name.find('/') != std::string::npos) there[name] = FileRow({name, bytes.size(), Sha256OfText(bytes)});
  }
  EXPECT_EQ(listed, there);
}

TEST(Annotate, TheTablesAreCompleteAndSumUp) {
  const Model model = FastModel(10);
  NewBags bags = TinyBags();
  bags.skipped.push_back({"table.csv:3", "image file not found: insitu3", true});
  const TempFolder folder;
  const AnnotateOutcome outcome = AnnotateInto(folder / "out", model, bags);
  EXPECT_EQ(outcome.counts.faults, 1U);
  const auto rows = LoadTsv(folder / "out" / "predictions.tsv", PredictionHeader());
  const std::size_t terms = model.ranges[0].models.terms.size();
  ASSERT_EQ(rows.size(), bags.bags.size() * terms);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][11], std::to_string(i % terms + 1)) << "rank";
    EXPECT_EQ(rows[i][12], i / terms < 10 ? "oof" : "new");
    EXPECT_EQ(rows[i][17], model.id);
  }
  for (const NewBag& bag : bags.bags) {
    const fs::path file = folder / "out" / "evidence" / (bag.slug + ".json");
    for (const TermEvidence& term : DecodeEvidence(ReadFile(file), file).terms) {
      EXPECT_NEAR(SumOf(term), term.decision_value, 1e-5) << bag.id << " " << term.term;
    }
  }
}

TEST(Annotate, AFinishedResultIsNotMadeAgain) {
  const Model model = FastModel(10);
  NewBags bags = TinyBags();
  const TempFolder folder;
  AnnotateInto(folder / "out", model, bags);
  const AnnotateOutcome again = AnnotateInto(folder / "out", model, bags);
  EXPECT_TRUE(again.was_finished);
  EXPECT_EQ(again.annotated_now, 0U);
  EXPECT_EQ(again.counts.bags, bags.bags.size());
  bags.bags.pop_back();
  EXPECT_EQ(ExpectError([&] { AnnotateInto(folder / "out", model, bags); }).code, ErrorCode::kUsage);
  AnnotateRun forced = RunOn(2);
  forced.force = true;
  EXPECT_EQ(AnnotateInto(folder / "out", model, bags, forced).counts.bags, bags.bags.size());
}

TEST(Annotate, AResultThatLostAFileIsWrittenAgain) {
  const Model model = FastModel(0);
  NewBags bags = TinyBags();
  bags.bags.resize(1);
  const TempFolder folder;
  AnnotateInto(folder / "out", model, bags);
  const std::map<std::string, std::string> expected = AllBytes(folder / "out");
  fs::remove(folder / "out" / "predictions.tsv");
  EXPECT_FALSE(AnnotateInto(folder / "out", model, bags).was_finished);
  EXPECT_EQ(AllBytes(folder / "out"), expected);
  EXPECT_TRUE(AnnotateInto(folder / "out", model, bags).was_finished);
}

TEST(Annotate, WhatAChunkLeftOutIsListed) {
  const Model model = FastModel(0);
  NewBags bags = TinyBags();
  const TempFolder folder;
  const fs::path bad = folder.Write("bad\tname.bmp", "nothing");
  bags.bags[0].images = {{"bad\tname", bad, Sha256OfFile(bad)}};
  const AnnotateOutcome outcome = AnnotateInto(folder / "out", model, bags);
  EXPECT_EQ(outcome.counts.bags, bags.bags.size() - 1);
  const std::vector<Skipped> skipped = LoadSkipped(folder / "out");
  ASSERT_EQ(skipped.size(), 2U);
  EXPECT_EQ(skipped[0].input, "bad name");
  EXPECT_THAT(skipped[0].reason, HasSubstr("image unusable: "));
  EXPECT_EQ(skipped[1].reason, "bag has no usable patch");
}

TEST(Annotate, ADamagedChunkIsNotTrusted) {
  const Model model = FastModel(0);
  const NewBags bags = TinyBags();
  const TempFolder folder;
  {
    AnnotationFolder begun(folder / "out");
    begun.Begin(AnnotationKey(model, bags, RunOn(2)), false, NoProgress());
    begun.WriteChunk(0, {"A {}\n", {}});
  }
  EXPECT_EQ(ExpectError([&] { AnnotateInto(folder / "out", model, bags); }).code, ErrorCode::kCorrupt);
}

TEST(AnnotationKey, NamesModelOptionsAndInputs) {
  const Model model = FastModel(0);
  NewBags bags = TinyBags();
  AnnotateRun run = RunOn(2);
  const std::string key = AnnotationKey(model, bags, run);
  EXPECT_THAT(key, HasSubstr("model: 0123456789abcdef\n"));
  run.threads = 7;
  EXPECT_EQ(AnnotationKey(model, bags, run), key) << "not the threads";
  run.options.evidence = EvidenceOf::kAll;
  EXPECT_NE(AnnotationKey(model, bags, run), key);
  run.options.evidence = EvidenceOf::kCalls;
  run.maps = EvidenceOf::kCalls;
  EXPECT_NE(AnnotationKey(model, bags, run), key);
  run.maps = EvidenceOf::kNone;
  bags.bags[0].images[0].digest[0] ^= 1;
  EXPECT_NE(AnnotationKey(model, bags, run), key);
}

}  // namespace
}  // namespace flyscribe
