// The graph of measurements: descriptors, and one step `measure` for each measurement that reads them.
//
//   patches 4-6 > measure 4-6 [scc m=500], measure 4-6 [online m=500 batch=512], ...
//
// Descriptors come from a step `patches` (simulated, or a folder of embryos), or from the config's own images by the
// steps up to normalise. The steps exist only in such a plan; the runner, the cache and its log treat them as any
// other.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/cache/store.h"
#include "pipeline/paper/measurement.h"
#include "pipeline/paper/options.h"
#include "pipeline/plan/plan.h"

namespace flyscribe {

class MeasurePlan {
 public:
  MeasurePlan(const MeasurePlan&) = delete;
  MeasurePlan& operator=(const MeasurePlan&) = delete;
  // Descriptors are simulated.
  explicit MeasurePlan(std::shared_ptr<const PaperConfig> config);
  // Descriptors are those of the plan, whose one config it is.
  MeasurePlan(const Plan& images, std::shared_ptr<const PaperConfig> config);

  // Twice the same is once. Throws Error(kUsage) if there are no descriptors of its range.
  void Add(const Measurement& measurement);
  // Asks for what the measurement would read, not for the measurement.
  void AddDescriptors(const Measurement& measurement);
  // Those of its measurements that are not in the cache.
  std::vector<Measurement> MissingIn(const ArtifactStore& store) const;

  const Plan& plan() const { return plan_; }
  // Of plan().instances: each measurement and its place.
  const std::vector<std::pair<Measurement, std::size_t>>& measurements() const { return measurements_; }

 private:
  std::size_t AddInstance(const std::string& range, const Step& step, std::vector<StepLink> links);
  std::size_t DescriptorsOf(const Measurement& measurement);
  std::size_t AddEmbryos(const std::string& source);

  std::shared_ptr<const PaperConfig> config_;
  Plan plan_;
  bool images_ = false;
  std::deque<Step> steps_;                          // stay where they are
  std::map<std::string, std::size_t> descriptors_;  // by source and range
  std::vector<std::pair<Measurement, std::size_t>> measurements_;
  std::map<std::string, std::size_t> known_;  // by identity: place in measurements_
};

// How many patches of a range are simulated: the paper's number, or the limit of the config. Throws Error(kUsage) for a
// range the paper leaves out.
std::size_t SimulatedPatches(const PaperConfig& config, const std::string& range);

// Takes the measurements of a plan out of the cache, so that they are made again. One that another process is just
// making stays.
void ForgetMeasurements(const MeasurePlan& plan, const ArtifactStore& store);

}  // namespace flyscribe
