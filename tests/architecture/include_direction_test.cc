// Holds the real tree to the rules of tests/support/source_rules.h, after proving that they notice every breach.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/fs.h"
#include "core/text.h"
#include "tests/support/source_rules.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Breaches as text, for short comparisons.
std::vector<std::string> Found(const std::string& path, const std::string& text) {
  std::vector<std::string> found;
  for (const Breach& breach : CheckSource(path, text)) found.push_back(breach.ToString());
  return found;
}

TEST(SourceRulesTest, DirectionIsPipelineVerbsDataCore) {
  EXPECT_THAT(Found("modules/core/a.cc", "\n#include \"data/image.h\"\n"),
              ElementsAre("modules/core/a.cc:2: core includes nothing but core ('data/image.h')"));
  EXPECT_THAT(Found("modules/data/a.cc", "#include \"sparse/scc.h\"\n"),
              ElementsAre("modules/data/a.cc:1: data includes only core and data ('sparse/scc.h')"));
  EXPECT_THAT(Found("modules/pooling/a.cc", "#include \"sparse/scc.h\"\n"),
              ElementsAre("modules/pooling/a.cc:1: a verb never includes another verb ('sparse/scc.h')"));
  EXPECT_THAT(Found("modules/pooling/a.cc", "  #  include   \"pipeline/plan.h\"\n"),
              ElementsAre("modules/pooling/a.cc:1: a module never includes the pipeline ('pipeline/plan.h')"));
  EXPECT_THAT(Found("pipeline/plan.cc", "#include \"tests/support/temp_folder.h\"\n"),
              ElementsAre("pipeline/plan.cc:1: only tests and benchmarks include 'tests/support/temp_folder.h'"));
  EXPECT_THAT(Found("modules/core/a.cc", "#include \"npy.h\"\n"),
              ElementsAre("modules/core/a.cc:1: include 'npy.h' by its full name, such as \"core/npy.h\""));
}

TEST(SourceRulesTest, RoomsOfThePipelineHaveAnOrder) {
  EXPECT_THAT(Found("pipeline/config/a.cc", "#include \"pipeline/paper/options.h\"\n"),
              ElementsAre("pipeline/config/a.cc:1: the room config stands below paper ('pipeline/paper/options.h')"));
  EXPECT_THAT(Found("pipeline/attic/a.cc", "#include \"pipeline/config/config.h\"\n"),
              ElementsAre("pipeline/attic/a.cc:1: the pipeline has no room 'attic': give it a place in "
                          "tests/support/source_rules.cc"));
  EXPECT_THAT(Found("pipeline/command.h", "// C.\n#pragma once\n#include \"pipeline/terminal/console.h\"\n"),
              ElementsAre("pipeline/command.h:3: the room command.h stands below terminal "
                          "('pipeline/terminal/console.h')"));
  EXPECT_THAT(Found("pipeline/paper/a.cc", "#include \"pipeline/paper/b.h\"\n#include \"pipeline/command.h\"\n"),
              IsEmpty());
  EXPECT_THAT(Found("pipeline/program.cc", "#include \"pipeline/commands/a.h\"\n"), IsEmpty());
}

TEST(SourceRulesTest, DownwardIncludesAreFine) {
  const std::string down =
      "#include <vector>\n#include <sys/stat.h>\n#include \"core/npy.h\"\n#include \"data/image.h\"\n";
  EXPECT_THAT(Found("modules/pooling/a.cc", down + "#include \"pooling/pool.h\"\n"), IsEmpty());
  EXPECT_THAT(Found("modules/data/a.cc", down), IsEmpty());
  EXPECT_THAT(Found("modules/core/a.cc", "#include \"core/npy.h\"\n"), IsEmpty());
  const std::string all =
      down + "#include \"sparse/scc.h\"\n#include \"pooling/pool.h\"\n#include \"pipeline/plan/plan.h\"\n";
  EXPECT_THAT(Found("pipeline/commands/plan.cc", all), IsEmpty());
  EXPECT_THAT(Found("tests/pooling/a_test.cc", all + "#include \"tests/support/x.h\"\n"), IsEmpty());
  EXPECT_THAT(Found("bench/a.cc", all), IsEmpty());
}

struct Place {
  std::string header;
  std::string home;
  std::vector<std::string> elsewhere;
};

TEST(SourceRulesTest, ThirdPartyHeadersHaveOnePlace) {
  const std::vector<Place> places = {
      {"<opencv2/core.hpp>",
       "modules/imaging/a.cc",
       {"modules/imaging/a.h", "modules/data/a.cc", "tests/imaging/a.cc"}},
      {"<vl/dsift.h>", "modules/descriptors/a.cc", {"modules/descriptors/a.h", "modules/sparse/a.cc"}},
      {"<libsvm/svm.h>", "modules/classify/a.cc", {"modules/classify/a.h", "pipeline/a.cc", "bench/a.h"}},
      {"<svm.h>", "modules/classify/a.cc", {"modules/classify/a.h", "pipeline/a.cc"}},
      {"<yaml-cpp/yaml.h>", "pipeline/config/a.cc", {"pipeline/config/a.h", "pipeline/a.cc", "modules/core/a.cc"}},
      {"<cblas.h>", "bench/a.cc", {"bench/a.h", "modules/core/a.cc", "modules/sparse/a.cc"}},
      {"<openssl/evp.h>", "modules/core/hash.cc", {"modules/core/hash.h", "pipeline/cache/a.cc"}},
      {"<archive.h>", "modules/core/archive.cc", {"modules/core/archive.h", "pipeline/a.cc", "tests/core/a.cc"}},
      {"<archive_entry.h>", "modules/core/archive.cc", {"modules/core/a.cc", "pipeline/a.cc"}},
      {"<boost/filesystem.hpp>", "modules/core/fs.h", {"modules/core/file.cc", "tests/core/a.cc"}},
      {"<CLI/CLI.hpp>", "pipeline/program.cc", {"pipeline/commands/a.cc", "pipeline/command.h", "modules/core/a.cc"}},
      {"<kainjow/mustache.hpp>", "modules/report/a.cc", {"modules/report/a.h", "pipeline/a.cc"}},
      {"<fmt/format.h>", "modules/report/a.cc", {"modules/report/a.h"}},
      {"<nlohmann/json.hpp>", "modules/data/a.cc", {"modules/data/a.h"}},
      {"\"hwy/highway.h\"", "modules/sparse/a.h", {"modules/core/a.cc", "modules/pooling/a.cc", "pipeline/a.cc"}},
      {"<gtest/gtest.h>", "tests/core/a.cc", {"modules/core/a.cc", "pipeline/a.cc", "bench/a.cc"}},
      {"<gmock/gmock.h>", "tests/core/a.cc", {"modules/core/a.cc"}},
      {"<benchmark/benchmark.h>", "bench/a.cc", {"modules/core/a.cc", "tests/core/a.cc"}}};
  for (const Place& place : places) {
    const std::string text = "// What it is.\n#pragma once\n#include " + place.header + "\n";
    EXPECT_THAT(Found(place.home, text), IsEmpty());
    for (const std::string& path : place.elsewhere) {
      const std::vector<std::string> found = Found(path, text);
      ASSERT_EQ(found.size(), 1U) << path << " " << place.header;
      EXPECT_THAT(found[0], ::testing::StartsWith(path + ":3: " + place.header + " belongs only in "));
    }
  }
}

TEST(SourceRulesTest, NewLibrariesNeedAPlace) {
  EXPECT_THAT(Found("modules/core/a.cc", "#include <Eigen/Core>\n"),
              ElementsAre("modules/core/a.cc:1: <Eigen/Core> is of a library without a place: give it one in "
                          "tests/support/source_rules.cc"));
}

TEST(SourceRulesTest, ModulesNeitherPrintNorExit) {
  for (const std::string code : {"std::cout << 1;", "std::cerr << 1;", "printf(\"x\");", "std::fprintf(stderr, x);"}) {
    const std::vector<std::string> found = Found("modules/core/a.cc", "\n\n" + code + "\n");
    ASSERT_EQ(found.size(), 1U) << code;
    EXPECT_THAT(found[0], ::testing::StartsWith("modules/core/a.cc:3: "));
    EXPECT_THAT(found[0], ::testing::EndsWith(": modules never print"));
    EXPECT_THAT(Found("pipeline/a.cc", code), IsEmpty());
  }
  EXPECT_THAT(Found("modules/core/a.cc", "if (bad) std::exit(1);\n"),
              ElementsAre("modules/core/a.cc:1: exit(: modules never end the program; throw an Error"));
  EXPECT_THAT(Found("pipeline/main.cc", "std::exit(1);\n"), IsEmpty());
  EXPECT_THAT(Found("modules/core/a.cc", "snprintf(b, 3, f); AtExit(); my_exit(2); NoExit exits;\n"), IsEmpty());
}

TEST(SourceRulesTest, RandomnessIsOurOwn) {
  for (const std::string code : {"int x = rand();",
                                 "srand(1);",
                                 "std::random_device device;",
                                 "std::shuffle(a, b, c);",
                                 "std::mt19937 g;",
                                 "std::uniform_int_distribution<int> d;",
                                 "std::normal_distribution<> d;"}) {
    for (const std::string path : {"modules/core/a.cc", "pipeline/a.cc"}) {
      const std::vector<std::string> found = Found(path, code + "\n");
      ASSERT_EQ(found.size(), 1U) << code;
      EXPECT_THAT(found[0], ::testing::EndsWith(": random numbers come from core/rng.h alone"));
    }
  }
  EXPECT_THAT(Found("modules/core/a.cc", "operand(1); grand(2); rng.Shuffle(items); std::shuffled;\n"), IsEmpty());
}

TEST(SourceRulesTest, HeadersDoNotOpenNamespaces) {
  const std::string start = "// What it is.\n#pragma once\n";
  EXPECT_THAT(Found("tests/a.h", start + "using namespace std;\n"),
              ElementsAre("tests/a.h:3: using namespace: never in a header"));
  EXPECT_THAT(Found("tests/a.cc", "using namespace std;\n"), IsEmpty());
}

TEST(SourceRulesTest, HeadersBeginWithACommentAndPragmaOnce) {
  EXPECT_THAT(Found("modules/core/a.h", "// What it is.\n//\n// More.\n#pragma once\n\nint a;\n"), IsEmpty());
  EXPECT_THAT(Found("modules/core/a.h", "#pragma once\nint a;\n"),
              ElementsAre("modules/core/a.h:1: a header begins with a comment that says what it is"));
  EXPECT_THAT(Found("modules/core/a.h", "// What it is.\n#include <vector>\n#pragma once\n"),
              ElementsAre("modules/core/a.h:2: #pragma once comes first after a header's comment"));
  EXPECT_THAT(Found("modules/core/a.h", "// #pragma once\n\nint a;\n"),
              ElementsAre("modules/core/a.h:3: #pragma once comes first after a header's comment"));
  EXPECT_EQ(Found("modules/core/a.h", "").size(), 2U);
}

TEST(SourceRulesTest, BuildsArePortable) {
  EXPECT_THAT(Found("modules/sparse/CMakeLists.txt", "# never -march=native\nadd_compile_options(-march=native)\n"),
              ElementsAre("modules/sparse/CMakeLists.txt:2: -march=native: results must not depend on the machine that "
                          "built"));
  EXPECT_EQ(Found("CMakePresets.json", "{\"CMAKE_CXX_FLAGS\": \"-ffast-math\"}").size(), 1U);
  EXPECT_EQ(Found("third_party/cmake/x.cmake", "set(F -Ofast)").size(), 1U);
}

TEST(SourceRulesTest, CommentsAndLiteralsAreNoCode) {
  EXPECT_THAT(Found("modules/core/a.cc",
                    "// rand() and std::cout\n/* exit(1);\n#include <opencv2/core.hpp>\n*/ int a;\n"
                    "const char* b = \"printf( std::cout\\\" rand()\";\nchar c = '\"'; int d = 1'000;\n"
                    "auto e = R\"x(\n#include <vl/dsift.h>\nexit(1)\n)x\";\n"),
              IsEmpty());
  EXPECT_THAT(Found("modules/core/a.cc", "char c = '\"'; /* */ rand(); // \"\n"),
              ElementsAre("modules/core/a.cc:1: rand(: random numbers come from core/rng.h alone"));
  EXPECT_THAT(Found("modules/core/a.cc", "auto e = R\"(\n)\";\nint d = 1'000;\nexit(1'000);\n"),
              ElementsAre("modules/core/a.cc:4: exit(: modules never end the program; throw an Error"));
  EXPECT_THAT(Found("README.md", "std::cout rand() -march=native"), IsEmpty());
}

TEST(SourceRulesTest, CommentsBecomeSpaces) {
  EXPECT_EQ(WithoutComments("a // b\nc /* d\n e */ f \"// g\" 'h'", false), "a     \nc     \n      f \"// g\" 'h'");
  EXPECT_EQ(WithoutComments("\"a\\\"b\" 'c' R\"(d\n)\"", true), "\"    \" ' '     \n  ");
  EXPECT_EQ(WithoutComments("/* open", false), "       ");
}

TEST(SourceRulesTest, SourcesNeedATestOfTheirName) {
  EXPECT_THAT(
      SourcesWithoutTest({"modules/core/npy.cc",
                          "tests/core/npy_test.cc",
                          "modules/core/csv.cc",
                          "modules/core/rng.h",
                          "modules/report/evaluate.cc",
                          "modules/evaluate/evaluate.cc",
                          "tests/evaluate/evaluate_test.cc",
                          "pipeline/main.cc",
                          "pipeline/plan.cc",
                          "pipeline/steps/learn.cc",
                          "pipeline/cache/store.cc",
                          "pipeline/cache/key.cc",
                          "tests/pipeline/cache/store_test.cc",
                          "tests/cache/key_test.cc",
                          "tests/sparse/learn_test.cc",
                          "tests/support/temp_folder.cc",
                          "bench/a.cc"}),
      ElementsAre("modules/core/csv.cc", "modules/report/evaluate.cc", "pipeline/plan.cc", "pipeline/steps/learn.cc"));
}

TEST(SourceRulesTest, ATypeIsDefinedInOneHeader) {
  const std::vector<Breach> breaches = TypesDefinedTwice(
      {{"modules/a/one.h", "struct Row {\n};\nenum class Kind { kA };\nclass Late;\n"},
       {"modules/b/two.h",
        "// struct Row {\ntemplate <class T>\nclass Row final : public Base {\n  struct Kind {};\n};\n"},
       {"modules/b/two.cc", "struct Kind {};\n"},
       {"pipeline/three.h", "class Late\n    : public Base {};\nenum Kind {\n};\n"}});
  ASSERT_EQ(breaches.size(), 2U);
  EXPECT_EQ(breaches[0].ToString(), "modules/b/two.h:3: Row is the name of another type in modules/a/one.h");
  EXPECT_EQ(breaches[1].ToString(), "pipeline/three.h:3: Kind is the name of another type in modules/a/one.h");
}

// Every file of the four source folders and the build files of the root, sorted, relative to the root.
std::vector<std::string> TreePaths() {
  const fs::path root = FLYSCRIBE_SOURCE_DIR;
  std::vector<std::string> paths = {"CMakeLists.txt", "CMakePresets.json"};
  for (const std::string folder : {"modules", "pipeline", "tests", "bench", "third_party"}) {
    if (!fs::is_directory(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (fs::is_regular_file(entry.path())) paths.push_back(fs::relative(entry.path(), root).generic_string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(ArchitectureTest, TheTreeIsThere) {
  const std::vector<std::string> paths = TreePaths();
  EXPECT_THAT(paths, ::testing::Contains("modules/core/npy.cc"));
  EXPECT_THAT(paths, ::testing::Contains("tests/architecture/include_direction_test.cc"));
}

TEST(ArchitectureTest, NoFileBreaksARule) {
  std::vector<std::string> breaches;
  for (const std::string& path : TreePaths()) {
    for (const std::string& breach : Found(path, ReadFile(fs::path(FLYSCRIBE_SOURCE_DIR) / path))) {
      breaches.push_back(breach);
    }
  }
  EXPECT_THAT(breaches, IsEmpty()) << Join(breaches, "\n");
}

TEST(ArchitectureTest, EveryTypeHasItsOwnName) {
  std::map<std::string, std::string> headers;
  for (const std::string& path : TreePaths()) {
    if (path.ends_with(".h")) headers[path] = ReadFile(fs::path(FLYSCRIBE_SOURCE_DIR) / path);
  }
  std::vector<std::string> breaches;
  for (const Breach& breach : TypesDefinedTwice(headers)) breaches.push_back(breach.ToString());
  EXPECT_THAT(breaches, IsEmpty()) << Join(breaches, "\n");
}

TEST(ArchitectureTest, EverySourceHasATest) {
  const std::vector<std::string> missing = SourcesWithoutTest(TreePaths());
  EXPECT_THAT(missing, IsEmpty()) << "without a test of the same name:\n" << Join(missing, "\n");
}

}  // namespace
}  // namespace flyscribe
