// Figure 5: how well OL's and SCC's features annotate, for every stage range and size, by two protocols.
//
//   paper   one random split; the dictionary is learned from all images, tested ones included; the codes that learning
//           leaves are pooled (protocol.profile: paper, pool.codes: learned)
//   strict  every gene is tested once, by a dictionary and classifiers that never saw it; images are coded with the
//           final dictionary (protocol.profile: strict, pool.codes: encoded)
//
// The features come from the ordinary pipeline, one config for each method, size and protocol. OL's are of mini-batch
// OL (512).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/fs.h"
#include "data/evaluation.h"
#include "evaluate/compare.h"
#include "pipeline/paper/options.h"
#include "pipeline/plan/planner.h"
#include "report/reproduction.h"

namespace flyscribe {

struct AnnotationPoint {
  enum class Method { kOnline, kScc };
  enum class Protocol { kPaper, kStrict };

  Method method = Method::kScc;
  int atoms = 0;
  Protocol protocol = Protocol::kPaper;

  std::string Name() const;  // "scc m=500 paper"
};

// By protocol, then size, then method.
std::vector<AnnotationPoint> AnnotationPoints(const PaperConfig& config);
// The config that leads to a point's scores.
Config AnnotationConfig(const PaperConfig& config, const AnnotationPoint& point);

// The weighted average over the top terms of one range.
struct AnnotationScore {
  AnnotationPoint point;
  std::string range;
  AverageEvaluation average;
};

// OL (first) and SCC (second) on the same tested genes: AUC over the top terms, mean over ranges, with the interval of
// the difference (evaluate/compare.h).
struct AnnotationDifference {
  int atoms = 0;
  AnnotationPoint::Protocol protocol = AnnotationPoint::Protocol::kPaper;
  PairedAuc auc;
};

struct AnnotationResults {
  std::vector<AnnotationScore> scores;
  std::vector<AnnotationDifference> differences;
};

// Where a point's evaluations lie, by range.
struct AnnotationFolders {
  AnnotationPoint point;
  std::map<std::string, fs::path> ranges;
};

// `points` are those of AnnotationPoints, in their order.
AnnotationResults ReadAnnotations(const PaperConfig& config, const std::vector<AnnotationFolders>& points);

ReproductionPart TellFigure5(const PaperConfig& config, const AnnotationResults& results);

}  // namespace flyscribe
