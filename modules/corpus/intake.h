// The one way in for images: of those a corpus lists, which are used, what their files hold, and which bag each goes
// to. Training (import.h) and annotating (pipeline/annotate/new_bags.h) differ in the rules they give it.
//
//   Intake intake(corpus, rules, skipped);
//   intake.ListProblems();
//   for (const CorpusImage& row : corpus.images) intake.Take(row);
//   for (const IntakeBag& bag : intake.Bags(intake.Hash(control, progress))) ...
//
// Every row is used or listed in `skipped`. The checks, in order: view wanted; row without a problem; of use to the
// caller; file found; file readable. Views, repeated rows and what is of no use are choices, the rest are faults.
//
// Images are not decoded. Files are hashed on several threads; the result is the same for any number of them.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/hash.h"
#include "core/progress.h"
#include "corpus/corpus.h"
#include "data/skipped.h"
#include "data/stage_range.h"

namespace flyscribe {

// How the files are hashed; it does not change what comes out.
struct ImportControl {
  int threads = 1;  // as for ParallelFor
  // SHA-256 of a file's content; thread-safe.
  std::function<std::string(const fs::path&)> digest = Sha256OfFile;
};

struct IntakeRules {
  std::vector<std::string> views;  // in any case; none: all
  bool keep_blank_view = false;
  bool use_bag_column = false;  // a bag is called what its row says, if it does; else, and always without it: its gene
  bool fail_on_bad_image = false;
  std::string how_to_skip;  // for the hint at a bad image: "set `on_bad_image: skip`"
};

// REQUIRES: the corpus outlives it.
struct IntakeImage {
  const CorpusImage* row = nullptr;
  std::string digest;  // SHA-256 of the file's content
};

struct IntakeBag {
  std::string id;
  StageRange range;
  std::vector<IntakeImage> images;  // one at least, by id
};

class Intake {
 public:
  // Adds to `skipped`. REQUIRES: all three outlive this object.
  Intake(const Corpus& corpus, const IntakeRules& rules, std::vector<Skipped>& skipped);

  // Lists rows and folders that the corpus could make nothing of: those of all ranges, or of one.
  void ListProblems(std::optional<StageRange> range = std::nullopt);
  // Takes an image, or lists it. `no_use`: why the caller has no use for it, if that is so.
  void Take(const CorpusImage& row, const std::string& no_use = {});
  // The images taken, in the order of their rows, but for unreadable ones.
  std::vector<IntakeImage> Hash(const ImportControl& control, Progress& progress);
  // By range and id. All images of a bag are here, also those of another gene.
  std::vector<IntakeBag> Bags(std::vector<IntakeImage> images) const;

  // Lists a row as left out by choice.
  void Filter(const RowPlace& place, const std::string& reason);
  // Lists an image as a fault; throws Error(kInput) if the rules want to stop at it.
  void BadImage(const CorpusImage& row, const std::string& reason, const std::string& hint);

 private:
  const Corpus& corpus_;
  const IntakeRules& rules_;
  std::vector<Skipped>& skipped_;
  std::set<std::string> views_;
  std::vector<IntakeImage> taken_;
};

}  // namespace flyscribe
