// flyscribe review import: curators' decisions about predicted terms, merged into a table for the next training.
#include "corpus/review.h"

#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "core/file.h"
#include "core/hash.h"
#include "data/tables.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/command.h"
#include "pipeline/commands/result_folder.h"
#include "pipeline/terminal/console.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

// The table last: it vouches for the rest.
const std::vector<std::string> kResultFiles = {
    "decisions.tsv", "conflicts.tsv", "skipped.tsv", "review.json", "annotations.csv"};

struct ReviewArguments {
  std::vector<std::string> reviews;
  std::string annotations;
  std::string output;
  bool force = false;
  bool quiet = false;
  bool json = false;
};

struct Totals {
  std::size_t decisions = 0;
  std::size_t undecided = 0;
  std::vector<Skipped> problems;
};

Totals TotalsOf(const std::vector<Review>& reviews, const MergedReview& merged) {
  Totals totals;
  for (const Review& review : reviews) {
    totals.decisions += review.decisions.size();
    totals.undecided += review.undecided;
    totals.problems.insert(totals.problems.end(), review.problems.begin(), review.problems.end());
  }
  totals.problems.insert(totals.problems.end(), merged.problems.begin(), merged.problems.end());
  return totals;
}

// What was merged with what, by content.
std::string RecordJson(const ReviewArguments& arguments, const MergedReview& merged, const Totals& totals) {
  nlohmann::ordered_json reviews = nlohmann::ordered_json::array();
  for (const std::string& review : arguments.reviews) {
    reviews.push_back({{"file", fs::path(review).filename().string()}, {"sha256", Sha256OfFile(review)}});
  }
  const nlohmann::ordered_json json = {{"format", 1},
                                       {"annotations",
                                        {{"file", fs::path(arguments.annotations).filename().string()},
                                         {"sha256", Sha256OfFile(arguments.annotations)}}},
                                       {"reviews", reviews},
                                       {"decisions", totals.decisions},
                                       {"undecided", totals.undecided},
                                       {"added", merged.added},
                                       {"removed", merged.removed},
                                       {"conflicts", merged.conflicts},
                                       {"bags_without_labels_left", merged.emptied},
                                       {"labels", merged.labels},
                                       {"problems", totals.problems.size()}};
  return JsonLines(json);
}

std::string SummaryText(const MergedReview& merged, const Totals& totals, const fs::path& output) {
  std::string text = fmt::format("{} decisions ({} rows not decided): {} labels added, {} removed, {} in all\n",
                                 totals.decisions,
                                 totals.undecided,
                                 merged.added,
                                 merged.removed,
                                 merged.labels);
  if (merged.conflicts > 0) {
    text += fmt::format(
        "{} labels in conflict are left as they were: {}\n", merged.conflicts, (output / "conflicts.tsv").string());
  }
  if (merged.emptied > 0) {
    text += fmt::format(
        "{} genes lost their last term in a stage range and are trained on no more there; write `no staining` if they "
        "show nothing\n",
        merged.emptied);
  }
  if (!totals.problems.empty()) {
    text += fmt::format("{} rows could not be used: {}\n", totals.problems.size(), (output / "skipped.tsv").string());
  }
  return text + "annotations for the next training (data.annotations): " + (output / "annotations.csv").string() + "\n";
}

int Import(const ReviewArguments& arguments) {
  ResultFolder folder(arguments.output, kResultFiles, arguments.force);
  folder.RequireNotReplaced(arguments.annotations);
  for (const std::string& review : arguments.reviews) folder.RequireNotReplaced(review);
  std::vector<Review> reviews;
  for (const std::string& review : arguments.reviews) reviews.push_back(ReadReview(review));
  const MergedReview merged = MergeReviews(arguments.annotations, reviews);
  const Totals totals = TotalsOf(reviews, merged);
  const std::string record = RecordJson(arguments, merged, totals);
  folder.Commit([&](const fs::path& unfinished) {
    WriteFile(unfinished / "decisions.tsv", merged.DecisionsTsv());
    WriteFile(unfinished / "conflicts.tsv", merged.ConflictsTsv());
    SaveSkipped(unfinished, totals.problems);
    WriteFile(unfinished / "review.json", record);
    WriteFile(unfinished / "annotations.csv", merged.annotations);
  });
  if (arguments.json) {
    PrintResult(record);
  } else if (!arguments.quiet) {
    PrintResult(SummaryText(merged, totals, folder.path()));
  }
  return totals.problems.empty() ? 0 : kExitSkipped;
}

}  // namespace

Command ReviewCommand() {
  return {
      "review", "Merge curators' decisions into labels for the next training", [](const CommandLine& line) {
        line.RequireSubcommand(1, 1);
        const CommandLine import = line.Subcommand("import", "Merge review.tsv files into a new table of annotations");
        auto arguments = std::make_shared<ReviewArguments>();
        import.Value("reviews", arguments->reviews, "review.tsv with decisions; several curators' files may be given")
            .Required()
            .Named("REVIEW");
        import.Value("--annotations", arguments->annotations, "Table the decisions are about; it is not changed")
            .Required();
        import.Value("--output,-o", arguments->output, "Folder to write to").Required();
        import.Flag("--force", arguments->force, "Replace an earlier import in the output folder");
        import.Flag("--json", arguments->json, "Print the record as JSON");
        import.Flag("--quiet,-q", arguments->quiet, "Print nothing but errors");
        return [arguments] { return Import(*arguments); };
      }};
}

}  // namespace flyscribe
