#include "data/models.h"

#include "core/npy.h"
#include "core/text.h"
#include "data/tables.h"

namespace flyscribe {
namespace {

const std::vector<std::string> kHeader = {"term", "state", "positives", "negatives", "bias", "support_vectors"};
const std::string kTrained = "trained";

}  // namespace

void TermModels::Save(const fs::path& folder) const {
  std::vector<std::vector<std::string>> rows;
  for (const TermModel& model : terms) {
    rows.push_back({model.term,
                    kTrained,
                    std::to_string(model.positives),
                    std::to_string(model.negatives),
                    FormatReal(model.bias),
                    std::to_string(model.support_vectors)});
  }
  for (const SkippedTerm& term : skipped) {
    rows.push_back({term.term, term.reason, std::to_string(term.positives), "0", "0", "0"});
  }
  SaveTsv(folder / "terms.tsv", kHeader, rows);
  WriteNpy<float>(folder / "weights.npy", weights);
  WriteNpy<double>(folder / "scores.npy", scores);
}

TermModels TermModels::Load(const fs::path& folder) {
  TermModels models;
  const fs::path path = folder / "terms.tsv";
  for (auto& row : LoadTsv(path, kHeader)) {
    if (row[1] == kTrained) {
      models.terms.push_back({row[0],
                              CountField(row[2], path),
                              CountField(row[3], path),
                              RealField(row[4], path),
                              CountField(row[5], path)});
    } else {
      models.skipped.push_back({row[0], CountField(row[2], path), row[1]});
    }
  }
  models.weights = ReadNpyMatrix<float>(folder / "weights.npy");
  models.scores = ReadNpyMatrix<double>(folder / "scores.npy");
  if (models.weights.rows() != models.terms.size() || models.scores.cols() != models.terms.size()) {
    ThrowCorrupt(folder, "the model files disagree about the number of terms");
  }
  return models;
}

}  // namespace flyscribe
