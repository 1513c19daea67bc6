// Two tables and a folder of images, joined: the report accounts for every row, and the table of images says the same
// again.
//
// The bytes are the table of annotations, a line "%%", and a table of images, BDGP's or our own; either may be empty.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/file.h"
#include "corpus/corpus.h"
#include "corpus/import.h"
#include "corpus/import_files.h"
#include "corpus/intake.h"
#include "data/collection.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

constexpr std::string_view kBetween = "\n%%\n";

// A folder with a few image files, in which the tables are written anew each time.
class Desk {
 public:
  Desk() {
    for (const char* name :
         {"images/insitu1.bmp", "images/2_s.bmp", "images/insitu02.bmp", "images/3.png", "images/a b.jpg"}) {
      folder_.Write(name, name);
    }
  }

  Sources Lay(std::string_view bytes) const {
    const std::size_t end = bytes.find(kBetween);
    const std::string_view second = end == std::string_view::npos ? "" : bytes.substr(end + kBetween.size());
    return {Table("annotations.csv", bytes.substr(0, end)), Table("images.csv", second), {folder_ / "images"}};
  }
  fs::path Table(const std::string& name, std::string_view content) const {
    if (content.empty()) return {};
    WriteFile(folder_ / name, content, Durability::kUnsynced);
    return folder_ / name;
  }
  const fs::path& path() const { return folder_.path(); }

 private:
  TempFolder folder_;
};

// Per table: rows (or files) = used + all reasons, and as many rows are listed as a reason counts.
void CheckReport(const ImportReport& report) {
  std::map<std::string, std::size_t> whole;
  std::map<std::string, std::size_t> parts;
  std::size_t faults = 0;
  for (const ReportRow& row : report.rows) {
    const bool is_whole = row.reason == "rows" || row.reason == "files";
    if (row.outcome == "total") (is_whole ? whole : parts)[row.table] += row.count;
    if (row.outcome == "fault") ++faults;
    Promise(!row.reason.empty(), "every line of the report has a reason");
  }
  Promise(whole == parts, "the totals add up");
  Promise(faults == report.faults, "every fault is listed");
  Promise(IsUtf8(report.Tsv()), "the report is UTF-8");
}

// One gene's bag: identity, stage range, then image ids and terms.
using Joined = std::map<std::pair<std::string, int>, std::pair<std::set<std::string>, std::set<std::string>>>;

// What can be used, as long as a term is not cut in two by our own table's separator.
Joined JoinedBags(const Corpus& corpus) {
  Joined bags;
  for (const CorpusImage& image : corpus.images) {
    if (!image.IsJoined()) continue;
    bags[{corpus.genes[image.gene].Identity(), image.stage}].first.insert(image.id + " " + image.view);
  }
  for (const CorpusLabel& label : corpus.labels) {
    const auto bag = bags.find({corpus.genes[label.gene].Identity(), label.stage});
    if (bag != bags.end() && label.problem.empty()) bag->second.second.insert(label.term);
  }
  return bags;
}

void CheckImageTable(const Corpus& corpus, const Desk& desk) {
  const Joined bags = JoinedBags(corpus);
  const std::string text = ImageTableText(corpus, desk.path(), {});
  Promise(IsUtf8(text), "the table of images is UTF-8");
  if (bags.empty()) return;
  const Corpus again({{}, desk.Table("manifest.tsv", text), {}});
  Promise(JoinedBags(again) == bags, "the table of images holds the bags it was written from");
  Promise(ImageTableText(again, desk.path(), {}) == text, "the table of images written again is the same");
  CheckReport(MakeImportReport(again));
}

// Bags and folds go by identity, so no two genes may share one.
void CheckGenes(const Corpus& corpus) {
  std::set<std::string> identities;
  for (const Gene& gene : corpus.genes) {
    Promise(!gene.Identity().empty(), "every gene has an identity");
    Promise(identities.insert(gene.Identity()).second, "no two genes have one identity");
  }
}

// The terms of all labels that count, by the gene's identity.
std::map<std::string, std::set<std::string>> TermsInRange(const Corpus& corpus, int stage) {
  std::map<std::string, std::set<std::string>> terms;
  for (const CorpusLabel& label : corpus.labels) {
    if (label.stage == stage) terms[corpus.genes[label.gene].Identity()].insert(label.term);
  }
  return terms;
}

// No image in two bags, no gene in two folds, no label lost.
void CheckImport(const Corpus& corpus) {
  IngestOptions options;
  options.views = {};
  options.blank_view = IngestOptions::BlankView::kKeep;
  options.absence_terms = {};
  options.bookkeeping_terms = {};
  std::map<std::string, int> fold_of;
  std::set<std::string> images;
  for (const StageRange range : StageRange::All()) {
    Progress progress;
    const auto collection = TryRead([&] { return Import(corpus, range, options, {}, progress); });
    if (!collection) continue;  // the range has no bag
    const auto terms = TermsInRange(corpus, range.code());
    for (const Bag& bag : collection->bags) {
      Promise(terms.at(bag.id) == std::set(bag.terms.begin(), bag.terms.end()), "a bag carries all labels of its gene");
      Promise(fold_of.try_emplace(bag.gene, bag.fold).first->second == bag.fold, "a gene lies in one fold");
    }
    for (const ImageRecord& image : collection->images) {
      Promise(images.insert(image.id).second, "an image lies in one bag of one range");
    }
  }
}

}  // namespace

void FuzzCorpus(std::string_view bytes) {
  static const Desk desk;
  const Sources sources = desk.Lay(bytes);
  const auto corpus = TryRead([&] { return Corpus(sources); });
  if (!corpus) return;
  CheckGenes(*corpus);
  CheckReport(MakeImportReport(*corpus));
  CheckImageTable(*corpus, desk);
  CheckImport(*corpus);
}

}  // namespace flyscribe
