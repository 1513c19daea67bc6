#include "pipeline/explain/gc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "pipeline/cache/catalogue.h"
#include "tests/pipeline/cache_copy.h"
#include "tests/support/expect_error.h"
#include "tests/support/ordinary_user.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Names = std::vector<std::string>;

// Names of pieces, in order.
Names NamesOf(const std::vector<CachePiece>& pieces) {
  Names names;
  for (const CachePiece& piece : pieces) names.push_back(piece.name);
  return names;
}

class GcTest : public testing::Test {
 protected:
  // An artifact of learn that no plan needs, last used so many days ago.
  fs::path PutOld(const std::string& lambda, int days) const {
    const fs::path folder =
        cache_.Put(Learn(), Replaced(Learn().key_text, "learn.lambda: 0.1", "learn.lambda: " + lambda));
    Age(folder, days);
    return folder;
  }
  static void Age(const fs::path& artifact, int days) {
    fs::last_write_time(artifact / kManifestName, std::time(nullptr) - days * 86400L);
  }
  const StepInstance& Learn() const { return InstanceOf(plan_, "learn 4-6 fold-0"); }
  GcResult Collect(const GcRequest& request) const { return CollectGarbage(cache_.root(), request); }
  std::uint64_t Bytes() const {
    std::uint64_t bytes = 0;
    for (const CachePiece& piece : ListPieces(cache_.root(), nullptr)) bytes += piece.bytes;
    return bytes;
  }
  bool AllThere(const Plan& plan) const {
    const auto forecast = ForecastRun(plan, cache_.Store(), {});
    return std::all_of(forecast.begin(), forecast.end(), [](const auto& step) { return step.found.artifact; });
  }

  CacheCopy cache_;
  Plan plan_ = cache_.PlanWith();
};

TEST_F(GcTest, PiecesHaveNamesForPeople) {
  PutOld("0.3", 1);
  cache_.Log(plan_)->End(0, "", "");
  const std::vector<CachePiece> pieces = ListPieces(cache_.root(), &plan_);
  EXPECT_EQ(pieces.size(), 12U + 2U) << "artifacts, then items of standardise and extract";
  for (const CachePiece& piece : pieces) {
    const bool old = piece.options.find("learn.lambda 0.3") != std::string::npos;
    EXPECT_EQ(piece.in_plan, !old) << piece.name;
    EXPECT_EQ(piece.needed_by, old ? Names{} : Names{"tiny"}) << piece.name;
    EXPECT_GT(piece.bytes, 0U);
  }
  EXPECT_THAT(NamesOf(pieces), testing::Contains("learn 4-6 fold-0").Times(2));
  EXPECT_THAT(pieces.back().name, testing::MatchesRegex("items of standardise \\([0-9]+\\)"));
  EXPECT_EQ(ListPieces(cache_.root(), &plan_)[0].options, "") << "encode has only defaults";
}

TEST_F(GcTest, UnaskedNothingOfUseGoes) {
  PutOld("0.3", 900);
  EXPECT_THAT(Collect({}).removed, IsEmpty());
}

TEST_F(GcTest, WithoutTheLogOfRunsNothingGoes) {
  cache_.Log(plan_)->End(0, "", "");
  GcRequest request;
  request.keep_last = 1;
  EXPECT_THAT(Collect(request).removed, IsEmpty()) << "the run needs all";
  RenamePath(cache_.root() / "runs", cache_.root() / "elsewhere");
  const auto expect_refusal = [&](const std::string& reason) {
    for (const bool dry_run : {true, false}) {
      request.dry_run = dry_run;
      const CaughtError error = ExpectError([&] { Collect(request); });
      EXPECT_EQ(error.code, ErrorCode::kInput);
      EXPECT_THAT(error.text, HasSubstr("runs: error: cannot list the folder: " + reason));
    }
    EXPECT_TRUE(AllThere(plan_));
    fs::remove(cache_.root() / "runs");
  };
  WriteFile(cache_.root() / "runs", "");
  expect_refusal("Not a directory");
  fs::create_symlink("on-a-disk-that-is-not-mounted", cache_.root() / "runs");
  expect_refusal("No such file or directory");
}

TEST_F(GcTest, ARunWhoseLogCannotBeReadIsNotForgotten) {
  const auto log = cache_.Log(plan_);
  const fs::path plan_file = cache_.root() / "runs" / log->id() / "plan.json";
  GcRequest keep_last;
  keep_last.keep_last = 1;
  GcRequest by_size;
  by_size.max_bytes = 0;
  const auto expect_refusal = [&](const GcRequest& request) {
    const CaughtError error = ExpectError([&] { Collect(request); });
    EXPECT_EQ(error.code, ErrorCode::kInput);
    EXPECT_THAT(error.text, HasSubstr(log->id() + ": error: the log of this run cannot be read, so what it needs is "));
    EXPECT_TRUE(AllThere(plan_));
  };
  for (const char* text : {"", "{\"format\": 2}"}) {  // after a power cut; of a newer program
    WriteFile(plan_file, text);
    expect_refusal(by_size);
    expect_refusal(keep_last);
  }
  log->End(0, "", "");
  expect_refusal(keep_last);
  EXPECT_FALSE(Collect(by_size).removed.empty()) << "one that is over counts for --keep-last only";
}

TEST_F(GcTest, ADamagedEndLeavesWhatTheRunNeedsKnown) {
  PutOld("0.3", 0);
  const auto log = cache_.Log(plan_);
  log->End(0, "", "");
  WriteFile(cache_.root() / "runs" / log->id() / "end.json", R"({"time": "2026", "error": "", "summary": null})");
  GcRequest request;
  request.keep_last = 1;
  EXPECT_THAT(NamesOf(Collect(request).removed), ElementsAre("learn 4-6 fold-0"));
  EXPECT_TRUE(AllThere(plan_));
}

TEST_F(GcTest, ARunWhoseLogCannotBeLookedAtMayBeAlive) {
  PutOld("0.3", 9);
  const auto log = cache_.Log(plan_);
  const fs::path folder = cache_.root() / "runs" / log->id();
  fs::permissions(folder, fs::no_perms);  // as of another user
  fs::permissions(cache_.folder().path(), fs::all_all);
  GcRequest by_age;
  by_age.older_than = 86400.0;
  by_age.dry_run = true;
  {
    const AsOrdinaryUser user;
    const CaughtError error = ExpectError([&] { Collect(by_age); });
    EXPECT_EQ(error.code, ErrorCode::kInput);
    EXPECT_THAT(error.text, HasSubstr(log->id() + ": error: the log of this run cannot be read, so what it needs is "));
  }
  fs::permissions(folder, fs::all_all);
  EXPECT_THAT(NamesOf(Collect(by_age).removed), ElementsAre("learn 4-6 fold-0"));
}

TEST_F(GcTest, APlanMustSayAllThatItNeeds) {
  RequireKnownNeeds(plan_);
  const CaughtError unknown = ExpectError([&] { RequireKnownNeeds(cache_.PlanWith({"simulate.seed=8"})); });
  EXPECT_EQ(unknown.code, ErrorCode::kInput);
  EXPECT_EQ(unknown.text,
            "ingest for 4-6: error: the simulated embryos of this config are not in the cache, so what it needs is not "
            "known; nothing was removed\n  hint: run the config first, or name the cache by --cache DIR instead: then "
            "nothing is kept for this config");
}

TEST_F(GcTest, WhatCannotBeLookedAtIsNotTakenForMissing) {
  const fs::path all = cache_.root() / "all";
  fs::permissions(cache_.folder().path(), fs::all_all);
  fs::permissions(all, static_cast<fs::perms>(0444));  // it can be listed, nothing more
  {
    const AsOrdinaryUser user;
    const CaughtError error = ExpectError([&] { cache_.PlanWith(); });
    EXPECT_EQ(error.code, ErrorCode::kInput);
    EXPECT_THAT(error.text, HasSubstr(": error: cannot look at it: Permission denied\n  hint: check the permissions"));
  }
  fs::permissions(all, fs::owner_all);
}

TEST_F(GcTest, WhatThePlanNeedsStays) {
  PutOld("0.3", 0);
  GcRequest request;
  request.max_bytes = 0;
  request.plan = &plan_;
  const GcResult result = Collect(request);
  EXPECT_THAT(NamesOf(result.removed), ElementsAre("learn 4-6 fold-0"));
  EXPECT_TRUE(AllThere(plan_));
  EXPECT_EQ(result.bytes_after, Bytes());
  EXPECT_EQ(ListItemGroups(cache_.root()).size(), 2U) << "its items too";
}

TEST_F(GcTest, WhatALiveRunNeedsStaysUntilItEnds) {
  PutOld("0.3", 0);
  const auto log = cache_.Log(plan_);
  GcRequest request;
  request.max_bytes = 0;
  EXPECT_THAT(NamesOf(Collect(request).removed), ElementsAre("learn 4-6 fold-0"));
  EXPECT_TRUE(AllThere(plan_));
  EXPECT_EQ(ListPieces(cache_.root(), nullptr)[0].needed_by, Names{"a run that goes on"});
  log->End(0, "", "");
  EXPECT_EQ(Collect(request).removed.size(), 13U);
  EXPECT_EQ(Bytes(), 0U);
}

TEST_F(GcTest, WhatIsBeingMadeStays) {
  const fs::path artifact = PutOld("0.3", 5);
  const std::string key = artifact.filename().string();
  const fs::path unfinished = cache_.root() / "tmp" / key;
  WriteFileAtomically(unfinished / "artifact" / "half", "x");
  GcRequest request;
  request.older_than = 3600.0;
  {
    const auto lock = FileLock::TryAcquire(cache_.Store().LockOf(key), "somebody");
    EXPECT_THAT(Collect(request).removed, IsEmpty());
  }
  EXPECT_THAT(NamesOf(Collect(request).removed), ElementsAre("unfinished", "learn 4-6 fold-0"));
  EXPECT_FALSE(fs::exists(artifact));
  EXPECT_FALSE(fs::exists(unfinished));
}

TEST_F(GcTest, TheLeastRecentlyUsedGoFirstUntilItFits) {
  const fs::path newer = PutOld("0.3", 2);
  const fs::path oldest = PutOld("0.4", 9);
  const fs::path old = PutOld("0.5", 5);
  GcRequest request;
  request.max_bytes = Bytes() - 1;
  const GcResult first = Collect(request);
  ASSERT_EQ(first.removed.size(), 1U);
  EXPECT_EQ(first.removed[0].folder, oldest);
  EXPECT_LE(first.bytes_after, *request.max_bytes);
  EXPECT_GT(first.bytes_before, *request.max_bytes);
  request.max_bytes = Bytes();
  EXPECT_THAT(Collect(request).removed, IsEmpty()) << "it fits";
  cache_.Store().Touch(*cache_.Store().Find("4-6", "learn", old.filename().string()));
  request.max_bytes = Bytes() - 1;
  EXPECT_EQ(Collect(request).removed[0].folder, newer) << "the other one was just used";
}

TEST_F(GcTest, OlderThan) {
  PutOld("0.3", 2);
  const fs::path oldest = PutOld("0.4", 9);
  GcRequest request;
  request.older_than = 3 * 86400.0;
  const GcResult result = Collect(request);
  ASSERT_EQ(result.removed.size(), 1U);
  EXPECT_EQ(result.removed[0].folder, oldest);
  EXPECT_FALSE(fs::exists(oldest));
}

TEST_F(GcTest, KeepLastKeepsWhatTheLastRunsOfEachConfigUsed) {
  PutOld("0.3", 0);
  const Plan other = cache_.PlanWith({"learn.lambda=0.3"});
  cache_.Log(other, "other")->End(0, "", "");
  cache_.Log(plan_)->End(0, "", "");
  GcRequest request;
  request.keep_last = 1;
  EXPECT_THAT(Collect(request).removed, IsEmpty()) << "each config's last run counts, items included";
  RemoveTree(cache_.root() / "runs");
  cache_.Log(plan_)->End(0, "", "");
  EXPECT_THAT(NamesOf(Collect(request).removed), ElementsAre("learn 4-6 fold-0"));
  EXPECT_TRUE(AllThere(plan_));
  EXPECT_EQ(ListItemGroups(cache_.root()).size(), 2U);
}

TEST_F(GcTest, ARunAndAnExportOfOneConfigKeepWhatEachNeeds) {
  PutOld("0.3", 0);
  cache_.Log(cache_.PlanWith({"learn.lambda=0.3"}), "tiny", "flyscribe export tiny.yaml")->End(0, "", "");
  cache_.Log(plan_, "tiny", "flyscribe run tiny.yaml")->End(0, "", "");
  GcRequest request;
  request.keep_last = 1;
  EXPECT_THAT(Collect(request).removed, IsEmpty());
}

TEST_F(GcTest, KeepLastProtectsFromTheOtherRules) {
  cache_.Log(plan_)->End(0, "", "");
  GcRequest request;
  request.keep_last = 1;
  request.max_bytes = 0;
  EXPECT_THAT(Collect(request).removed, IsEmpty());
}

TEST_F(GcTest, ADryRunChangesNothing) {
  const fs::path old = PutOld("0.3", 9);
  GcRequest request;
  request.older_than = 86400.0;
  request.dry_run = true;
  const std::uint64_t before = Bytes();
  const GcResult result = Collect(request);
  EXPECT_THAT(NamesOf(result.removed), ElementsAre("learn 4-6 fold-0"));
  EXPECT_EQ(result.bytes_before, before);
  EXPECT_LT(result.bytes_after, before);
  EXPECT_EQ(Bytes(), before);
  EXPECT_TRUE(fs::exists(old));
}

TEST_F(GcTest, DamagedOnesAndLeftoversGoUnasked) {
  const fs::path bad = PutOld("0.3", 0);
  WriteFile(bad / "manifest.json", "{}");
  EXPECT_TRUE(cache_.Store().SetAsideIfDamaged("4-6", "learn", bad.filename().string()));
  WriteFileAtomically(cache_.root() / "tmp" / "removed-1234" / "file", "x");
  const fs::path not_ours = cache_.root() / "tmp" / "thesis";
  WriteFileAtomically(not_ours / "chapter", "x");
  EXPECT_THAT(NamesOf(Collect({}).removed), ElementsAre("unfinished")) << "a run keeps what it has just set aside";
  GcRequest request;
  request.clear_damaged = true;
  EXPECT_THAT(NamesOf(Collect(request).removed), ElementsAre("damaged, set aside"));
  EXPECT_TRUE(fs::is_empty(cache_.root() / "damaged"));
  EXPECT_EQ(EntriesOf(cache_.root() / "tmp"), std::vector<fs::path>{not_ours});
}

TEST_F(GcTest, ItemsOfAnotherRecipeGo) {
  const fs::path other = cache_.root() / "items" / "extract" / std::string(64, 'a');
  WriteFileAtomically(other / "recipe.txt", "step: extract 1\noption extract.stride: 8\n");
  WriteFileAtomically(other / "ab" / "cdef", "an item");
  GcRequest request;
  request.max_bytes = 0;
  request.plan = &plan_;
  const GcResult result = Collect(request);
  ASSERT_THAT(NamesOf(result.removed), ElementsAre("items of extract (1)"));
  EXPECT_EQ(result.removed[0].options, "extract.stride 8");
  EXPECT_FALSE(fs::exists(other));
}

TEST_F(GcTest, AnEmptyCacheIsNoError) {
  const TempFolder nothing;
  EXPECT_THAT(ListPieces(nothing / "cache", nullptr), IsEmpty());
  GcRequest request;
  request.max_bytes = 0;
  EXPECT_THAT(CollectGarbage(nothing / "cache", request).removed, IsEmpty());
}

TEST_F(GcTest, ASizeThatIsNotKnownIsNotTakenForNothing) {
  cache_.Remove("learn");
  const Plan plan = cache_.PlanWith({"learn.lambda=0.12", "cache.max_size=1GB"});
  std::string warning;
  const auto warn = [&](const std::string& text) { warning = text; };
  MakeRoom(plan, ForecastRun(plan, cache_.Store(), {}), cache_.root(), warn);
  EXPECT_EQ(warning,
            "the size of what 1 step leaves is not known yet: whether the run fits cache.max_size shows at its end");
  const Plan small = cache_.PlanWith({"learn.lambda=0.12", "cache.max_size=1kB"});
  EXPECT_THAT(ExpectError([&] { MakeRoom(small, ForecastRun(small, cache_.Store(), {}), cache_.root(), warn); }).text,
              HasSubstr("error: the run needs at least "));
}

TEST_F(GcTest, ARunMakesRoomForItselfOrSaysThatItCannot) {
  const auto make_room = [&](const std::string& size) {
    const Plan plan = cache_.PlanWith({"cache.max_size=" + size});
    MakeRoom(
        plan, ForecastRun(plan, cache_.Store(), {}), cache_.root(), [](const auto& text) { ADD_FAILURE() << text; });
  };
  const fs::path old = PutOld("0.3", 9);
  make_room("1GB");
  EXPECT_TRUE(fs::exists(old)) << "there is room";
  const CaughtError error = ExpectError([&] { make_room("1MB"); });
  EXPECT_EQ(error.code, ErrorCode::kDisk);
  EXPECT_THAT(error.text, HasSubstr("error: the run needs about "));
  EXPECT_THAT(error.text, HasSubstr(" in the cache, but cache.max_size is 1.0 MB\n  hint: raise cache.max_size"));
  EXPECT_TRUE(fs::exists(old)) << "nothing is removed in vain";
  make_room(std::to_string(Bytes() - 1));
  EXPECT_TRUE(fs::exists(old)) << "nothing is to come";
  KeepBelowLimit(cache_.PlanWith({"cache.max_size=" + std::to_string(Bytes() - 1)}), cache_.root(), [](const auto&) {});
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(AllThere(plan_));
  std::string warning;
  KeepBelowLimit(cache_.PlanWith({"cache.max_size=1kB"}), cache_.root(), [&](const auto& text) { warning = text; });
  EXPECT_THAT(warning, HasSubstr("more than cache.max_size, and all of it is needed"));
  EXPECT_TRUE(AllThere(plan_));
}

}  // namespace
}  // namespace flyscribe
