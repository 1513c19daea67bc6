// How far the probabilities can be trusted, and what the calls rest on: reliability curves, and per term the C and the
// threshold of its models.
//
// A reliability curve has a point per bin of predictions: their mean probability, and the share that was right. On the
// diagonal a probability means what it says; below it the classifier is too sure, above it too shy.
// Thread-safe and deterministic: pure functions.
#pragma once

#include <string>

#include "data/evaluation.h"
#include "report/html.h"

namespace flyscribe {

// The curve of all predictions beside the table of thresholds, then small curves of the ten most frequent terms. Empty
// if there is no curve. `id` is a prefix, unique in the page.
Html CalibrationFigure(const Evaluation& evaluation, const std::string& id);

}  // namespace flyscribe
