#include "data/dictionary.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/npy.h"
#include "core/npz.h"
#include "data/tables.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

// A count; nlohmann would turn -1 into a huge one without a word.
std::size_t CountAt(const Json& json, const char* key, const fs::path& path) {
  const Json& value = json.at(key);
  if (!value.is_number_unsigned()) ThrowCorrupt(path, std::string(key) + " is not a count");
  return value.get<std::size_t>();
}

bool IsValid(const SparseCodes& codes) {
  if (codes.indptr.empty() || codes.indptr.front() != 0) return false;
  if (codes.indices.size() != codes.data.size()) return false;
  if (codes.indptr.back() != static_cast<std::int64_t>(codes.indices.size())) return false;
  for (std::size_t row = 0; row < codes.rows(); ++row) {
    if (codes.indptr[row] > codes.indptr[row + 1]) return false;
  }
  for (std::size_t row = 0; row < codes.rows(); ++row) {
    std::int64_t previous = -1;
    for (const std::int32_t index : codes.RowIndices(row)) {
      if (index <= previous || static_cast<std::size_t>(index) >= codes.atoms) return false;
      previous = index;
    }
  }
  return true;
}

}  // namespace

void Dictionary::Save(const fs::path& folder) const {
  WriteNpy<float>(folder / "dictionary.npy", atoms);
  const Json json = {{"lambda", summary.lambda},
                     {"nonnegative", summary.nonnegative},
                     {"patches", summary.patches},
                     {"objective", summary.Objective()},
                     {"objective_per_epoch", summary.objective_per_epoch},
                     {"settled", summary.settled},
                     {"nonzeros_per_code", summary.nonzeros_per_code},
                     {"unused_atoms", summary.unused_atoms},
                     {"replaced_atoms", summary.replaced_atoms}};
  WriteFile(folder / "summary.json", JsonLines(json));
}

Dictionary Dictionary::Load(const fs::path& folder) {
  Dictionary dictionary;
  dictionary.atoms = ReadNpyMatrix<float>(folder / "dictionary.npy");
  const fs::path path = folder / "summary.json";
  try {
    const Json json = Json::parse(ReadFile(path));
    json.at("lambda").get_to(dictionary.summary.lambda);
    json.at("nonnegative").get_to(dictionary.summary.nonnegative);
    dictionary.summary.patches = CountAt(json, "patches", path);
    json.at("objective_per_epoch").get_to(dictionary.summary.objective_per_epoch);
    dictionary.summary.settled = json.value("settled", false);  // earlier versions ran all epochs
    json.at("nonzeros_per_code").get_to(dictionary.summary.nonzeros_per_code);
    dictionary.summary.unused_atoms = CountAt(json, "unused_atoms", path);
    dictionary.summary.replaced_atoms = CountAt(json, "replaced_atoms", path);
  } catch (const Json::exception& error) {
    ThrowCorrupt(path, error.what());
  }
  return dictionary;
}

std::span<const std::int32_t> SparseCodes::RowIndices(std::size_t row) const {
  const auto start = static_cast<std::size_t>(indptr[row]);
  return {indices.data() + start, static_cast<std::size_t>(indptr[row + 1]) - start};
}

std::span<const float> SparseCodes::RowData(std::size_t row) const {
  const auto start = static_cast<std::size_t>(indptr[row]);
  return {data.data() + start, static_cast<std::size_t>(indptr[row + 1]) - start};
}

void SparseCodes::AppendDense(std::span<const float> code) {
  FLYSCRIBE_CHECK(code.size() == atoms, "code has one weight per atom");
  for (std::size_t j = 0; j < code.size(); ++j) {
    if (code[j] == 0.0F) continue;
    indices.push_back(static_cast<std::int32_t>(j));
    data.push_back(code[j]);
  }
  indptr.push_back(static_cast<std::int64_t>(indices.size()));
}

void SparseCodes::Append(const SparseCodes& other) {
  FLYSCRIBE_CHECK(other.atoms == atoms, "codes over different dictionaries");
  const std::int64_t offset = indptr.back();
  for (std::size_t row = 0; row < other.rows(); ++row) indptr.push_back(offset + other.indptr[row + 1]);
  indices.insert(indices.end(), other.indices.begin(), other.indices.end());
  data.insert(data.end(), other.data.begin(), other.data.end());
}

void SparseCodes::Save(const fs::path& folder) const {
  WriteNpy<std::int64_t>(folder / "codes.indptr.npy", indptr, {indptr.size()});
  WriteNpy<std::int32_t>(folder / "codes.indices.npy", indices, {indices.size()});
  WriteNpy<float>(folder / "codes.data.npy", data, {data.size()});
}

void SparseCodes::SaveNpz(const fs::path& path) const {
  const std::array<std::int64_t, 2> shape = {static_cast<std::int64_t>(rows()), static_cast<std::int64_t>(atoms)};
  NpzWriter file(path);
  file.Add<std::int32_t>("indices", indices, {indices.size()});
  file.Add<std::int64_t>("indptr", indptr, {indptr.size()});
  file.AddText("format", "csr");
  file.Add<std::int64_t>("shape", shape, {shape.size()});
  file.Add<float>("data", data, {data.size()});
  file.Finish();
}

SparseCodes SparseCodes::Load(const fs::path& folder, std::size_t atoms) {
  SparseCodes codes;
  codes.atoms = atoms;
  codes.indptr = ReadNpyVector<std::int64_t>(folder / "codes.indptr.npy");
  codes.indices = ReadNpyVector<std::int32_t>(folder / "codes.indices.npy");
  codes.data = ReadNpyVector<float>(folder / "codes.data.npy");
  if (!IsValid(codes)) ThrowCorrupt(folder, "the codes are not a valid matrix");
  return codes;
}

void BagFeatures::Save(const fs::path& folder) const {
  WriteNpy<float>(folder / "features.npy", values);
  WriteNpy<std::int32_t>(folder / "argmax.npy", argmax);
}

BagFeatures BagFeatures::Load(const fs::path& folder) {
  BagFeatures features;
  features.values = ReadNpyMatrix<float>(folder / "features.npy");
  features.argmax = ReadNpyMatrix<std::int32_t>(folder / "argmax.npy");
  if (features.values.rows() != features.argmax.rows() || features.values.cols() != features.argmax.cols()) {
    ThrowCorrupt(folder, "features.npy and argmax.npy differ in shape");
  }
  const auto patches = features.argmax.values();
  if (std::ranges::any_of(patches, [](std::int32_t patch) { return patch < -1; })) {
    ThrowCorrupt(folder / "argmax.npy", "a patch number is below -1");
  }
  return features;
}

}  // namespace flyscribe
