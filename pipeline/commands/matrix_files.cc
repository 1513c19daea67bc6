#include "pipeline/commands/matrix_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/text.h"
#include "pipeline/arguments/command_line.h"

namespace flyscribe {
namespace {

// `row_name` says what a row is.
FloatNpy ReadRows(const fs::path& path, const std::string& row_name) {
  FloatNpy file(path);
  const FloatView matrix = file.view();
  if (matrix.rows() == 0 || matrix.cols() == 0) {
    throw Error(ErrorCode::kInput,
                fmt::format("the matrix is empty: its shape is ({}, {})", matrix.rows(), matrix.cols()),
                "at least one row is needed, one " + row_name + " a row",
                {path.string()});
  }
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    const std::span<const float> values = matrix.Row(row);
    if (std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); })) continue;
    throw Error(ErrorCode::kInput,
                fmt::format("row {} (counted from 0) holds a value that is not a finite number", row),
                "to drop such rows in NumPy: numpy.save(path, x[numpy.isfinite(x).all(axis=1)])",
                {path.string()});
  }
  return file;
}

double Norm(std::span<const float> values) {
  double sum = 0.0;
  for (const float value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum);
}

}  // namespace

void DeclareMatrixArguments(const CommandLine& line, MatrixArguments& arguments) {
  line.Value("--input,-i", arguments.input, "Patches: an .npy matrix, one patch a row").Required().Named("X.npy");
  line.Value("--output,-o", arguments.output, "Folder for the result").Required().Named("DIR");
  line.Value("--simd", arguments.simd, "Instruction set, for speed alone: auto, plain, or one by name").ShowDefault();
  line.Flag("--force", arguments.force, "Begin anew, and replace a result that is already there");
}

FloatNpy ReadPatches(const fs::path& path) { return ReadRows(path, "patch"); }

FloatMatrix ReadAtoms(const fs::path& path) {
  const FloatNpy file = ReadRows(path, "atom");
  const FloatView view = file.view();
  return {view.rows(), view.cols(), std::vector<float>(view.values().begin(), view.values().end())};
}

void WarnOfScale(FloatView patches, double lambda, Progress& progress) {
  constexpr double kSmall = 0.1;
  constexpr double kLarge = 10.0;
  double sum = 0.0;
  double longest = 0.0;
  std::size_t count = 0;
  for (std::size_t row = 0; row < patches.rows(); ++row) {
    const double norm = Norm(patches.Row(row));
    if (norm == 0.0) continue;
    longest = std::max(longest, norm);
    sum += norm * norm;
    ++count;
  }
  if (count == 0) {
    progress.Warn("all patches are zero: there is nothing to code");
    return;
  }
  const double norm = std::sqrt(sum / static_cast<double>(count));
  const bool too_short = longest <= lambda;
  if (!too_short && norm >= kSmall && norm <= kLarge) return;
  const std::string what =
      too_short
          ? fmt::format("lambda {} is no less than the norm of the longest patch, {:.3g}: all codes will be zero",
                        FormatReal(lambda),
                        longest)
          : fmt::format("the patches' norms are far from 1 (root mean square {:.3g}), and lambda {} is on their scale",
                        norm,
                        FormatReal(lambda));
  progress.Warn(fmt::format("{}; to bring them to 1 in NumPy: numpy.save(path, x / {:.6g})", what, norm));
}

std::vector<double> ReadPenaltyWeights(const fs::path& path, std::size_t atoms) {
  const AnyNpy file(path);
  const NpyHeader& header = file.header();
  const auto sides = std::ranges::count_if(header.shape, [](std::size_t n) { return n != 1; });
  const bool single = header.type == "<f4";
  const std::size_t bytes = atoms * (single ? sizeof(float) : sizeof(double));
  if ((!single && header.type != "<f8") || sides > 1 || file.data().size() != bytes) {
    throw Error(
        ErrorCode::kInput,
        fmt::format("{} atoms need {} weights, of float32 or float64; this is {}", atoms, atoms, header.ToString()),
        fmt::format("in NumPy: numpy.save(path, w.astype('float32')) with w.shape == ({},)", atoms),
        {path.string()});
  }
  std::vector<double> weights(atoms);
  for (std::size_t atom = 0; atom < atoms; ++atom) {
    float narrow = 0.0F;
    if (single) {
      std::memcpy(&narrow, file.data().data() + atom * sizeof(float), sizeof(float));
      weights[atom] = narrow;
    } else {
      std::memcpy(&weights[atom], file.data().data() + atom * sizeof(double), sizeof(double));
    }
    if (weights[atom] > 0.0 && std::isfinite(weights[atom])) continue;
    throw Error(
        ErrorCode::kInput,
        fmt::format("weight {} (counted from 0) is {}; weights are positive finite numbers", atom, weights[atom]),
        "the penalty of an atom is lambda times its weight: a large one keeps the atom out",
        {path.string()});
  }
  return weights;
}

void RequireSameLength(FloatView patches,
                       const fs::path& patches_path,
                       const FloatMatrix& atoms,
                       const fs::path& atoms_path) {
  if (patches.cols() == atoms.cols()) return;
  throw Error(ErrorCode::kInput,
              "the atoms have " + std::to_string(atoms.cols()) + " values each, the patches of " +
                  patches_path.string() + " " + std::to_string(patches.cols()),
              "rows are atoms here and patches there; if yours are columns, in NumPy: numpy.save(path, x.T)",
              {atoms_path.string()});
}

void RequireUnitBall(const FloatMatrix& atoms, const fs::path& path) {
  for (std::size_t atom = 0; atom < atoms.rows(); ++atom) {
    const double norm = Norm(atoms.Row(atom));
    if (norm <= 1.0 + kNormSlack) continue;
    throw Error(ErrorCode::kInput,
                "atom " + std::to_string(atom) + " (counted from 0) has norm " + FormatFixed(norm, 4) +
                    "; atoms must lie in the unit ball",
                "to scale those beyond it in NumPy: numpy.save(path, d / numpy.maximum(1, numpy.linalg.norm(d, axis=1, "
                "keepdims=True)))",
                {path.string()});
  }
}

}  // namespace flyscribe
