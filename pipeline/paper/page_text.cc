#include "pipeline/paper/page_text.h"

#include <fmt/core.h>

#include "core/text.h"

namespace flyscribe {
namespace {

std::string DataText(const PaperConfig& config) {
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
      "paper kept{}. They are smoothed by {} pixels: with 4.0 objectives and non-zeros come out near the paper's "
      "(Table 1 has both), as real embryos' do with 2.8. No image of BDGP is in them: what can be compared with the "
      "paper is how methods behave.",
      limit,
      FormatReal(config.extract.smoothing));
}

std::string CompanyText(int side_by_side) {
  if (side_by_side == 1) return "Every measurement runs alone, on one thread unless said.";
  return fmt::format(
      "Tables 1 and 2 and Figures 3 and 4: up to {} measurements at a time, one thread each, the same for all methods, "
      "after all descriptors have been made. The race of mini-batches and the larger dictionaries run alone.",
      side_by_side);
}

}  // namespace

std::vector<std::string> LeadText(const PaperConfig& config) {
  return {
      "Lin et al., Stochastic Coordinate Coding and Its Application for Drosophila Gene Expression Pattern Annotation "
      "(2014, arXiv:1407.8147), measured again. Published numbers are the paper's own; all others were measured on the "
      "machine below, by the command below or by earlier ones whose measurements were still cached. A check that "
      "failed is listed as failed. The paper's last stage range, 13-17, is called 13-16 here, as BDGP does.",
      DataText(config)};
}

std::vector<std::string> FairnessText(const PaperConfig& config) {
  const std::string start =
      "All methods start from the same first dictionary (random patches of the range, one seed) and work in single "
      "precision on the same instruction set (but for the small triangular factor of LARS, which is of double "
      "precision). The patches are shuffled once, and all methods visit them in this one order in every epoch, one by "
      "one or in batches. (Figure 5 is learned by ordinary runs, in which each method shuffles for itself.)";
  const std::string online =
      "OL is our own implementation of Mairal et al., Online Dictionary Learning for Sparse Coding (2009): LARS for "
      "the codes on the Gram matrix of the dictionary, which is computed anew for every batch, as at batch size 1 for "
      "every patch. The race of mini-batches also runs it with this program's own encoder instead.";
  const std::string objectives =
      "Objectives are evaluated by the same exact encoder (KKT tolerance 1e-4) on the same patches, outside the "
      "timing. They are patches that were learned from, so larger dictionaries and fewer patches flatter them.";
  const std::string times =
      "Times are wall-clock times of learning alone. Reading the patches, drawing the first dictionary, checkpoints "
      "and the evaluation of objectives are not in them.";
  const std::string cached =
      "Measurements are cached and are not made again on the same processor unless --force is given; each says in its "
      "measurement.json when it was made.";
  return {start, online, objectives, times, CompanyText(config.reproduce.side_by_side), cached};
}

std::string DescriptorsText(const PaperConfig& config) {
  const bool images = config.reproduce.descriptors == ReproduceOptions::Descriptors::kImages;
  const std::string of = images && !config.simulated
                             ? "of real images"
                             : fmt::format("of simulated embryos, seed {}", config.simulate.seed);
  return fmt::format("smoothing {}, stride {}, {}", FormatReal(config.extract.smoothing), config.extract.stride, of);
}

}  // namespace flyscribe
