// flyscribe learn: from a matrix to a dictionary and codes, interrupted or not.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "tests/integration/matrix_workspace.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;

constexpr const char* kFinished = "summary.json";

class LearnCommandTest : public MatrixWorkspace {
 protected:
  LearnCommandTest() { Write("X.npy", patches_); }

  // learn --input X.npy --atoms 12 --epochs 3 --output OUT, and more.
  ProgramResult Learn(const std::string& output, const std::vector<std::string>& more = {}) const {
    return Flyscribe(Arguments(output, more));
  }
  static std::vector<std::string> Arguments(const std::string& output, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"learn", "--input", "X.npy", "--epochs", "3", "--output", output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const bool has_atoms = std::count(more.begin(), more.end(), "--atoms") > 0;
    const bool has_init = std::count(more.begin(), more.end(), "--init") > 0;
    if (!has_atoms && !has_init) arguments.insert(arguments.end(), {"--atoms", "12"});
    return arguments;
  }

  nlohmann::json Summary(const std::string& folder) const {
    return nlohmann::json::parse(ReadFile(folder_ / folder / "summary.json"));
  }

  const FloatMatrix patches_ = PlantedRows(300, 20, 12);
};

TEST_F(LearnCommandTest, HelpComesFromTheDeclarations) {
  EXPECT_THAT(Flyscribe({"--help"}).out, HasSubstr("flyscribe learn --input X.npy"));
  const std::string help = Flyscribe({"learn", "--help"}).out;
  for (const char* text : {"--atoms NUMBER",
                           "Number of dictionary atoms, m.",
                           "Default: 500.",
                           "[scc | scc-minibatch | online]",
                           "--set KEY=VALUE",
                           "--no-checkpoint"}) {
    EXPECT_THAT(help, HasSubstr(text));
  }
}

TEST_F(LearnCommandTest, FromAMatrixToADictionaryAndCodes) {
  const ProgramResult result = Learn("out", {"--lambda", "0.15", "--exact-objective", "100", "--threads", "2"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("12 atoms of 20 values from 300 patches in 3 epochs\n"));
  EXPECT_THAT(result.err, HasSubstr("learn"));
  EXPECT_THAT(
      NamesIn("out"),
      ElementsAre("codes.data.npy", "codes.indices.npy", "codes.indptr.npy", "codes.npz", "dictionary.npy", kFinished));

  const FloatMatrix atoms = DictionaryOf("out");
  ASSERT_EQ(atoms.rows(), 12U);
  ASSERT_EQ(atoms.cols(), 20U);
  for (std::size_t atom = 0; atom < 12; ++atom) {
    double squares = 0.0;
    for (const float value : atoms.Row(atom)) squares += static_cast<double>(value) * static_cast<double>(value);
    EXPECT_LE(squares, 1.0 + 1e-5);
  }
  const SparseCodes codes = SparseCodes::Load(folder_ / "out", 12);
  EXPECT_EQ(codes.rows(), 300U);

  const nlohmann::json summary = Summary("out");
  EXPECT_EQ(summary.at("command"), "learn");
  EXPECT_EQ(summary.at("patches"), 300);
  EXPECT_EQ(summary.at("length"), 20);
  EXPECT_EQ(summary.at("atoms"), 12);
  EXPECT_EQ(summary.at("lambda"), 0.15);
  EXPECT_EQ(summary.at("epochs"), 3);
  EXPECT_EQ(summary.at("seed"), 1);
  EXPECT_EQ(summary.at("method"), "scc-minibatch");
  EXPECT_EQ(summary.at("profile"), "none");
  EXPECT_EQ(summary.at("threads"), 2);
  EXPECT_NE(summary.at("simd"), "auto") << "the name it stands for";
  EXPECT_EQ(summary.at("options").at("batch"), 512);
  EXPECT_EQ(summary.at("options").at("cd_steps"), 10) << "the method's own number";
  EXPECT_EQ(summary.at("options").at("unused_atoms"), "keep");
  EXPECT_EQ(summary.at("epochs_done"), 3);
  EXPECT_EQ(summary.at("settled"), false);
  EXPECT_EQ(summary.at("objective_per_epoch").size(), 3U);
  EXPECT_EQ(summary.at("objective_per_epoch")[2], summary.at("objective"));
  EXPECT_LT(summary.at("objective_per_epoch")[2], summary.at("objective_per_epoch")[0]) << "something was learned";
  EXPECT_EQ(summary.at("seconds_per_epoch").size(), 3U);
  const double seconds = summary.at("seconds");
  EXPECT_GT(seconds, 0.0);
  double sum = 0.0;
  for (const double epoch : summary.at("seconds_per_epoch")) sum += epoch;
  EXPECT_NEAR(seconds, sum, 1e-9);
  EXPECT_LE(summary.at("seconds_codes").get<double>() + summary.at("seconds_dictionary").get<double>(), seconds);
  EXPECT_NEAR(summary.at("nonzeros_per_code"), static_cast<double>(codes.data.size()) / 300.0, 1e-9);
  EXPECT_GE(summary.at("unused_atoms"), 0);
  EXPECT_EQ(summary.at("replaced_atoms"), 0);
  EXPECT_FALSE(summary.contains("resumed_after_epoch"));
  EXPECT_FALSE(summary.contains("init"));
}

TEST_F(LearnCommandTest, TheExactObjectiveIsThatOfOptimalCodes) {
  ASSERT_EQ(Learn("some", {"--exact-objective", "100"}).exit_code, 0);
  ASSERT_EQ(Learn("all", {"--exact-objective", "0"}).exit_code, 0);
  ASSERT_EQ(Learn("more", {"--exact-objective", "4000"}).exit_code, 0);
  ASSERT_EQ(Learn("none").exit_code, 0);
  EXPECT_FALSE(Summary("none").contains("exact_objective"));
  EXPECT_EQ(Summary("some").at("exact_objective_patches"), 100);
  EXPECT_EQ(Summary("all").at("exact_objective_patches"), 300);
  EXPECT_EQ(Summary("more").at("exact_objective"), Summary("all").at("exact_objective"));
  EXPECT_LE(Summary("all").at("exact_kkt"), 1e-4);
  EXPECT_EQ(Summary("all").at("exact_unconverged"), 0);
  EXPECT_EQ(BytesOf("none"), BytesOf("all"));
  // No better than optimal: the codes that learning left, with the same final dictionary.
  const double left = MeanObjective(patches_, DictionaryOf("all"), SparseCodes::Load(folder_ / "all", 12), 0.1);
  const double exact = Summary("all").at("exact_objective");
  EXPECT_LE(exact, left + 1e-6);
  EXPECT_GT(exact, 0.9 * left);
}

TEST_F(LearnCommandTest, TheExactObjectiveLooksAllOverTheFile) {
  // Zeros but for the last tenth: the first patches would have an objective of 0.
  FloatMatrix patches(3000, 20, 0.0F);
  for (std::size_t row = 0; row < 300; ++row) {
    std::ranges::copy(patches_.Row(row), patches.Row(2700 + row).begin());
  }
  Write("X.npy", patches);
  ASSERT_EQ(Learn("some", {"--exact-objective", "100"}).exit_code, 0);
  ASSERT_EQ(Learn("all", {"--exact-objective", "0", "--seed", "1"}).exit_code, 0);
  const double all = Summary("all").at("exact_objective");
  EXPECT_NEAR(Summary("some").at("exact_objective").get<double>() / all, 1.0, 0.2);
  ASSERT_EQ(Learn("again", {"--exact-objective", "100", "--threads", "3"}).exit_code, 0);
  EXPECT_EQ(Summary("again").at("exact_objective"), Summary("some").at("exact_objective"));
}

TEST_F(LearnCommandTest, WhatCannotBeLearnedFromIsToldOf) {
  Write("X.npy", Scaled(patches_, 1e-30));
  const ProgramResult tiny = Learn("tiny");
  EXPECT_EQ(tiny.exit_code, 0);
  EXPECT_THAT(tiny.err, HasSubstr("warning: lambda 0.1 is no less than the norm of the longest patch, 1e-30"));
  EXPECT_THAT(tiny.err, HasSubstr("numpy.save(path, x / 1e-30)"));
  EXPECT_THAT(tiny.err, HasSubstr("warning: all codes are zero after the first epoch: nothing was learned"));
  Write("X.npy", Scaled(patches_, 1000));
  EXPECT_THAT(Learn("large").err, HasSubstr("warning: the patches' norms are far from 1 (root mean square 1e+03)"));
  Write("X.npy", patches_);
  EXPECT_THAT(Learn("fine").err, Not(HasSubstr("warning")));

  FloatMatrix initial = RandomRows(9, 20, 5);
  std::ranges::fill(initial.Row(3), 0.0F);
  Write("D0.npy", initial);
  EXPECT_THAT(Learn("zero", {"--init", "D0.npy"}).err,
              HasSubstr("warning: D0.npy: 1 of 9 atoms are zero and will stay so; leave them out, or give "
                        "--set unused_atoms=replace"));
}

TEST_F(LearnCommandTest, StopsWhenTheObjectiveHasSettled) {
  const ProgramResult result = Learn("settled", {"--tol", "0.5", "--method", "scc"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const ProgramResult longer = Flyscribe(
      {"learn", "-i", "X.npy", "-o", "long", "--atoms", "12", "--epochs", "100", "--tol", "0.5", "--method", "scc"});
  ASSERT_EQ(longer.exit_code, 0) << longer.err;
  EXPECT_THAT(longer.out, HasSubstr("from 300 patches in 3 epochs: the objective has settled\n"));
  EXPECT_EQ(Summary("long").at("epochs"), 100);
  EXPECT_EQ(Summary("long").at("epochs_done"), 3);
  EXPECT_EQ(Summary("long").at("settled"), true);
  EXPECT_EQ(Summary("long").at("options").at("tolerance"), 0.5);
  EXPECT_EQ(BytesOf("long"), BytesOf("settled"));
  ExpectFailure(Learn("bad", {"--tol", "2"}), 4, {"--tol 2: error: learn.tolerance: 2 is out of range"});
}

TEST_F(LearnCommandTest, SameBytesForAnyThreadsAndAnyKindOfFile) {
  ASSERT_EQ(Learn("one", {"--threads", "1"}).exit_code, 0);
  const std::string bytes = BytesOf("one");
  ASSERT_EQ(Learn("three", {"--threads", "3", "--no-checkpoint"}).exit_code, 0);
  EXPECT_EQ(BytesOf("three"), bytes);
  const std::vector<double> doubles(patches_.values().begin(), patches_.values().end());
  WriteNpy<double>(folder_ / "X.npy", doubles, {patches_.rows(), patches_.cols()});
  ASSERT_EQ(Learn("double").exit_code, 0);
  EXPECT_EQ(BytesOf("double"), bytes);
  ASSERT_EQ(Learn("other", {"--seed", "2"}).exit_code, 0);
  EXPECT_NE(BytesOf("other"), bytes);
}

TEST_F(LearnCommandTest, EveryMethodRuns) {
  std::vector<std::string> results;
  for (const char* method : {"scc", "scc-minibatch", "online"}) {
    const ProgramResult result = Learn(method, {"--method", method, "--batch", "64"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(Summary(method).at("method"), method);
    EXPECT_EQ(Summary(method).at("options").at("batch"), 64);
    EXPECT_THAT(results, testing::Not(testing::Contains(BytesOf(method))));
    results.push_back(BytesOf(method));
  }
}

TEST_F(LearnCommandTest, WhatIsGivenWinsOverAProfile) {
  ASSERT_EQ(Learn("paper", {"--profile", "paper"}).exit_code, 0);
  EXPECT_EQ(Summary("paper").at("profile"), "paper");
  EXPECT_EQ(Summary("paper").at("method"), "scc");
  EXPECT_EQ(Summary("paper").at("lambda"), 0.1);
  EXPECT_EQ(Summary("paper").at("options").at("cd_steps"), 3);
  ASSERT_EQ(Learn("mine",
                  {"--profile",
                   "release-1.0",
                   "--lambda",
                   "0.2",
                   "--cd-steps",
                   "5",
                   "--set",
                   "projection=ball",
                   "--nonnegative"})
                .exit_code,
            0);
  EXPECT_EQ(Summary("mine").at("lambda"), 0.2);
  EXPECT_EQ(Summary("mine").at("options").at("cd_steps"), 5);
  EXPECT_EQ(Summary("mine").at("options").at("projection"), "ball");
  EXPECT_EQ(Summary("mine").at("options").at("patch_order"), "file") << "the profile's own";
  const SparseCodes codes = SparseCodes::Load(folder_ / "mine", 12);
  EXPECT_GT(codes.data.size(), 0U);
  for (const float weight : codes.data) EXPECT_GT(weight, 0.0F);
}

TEST_F(LearnCommandTest, AtomsWithoutNegativeValues) {
  ASSERT_EQ(Learn("parts", {"--nonnegative-atoms"}).exit_code, 0);
  EXPECT_EQ(Summary("parts").at("options").at("nonnegative_atoms"), true);
  const FloatMatrix atoms = DictionaryOf("parts");
  for (const float value : atoms.values()) EXPECT_GE(value, 0.0F);
}

TEST_F(LearnCommandTest, AFirstDictionarySaysHowManyAtomsThereAre) {
  Write("D0.npy", RandomRows(9, 20, 5));
  ASSERT_EQ(Learn("nine", {"--init", "D0.npy"}).exit_code, 0);
  EXPECT_EQ(Summary("nine").at("atoms"), 9);
  EXPECT_EQ(Summary("nine").at("options").at("atoms"), 9);
  EXPECT_EQ(Summary("nine").at("init"), "D0.npy");
  EXPECT_EQ(DictionaryOf("nine").rows(), 9U);
  ASSERT_EQ(Learn("agree", {"--init", "D0.npy", "--atoms", "9"}).exit_code, 0);
  EXPECT_EQ(BytesOf("agree"), BytesOf("nine"));
  ASSERT_EQ(Learn("drawn", {"--atoms", "9"}).exit_code, 0);
  EXPECT_NE(BytesOf("drawn"), BytesOf("nine"));

  ExpectFailure(Learn("bad", {"--init", "D0.npy", "--atoms", "8"}),
                4,
                {"D0.npy: error: the first dictionary has 9 atoms, but 8 are asked for", "leave --atoms out"});
  Write("D0.npy", RandomRows(9, 19, 5));
  ExpectFailure(Learn("bad", {"--init", "D0.npy"}),
                5,
                {"D0.npy: error: the atoms have 19 values each, the patches of X.npy 20", "x.T"});
  ExpectFailure(Learn("bad", {"--init", "D1.npy"}), 5, {"D1.npy: error: cannot read"});
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
}

TEST_F(LearnCommandTest, BadOptions) {
  ExpectFailure(Flyscribe({"learn", "--output", "bad"}), 4, {"error: --input is required"});
  ExpectFailure(Flyscribe({"learn", "--input", "X.npy"}), 4, {"error: --output is required"});
  ExpectFailure(Learn("bad", {"--atoms", "0", "--lambda", "-1", "--set", "unused_atom=keep"}),
                4,
                {"--atoms 0: error: learn.atoms: 0 is out of range\n  hint: must be between 1 and 65536",
                 "--lambda -1: error: learn.lambda: -1 is out of range",
                 "--set unused_atom=keep: error: learn.unused_atom: unknown key",
                 "did you mean 'unused_atoms'? `flyscribe defaults learn` lists all keys"});
  ExpectFailure(Learn("bad", {"--method", "omp"}),
                4,
                {"--method omp: error: learn.method: 'omp' is not one of the allowed values",
                 "allowed: scc, scc-minibatch, online"});
  ExpectFailure(
      Learn("bad", {"--set", "atoms=3"}), 4, {"--set atoms=3: error: the option is also given as --atoms 12"});
  ExpectFailure(Learn("bad", {"--atom", "3"}), 4, {"error:", "--atom"});
  ExpectFailure(Learn("bad", {"--exact-objective", "-1"}), 4, {"--exact-objective"});
  ExpectFailure(Learn("bad", {"--simd", "MMX"}), 4, {"error: this processor has no instruction set 'MMX'", "plain"});
  EXPECT_FALSE(fs::exists(folder_ / "bad")) << "nothing is written before the options are right";
}

TEST_F(LearnCommandTest, BadInput) {
  const auto learn = [&](const FloatMatrix& matrix) {
    Write("X.npy", matrix);
    return Learn("bad");
  };
  FloatMatrix with_nan = patches_;
  with_nan(17, 3) = std::numeric_limits<float>::quiet_NaN();
  ExpectFailure(
      learn(with_nan), 5, {"X.npy: error: row 17 (counted from 0) holds a value that is not a finite number"});
  ExpectFailure(learn(FloatMatrix(0, 20)), 5, {"X.npy: error: the matrix is empty: its shape is (0, 20)"});
  ExpectFailure(learn(FloatMatrix(7, 0)), 5, {"X.npy: error: the matrix is empty: its shape is (7, 0)"});
  WriteNpy<std::int32_t>(folder_ / "X.npy", std::vector<std::int32_t>{1, 2}, {2, 1});
  ExpectFailure(Learn("bad"), 5, {"X.npy: error: expected float32 or float64 in two dimensions, found", "astype"});
  WriteNpy<float>(folder_ / "X.npy", std::vector<float>{1, 2}, {2});
  ExpectFailure(Learn("bad"), 5, {"X.npy: error: expected float32 or float64 in two dimensions, found", "reshape"});
  folder_.Write("X.npy", "not an array");
  ExpectFailure(Learn("bad"), 6, {"X.npy: error:", "numpy.save"});
  fs::remove(folder_ / "X.npy");
  ExpectFailure(Learn("bad"), 5, {"X.npy: error: cannot read: No such file or directory"});
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
}

TEST_F(LearnCommandTest, AFinishedResultIsReplacedOnlyWhenForced) {
  ASSERT_EQ(Learn("out").exit_code, 0);
  const std::string bytes = BytesOf("out");
  ExpectFailure(Learn("out", {"--seed", "2"}),
                4,
                {"out: error: the folder already holds a result (dictionary.npy)", "--force to replace it"});
  EXPECT_EQ(BytesOf("out"), bytes);
  // A wrong input is noticed before anything is removed.
  ExpectFailure(Learn("out", {"--force", "--init", "nope.npy"}), 5, {"nope.npy"});
  EXPECT_EQ(BytesOf("out"), bytes);
  ExpectFailure(Learn("out", {"--force", "--init", "out/dictionary.npy"}),
                4,
                {"out/dictionary.npy: error: the result would replace this input"});
  EXPECT_EQ(BytesOf("out"), bytes);
  ASSERT_EQ(Learn("out", {"--seed", "2", "--force"}).exit_code, 0);
  EXPECT_NE(BytesOf("out"), bytes);
  EXPECT_EQ(Summary("out").at("seed"), 2);
}

TEST_F(LearnCommandTest, FoldersThatCannotBeWritten) {
  ExpectFailure(Learn("X.npy"), 8, {"X.npy: error: cannot write", "a file is in the way"});
  ExpectFailure(Learn("X.npy/sub"), 8, {"X.npy/sub: error: cannot write"});
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directories(folder_ / "locked");
  fs::permissions(folder_ / "locked", fs::owner_read | fs::owner_exe);
  ExpectFailure(Learn("locked"), 8, {"locked: error: cannot write"});
}

TEST_F(LearnCommandTest, AFullDiskLeavesNothing) {
  // A file may have 6 blocks of 512 bytes: the dictionary fits, the codes do not, neither here nor in a checkpoint.
  const std::string learn =
      "ulimit -f 6; exec " + std::string(FLYSCRIBE_BINARY) + " learn --input X.npy --atoms 12 --output full --epochs ";
  for (const char* more : {"1", "3", "3 --no-checkpoint"}) {
    const ProgramResult full = RunBinary("/bin/sh", {"-c", learn + more}, folder_.path());
    ExpectFailure(full, 8, {"full", "error: cannot write: File too large"});
    EXPECT_FALSE(fs::exists(folder_ / "full")) << more;
  }
}

TEST_F(LearnCommandTest, AFolderInUseIsRefused) {
  fs::create_directories(folder_ / "out");
  const int other = open((folder_ / "out").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(flock(other, LOCK_EX | LOCK_NB), 0);
  ExpectFailure(Learn("out"), 7, {"out: error: another flyscribe is writing to this folder"});
  close(other);
  EXPECT_EQ(Learn("out").exit_code, 0);
}

TEST_F(LearnCommandTest, QuietPrintsNothing) {
  const ProgramResult result = Learn("out", {"--quiet", "--exact-objective", "5"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
}

// A run of the program that can be killed, on a problem whose epochs take long enough to be met.
class InterruptedLearnTest : public LearnCommandTest {
 protected:
  InterruptedLearnTest() { Write("X.npy", PlantedRows(3000, 32, 40)); }
  ~InterruptedLearnTest() override {
    if (child_ > 0) End(SIGKILL);
  }

  static std::vector<std::string> Long(const std::string& output,
                                       const std::vector<std::string>& more = {},
                                       const std::string& method = "scc") {
    std::vector<std::string> arguments = {"learn", "-i", "X.npy", "-o", output, "--threads", "1", "--atoms", "80"};
    arguments.insert(arguments.end(), {"--epochs", std::to_string(kEpochs), "--method", method});
    arguments.insert(arguments.end(), {"--checkpoint-seconds", "0"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  // The last epoch that has left a state in out/checkpoint.
  int NewestEpoch() const { return NewestIn("out"); }
  int NewestIn(const std::string& output) const {
    boost::system::error_code ignored;
    int newest = 0;
    fs::directory_iterator entry(folder_ / output / "checkpoint", ignored);
    for (; entry != fs::directory_iterator(); entry.increment(ignored)) {
      const std::vector<std::string> name = Split(entry->path().filename().string(), '-');
      if (name.size() == 2) newest = std::max(newest, static_cast<int>(ParseInteger(name[1]).value_or(0)));
    }
    return newest;
  }

  void Start(const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {FLYSCRIBE_BINARY};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string err = (folder_ / "err").string();
    child_ = fork();
    if (child_ != 0) return;
    const int file = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    dup2(file, STDOUT_FILENO);
    if (chdir(folder_.path().c_str()) != 0) _exit(126);
    execv(argv[0], argv.data());
    _exit(127);
  }

  // True once an epoch after `epoch` has left its state; false if the program ended before that.
  bool WaitForEpochAfter(int epoch) {
    while (NewestEpoch() <= epoch) {
      if (waitpid(child_, &status_, WNOHANG) == child_) {
        child_ = 0;
        return false;
      }
      usleep(500);
    }
    return true;
  }

  // Sends a signal, waits, and returns the exit code: 128 + signal if it was killed by it.
  int End(int signal) {
    kill(child_, signal);
    waitpid(child_, &status_, 0);
    child_ = 0;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  }

  static constexpr int kEpochs = 60;
  pid_t child_ = 0;
  int status_ = 0;
};

TEST_F(InterruptedLearnTest, KilledAgainAndAgainItEndsWithTheSameBytes) {
  ASSERT_EQ(Flyscribe(Long("undisturbed")).exit_code, 0);
  int kills = 0;
  for (int epoch = 0;; epoch = NewestEpoch()) {
    ASSERT_LT(kills, 20) << "no progress is made";
    Start(Long("out"));
    if (!WaitForEpochAfter(epoch + 9)) break;
    End(SIGKILL);
    ++kills;
    EXPECT_FALSE(fs::exists(folder_ / "out" / kFinished));
  }
  ASSERT_TRUE(WIFEXITED(status_));
  ASSERT_EQ(WEXITSTATUS(status_), 0) << ReadFile(folder_ / "err");
  EXPECT_GE(kills, 2) << "it was too fast to be met; use more patches";
  EXPECT_EQ(BytesOf("out"), BytesOf("undisturbed"));
  EXPECT_EQ(NamesIn("out"), NamesIn("undisturbed")) << "no checkpoint is left";
  const nlohmann::json summary = Summary("out");
  const nlohmann::json whole = Summary("undisturbed");
  const int resumed = summary.at("resumed_after_epoch");
  EXPECT_GE(resumed, 2);
  EXPECT_EQ(summary.at("seconds_per_epoch").size(), static_cast<std::size_t>(kEpochs - resumed)) << "those run since";
  for (const char* same : {"objective_per_epoch", "nonzeros_per_code", "unused_atoms", "options"}) {
    EXPECT_EQ(summary.at(same), whole.at(same)) << same;
  }
}

TEST_F(InterruptedLearnTest, EveryMethodGoesOnWithTheSameBytes) {
  const std::vector<std::string> replace = {"--set", "unused_atoms=replace"};
  for (const char* method : {"scc-minibatch", "online"}) {
    const std::string whole = std::string("whole-") + method;
    ASSERT_EQ(Flyscribe(Long(whole, replace, method)).exit_code, 0);
    Start(Long("out", replace, method));
    ASSERT_TRUE(WaitForEpochAfter(4)) << ReadFile(folder_ / "err");
    End(SIGKILL);
    const ProgramResult rest = Flyscribe(Long("out", replace, method));
    ASSERT_EQ(rest.exit_code, 0) << rest.err;
    EXPECT_GE(Summary("out").at("resumed_after_epoch"), 5);
    EXPECT_EQ(BytesOf("out"), BytesOf(whole)) << method;
    fs::remove_all(folder_ / "out");
  }
}

TEST_F(InterruptedLearnTest, SettlesAfterAKillAsItWouldHaveWithout) {
  const std::vector<std::string> settling = {"--tol", "1e-4"};
  ASSERT_EQ(Flyscribe(Long("whole", settling)).exit_code, 0);
  ASSERT_EQ(Summary("whole").at("settled"), true) << "more epochs are needed";
  Start(Long("out", settling));
  ASSERT_TRUE(WaitForEpochAfter(2)) << ReadFile(folder_ / "err");
  End(SIGKILL);
  const ProgramResult rest = Flyscribe(Long("out", settling));
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_EQ(BytesOf("out"), BytesOf("whole"));
  for (const char* same : {"objective_per_epoch", "epochs_done", "settled"}) {
    EXPECT_EQ(Summary("out").at(same), Summary("whole").at(same)) << same;
  }
}

TEST_F(InterruptedLearnTest, SignalsLeaveAWordOnHowToGoOn) {
  Start(Long("out", {"--force"}));
  ASSERT_TRUE(WaitForEpochAfter(0)) << ReadFile(folder_ / "err");
  EXPECT_EQ(End(SIGTERM), 143);
  EXPECT_THAT(ReadFile(folder_ / "err"),
              HasSubstr("error: interrupted\n  hint: the same command without --force goes on"));
  const int epoch = NewestEpoch();
  ASSERT_GE(epoch, 1);
  EXPECT_THAT(ReadFile(folder_ / "err"),
              HasSubstr("after epoch " + std::to_string(epoch) + " of " + std::to_string(kEpochs)));
  const ProgramResult rest = Flyscribe(Long("out"));
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_THAT(rest.err, HasSubstr("going on after epoch " + std::to_string(epoch) + " of " + std::to_string(kEpochs)));
  EXPECT_EQ(Summary("out").at("resumed_after_epoch"), epoch);
}

TEST_F(InterruptedLearnTest, AnInputCutShortEndsItWithAMessage) {
  ASSERT_EQ(Flyscribe(Long("whole")).exit_code, 0);
  const std::string input = ReadFile(folder_ / "X.npy");
  Start({"learn",
         "-i",
         "X.npy",
         "-o",
         "out",
         "--threads",
         "1",
         "--atoms",
         "80",
         "--epochs",
         "10000",
         "--checkpoint-seconds",
         "0"});
  ASSERT_TRUE(WaitForEpochAfter(0)) << ReadFile(folder_ / "err");
  fs::resize_file(folder_ / "X.npy", 5000);
  waitpid(child_, &status_, 0);
  child_ = 0;
  ASSERT_TRUE(WIFEXITED(status_)) << "signal " << WTERMSIG(status_);
  EXPECT_EQ(WEXITSTATUS(status_), 5);
  EXPECT_THAT(ReadFile(folder_ / "err"),
              HasSubstr("X.npy: error: the file was cut short while it was read\n"
                        "  hint: run the same command again once nothing writes to the file any more\n"));
  EXPECT_THAT(NamesIn("out"), ElementsAre("checkpoint")) << "no result";
  // Once the file is back, all goes on; the checkpoint is of other options, so another folder is taken.
  folder_.Write("X.npy", input);
  ASSERT_EQ(Flyscribe(Long("again")).exit_code, 0);
  EXPECT_EQ(BytesOf("again"), BytesOf("whole"));
  // Cut within its last page, where no page is lost: the end would read as zeros.
  Start({"learn",
         "-i",
         "X.npy",
         "-o",
         "tail",
         "--threads",
         "1",
         "--atoms",
         "80",
         "--epochs",
         "10000",
         "--checkpoint-seconds",
         "0"});
  while (NewestIn("tail") == 0 && waitpid(child_, &status_, WNOHANG) == 0) usleep(500);
  fs::resize_file(folder_ / "X.npy", input.size() - 100);
  waitpid(child_, &status_, 0);
  child_ = 0;
  ASSERT_TRUE(WIFEXITED(status_));
  EXPECT_EQ(WEXITSTATUS(status_), 5);
  EXPECT_THAT(ReadFile(folder_ / "err"), HasSubstr("X.npy: error: the file was cut short while it was read"));
  EXPECT_THAT(NamesIn("tail"), ElementsAre("checkpoint"));
}

TEST_F(InterruptedLearnTest, WithoutACheckpointItBeginsAnew) {
  Start({"learn", "-i", "X.npy", "--atoms", "80", "--epochs", "10000", "--no-checkpoint", "-o", "out"});
  while (!fs::exists(folder_ / "out")) usleep(500);
  EXPECT_EQ(End(SIGINT), 130);
  EXPECT_THAT(ReadFile(folder_ / "err"), HasSubstr("no checkpoint was left yet; the same command begins anew"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(InterruptedLearnTest, ACheckpointServesOnlyItsOwnProblem) {
  Start(Long("out"));
  ASSERT_TRUE(WaitForEpochAfter(0));
  End(SIGKILL);
  ExpectFailure(Flyscribe(Long("out", {"--lambda", "0.2"})),
                4,
                {"out/checkpoint: error: the checkpoint was left by other options or another input",
                 "then 'option learn.lambda: 0.1', now 'option learn.lambda: 0.2'",
                 "give --force to begin anew"});
  Write("D0.npy", RandomRows(80, 32, 5));
  ExpectFailure(Flyscribe(Long("out", {"--init", "D0.npy"})), 4, {"then 'input initial: none', now 'input initial: "});
  fs::rename(folder_ / "X.npy", folder_ / "aside.npy");
  Write("X.npy", RandomRows(3000, 32, 8));
  ExpectFailure(Flyscribe(Long("out")), 4, {"then 'input patches: "});
  fs::rename(folder_ / "aside.npy", folder_ / "X.npy");

  const int epoch = NewestEpoch();
  fs::resize_file(folder_ / "out/checkpoint" / ("epoch-" + std::to_string(epoch)) / "atoms.npy", 100);
  ExpectFailure(Flyscribe(Long("out")), 6, {"error: the checkpoint is damaged", "--force begins anew"});
  const ProgramResult forced = Flyscribe(Long("out", {"--force"}));
  EXPECT_EQ(forced.exit_code, 0) << forced.err;
  EXPECT_FALSE(Summary("out").contains("resumed_after_epoch"));
  EXPECT_FALSE(fs::exists(folder_ / "out/checkpoint"));
}

}  // namespace
}  // namespace flyscribe
