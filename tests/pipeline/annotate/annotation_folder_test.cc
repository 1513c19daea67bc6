#include "pipeline/annotate/annotation_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/file.h"
#include "core/hash.h"
#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class AnnotationFolderTest : public testing::Test {
 protected:
  static std::string Key(const std::string& model) { return "flyscribe: 1\nmodel: " + model + "\n"; }

  std::unique_ptr<AnnotationFolder> Begun(const std::string& model, bool replace = false) {
    auto folder = std::make_unique<AnnotationFolder>(out_);
    folder->Begin(Key(model), replace, listener_);
    return folder;
  }
  // As a whole run would.
  void Finish(const std::string& model, const std::string& content, bool replace = false) {
    AnnotationFolder folder(out_);
    folder.Begin(Key(model), replace, listener_);
    WriteResult(folder, content);
    folder.Commit(listener_);
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const fs::path& entry : EntriesOf(out_)) names.push_back(entry.filename().string());
    return names;
  }
  static ListedFile Listed(const fs::path& folder, const std::string& name) {
    return {name, fs::file_size(folder / name), Sha256OfFile(folder / name)};
  }
  static void WriteResult(const AnnotationFolder& folder, const std::string& content) {
    CreateFolder(folder.Result() / "evidence");
    WriteFile(folder.Result() / "evidence" / content, content);
    WriteFile(folder.Result() / "predictions.tsv", content);
    WriteFile(folder.Result() / kReviewFile, "review of " + content);
    WriteFile(folder.Result() / kCalledFile, "called " + content);
    for (const char* name : {"index.html", "predictions.jsonl", "skipped.tsv"}) WriteFile(folder.Result() / name, name);
    const fs::path evidence = fs::path("evidence") / content;
    WriteFile(folder.Result() / kFileList, FileRow(Listed(folder.Result(), evidence.string())));
    nlohmann::json summary = {{kKeyDigestField, folder.KeyDigest()}};
    for (const std::string name : kAnnotationEntries) {
      const fs::path file = folder.Result() / name;
      if (!fs::is_regular_file(file)) continue;
      summary[kFilesField][name] = {{"bytes", fs::file_size(file)}, {"sha256", Sha256OfFile(file)}};
    }
    WriteFile(folder.Result() / kAnnotationFile, summary.dump());
  }

  TempFolder folder_;
  fs::path out_ = folder_ / "out";
  RecordingProgress listener_;
};

TEST_F(AnnotationFolderTest, NothingIsInPlaceBeforeTheCommit) {
  {
    AnnotationFolder folder(out_);
    folder.Begin(Key("m"), false, NoProgress());
    WriteResult(folder, "x");
    EXPECT_FALSE(fs::exists(out_ / "predictions.tsv"));
    EXPECT_FALSE(folder.IsFinished());
    folder.Commit(NoProgress());
    EXPECT_TRUE(folder.IsFinished());
  }
  EXPECT_EQ(ReadFile(out_ / "predictions.tsv"), "x");
  EXPECT_THAT(EntriesOf(out_), testing::SizeIs(9)) << "neither unfinished work nor a lock is left";
}

TEST_F(AnnotationFolderTest, ChunksSurviveTheProcess) {
  {
    const auto folder = Begun("m");
    CreateFolder(folder->Result() / "evidence");
    WriteFile(folder->Result() / "evidence" / "a", "of a");
    folder->WriteChunk(3, {"three\n", {Listed(folder->Result(), "evidence/a")}});
  }
  const auto again = Begun("m");
  EXPECT_TRUE(again->HasChunk(3, listener_));
  EXPECT_FALSE(again->HasChunk(2, listener_));
  EXPECT_EQ(again->ReadChunk(3).text, "three\n");
  EXPECT_THAT(again->ReadChunk(3).files, ElementsAre(testing::Field(&ListedFile::name, "evidence/a")));
  EXPECT_THAT(listener_.warnings, IsEmpty());
}

// As a power cut leaves them: there, but empty; or cut off; or not there.
TEST_F(AnnotationFolderTest, AChunkWhoseFilesWereLostIsNotThere) {
  const auto folder = Begun("m");
  const fs::path file = folder->Result() / "evidence" / "a";
  const auto make = [&] {
    CreateFolder(file.parent_path());
    WriteFile(file, "of a");
    folder->WriteChunk(0, {"zero\n", {Listed(folder->Result(), "evidence/a")}});
    EXPECT_TRUE(folder->HasChunk(0, listener_));
  };
  const std::string said = "some bags are annotated again, because an interrupted process left damaged files in " +
                           (out_ / kUnfinishedAnnotation).string() + ": ";
  const auto expect_lost = [&](const std::string& flaw) {
    EXPECT_FALSE(folder->HasChunk(0, listener_));
    EXPECT_THAT(listener_.warnings, ElementsAre(said + flaw));
    listener_.warnings.clear();
  };
  make();
  WriteFile(file, "");
  expect_lost("evidence/a has the wrong size");
  make();
  WriteFile(file, std::string(4, '\0'));
  expect_lost("evidence/a was changed");
  make();
  fs::remove(file);
  expect_lost("evidence/a is missing");
  make();
  WriteFile(folder->ChunkPath(0), "");
  expect_lost("00000.jsonl is damaged");
  make();
  fs::resize_file(folder->ChunkPath(0), 7);
  expect_lost("00000.jsonl is damaged");
}

TEST_F(AnnotationFolderTest, UnfinishedWorkOfAnotherModelIsRefusedAndTheDifferenceNamed) {
  Begun("m")->WriteChunk(0, {"old\n", {}});
  const CaughtError error = ExpectError([&] { Begun("other"); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("unfinished work of another model"));
  EXPECT_THAT(error.text, HasSubstr("model: m -> other"));
  EXPECT_FALSE(Begun("other", true)->HasChunk(0, listener_)) << "--force begins anew";
}

TEST_F(AnnotationFolderTest, UnfinishedWorkWhoseKeyWasLostIsCalledDamaged) {
  for (const std::string key : {"", "flys", "something else"}) {
    Begun("m");
    const fs::path file = folder_.Write("out/" + std::string(kUnfinishedAnnotation) + "/key.txt", key);
    const CaughtError error = ExpectError([&] { Begun("m"); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    EXPECT_EQ(
        error.text,
        file.string() +
            ": error: the folder holds unfinished work that is damaged: nobody knows of what, because its key.txt "
            "is empty or changed\n  hint: give --force to begin anew, or choose another --output");
    EXPECT_FALSE(Begun("m", true)->IsFinished());
  }
}

TEST_F(AnnotationFolderTest, AFinishedResultIsKnownByItsKey) {
  Finish("m", "x");
  EXPECT_TRUE(Begun("m")->IsFinished());
  EXPECT_FALSE(Begun("m", true)->IsFinished()) << "--force makes it again";
  RemoveTree(out_ / kUnfinishedAnnotation);
  const CaughtError error = ExpectError([&] { Begun("other"); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("--force"));
  EXPECT_EQ(ReadFile(out_ / "predictions.tsv"), "x");
  Finish("other", "y", true);
  EXPECT_EQ(ReadFile(out_ / "predictions.tsv"), "y");
  EXPECT_FALSE(fs::exists(out_ / "evidence" / "x")) << "nothing of the old one is left";
  EXPECT_THAT(Names(), testing::Not(testing::Contains(HasSubstr("kept"))));
}

TEST_F(AnnotationFolderTest, TheOldResultStaysUntilTheNewOneIsWhole) {
  Finish("m", "x");
  { WriteResult(*Begun("other", true), "y"); }
  EXPECT_EQ(ReadFile(out_ / "predictions.tsv"), "x");
  EXPECT_FALSE(Begun("other")->IsFinished()) << "work that was begun with --force goes on without";
}

TEST_F(AnnotationFolderTest, AMoveThatWasCutShortIsFinished) {
  {
    const auto folder = Begun("m");
    WriteResult(*folder, "x");
    WriteFile(folder->Scratch("complete"), "");
    RenamePath(folder->Result() / "predictions.tsv", out_ / "predictions.tsv");  // and then the process was killed
  }
  EXPECT_TRUE(Begun("m")->IsFinished());
  EXPECT_EQ(ReadFile(out_ / "predictions.tsv"), "x");
  EXPECT_EQ(ReadFile(out_ / "evidence" / "x"), "x");
  EXPECT_FALSE(fs::exists(out_ / kUnfinishedAnnotation));
}

TEST_F(AnnotationFolderTest, WhatIsSomebodyElsesIsNeverReplaced) {
  for (const std::string name : kAnnotationEntries) {
    const fs::path theirs = folder_.Write("out/" + name, "theirs");
    for (const bool replace : {false, true}) {
      const CaughtError error = ExpectError([&] { Begun("m", replace); });
      EXPECT_EQ(error.code, ErrorCode::kUsage);
      EXPECT_EQ(error.text,
                out_.string() +
                    ": error: the folder holds a file that the result would replace and that is none of annotate's: " +
                    name + "\n  hint: choose another --output, or move it away");
    }
    EXPECT_EQ(ReadFile(theirs), "theirs");
    fs::remove(theirs);
  }
  folder_.Write("out/notes.txt", "theirs");
  Finish("m", "x");
  EXPECT_EQ(ReadFile(out_ / "notes.txt"), "theirs") << "what is not in the way stays";
}

TEST_F(AnnotationFolderTest, AnAnnotationFileThatIsNotOursVouchesForNothing) {
  const fs::path theirs = folder_.Write("out/predictions.tsv", "theirs");
  for (const std::string text : {"", "no JSON", "[1]", "{\"format\": 1}", "{\"key_digest\": 7}"}) {
    folder_.Write("out/annotation.json", text);
    const CaughtError error = ExpectError([&] { Begun("m", true); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    EXPECT_EQ(error.text,
              out_.string() +
                  ": error: the folder holds a file that the result would replace and that is none of annotate's: "
                  "annotation.json\n  hint: choose another --output, or move it away")
        << text;
    EXPECT_EQ(ReadFile(theirs), "theirs");
  }
  fs::remove(out_ / kAnnotationFile);
  fs::create_directory(out_ / kAnnotationFile);
  EXPECT_EQ(ExpectError([&] { Begun("m", true); }).code, ErrorCode::kUsage);
}

TEST_F(AnnotationFolderTest, AReviewThatWasFilledInIsKept) {
  Finish("m", "x");
  Finish("other", "y", true);
  EXPECT_FALSE(fs::exists(out_ / "review.kept-1.tsv")) << "nobody had written to it";
  EXPECT_THAT(listener_.warnings, IsEmpty());
  WriteFile(out_ / kReviewFile, "Review of y");  // of the same size
  Finish("m", "x", true);
  WriteFile(out_ / kReviewFile, "filled in");
  Finish("m", "z", true);
  EXPECT_EQ(ReadFile(out_ / "review.kept-1.tsv"), "Review of y");
  EXPECT_EQ(ReadFile(out_ / "review.kept-2.tsv"), "filled in");
  EXPECT_EQ(ReadFile(out_ / kReviewFile), "review of z");
  const std::string said = "review.tsv was changed after it was written; it is kept as ";
  EXPECT_THAT(listener_.warnings,
              ElementsAre(said + (out_ / "review.kept-1.tsv").string(), said + (out_ / "review.kept-2.tsv").string()));
}

TEST_F(AnnotationFolderTest, AReviewOfWhichNothingIsKnownIsKept) {
  Finish("m", "x");
  WriteFile(out_ / kAnnotationFile, "{\"key_digest\": \"of a build that listed no files\"}");
  fs::remove(out_ / kFileList);
  Finish("m", "y", true);
  EXPECT_EQ(ReadFile(out_ / "review.kept-1.tsv"), "review of x");
}

TEST_F(AnnotationFolderTest, AReviewIsKeptOnceWhenTheMoveIsCutShort) {
  Finish("m", "x");
  WriteFile(out_ / kReviewFile, "filled in");
  {
    const auto folder = Begun("other", true);
    WriteResult(*folder, "y");
    WriteFile(folder->Scratch("complete"), "");
    RenamePath(out_ / kReviewFile, out_ / "review.kept-1.tsv");
    CreateFolder(folder->Scratch("replaced"));
    RenamePath(out_ / kFileList, folder->Scratch("replaced") / kFileList);
    RenamePath(out_ / kAnnotationFile, folder->Scratch("replaced") / kAnnotationFile);
    RenamePath(folder->Result() / kReviewFile, out_ / kReviewFile);  // and then the process was killed
  }
  EXPECT_TRUE(Begun("other")->IsFinished());
  EXPECT_EQ(ReadFile(out_ / "review.kept-1.tsv"), "filled in");
  EXPECT_EQ(ReadFile(out_ / kReviewFile), "review of y");
  EXPECT_THAT(Names(), testing::Not(testing::Contains(HasSubstr("kept-2"))));
  EXPECT_FALSE(fs::exists(out_ / "evidence.kept-1")) << "all in it is of the result before";
}

TEST_F(AnnotationFolderTest, ATableThatWasEditedToBeHandedBackIsKept) {
  Finish("m", "x");
  WriteFile(out_ / kCalledFile, "edited");
  Finish("m", "x");
  EXPECT_EQ(ReadFile(out_ / "annot.kept-1.csv"), "edited");
  EXPECT_EQ(ReadFile(out_ / kCalledFile), "called x");
  EXPECT_EQ(listener_.warnings.back(),
            "annot.csv was changed after it was written; it is kept as " + (out_ / "annot.kept-1.csv").string());
}

// A damaged result is written again, also by force; what lies in its folders is not all its own.
TEST_F(AnnotationFolderTest, FilesOfOthersInAResultAreKept) {
  for (const bool replace : {false, true}) {
    RemoveTree(out_);
    listener_.warnings.clear();
    Finish("m", "x");
    folder_.Write("out/evidence/notes/mine.txt", "mine");
    fs::remove(out_ / "skipped.tsv");
    fs::remove(out_ / "index.html");
    folder_.Write("out/index.html/mine.txt", "mine too");
    fs::remove(out_ / "predictions.jsonl");
    fs::create_symlink("../missing", out_ / "predictions.jsonl");
    Finish("m", "x", replace);
    EXPECT_EQ(ReadFile(out_ / "evidence.kept-1" / "notes" / "mine.txt"), "mine");
    EXPECT_EQ(ReadFile(out_ / "index.kept-1.html" / "mine.txt"), "mine too");
    EXPECT_EQ(fs::read_symlink(out_ / "predictions.kept-1.jsonl"), "../missing");
    EXPECT_EQ(ReadFile(out_ / "evidence" / "x"), "x");
    EXPECT_THAT(listener_.warnings,
                testing::IsSupersetOf({"evidence holds a file that was not written by annotate "
                                       "(evidence/notes/mine.txt); it is kept as " +
                                           (out_ / "evidence.kept-1").string(),
                                       "index.html was not written by annotate; it is kept as " +
                                           (out_ / "index.kept-1.html").string()}));
    EXPECT_TRUE(Begun("m")->IsFinished());
  }
}

TEST_F(AnnotationFolderTest, FilesThatCameWhileWorkWasUnfinishedAreRefused) {
  for (const std::string name : {"annot.csv", "evidence/mine.txt"}) {
    Begun("m")->WriteChunk(0, {"zero\n", {}});  // and then the process was killed
    const fs::path mine = folder_.Write("out/" + name, "mine");
    const CaughtError error = ExpectError([&] { Begun("m"); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    EXPECT_THAT(error.text, HasSubstr("that is none of annotate's: " + name.substr(0, name.find('/')) + "\n"));
    EXPECT_EQ(ReadFile(mine), "mine");
    RemoveTree(out_);
  }
}

TEST_F(AnnotationFolderTest, FilesThatCameDuringTheWorkOrTheMoveAreKept) {
  {
    const auto folder = Begun("m");
    WriteResult(*folder, "x");
    WriteFile(folder->Scratch("complete"), "");
    RenamePath(folder->Result() / kCalledFile, out_ / kCalledFile);  // and then the process was killed
  }
  folder_.Write("out/evidence/mine.txt", "mine");
  folder_.Write("out/predictions.tsv", "mine too");
  EXPECT_TRUE(Begun("m")->IsFinished());
  EXPECT_EQ(ReadFile(out_ / "evidence.kept-1" / "mine.txt"), "mine");
  EXPECT_EQ(ReadFile(out_ / "predictions.kept-1.tsv"), "mine too");
  EXPECT_FALSE(fs::exists(out_ / "annot.kept-1.csv"));
}

TEST_F(AnnotationFolderTest, LinksToNowhereAreSomebodyElses) {
  for (const auto& [name, target] : {std::pair("annot.csv", "nowhere"), {"evidence", "../missing"}}) {
    CreateFolder(out_);
    fs::create_symlink(target, out_ / name);
    EXPECT_EQ(ExpectError([&] { Begun("m", true); }).code, ErrorCode::kUsage);
    EXPECT_EQ(fs::read_symlink(out_ / name), target);
    RemoveTree(out_);
  }
}

TEST_F(AnnotationFolderTest, AMoveOfAnotherKeyIsFinishedBeforeItIsReplaced) {
  {
    const auto folder = Begun("m");
    WriteResult(*folder, "x");
    WriteFile(folder->Scratch("complete"), "");
    RenamePath(folder->Result() / "predictions.tsv", out_ / "predictions.tsv");  // and then the process was killed
  }
  Finish("other", "y", true);
  EXPECT_EQ(ReadFile(out_ / "predictions.tsv"), "y");
  EXPECT_THAT(listener_.warnings, IsEmpty());
  EXPECT_THAT(Names(), testing::Not(testing::Contains(HasSubstr("kept"))));
}

TEST_F(AnnotationFolderTest, AResultThatIsNotWholeIsMadeAgain) {
  const std::string said = "the annotations in " + out_.string() + " are not whole and are written again: ";
  Finish("m", "x");
  WriteFile(out_ / kReviewFile, "filled in");
  EXPECT_TRUE(Begun("m")->IsFinished()) << "a curator may write to it";
  WriteFile(out_ / "predictions.tsv", "more than was written");
  Finish("m", "x");
  EXPECT_EQ(ReadFile(out_ / "predictions.tsv"), "x");
  EXPECT_EQ(ReadFile(out_ / "review.kept-1.tsv"), "filled in");
  ASSERT_THAT(listener_.warnings, testing::SizeIs(2));
  EXPECT_EQ(listener_.warnings[0], said + "predictions.tsv has the wrong size");
  fs::remove(out_ / "predictions.tsv");
  fs::remove(out_ / kReviewFile);
  EXPECT_FALSE(Begun("m")->IsFinished());
  EXPECT_EQ(listener_.warnings.back(), said + "predictions.tsv is missing, review.tsv is missing");
}

TEST_F(AnnotationFolderTest, AFileThatIsLostAnywhereIsNoticed) {
  const std::string said = "the annotations in " + out_.string() + " are not whole and are written again: ";
  const fs::path evidence = out_ / "evidence" / "x";
  const auto expect_again = [&](const std::string& flaw) {
    Finish("m", "x");
    EXPECT_THAT(listener_.warnings, ElementsAre(said + flaw));
    listener_.warnings.clear();
    EXPECT_EQ(ReadFile(evidence), "x");
    EXPECT_TRUE(Begun("m")->IsFinished());
  };
  Finish("m", "x");
  WriteFile(evidence, "");
  expect_again("evidence/x has the wrong size");
  WriteFile(evidence, "y");
  expect_again("evidence/x was changed");
  fs::remove(evidence);
  expect_again("evidence/x is missing");
  RemoveTree(out_ / "evidence");
  expect_again("evidence/x is missing");
  WriteFile(out_ / kFileList, "");
  expect_again("annotation.files.tsv has the wrong size");
}

TEST_F(AnnotationFolderTest, AnEmptyReviewIsNoticed) {
  Finish("m", "x");
  WriteFile(out_ / kReviewFile, "");
  EXPECT_FALSE(Begun("m")->IsFinished());
  EXPECT_THAT(listener_.warnings, ElementsAre(HasSubstr("written again: review.tsv is empty")));
}

TEST_F(AnnotationFolderTest, AnotherKindOfThingInAFilesPlaceIsCalledThat) {
  Finish("m", "x");
  fs::remove(out_ / "index.html");
  fs::create_directory(out_ / "index.html");
  fs::remove(out_ / kReviewFile);
  ASSERT_EQ(mkfifo((out_ / kReviewFile).c_str(), 0600), 0);
  EXPECT_FALSE(Begun("m")->IsFinished());
  EXPECT_THAT(listener_.warnings, ElementsAre(HasSubstr("again: index.html is no file, review.tsv is no file")));
}

TEST_F(AnnotationFolderTest, AResultThatDoesNotDescribeAllItsFilesIsNotTrusted) {
  Finish("m", "x");
  nlohmann::json summary = nlohmann::json::parse(ReadFile(out_ / kAnnotationFile));
  summary[kFilesField].erase("predictions.tsv");
  summary[kFilesField].erase("skipped.tsv");
  WriteFile(out_ / kAnnotationFile, summary.dump());
  fs::remove(out_ / "predictions.tsv");
  EXPECT_FALSE(Begun("m")->IsFinished());
  EXPECT_THAT(listener_.warnings,
              ElementsAre(HasSubstr("again: predictions.tsv is missing, skipped.tsv is not described")));
}

TEST_F(AnnotationFolderTest, AResultWithoutAListIsNotTrusted) {
  Finish("m", "x");
  nlohmann::json summary = nlohmann::json::parse(ReadFile(out_ / kAnnotationFile));
  summary[kFilesField].erase(kFileList);
  WriteFile(out_ / kAnnotationFile, summary.dump());
  EXPECT_EQ(ExpectError([&] { Begun("m"); }).code, ErrorCode::kUsage) << "whose list is it?";
  fs::remove(out_ / kFileList);
  EXPECT_FALSE(Begun("m")->IsFinished());
  EXPECT_THAT(listener_.warnings, ElementsAre(HasSubstr("written again: annotation.files.tsv is missing")));
}

TEST_F(AnnotationFolderTest, AWarningNamesTheFirstOfManyFlaws) {
  Finish("m", "x");
  std::string list;
  for (int i = 0; i < 9; ++i) list += FileRow({"gallery/" + std::to_string(i), 1, "x"});
  WriteFile(out_ / kFileList, list);
  nlohmann::json summary = nlohmann::json::parse(ReadFile(out_ / kAnnotationFile));
  summary[kFilesField][kFileList] = {{"bytes", list.size()}, {"sha256", Sha256OfText(list)}};
  WriteFile(out_ / kAnnotationFile, summary.dump());
  EXPECT_FALSE(Begun("m")->IsFinished());
  EXPECT_THAT(listener_.warnings,
              ElementsAre(testing::EndsWith("gallery/0 is missing, gallery/1 is missing, gallery/2 is missing, "
                                            "gallery/3 is missing, gallery/4 is missing and 4 more")));
}

// Where `complete` lies, the result is only moved: files it has lost are noticed all the same.
TEST_F(AnnotationFolderTest, AMoveThatFindsFilesMissingIsNoSuccess) {
  {
    const auto folder = Begun("m");
    WriteResult(*folder, "x");
    WriteFile(folder->Result() / "evidence" / "x", "");
    WriteFile(folder->Scratch("complete"), "");
  }
  EXPECT_FALSE(Begun("m")->IsFinished());
  EXPECT_THAT(listener_.warnings, ElementsAre(testing::EndsWith("evidence/x has the wrong size")));
}

TEST_F(AnnotationFolderTest, AResultThatCannotBeListedIsNotTakenForMoved) {
  {
    const auto folder = Begun("m");
    WriteResult(*folder, "x");
    WriteFile(folder->Scratch("complete"), "");
    RenamePath(folder->Result(), folder->Scratch("elsewhere"));
    fs::create_symlink("nowhere", folder->Result());
  }
  const CaughtError error = ExpectError([&] { Begun("m"); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("result: error: cannot list the folder: "));
  EXPECT_EQ(ReadFile(out_ / kUnfinishedAnnotation / "elsewhere" / "evidence" / "x"), "x") << "nothing is cleared away";
}

// The names of what is removed from a folder, in order, while `act` runs.
template <class Act>
std::vector<std::string> RemovedFrom(const fs::path& folder, const Act& act) {
  const int watch = inotify_init1(IN_NONBLOCK);
  EXPECT_GE(inotify_add_watch(watch, folder.c_str(), IN_DELETE), 0);
  act();
  std::array<char, 65536> events{};
  const ssize_t bytes = read(watch, events.data(), events.size());
  close(watch);
  std::vector<std::string> names;
  for (ssize_t at = 0; at < bytes;) {
    inotify_event event{};
    std::memcpy(&event, events.data() + at, sizeof(event));
    if (event.len > 0) names.emplace_back(events.data() + at + sizeof(event));
    at += static_cast<ssize_t>(sizeof(event) + event.len);
  }
  return names;
}

TEST_F(AnnotationFolderTest, TheKeyIsTheFirstToBeClearedAway) {
  const auto folder = Begun("m");
  WriteResult(*folder, "x");
  for (int i = 0; i < 20; ++i) WriteFile(folder->Scratch("more" + std::to_string(i)), "");
  const std::vector<std::string> removed =
      RemovedFrom(out_ / kUnfinishedAnnotation, [&] { folder->Commit(NoProgress()); });
  EXPECT_THAT(removed, testing::SizeIs(24));
  EXPECT_EQ(removed.front(), "key.txt");
}

TEST_F(AnnotationFolderTest, AResultSurvivesAKillWhileTheRestIsClearedAway) {
  Finish("m", "x");
  folder_.Write("out/" + std::string(kUnfinishedAnnotation) + "/chunks/00000.jsonl", "left");
  EXPECT_TRUE(Begun("m")->IsFinished());
  EXPECT_EQ(ReadFile(out_ / "evidence" / "x"), "x");
  EXPECT_FALSE(fs::exists(out_ / kUnfinishedAnnotation));
}

TEST_F(AnnotationFolderTest, AFolderThatWasMadeForNothingGoesAgain) {
  {
    const AnnotationFolder folder(out_);
    WriteFile(folder.EmptyScratch() / "x", "x");
    EXPECT_TRUE(fs::is_empty(folder.EmptyScratch()));
  }
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(AnnotationFolderTest, OneAtATime) {
  const AnnotationFolder first(out_);
  const CaughtError error = ExpectError([&] { AnnotationFolder second(out_); });
  EXPECT_EQ(error.code, ErrorCode::kLockTimeout);
  EXPECT_THAT(error.text, HasSubstr("another flyscribe is annotating into this folder: process "));
}

TEST_F(AnnotationFolderTest, AFinishedOneIsReadFileByFile) {
  Finish("a", "x");
  const FinishedAnnotation annotation(out_);
  EXPECT_THAT(annotation.NamesFrom("evidence/"), ElementsAre("evidence/x"));
  EXPECT_THAT(annotation.NamesFrom("gallery/"), IsEmpty());
  EXPECT_EQ(annotation.Read("evidence/x"), "x");
  WriteFile(out_ / "evidence" / "x", "y");
  const CaughtError changed = ExpectError([&] { annotation.Read("evidence/x"); });
  EXPECT_EQ(changed.code, ErrorCode::kCorrupt);
  EXPECT_THAT(changed.text, HasSubstr("evidence/x was changed"));
  fs::remove(out_ / "evidence" / "x");
  EXPECT_THAT(ExpectError([&] { annotation.Read("evidence/x"); }).text, HasSubstr("evidence/x is missing"));
}

TEST_F(AnnotationFolderTest, OnlyAFinishedOneIsRead) {
  const auto error_of = [this] { return ExpectError([this] { FinishedAnnotation annotation(out_); }); };
  EXPECT_EQ(error_of().code, ErrorCode::kInput);
  EXPECT_THAT(error_of().text, HasSubstr("this is no folder that `flyscribe annotate` made"));
  Begun("a");
  EXPECT_EQ(error_of().code, ErrorCode::kInput);
  EXPECT_THAT(error_of().text, HasSubstr("has not finished its work in this folder"));
  EXPECT_THAT(error_of().text, HasSubstr("give the same annotate command again"));
  Finish("a", "x");
  WriteFile(out_ / kFileList, "");
  EXPECT_EQ(error_of().code, ErrorCode::kCorrupt);
  EXPECT_THAT(error_of().text, HasSubstr("annotation.files.tsv is not as annotate wrote it"));
}

}  // namespace
}  // namespace flyscribe
