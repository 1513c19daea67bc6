// The command line as a whole: help, version, shipped configs.
#include "core/simd.h"
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class ProgramTest : public Workspace {};

TEST_F(ProgramTest, HelpAndVersion) {
  const ProgramResult help = Flyscribe({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* text : {"run", "simulate", "defaults", "Exit codes"}) EXPECT_THAT(help.out, HasSubstr(text));
  const ProgramResult version = Flyscribe({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, testing::MatchesRegex("flyscribe [0-9.]+\n"));
  EXPECT_THAT(Flyscribe({"run", "--help"}).out, HasSubstr("--set"));
}

TEST_F(ProgramTest, VerboseVersionTellsInstructionSetsAndLibraries) {
  const ProgramResult version = Flyscribe({"--version", "--verbose"});
  EXPECT_EQ(version.exit_code, 0) << version.err;
  EXPECT_THAT(version.out, testing::StartsWith(Flyscribe({"--version"}).out));
  EXPECT_THAT(version.out, HasSubstr("\n  instruction set  " + SimdInUse() + " (of "));
  for (const char* library : {"OpenCV", "VLFeat", "LIBSVM", "Boost", "libarchive", "Highway", "zlib", "OpenSSL"}) {
    EXPECT_THAT(version.out, HasSubstr(std::string("\n  ") + library + "  "));
  }
  EXPECT_THAT(version.out, HasSubstr("\n  C library        glibc 2."));
  EXPECT_EQ(Flyscribe({"--verbose", "defaults"}).exit_code, 4) << "it means nothing else";
}

// Only the C library can be told to do without; it then takes other ways to exp, log and pow.
TEST_F(ProgramTest, WithoutFusedMultiplyAddItStops) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "every processor of this kind has it";
#endif
  for (const std::string hidden : {"-FMA", "-AVX2", "-FMA,-FMA4,-AVX2"}) {
    const std::vector<std::string> environment = {"GLIBC_TUNABLES=glibc.cpu.hwcaps=" + hidden};
    const ProgramResult refused = Flyscribe({"defaults"}, environment);
    EXPECT_EQ(refused.exit_code, 4) << hidden;
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, HasSubstr("error: the C library was told not to use this processor's fused multiply-add"));
    EXPECT_THAT(refused.err, HasSubstr("hint: unset GLIBC_TUNABLES"));
    for (const char* word : {"--help", "--version"}) EXPECT_EQ(Flyscribe({word}, environment).exit_code, 0) << word;
  }
}

TEST_F(ProgramTest, EveryShippedConfigIsValid) {
  std::size_t configs = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(FLYSCRIBE_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".yaml") continue;
    ++configs;
    // An output that cannot be made stops the run right after the config was read. Real data need not be there for
    // that.
    const std::string command = "FLYSCRIBE_DATA=. exec '" FLYSCRIBE_BINARY "' run '" + entry.path().string() + "' " +
                                "--set output=/dev/null/x";
    const ProgramResult result = RunBinary("/bin/sh", {"-c", command}, folder_.path());
    EXPECT_EQ(result.exit_code, 8) << entry.path() << "\n" << result.err;
  }
  EXPECT_GE(configs, 7U);
}

TEST_F(ProgramTest, OutputThatCannotBeWrittenIsAnError) {
  const ProgramResult full =
      RunBinary("/bin/sh", {"-c", std::string(FLYSCRIBE_BINARY) + " defaults > /dev/full"}, folder_.path());
  EXPECT_EQ(full.exit_code, 8);
  EXPECT_THAT(full.err, HasSubstr("standard output: error: cannot write"));
  // Progress that nobody can read ends no run.
  WriteTinyConfig();
  const ProgramResult silent =
      RunBinary("/bin/sh", {"-c", std::string(FLYSCRIBE_BINARY) + " run tiny.yaml 2> /dev/full"}, folder_.path());
  EXPECT_EQ(silent.exit_code, 0);
}

}  // namespace
}  // namespace flyscribe
