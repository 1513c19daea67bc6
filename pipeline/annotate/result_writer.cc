#include "pipeline/annotate/result_writer.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/csv.h"
#include "core/error.h"
#include "core/hash.h"
#include "data/tables.h"
#include "pipeline/annotate/annotation_folder.h"
#include "report/assets.h"
#include "report/html.h"

namespace flyscribe {
namespace {

// Bags in each of a term's three galleries.
constexpr std::size_t kEntries = 12;

fs::path PrepareFolders(const fs::path& result) {
  for (const char* folder : {"gallery/pages", "gallery/search", "gallery/terms"}) {
    RemoveTree(result / folder);  // of a process that was killed
    CreateFolder(result / folder);
  }
  return result;
}

// Keeps the first kEntries in the order of `before`; of equals, the earlier.
template <class Before>
void Keep(const TermGalleryEntry& entry, const Before& before, std::vector<TermGalleryEntry>& kept) {
  if (kept.size() == kEntries && !before(entry, kept.back())) return;
  kept.insert(std::upper_bound(kept.begin(), kept.end(), entry, before), entry);
  if (kept.size() > kEntries) kept.pop_back();
}

void AddEntry(const TermGalleryEntry& entry, TermGallery& gallery) {
  const auto score = [](const TermGalleryEntry& e) { return std::tuple(e.probability, e.decision_value); };
  const auto higher = [&](const auto& a, const auto& b) { return score(a) > score(b); };
  const auto lower = [&](const auto& a, const auto& b) { return score(a) < score(b); };
  const double threshold = gallery.threshold;
  const auto nearer = [&](const auto& a, const auto& b) {
    return std::abs(a.probability - threshold) < std::abs(b.probability - threshold);
  };
  Keep(entry, higher, gallery.top);
  Keep(entry, nearer, gallery.borderline);
  Keep(entry, lower, gallery.bottom);
}

}  // namespace

ResultWriter::ResultWriter(const fs::path& result, fs::path scratch, const Model& model, std::size_t bags)
    : result_(PrepareFolders(result)),
      scratch_(std::move(scratch)),
      model_(model),
      bags_(bags),
      pages_(model),
      predictions_(result_ / "predictions.tsv"),
      lines_(result_ / "predictions.jsonl"),
      called_(result_ / "annot.csv"),
      list_(result_ / kFileList),
      review_rows_(scratch_) {
  predictions_.Append(TsvRow(PredictionHeader()));
  for (const RangeModel& range : model.ranges) {
    for (std::size_t i = 0; i < range.models.terms.size(); ++i) {
      const TermModel& term = range.models.terms[i];
      terms_[{range.range, term.term}] = {.term = term.term,
                                          .fbbt_id = range.fbbt_ids.at(i),
                                          .range = range.range.name(),
                                          .page = pages_.Of(range.range, term.term),
                                          .threshold = term.Threshold(),
                                          .top = {},
                                          .borderline = {},
                                          .bottom = {}};
    }
  }
}

void ResultWriter::Add(const NewBag& bag, const BagAnnotation& said) {
  predictions_.Append(PredictionRows(said, model_.id));
  lines_.Append(PredictionLines(said, model_.id));
  called_.Append(CalledRows(said));
  AddReview(said);
  AddToTerms(bag, said);
  AddCard(bag, said);
  ++counts_.bags;
  counts_.images += said.images.size();
  counts_.out_of_fold += said.score_source == "oof" ? 1U : 0U;
}

void ResultWriter::List(const std::vector<ListedFile>& files) {
  for (const ListedFile& file : files) list_.Append(FileRow(file));
}

void ResultWriter::Write(const std::string& name, const std::string& text) {
  WriteFile(result_ / name, text, Durability::kUnsynced);
  List({{name, text.size(), Sha256OfText(text)}});
}

void ResultWriter::AddReview(const BagAnnotation& said) {
  std::string rows;
  for (std::size_t i = 0; i < said.terms.size(); ++i) {
    const std::string row = ReviewRow(said, i, model_.id);
    review_.push_back({said.terms[i].Margin(), review_bytes_ + rows.size(), row.size()});
    rows += row;
  }
  review_rows_.Append(rows);
  review_bytes_ += rows.size();
}

void ResultWriter::AddToTerms(const NewBag& bag, const BagAnnotation& said) {
  for (const TermPrediction& term : said.terms) {
    TermGallery& gallery = terms_.at({said.range, term.term});
    ++gallery.bags;
    gallery.calls += term.call ? 1U : 0U;
    counts_.calls += term.call ? 1U : 0U;
    AddEntry({bag.slug,
              said.symbol.empty() ? said.id : said.symbol,
              EmbryoFile(bag.slug, term.top ? term.top->image : 0),
              term.probability,
              term.decision_value,
              term.call},
             gallery);
  }
}

void ResultWriter::AddCard(const NewBag& bag, const BagAnnotation& said) {
  const GalleryCard card = MakeCard(said, bag.slug, EmbryoFile(bag.slug, 0));
  page_.push_back(card);
  search_.push_back(card);
  if (page_.size() == kBagsAPage) WriteListPage();
  if (search_.size() == kBagsASearchFile) WriteSearchFile();
}

void ResultWriter::WriteListPage() {
  if (page_.empty()) return;
  ++pages_written_;
  Write("gallery/pages/" + std::to_string(pages_written_) + ".html", RenderListPage(page_, pages_written_, Pages()));
  if (pages_written_ == 1) first_page_ = page_;
  page_.clear();
}

void ResultWriter::WriteSearchFile() {
  if (search_.empty()) return;
  Write("gallery/search/" + SearchFileName(search_files_), SearchFile(search_));
  ++search_files_;
  search_.clear();
}

void ResultWriter::WriteReview() {
  review_rows_.Finish(Durability::kUnsynced);
  std::stable_sort(
      review_.begin(), review_.end(), [](const ReviewLine& a, const ReviewLine& b) { return a.margin < b.margin; });
  FileWriter sorted(result_ / kReviewFile);
  sorted.Append(TsvRow(ReviewHeader()));
  const MappedFile rows(scratch_);
  std::string block;
  for (const ReviewLine& line : review_) {
    block += rows.bytes().substr(line.offset, line.length);
    if (block.size() < (std::size_t{1} << 20)) continue;
    sorted.Append(block);
    block.clear();
  }
  sorted.Append(block);
  sorted.Finish(Durability::kUnsynced);
}

void ResultWriter::WriteGallery(const std::vector<Skipped>& skipped,
                                const std::vector<std::pair<std::string, std::string>>& facts) {
  WriteListPage();
  WriteSearchFile();
  GalleryIndex index;
  index.facts = facts;
  index.tiles = {{Count(counts_.bags), "bags"},
                 {Count(counts_.images), "images"},
                 {Count(counts_.calls), "calls"},
                 {Count(skipped.size()), "inputs left out"}};
  for (auto& [key, gallery] : terms_) {
    if (gallery.bags == 0) continue;
    Write("gallery/terms/" + gallery.page + ".html", RenderTermPage(gallery));
    index.terms.push_back(&gallery);
  }
  index.first = first_page_;
  index.pages = Pages();
  index.search_files = search_files_;
  for (const auto& [reason, count] : counts_.skipped) index.skipped.emplace_back(reason, count);
  Write("gallery/style.css", GalleryStyle());
  Write("gallery/gallery.js", GalleryScript());
  WriteFile(result_ / "index.html", RenderGalleryIndex(index), Durability::kUnsynced);
}

void ResultWriter::WriteAnnotationFile(const std::vector<std::pair<std::string, std::string>>& facts,
                                       const std::string& key_digest) const {
  nlohmann::ordered_json json = {{"format", 1}, {"model_id", model_.id}, {kKeyDigestField, key_digest}};
  for (const auto& [name, value] : facts) json["facts"][name] = value;
  json["bags"] = counts_.bags;
  json["images"] = counts_.images;
  json["predictions"] = review_.size();
  json["calls"] = counts_.calls;
  json["out_of_fold_bags"] = counts_.out_of_fold;
  json["faults"] = counts_.faults;
  json["skipped"] = nlohmann::ordered_json::object();
  for (const auto& [reason, count] : counts_.skipped) json["skipped"][reason] = count;
  // The files at the top of the result, by which a later run knows that they are as written.
  json[kFilesField] = nlohmann::ordered_json::object();
  for (const std::string name : kAnnotationEntries) {
    const fs::path file = result_ / name;
    if (name == kAnnotationFile || !fs::is_regular_file(file)) continue;
    json[kFilesField][name] = {{"bytes", fs::file_size(file)}, {"sha256", Sha256OfFile(file)}};
  }
  WriteFile(result_ / kAnnotationFile, JsonLines(json), Durability::kUnsynced);
}

AnnotationCounts ResultWriter::Finish(const std::vector<Skipped>& skipped,
                                      const std::vector<std::pair<std::string, std::string>>& facts,
                                      const std::string& key_digest) {
  FLYSCRIBE_CHECK(counts_.bags == bags_, "as many bags as were announced");
  for (const ReasonCount& each : CountReasons(skipped)) counts_.skipped[each.reason] += each.count;
  counts_.faults = static_cast<std::size_t>(
      std::count_if(skipped.begin(), skipped.end(), [](const Skipped& item) { return item.fault; }));
  predictions_.Finish(Durability::kUnsynced);
  lines_.Finish(Durability::kUnsynced);
  called_.Finish(Durability::kUnsynced);
  WriteReview();
  SaveSkipped(result_, skipped);
  WriteGallery(skipped, facts);
  list_.Finish(Durability::kUnsynced);
  WriteAnnotationFile(facts, key_digest);
  return counts_;
}

}  // namespace flyscribe
