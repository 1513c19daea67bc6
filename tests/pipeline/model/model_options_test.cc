#include "pipeline/model/model_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/config/describe.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;
using testing::Not;

Config Options(const std::string& text) { return ReadModelOptions(text, "options.yaml"); }

TEST(ModelOptionsTest, OnlyWhatDecidesWhichImagesAndTheirFeatures) {
  Config config;
  config.run.threads = 3;
  config.run.simd = "plain";
  config.cache.dir = "somewhere";
  config.report.title = "mine";
  config.pool.regions = {"1x1", "4x2"};
  config.learn.atoms = 77;
  config.ingest.views = {"dorsal"};
  config.ingest.folds = 7;
  const Config options = ModelOptions(config);
  EXPECT_EQ(options.pool.regions, config.pool.regions);
  EXPECT_EQ(options.learn.atoms, 77);
  EXPECT_EQ(options.run.simd, "plain");
  EXPECT_EQ(options.run.threads, 0);
  EXPECT_EQ(options.ingest.views, config.ingest.views);
  EXPECT_EQ(options.ingest.folds, IngestOptions().folds);
  EXPECT_EQ(options.report.title, ReportOptions().title);
  EXPECT_EQ(options.cache.dir, CacheOptions().dir);
}

TEST(ModelOptionsTest, RoundTrip) {
  Config config;
  config.run.simd = "plain";
  config.pool.regions = {"1x1", "4x2"};
  config.pool.signs = PoolSigns::kApart;
  config.ingest.views = {"dorsal", "$old view"};
  config.extract.stride = 20;
  config.learn.lambda = 0.1234567890123;
  config.encode.kkt_tolerance = 1e-5;
  config.standardise.doubtful = StandardiseOptions::Doubtful::kDrop;
  const std::string text = ModelOptionsYaml(ModelOptions(config));
  EXPECT_THAT(text, HasSubstr("simd: plain\nviews: [dorsal, \"$$old view\"]\nstandardise:\n"));
  EXPECT_THAT(text, HasSubstr("  regions: [1x1, 4x2]\n"));
  EXPECT_THAT(text, Not(HasSubstr("threads")));
  EXPECT_EQ(ModelOptionsYaml(Options(text)), text);
  EXPECT_EQ(EffectiveYaml(Options(text), false), EffectiveYaml(ModelOptions(config), false));
}

TEST(ModelOptionsTest, WhatIsNotGivenHasItsDefault) {
  EXPECT_EQ(ModelOptionsYaml(Options("pool: {regions: [1x1]}\n")), ModelOptionsYaml(Config()));
}

TEST(ModelOptionsTest, NoViewsMeanAll) {
  Config config;
  config.ingest.views = {};
  EXPECT_TRUE(Options(ModelOptionsYaml(config)).ingest.views.empty());
}

TEST(ModelOptionsTest, AnotherMachinesInstructionSetIsNoProblem) {
  EXPECT_EQ(Options("simd: SVE17\n").run.simd, "auto");
  EXPECT_EQ(Options("simd: plain\n").run.simd, "plain");
}

TEST(ModelOptionsTest, AllProblemsAtOnce) {
  const CaughtError error = ExpectError([] {
    Options(
        "simd: [a]\nthreads: 4\nviews: {a: b}\npool: {regions: [9], sings: apart}\nextract: 5\n"
        "learn: {atoms: many}\nencode: {max_cycles: 0}\n");
  });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  for (const char* text : {"options.yaml:1:7: error: simd: expected a word, found a list",
                           "options.yaml:2:1: error: unknown key 'threads'",
                           "options.yaml:3:8: error: views: ",
                           "pool.sings",
                           "9",
                           "options.yaml:5:10: error: extract: expected keys, found '5'",
                           "learn.atoms",
                           "encode.max_cycles"}) {
    EXPECT_THAT(error.text, HasSubstr(text));
  }
  EXPECT_THAT(ExpectError([] { Options("- a\n"); }).text, HasSubstr("expected keys with values, found a list"));
}

TEST(ModelOptionsTest, TheEnvironmentHasNoMeaning) {
  EXPECT_THAT(ExpectError([] { Options("pool: {regions: [\"${HOME}\"]}\n"); }).text, HasSubstr("HOME"));
}

}  // namespace
}  // namespace flyscribe
