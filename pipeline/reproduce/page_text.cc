#include "pipeline/reproduce/page_text.h"

#include <fmt/core.h>

#include "core/text.h"

namespace flyscribe {
namespace {

std::string DataText(const Config& config) {
  const ReproduceOptions& options = config.reproduce;
  const std::string limit =
      options.max_patches > 0 ? fmt::format(", at most {} patches of a stage range", options.max_patches) : "";
  if (options.descriptors == ReproduceOptions::Descriptors::kImages) {
    return (config.simulated ? "Data: simulated. Descriptors of the embryos that the config simulates"
                             : "Data: real. Descriptors of the images that the config names") +
           limit + ".";
  }
  return fmt::format(
      "Data: simulated. The descriptors are dense SIFT of simulated embryos, drawn until there are as many as the "
      "paper "
      "kept{}. They are smoothed by {} pixels: with 4.0 objectives and non-zeros come out like the paper's, as real "
      "embryos' do with 2.8. No image of BDGP is in them: what can be compared with the paper is how methods behave.",
      limit,
      FormatReal(config.extract.smoothing));
}

std::string CompanyText(int side_by_side) {
  if (side_by_side == 1) return "Every measurement runs alone, on one thread unless said.";
  return fmt::format(
      "Tables 1 and 2 and Figures 3 and 4: {} measurements at a time, one thread each, the same for all methods. The "
      "race of mini-batches and the larger dictionaries run alone.",
      side_by_side);
}

}  // namespace

std::vector<std::string> LeadText(const Config& config) {
  return {
      "Lin et al., Stochastic Coordinate Coding and Its Application for Drosophila Gene Expression Pattern Annotation "
      "(2014, arXiv:1407.8147), measured again. Published numbers are the paper's own; all others were measured by the "
      "command below on the machine below. A check that failed is listed as failed.",
      DataText(config)};
}

std::vector<std::string> FairnessText(const Config& config) {
  const std::string start =
      "All methods start from the same first dictionary (random patches of the range, one seed) and work in single "
      "precision on the same instruction set. The patches are shuffled once, and all methods visit them in this one "
      "order in every epoch, one by one or in batches.";
  const std::string objectives =
      "Objectives are evaluated by the same exact encoder (KKT tolerance 1e-4) on the same patches, outside the "
      "timing.";
  const std::string times =
      "Times are wall-clock times of learning alone. Reading the patches, drawing the first dictionary, checkpoints "
      "and the evaluation of objectives are not in them.";
  const std::string cached =
      "Measurements are cached and are not made again unless --force is given; each says in its measurement.json when "
      "and on which processor it was made.";
  return {start, objectives, times, CompanyText(config.reproduce.side_by_side), cached};
}

}  // namespace flyscribe
