// flyscribe encode: codes of a matrix with a given dictionary.
#include <unistd.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "tests/integration/matrix_workspace.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;

class EncodeCommandTest : public MatrixWorkspace {
 protected:
  EncodeCommandTest() {
    Write("X.npy", patches_);
    Write("D.npy", atoms_);
  }

  ProgramResult Encode(const std::string& output, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {
        "encode", "--dictionary", "D.npy", "--input", "X.npy", "--lambda", "0.15", "--output", output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Flyscribe(arguments);
  }
  SparseCodes CodesOf(const std::string& folder) const { return SparseCodes::Load(folder_ / folder, atoms_.rows()); }

  // The largest violation of the optimality conditions, in double precision.
  double WorstViolation(const SparseCodes& codes, double lambda, bool nonnegative) const {
    double worst = 0.0;
    for (std::size_t row = 0; row < patches_.rows(); ++row) {
      std::vector<double> z(atoms_.rows(), 0.0);
      std::vector<double> r(patches_.Row(row).begin(), patches_.Row(row).end());
      for (std::size_t k = 0; k < codes.RowData(row).size(); ++k) {
        const auto atom = static_cast<std::size_t>(codes.RowIndices(row)[k]);
        z[atom] = codes.RowData(row)[k];
        for (std::size_t i = 0; i < r.size(); ++i) r[i] -= z[atom] * static_cast<double>(atoms_(atom, i));
      }
      for (std::size_t atom = 0; atom < z.size(); ++atom) {
        double product = 0.0;
        for (std::size_t i = 0; i < r.size(); ++i) product += r[i] * static_cast<double>(atoms_(atom, i));
        if (z[atom] != 0.0) worst = std::max(worst, std::abs(product - (z[atom] > 0.0 ? lambda : -lambda)));
        worst = std::max(worst, (nonnegative ? product : std::abs(product)) - lambda);
      }
    }
    return worst;
  }

  nlohmann::json Summary(const std::string& folder) const {
    return nlohmann::json::parse(ReadFile(folder_ / folder / "summary.json"));
  }

  const FloatMatrix patches_ = PlantedRows(200, 20, 30);
  const FloatMatrix atoms_ = RandomRows(30, 20, 99);
};

TEST_F(EncodeCommandTest, CodesAreOptimal) {
  const ProgramResult result = Encode("out", {"--threads", "2"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("200 patches over 30 atoms\n"));
  EXPECT_THAT(NamesIn("out"),
              ElementsAre("codes.data.npy", "codes.indices.npy", "codes.indptr.npy", "codes.npz", "summary.json"));
  const SparseCodes codes = CodesOf("out");
  ASSERT_EQ(codes.rows(), 200U);
  EXPECT_LE(WorstViolation(codes, 0.15, false), 1.1e-4);

  const nlohmann::json summary = Summary("out");
  EXPECT_EQ(summary.at("command"), "encode");
  EXPECT_EQ(summary.at("patches"), 200);
  EXPECT_EQ(summary.at("atoms"), 30);
  EXPECT_EQ(summary.at("lambda"), 0.15);
  EXPECT_EQ(summary.at("nonnegative"), false);
  EXPECT_EQ(summary.at("kkt_tolerance"), 1e-4);
  EXPECT_EQ(summary.at("threads"), 2);
  EXPECT_NE(summary.at("simd"), "auto");
  EXPECT_EQ(summary.at("unconverged"), 0);
  EXPECT_LE(summary.at("worst_kkt"), 1e-4);
  EXPECT_LE(summary.at("worst_gap"), 1e-2);
  EXPECT_GT(summary.at("seconds"), 0.0);
  EXPECT_NEAR(summary.at("nonzeros_per_code"), static_cast<double>(codes.data.size()) / 200.0, 1e-9);
  EXPECT_NEAR(summary.at("objective"), MeanObjective(patches_, atoms_, codes, 0.15), 1e-5);
}

TEST_F(EncodeCommandTest, OptionsReachTheEncoder) {
  ASSERT_EQ(Encode("fine", {"--kkt", "1e-5"}).exit_code, 0);
  EXPECT_LE(WorstViolation(CodesOf("fine"), 0.15, false), 1.2e-5);
  ASSERT_EQ(Encode("set", {"--set", "kkt_tolerance=1e-5"}).exit_code, 0);
  EXPECT_EQ(BytesOf("set", false), BytesOf("fine", false));
  EXPECT_EQ(Summary("set").at("kkt_tolerance"), 1e-5);
  ASSERT_EQ(Encode("positive", {"--nonnegative"}).exit_code, 0);
  for (const float weight : CodesOf("positive").data) EXPECT_GT(weight, 0.0F);
  EXPECT_LE(WorstViolation(CodesOf("positive"), 0.15, true), 1.1e-4);
  EXPECT_EQ(Summary("positive").at("nonnegative"), true);
  const ProgramResult hasty = Encode("hasty", {"--max-cycles", "1", "--kkt", "1e-6"});
  EXPECT_EQ(hasty.exit_code, 0);
  const int unconverged = Summary("hasty").at("unconverged");
  EXPECT_GT(unconverged, 0);
  EXPECT_THAT(hasty.err, HasSubstr("warning: " + std::to_string(unconverged) + " of 200 patches did not reach"));
}

TEST_F(EncodeCommandTest, PatchesOfAnotherScaleAreToldOf) {
  Write("X.npy", Scaled(patches_, 1000));
  EXPECT_THAT(Encode("out").err, HasSubstr("warning: the patches' norms are far from 1 (root mean square 1e+03)"));
}

// The objective that is written is that of the codes and atoms that are, as far as single precision can hold them.
TEST_F(EncodeCommandTest, TheObjectiveIsRightAtAnyScale) {
  for (const double scale : {1e-30, 1e-3, 1e3, 1e6, 1e12, 1e18}) {
    const FloatMatrix scaled = Scaled(patches_, scale);
    Write("X.npy", scaled);
    for (const double lambda : {0.15, 0.15 * scale}) {
      if (lambda < 1e-6 || lambda > 10.0) continue;
      const ProgramResult result =
          Flyscribe({"encode", "-d", "D.npy", "-i", "X.npy", "-o", "out", "--force", "--lambda", FormatReal(lambda)});
      ASSERT_EQ(result.exit_code, 0) << result.err;
      const double objective = MeanObjective(scaled, atoms_, CodesOf("out"), lambda);
      EXPECT_NEAR(Summary("out").at("objective").get<double>() / objective, 1.0, 1e-6) << scale;
    }
  }
}

TEST_F(EncodeCommandTest, ARidgeMakesItTheElasticNet) {
  ASSERT_EQ(Encode("lasso").exit_code, 0);
  ASSERT_EQ(Encode("none", {"--ridge", "0"}).exit_code, 0);
  EXPECT_EQ(BytesOf("none", false), BytesOf("lasso", false));
  EXPECT_EQ(Summary("none").at("form"), "lasso");
  ASSERT_EQ(Encode("net", {"--ridge", "0.5"}).exit_code, 0);
  const nlohmann::json summary = Summary("net");
  EXPECT_EQ(summary.at("form"), "elastic-net");
  EXPECT_EQ(summary.at("ridge"), 0.5);
  EXPECT_LE(summary.at("worst_kkt"), 1e-4);
  const SparseCodes codes = CodesOf("net");
  double squares = 0.0;
  for (const float weight : codes.data) squares += static_cast<double>(weight) * static_cast<double>(weight);
  EXPECT_NEAR(summary.at("objective"), MeanObjective(patches_, atoms_, codes, 0.15) + 0.25 * squares / 200.0, 1e-5);
  for (const char* ridge : {"-1", "nan", "1e9"}) {
    ExpectFailure(Encode("bad", {"--ridge", ridge}), 4, {"expected a number from 0 to 1000000", "the elastic net"});
  }
}

TEST_F(EncodeCommandTest, WeightsOfThePenalty) {
  ASSERT_EQ(Encode("lasso").exit_code, 0);
  WriteNpy<double>(folder_ / "W.npy", std::vector<double>(30, 1.0), {30});
  ASSERT_EQ(Encode("equal", {"--weights", "W.npy"}).exit_code, 0);
  EXPECT_EQ(BytesOf("equal", false), BytesOf("lasso", false));
  EXPECT_EQ(Summary("equal").at("form"), "weighted-lasso");
  EXPECT_EQ(Summary("equal").at("weights"), "W.npy");

  std::vector<float> weights(30, 1.0F);
  weights[4] = 100.0F;
  WriteNpy<float>(folder_ / "W.npy", weights, {1, 30});
  ASSERT_EQ(Encode("without", {"--weights", "W.npy", "--ridge", "0.1"}).exit_code, 0);
  EXPECT_EQ(Summary("without").at("form"), "weighted-elastic-net");
  const auto uses = [](const SparseCodes& codes) { return std::count(codes.indices.begin(), codes.indices.end(), 4); };
  EXPECT_GT(uses(CodesOf("lasso")), 0);
  EXPECT_EQ(uses(CodesOf("without")), 0);

  weights.assign(30, 1e-9F);
  WriteNpy<float>(folder_ / "W.npy", weights, {30});
  ExpectFailure(Encode("bad", {"--weights", "W.npy"}),
                5,
                {"W.npy: error: lambda times the smallest weight is 1.5e-10", "divide the weights by their smallest"});
  ExpectFailure(Encode("bad", {"--weights", "X.npy"}), 5, {"X.npy: error: 30 atoms need 30 weights"});
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
}

TEST_F(EncodeCommandTest, OrthogonalMatchingPursuit) {
  const auto pursue = [this](const std::string& output, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "encode", "--dictionary", "D.npy", "--input", "X.npy", "--method", "omp", "--output", output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Flyscribe(arguments);
  };
  const ProgramResult result = pursue("few", {"--nonzeros", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("200 patches over 30 atoms, --method omp\n"));
  const nlohmann::json summary = Summary("few");
  EXPECT_EQ(summary.at("form"), "omp");
  EXPECT_EQ(summary.at("nonzeros"), 3);
  EXPECT_FALSE(summary.contains("lambda"));
  const SparseCodes codes = CodesOf("few");
  for (std::size_t row = 0; row < 200; ++row) EXPECT_LE(codes.RowData(row).size(), 3U);
  // The patches are sums of three of the atoms (or of fewer).
  EXPECT_NEAR(summary.at("objective"), MeanObjective(patches_, atoms_, codes, 0.0), 1e-6);
  EXPECT_LT(summary.at("objective"), 0.05);

  ASSERT_EQ(pursue("near", {"--error", "0.2", "--threads", "2"}).exit_code, 0);
  EXPECT_EQ(Summary("near").at("unreached"), 0);
  EXPECT_LE(Summary("near").at("worst_error"), 0.2);
  const ProgramResult both = pursue("both", {"--error", "1e-3", "--nonzeros", "1"});
  EXPECT_EQ(both.exit_code, 0);
  EXPECT_GT(Summary("both").at("unreached"), 0);
  EXPECT_THAT(both.err, HasSubstr("patches did not come down to the error asked for"));

  ExpectFailure(pursue("bad", {}), 4, {"--method omp needs --nonzeros, --error or both", "--nonzeros 5"});
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--lambda", "0.1"},
                                               {"--ridge", "0.1"},
                                               {"--weights", "W.npy"},
                                               {"--nonnegative"},
                                               {"--kkt", "1e-5"},
                                               {"--set", "max_cycles=3"}}) {
    std::vector<std::string> arguments = {"--nonzeros", "3"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ExpectFailure(
        pursue("bad", arguments), 4, {more.front() + " does not go with --method omp", "it goes with --method lasso"});
  }
  for (const char* error : {"-0.1", "nan"}) {
    ExpectFailure(pursue("bad", {"--error", error}), 4, {"expected a finite number, 0 or more", "|x - Dz|"});
  }
  ExpectFailure(Encode("bad", {"--nonzeros", "3"}), 4, {"--nonzeros does not go with --method lasso", "--method omp"});
  ExpectFailure(
      Encode("bad", {"--error", "0.1"}), 4, {"--error does not go with --method lasso", "--method omp, error"});
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
}

TEST_F(EncodeCommandTest, AConstraintInsteadOfAPenalty) {
  const auto encode = [this](const std::string& output, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"encode", "--dictionary", "D.npy", "--input", "X.npy", "--output", output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Flyscribe(arguments);
  };
  const ProgramResult near = encode("near", {"--method", "error", "--error", "0.3"});
  ASSERT_EQ(near.exit_code, 0) << near.err;
  EXPECT_THAT(near.out, HasSubstr("200 patches over 30 atoms, --method error\n"));
  EXPECT_EQ(Summary("near").at("form"), "error");
  EXPECT_EQ(Summary("near").at("error"), 0.3);
  EXPECT_EQ(Summary("near").at("unreached"), 0);
  EXPECT_NEAR(Summary("near").at("worst_error"), 0.3, 1e-4);
  EXPECT_NEAR(MeanObjective(patches_, atoms_, CodesOf("near"), 0.0), 0.045, 1e-4);

  ASSERT_EQ(encode("few", {"--method", "l1", "--budget", "0.5", "--nonnegative"}).exit_code, 0);
  EXPECT_EQ(Summary("few").at("form"), "l1");
  EXPECT_EQ(Summary("few").at("nonnegative"), true);
  EXPECT_FALSE(Summary("few").contains("unreached"));
  const SparseCodes codes = CodesOf("few");
  for (std::size_t row = 0; row < 200; ++row) {
    double sum = 0.0;
    for (const float weight : codes.RowData(row)) {
      EXPECT_GT(weight, 0.0F);
      sum += weight;
    }
    EXPECT_LE(sum, 0.5 + 1e-5);
  }
  ExpectFailure(encode("bad", {"--method", "error"}), 4, {"--method error needs --error", "--error 0.1"});
  ExpectFailure(encode("bad", {"--method", "l1"}), 4, {"--method l1 needs --budget", "--budget 2"});
  ExpectFailure(encode("bad", {"--method", "l1", "--budget", "-1"}), 4, {"--budget -1: expected a finite number"});
  ExpectFailure(encode("bad", {"--method", "l1", "--budget", "1", "--error", "0.1"}),
                4,
                {"--error does not go with --method l1", "it goes with --method omp, error"});
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
}

TEST_F(EncodeCommandTest, SameBytesForAnyThreads) {
  ASSERT_EQ(Encode("one", {"--threads", "1"}).exit_code, 0);
  ASSERT_EQ(Encode("three", {"--threads", "3", "--quiet"}).exit_code, 0);
  EXPECT_EQ(BytesOf("one", false), BytesOf("three", false));
}

TEST_F(EncodeCommandTest, BadOptions) {
  ExpectFailure(Flyscribe({"encode", "--dictionary", "D.npy", "--input", "X.npy", "--output", "bad"}),
                4,
                {"error: --lambda is required"});
  ExpectFailure(Encode("bad", {"--kkt", "0", "--max-cycles", "x"}),
                4,
                {"--kkt 0: error: encode.kkt_tolerance: 0 is out of range",
                 "--max-cycles x: error: encode.max_cycles: expected a whole number, found 'x'"});
  ExpectFailure(Encode("bad", {"--set", "kkt=1"}), 4, {"--set kkt=1: error: encode.kkt: unknown key"});
  ExpectFailure(Encode("bad", {"--simd", "MMX"}), 4, {"no instruction set 'MMX'"});
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
}

TEST_F(EncodeCommandTest, BadInput) {
  FloatMatrix bad = atoms_;
  for (float& value : bad.Row(4)) value *= 1.01F;
  Write("D.npy", bad);
  ExpectFailure(Encode("bad"),
                5,
                {"D.npy: error: atom 4 (counted from 0) has norm 1.0100; atoms must lie in the unit ball", "numpy"});
  bad(7, 1) = std::numeric_limits<float>::infinity();
  Write("D.npy", bad);
  ExpectFailure(Encode("bad"), 5, {"D.npy: error: row 7 (counted from 0) holds a value that is not a finite number"});
  Write("D.npy", RandomRows(20, 30, 1));
  ExpectFailure(Encode("bad"), 5, {"D.npy: error: the atoms have 30 values each, the patches of X.npy 20", "x.T"});
  Write("D.npy", FloatMatrix(0, 20));
  ExpectFailure(Encode("bad"), 5, {"D.npy: error: the matrix is empty: its shape is (0, 20)", "one atom a row"});
  folder_.Write("D.npy", "x");
  ExpectFailure(Encode("bad"), 6, {"D.npy: error:"});
  fs::remove(folder_ / "D.npy");
  ExpectFailure(Encode("bad"), 5, {"D.npy: error: cannot read: No such file or directory"});
  Write("X.npy", FloatMatrix(0, 20));
  ExpectFailure(Encode("bad"), 5, {"X.npy: error: the matrix is empty: its shape is (0, 20)", "one patch a row"});
  WriteNpy<double>(folder_ / "X.npy", std::vector<double>{1e300}, {1, 1});
  ExpectFailure(Encode("bad"), 5, {"X.npy: error: the value 1e+300 at row 0, column 0"});
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
}

TEST_F(EncodeCommandTest, OutputFolders) {
  ASSERT_EQ(Encode("out").exit_code, 0);
  const std::string bytes = BytesOf("out", false);
  ExpectFailure(Encode("out", {"--nonnegative"}), 4, {"out: error: the folder already holds a result", "--force"});
  EXPECT_EQ(BytesOf("out", false), bytes);
  ASSERT_EQ(Encode("out", {"--nonnegative", "--force"}).exit_code, 0);
  EXPECT_NE(BytesOf("out", false), bytes);
  ExpectFailure(Encode("X.npy"), 8, {"X.npy: error: cannot write", "a file is in the way"});
  const ProgramResult full = RunBinary(
      "/bin/sh",
      {"-c", "ulimit -f 2; exec " + std::string(FLYSCRIBE_BINARY) + " encode -d D.npy -i X.npy --lambda 0.01 -o full"},
      folder_.path());
  ExpectFailure(full, 8, {"error: cannot write: File too large"});
  EXPECT_FALSE(fs::exists(folder_ / "full"));
}

TEST_F(EncodeCommandTest, InterruptedItLeavesNothing) {
  Write("X.npy", PlantedRows(200000, 20, 30));
  const std::string encode =
      std::string(FLYSCRIBE_BINARY) + " encode -d D.npy -i X.npy --lambda 0.01 --threads 1 -o out";
  RunBinary("/bin/sh",
            {"-c",
             encode + " 2> err & pid=$!; while ! [ -e out ]; do kill -0 $pid || exit; done; kill -INT $pid; wait $pid; "
                      "echo $? > code"},
            folder_.path());
  EXPECT_EQ(ReadFile(folder_ / "code"), "130\n");
  EXPECT_THAT(ReadFile(folder_ / "err"),
              HasSubstr("error: interrupted\n  hint: nothing was kept; the same command begins anew"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

}  // namespace
}  // namespace flyscribe
