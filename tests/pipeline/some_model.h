// A model made by hand, small and whole: two ranges, three atoms, a pyramid of five regions.
#pragma once

#include "pipeline/model/model.h"

namespace flyscribe {

inline RangeModel SomeRangeModel(const std::string& range, float weight) {
  RangeModel model;
  model.range = StageRange::FromName(range);
  model.dictionary.atoms = FloatMatrix(3, 128, 0.0F);
  for (std::size_t atom = 0; atom < 3; ++atom) model.dictionary.atoms(atom, atom) = 1.0F;
  model.dictionary.summary.lambda = 0.15;
  model.dictionary.summary.patches = 40;
  model.dictionary.summary.objective_per_epoch = {0.4, 0.3};
  model.models.terms = {{"gut", 5, 7, -0.1, 4, 10, 0.25, {1.5, -0.5, {}}},
                        {"pole cell", 2, 10, 1e-9, 12, 0.1, -1, {0, 0, {{-1, 0.1}, {0.5, 0.1}, {2, 0.75}}}}};
  model.models.skipped = {{"brain", 1, "only one positive bag"}};
  model.models.weights = FloatMatrix(2, 15, weight);
  model.models.scores = Matrix<double>(0, 2);
  model.models.inner_weights = FloatMatrix(4, 15, 0.5F);
  model.models.inner_bias = Matrix<double>(2, 2, std::vector<double>{0.1, 0.2, 0.3, 0.4});
  model.fbbt_ids = {"FBbt:00005379", ""};
  model.genes = {{"CG7", {{"CG7"}, {"CG7"}}, 1}, {"FBgn0000001", {{"CG2328", "FBgn0000001"}, {"eve"}}, 0}};
  return model;
}

inline Model SomeModel() {
  Model model;
  model.options.pool.regions = {"1x1", "2x2"};
  model.options.learn.lambda = 0.15;
  model.ranges = {SomeRangeModel("4-6", 0.25F), SomeRangeModel("13-16", 1e-7F)};
  model.provenance = {{"config", "some"}, {"4-6 bags", "2"}, {"options", "learn:\n  lambda: 0.15\n"}};
  model.id = ModelId(model);
  return model;
}

}  // namespace flyscribe
