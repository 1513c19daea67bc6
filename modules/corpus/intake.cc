#include "corpus/intake.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/parallel.h"
#include "core/text.h"

namespace flyscribe {

Intake::Intake(const Corpus& corpus, const IntakeRules& rules, std::vector<Skipped>& skipped)
    : corpus_(corpus), rules_(rules), skipped_(skipped) {
  for (const std::string& view : rules.views) views_.insert(ToLower(Trim(view)));
}

void Intake::ListProblems(std::optional<StageRange> range) {
  for (const LeftOut& row : corpus_.left_out) {
    const bool concerned = !range || row.stage == 0 || row.stage == range->code();
    if (concerned) skipped_.push_back({corpus_.NameOf(row.place), row.reason, row.fault});
  }
  skipped_.insert(skipped_.end(), corpus_.folder_problems.begin(), corpus_.folder_problems.end());
}

void Intake::Take(const CorpusImage& row, const std::string& no_use) {
  const bool wanted = row.view.empty() ? rules_.keep_blank_view : views_.empty() || views_.contains(row.view);
  if (!wanted) {
    Filter(row.place, "view not wanted: " + (row.view.empty() ? "blank" : row.view));
  } else if (!row.problem.empty() && row.fault) {
    BadImage(row, row.problem, "correct the rows of this image");
  } else if (!row.problem.empty()) {
    Filter(row.place, row.problem);
  } else if (!no_use.empty()) {
    Filter(row.place, no_use);
  } else if (!row.file) {
    BadImage(row, "image file not found: " + row.id, "add the folder it lies in to the image folders");
  } else {
    taken_.push_back({&row, {}});
  }
}

std::vector<IntakeImage> Intake::Hash(const ImportControl& control, Progress& progress) {
  std::vector<std::string> failures(taken_.size());
  progress.Begin(taken_.size(), "images");
  ParallelFor(control.threads, taken_.size(), [&](std::size_t i) {
    progress.ThrowIfStopped();
    try {
      taken_[i].digest = control.digest(corpus_.PathOf(*taken_[i].row->file));
    } catch (const Error& error) {
      failures[i] = error.diagnostics().front().message;
    }
    progress.Advance();
  });
  std::vector<IntakeImage> readable;
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    const CorpusImage& row = *taken_[i].row;
    if (failures[i].empty()) {
      readable.push_back(std::move(taken_[i]));
    } else {
      BadImage(
          row, "image file unreadable: " + row.file->file + ": " + failures[i], "check the file and its permissions");
    }
  }
  taken_.clear();
  return readable;
}

std::vector<IntakeBag> Intake::Bags(std::vector<IntakeImage> images) const {
  const auto bag_of = [&](const IntakeImage& image) -> const std::string& {
    const bool named = rules_.use_bag_column && !image.row->bag.empty();
    return named ? image.row->bag : corpus_.genes[image.row->gene].Identity();
  };
  std::ranges::sort(images, [&](const IntakeImage& a, const IntakeImage& b) {
    return std::tie(a.row->stage, bag_of(a), a.row->id, a.digest) <
           std::tie(b.row->stage, bag_of(b), b.row->id, b.digest);
  });
  std::vector<IntakeBag> bags;
  for (IntakeImage& image : images) {
    const StageRange range = StageRange::FromCode(image.row->stage);
    if (bags.empty() || bags.back().id != bag_of(image) || bags.back().range != range) {
      bags.push_back({bag_of(image), range, {}});
    }
    bags.back().images.push_back(std::move(image));
  }
  return bags;
}

void Intake::Filter(const RowPlace& place, const std::string& reason) {
  skipped_.push_back({corpus_.NameOf(place), reason, false});
}

void Intake::BadImage(const CorpusImage& row, const std::string& reason, const std::string& hint) {
  const std::string place = corpus_.NameOf(row.place);
  if (rules_.fail_on_bad_image) {
    throw Error(ErrorCode::kInput, reason, hint + ", or " + rules_.how_to_skip + " to go on without it", {place});
  }
  skipped_.push_back({place, reason, true});
}

}  // namespace flyscribe
