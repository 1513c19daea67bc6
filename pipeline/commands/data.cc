// flyscribe data import: tables and image folders of any kind that is read, into one table of images and a report of
// what became of every row.
#include <fmt/core.h>

#include <map>
#include <memory>
#include <set>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "corpus/corpus.h"
#include "corpus/import_files.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/command.h"
#include "pipeline/commands/result_folder.h"
#include "pipeline/corpus/corpus_source.h"
#include "pipeline/corpus/label_ontology.h"
#include "pipeline/terminal/console.h"
#include "pipeline/terminal/process.h"
#include "pipeline/terminal/text_table.h"

namespace flyscribe {
namespace {

const std::vector<std::string> kResultFiles = {"import-report.tsv", "manifest.tsv"};

struct ImportArguments {
  std::string annotations;
  std::string images_table;
  std::vector<std::string> images;
  std::string output;
  bool force = false;
  bool quiet = false;
};

// What one stage range got.
struct RangeCounts {
  std::size_t images = 0;
  std::set<std::size_t> bags;
  std::set<std::size_t> annotated;
  std::set<std::string> terms;
  std::size_t labels = 0;
  std::size_t labels_with_id = 0;
};

std::map<int, RangeCounts> CountRanges(const Corpus& corpus, const LabelOntology& ontology) {
  std::map<int, RangeCounts> ranges;
  for (const CorpusImage& image : corpus.images) {
    if (!image.IsJoined()) continue;
    ++ranges[image.stage].images;
    ranges[image.stage].bags.insert(image.gene);
  }
  for (const CorpusLabel& label : corpus.labels) {
    const auto range = ranges.find(label.stage);
    if (!label.problem.empty() || range == ranges.end() || !range->second.bags.contains(label.gene)) continue;
    range->second.annotated.insert(label.gene);
    range->second.terms.insert(label.term);
    ++range->second.labels;
    const bool has_id = !ontology.IdOf(label.term, StageRange::FromCode(label.stage)).empty();
    range->second.labels_with_id += has_id ? 1U : 0U;
  }
  return ranges;
}

// "98.2 %", or a dash if there is nothing to count.
std::string Share(std::size_t part, std::size_t whole) {
  if (whole == 0) return "-";
  return FormatFixed(100.0 * static_cast<double>(part) / static_cast<double>(whole), 1) + " %";
}

std::string RangesText(const Corpus& corpus, const LabelOntology& ontology) {
  TextTable table({"range", "FBdv", ">images", ">bags", ">annotated", ">terms", ">labels", ">with FBbt id"});
  RangeCounts all;
  for (const auto& [stage, counts] : CountRanges(corpus, ontology)) {
    const StageRange range = StageRange::FromCode(stage);
    table.Add({range.name(),
               range.fbdv(),
               std::to_string(counts.images),
               std::to_string(counts.bags.size()),
               std::to_string(counts.annotated.size()),
               std::to_string(counts.terms.size()),
               std::to_string(counts.labels),
               Share(counts.labels_with_id, counts.labels)});
    all.images += counts.images;
    all.labels += counts.labels;
    all.labels_with_id += counts.labels_with_id;
  }
  table.Add({"all",
             "",
             std::to_string(all.images),
             "",
             "",
             "",
             std::to_string(all.labels),
             Share(all.labels_with_id, all.labels)});
  return table.ToString();
}

std::string TotalsText(const ImportReport& report) {
  TextTable table({"input", "rows", ">count"});
  for (const ReportRow& row : report.rows) {
    if (row.outcome != "total") continue;
    const std::string what = row.detail.empty() ? row.reason : row.reason + " (" + row.detail + ")";
    table.Add({row.table, what, std::to_string(row.count)});
  }
  return table.ToString();
}

int Import(const ImportArguments& arguments) {
  if (arguments.images_table.empty() && arguments.images.empty() && arguments.annotations.empty()) {
    throw Error(ErrorCode::kUsage,
                "nothing to import is named",
                "--images-table names a table of images, --images a folder of image files, --annotations a table of "
                "terms; docs/data.md says which kinds are read");
  }
  // Fail in the first second, not the last.
  ResultFolder folder(arguments.output, kResultFiles, arguments.force);
  for (const std::string& table : {arguments.annotations, arguments.images_table}) {
    if (!table.empty()) folder.RequireNotReplaced(table);
  }
  const Console console(DetectConsoleStyle(arguments.quiet));
  const std::vector<fs::path> folders(arguments.images.begin(), arguments.images.end());
  const Corpus corpus({arguments.annotations, arguments.images_table, folders}, PixelsOf, console);
  const ImportReport report = MakeImportReport(corpus);
  const LabelOntology ontology({});
  folder.Commit([&](const fs::path& unfinished) {
    WriteFile(unfinished / "import-report.tsv", report.Tsv());
    WriteFile(unfinished / "manifest.tsv",
              ImageTableText(corpus, arguments.output, [&](const std::string& term, StageRange range) {
                return ontology.IdOf(term, range);
              }));
  });
  if (!arguments.quiet) {
    PrintResult(TotalsText(report) + "\n" + RangesText(corpus, ontology) +
                fmt::format("\n{} written; {} names every row left out, with its line\n",
                            (folder.path() / "manifest.tsv").string(),
                            (folder.path() / "import-report.tsv").string()));
  }
  return report.faults == 0 ? 0 : kExitSkipped;
}

}  // namespace

Command DataCommand() {
  return {"data", "Join tables and image folders into one table of images", [](const CommandLine& line) {
            line.RequireSubcommand(1, 1);
            const CommandLine import =
                line.Subcommand("import", "Join tables and image files: manifest.tsv, import-report.tsv");
            auto arguments = std::make_shared<ImportArguments>();
            import.Value("--annotations", arguments->annotations, "Table of terms: BDGP's insitu_annot.csv, ...");
            import.Value("--images-table", arguments->images_table, "Table of images: BDGP's insitu_images.csv, ...");
            import.Value("--images", arguments->images, "Folder of image files; may be given several times");
            import.Value("--output,-o", arguments->output, "Folder to write to").Required();
            import.Flag("--force", arguments->force, "Replace an earlier import in the output folder");
            import.Flag("--quiet,-q", arguments->quiet, "Print nothing but errors");
            return [arguments] { return Import(*arguments); };
          }};
}

}  // namespace flyscribe
