#include "pipeline/cache/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A text with its own digest in it, as WriteManifest writes one.
std::string Sealed(const std::string& before, const std::string& after) {
  const std::string digest = Sha256OfText(before + std::string(64, '0') + after);
  return before + digest + after;
}

class ManifestTest : public testing::Test {
 protected:
  ManifestTest() {
    folder_.Write("b.npy", "array");
    folder_.Write("a/deep.tsv", "x\n");
    manifest_.step = "learn";
    manifest_.range = "4-6";
    manifest_.part = "fold-0";
    manifest_.key = std::string(64, 'a');
    manifest_.seconds = 1.25;
    manifest_.work = 3e9;
    manifest_.size = 0.5;
    manifest_.made = "2026-11-16T15:50:45Z";
    manifest_.program = "0.2.0";
    manifest_.facts = {"patches: 53200", "\"digest\": \"of another\""};
    manifest_.files = ListFiles(folder_.path());
    WriteManifest(folder_.path(), manifest_);
  }

  CaughtError Failure() const {
    return ExpectError([&] { ReadManifest(folder_.path()); });
  }
  std::string Changed(const FileDigest& digest = Sha256OfFile) const {
    return FirstChanged(folder_.path(), manifest_.files, digest);
  }

  TempFolder folder_;
  fs::path file_ = folder_ / kManifestName;
  ArtifactManifest manifest_;
};

TEST_F(ManifestTest, ListsAllFilesButItself) {
  EXPECT_THAT(
      ListFiles(folder_.path()),
      ElementsAre(ListedFile{"a/deep.tsv", 2, Sha256OfText("x\n")}, ListedFile{"b.npy", 5, Sha256OfText("array")}));
  EXPECT_EQ(manifest_.TotalBytes(), 7U);
}

TEST_F(ManifestTest, FactsMayHoldAnyBytes) {
  manifest_.facts = {"of caf\xe9"};
  WriteManifest(folder_.path(), manifest_);
  EXPECT_THAT(ReadManifest(folder_.path()).facts, ElementsAre("of caf\xef\xbf\xbd"));
}

TEST_F(ManifestTest, ReadsWhatWasWritten) {
  const ArtifactManifest read = ReadManifest(folder_.path());
  EXPECT_EQ(read.step, "learn");
  EXPECT_EQ(read.range, "4-6");
  EXPECT_EQ(read.part, "fold-0");
  EXPECT_EQ(read.key, manifest_.key);
  EXPECT_EQ(read.seconds, 1.25);
  EXPECT_EQ(read.work, 3e9);
  EXPECT_EQ(read.size, 0.5);
  EXPECT_EQ(read.made, manifest_.made);
  EXPECT_EQ(read.program, "0.2.0");
  EXPECT_EQ(read.facts, manifest_.facts);
  EXPECT_EQ(read.files, manifest_.files);
}

TEST_F(ManifestTest, NoByteOfItCanChangeUnnoticed) {
  const std::string text = ReadFile(file_);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] ^= 1;
    WriteFile(file_, changed, Durability::kUnsynced);
    EXPECT_EQ(Failure().code, ErrorCode::kCorrupt) << "byte " << i;
  }
  WriteFile(file_, text + " ");
  EXPECT_EQ(Failure().text, file_.string() + ": error: manifest.json is damaged: it was changed");
}

TEST_F(ManifestTest, SaysWhatIsWrong) {
  const std::string damaged = file_.string() + ": error: manifest.json is damaged: ";
  fs::remove(file_);
  EXPECT_EQ(Failure().text, folder_.path().string() + ": error: manifest.json is missing");
  EXPECT_EQ(Failure().code, ErrorCode::kCorrupt);
  WriteFile(file_, "");
  EXPECT_EQ(Failure().text, damaged + "it has no digest");
  WriteFile(file_, "{\"digest\": \"12");
  EXPECT_EQ(Failure().text, damaged + "it has no digest");
  WriteFile(file_, Sealed("{\"format\": 2, \"digest\": \"", "\"}"));
  EXPECT_EQ(Failure().text, damaged + "unknown manifest format");
  WriteFile(file_, Sealed("{\"format\": 1, \"digest\": \"", "\"}"));
  EXPECT_THAT(Failure().text, HasSubstr("key 'step' not found"));
  WriteFile(file_, Sealed("{\"digest\": \"", ""));
  EXPECT_THAT(Failure().text, HasSubstr("parse error"));
  EXPECT_EQ(Failure().code, ErrorCode::kCorrupt);
}

TEST_F(ManifestTest, AHostileOneStaysBounded) {
  WriteFile(file_, Sealed("{\"digest\": \"", "\", \"x\": " + std::string(1000000, '[')));
  EXPECT_EQ(Failure().text, file_.string() + ": error: manifest.json is damaged: nested too deeply");
  const CaughtError large = ExpectError([&] { ReadManifest(folder_.path(), 1000); });
  EXPECT_EQ(large.code, ErrorCode::kInput);
  EXPECT_THAT(large.text, HasSubstr("larger than the limit of 1000 bytes"));
}

TEST_F(ManifestTest, SomethingElseInItsPlaceIsDamage) {
  fs::remove(file_);
  fs::create_directory(file_);
  EXPECT_EQ(Failure().code, ErrorCode::kCorrupt);
  EXPECT_THAT(Failure().text, HasSubstr("manifest.json is no file"));
}

TEST_F(ManifestTest, WrongSizes) {
  EXPECT_EQ(FirstWrongSize(folder_.path(), manifest_.files), "");
  folder_.Write("b.npy", "other");
  EXPECT_EQ(FirstWrongSize(folder_.path(), manifest_.files), "") << "content is not looked at";
  folder_.Write("b.npy", "arra");
  EXPECT_EQ(FirstWrongSize(folder_.path(), manifest_.files), "b.npy has the wrong size");
  fs::remove(folder_ / "a/deep.tsv");
  EXPECT_EQ(FirstWrongSize(folder_.path(), manifest_.files), "a/deep.tsv is missing");
}

TEST_F(ManifestTest, ChangedContent) {
  EXPECT_EQ(Changed(), "");
  folder_.Write("b.npy", "brray");
  EXPECT_EQ(Changed(), "b.npy was changed");
  fs::remove(folder_ / "b.npy");
  EXPECT_EQ(Changed(), "b.npy is missing");
  EXPECT_EQ(Changed([](const fs::path&) { return std::string("else"); }), "a/deep.tsv was changed")
      << "digests come from whom we ask";
}

TEST(DifferingFilesTest, ThoseInOneOnlyAndThoseThatDiffer) {
  const std::vector<ListedFile> a = {{"both", 1, "1"}, {"changed", 1, "2"}, {"gone", 1, "3"}};
  const std::vector<ListedFile> b = {{"both", 1, "1"}, {"changed", 1, "4"}, {"new", 1, "5"}};
  EXPECT_THAT(DifferingFiles(a, b), ElementsAre("changed", "new", "gone"));
  EXPECT_THAT(DifferingFiles(a, a), IsEmpty());
}

}  // namespace
}  // namespace flyscribe
