#include "sparse/learn_state.h"

#include <array>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/npy.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void ThrowCorrupt(const fs::path& folder, const std::string& reason) {
  throw Error(ErrorCode::kCorrupt,
              "the checkpoint is not readable: " + reason,
              "delete the folder to begin anew",
              {folder.string()});
}

}  // namespace

void LearnState::Save(const fs::path& folder) const {
  CreateFolder(folder);
  WriteNpy<float>(folder / "atoms.npy", atoms);
  const std::array<std::span<const double>, 2> parts = {curvature, epoch_curvature};
  WriteNpyParts<double>(folder / "curvature.npy", parts, {2, curvature.size()});
  if (moments.rows() > 0) {
    WriteNpy<float>(folder / "moments.npy", moments);
  } else {
    fs::remove(folder / "moments.npy");  // of a state that was here before
  }
  codes.Save(folder);
  const Json json = {{"epochs_done", epochs_done},
                     {"steps", steps},
                     {"objective_per_epoch", objective_per_epoch},
                     {"replaced_atoms", replaced_atoms}};
  WriteFile(folder / "state.json", json.dump(2) + "\n");
}

LearnState LearnState::Load(const fs::path& folder) {
  LearnState state;
  try {
    const Json json = Json::parse(ReadFile(folder / "state.json"));
    for (const char* count : {"epochs_done", "steps", "replaced_atoms"}) {
      // nlohmann would turn -1 into a huge number without a word.
      if (!json.at(count).is_number_unsigned()) ThrowCorrupt(folder, std::string(count) + " is not a count");
    }
    json.at("epochs_done").get_to(state.epochs_done);
    json.at("steps").get_to(state.steps);
    json.at("objective_per_epoch").get_to(state.objective_per_epoch);
    json.at("replaced_atoms").get_to(state.replaced_atoms);
  } catch (const Json::exception& error) {
    ThrowCorrupt(folder, error.what());
  }
  state.atoms = ReadNpyMatrix<float>(folder / "atoms.npy");
  const Matrix<double> curvature = ReadNpyMatrix<double>(folder / "curvature.npy");
  const std::size_t atoms = state.atoms.rows();
  if (curvature.rows() != 2 || curvature.cols() != atoms) ThrowCorrupt(folder, "the arrays differ in length");
  state.curvature.assign(curvature.Row(0).begin(), curvature.Row(0).end());
  state.epoch_curvature.assign(curvature.Row(1).begin(), curvature.Row(1).end());
  if (fs::exists(folder / "moments.npy")) {
    state.moments = ReadNpyMatrix<float>(folder / "moments.npy");
    if (state.moments.rows() != atoms || state.moments.cols() != atoms + state.atoms.cols()) {
      ThrowCorrupt(folder, "the arrays differ in length");
    }
  }
  state.codes = SparseCodes::Load(folder, atoms);
  const bool counts =
      state.epochs_done >= 0 && static_cast<std::size_t>(state.epochs_done) == state.objective_per_epoch.size();
  if (!counts) ThrowCorrupt(folder, "state.json contradicts itself");
  return state;
}

}  // namespace flyscribe
