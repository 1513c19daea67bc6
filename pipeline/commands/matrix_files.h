// What `learn` and `encode` have in common: the arguments that name files, and the matrices people bring, read and
// checked before the work begins.
//
//   patches  n x p, one patch a row      atoms  m x p, one atom a row
//
// float32 or float64, in C or Fortran order: see FloatNpy in core/npy.h. Row i counts from 0.
// Every complaint is an Error(kInput) that names the file and says what to type in NumPy.
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"
#include "core/matrix.h"
#include "core/npy.h"
#include "core/progress.h"

namespace flyscribe {

class CommandLine;

struct MatrixArguments {
  std::string input;
  std::string output;
  std::string simd = "auto";
  bool force = false;
};

// Declares --input, --output, --simd and --force. REQUIRES: arguments outlives the parsing.
void DeclareMatrixArguments(const CommandLine& line, MatrixArguments& arguments);

// A dictionary may miss the unit ball by this much: the rounding of who wrote it.
inline constexpr double kNormSlack = 1e-4;

// At least one row and one column, all values finite. Patches stay in the file where they can.
FloatNpy ReadPatches(const fs::path& path);
FloatMatrix ReadAtoms(const fs::path& path);

// Warns where lambda, which is on the scale of the patches' norms, cannot have been meant for these: all patches are
// zero, none is longer than lambda, or their root mean square norm is not between 0.1 and 10. Says what to type in
// NumPy.
void WarnOfScale(FloatView patches, double lambda, Progress& progress);
// Weights of the l1 penalty, positive finite numbers: as many as there are atoms, in a vector, a row or a column.
std::vector<double> ReadPenaltyWeights(const fs::path& path, std::size_t atoms);

// Atoms as long as patches.
void RequireSameLength(FloatView patches,
                       const fs::path& patches_path,
                       const FloatMatrix& atoms,
                       const fs::path& atoms_path);

// |d_j| <= 1 + kNormSlack for all atoms.
void RequireUnitBall(const FloatMatrix& atoms, const fs::path& path);

}  // namespace flyscribe
