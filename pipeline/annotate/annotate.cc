#include "pipeline/annotate/annotate.h"

#include <nlohmann/json.hpp>

#include "core/csv.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/tables.h"
#include "pipeline/annotate/annotation_folder.h"
#include "pipeline/annotate/bag_files.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

// What is put away of a bag, as lines: "A <json>" if something is said of it, "S <input> <reason> <kind>" an input left
// out.
constexpr const char* kSaid = "A ";
constexpr const char* kSkipped = "S ";

std::string InputsDigest(const NewBags& inputs) {
  Sha256 hash;
  for (const NewBag& bag : inputs.bags) {
    hash.Update(TsvRow({"bag", bag.id, bag.gene.fbgn, bag.gene.cg, bag.gene.symbol, bag.range.name(), bag.slug}));
    hash.Update(TsvRow({"names", JoinNames(bag.names.ids), JoinNames(bag.names.symbols)}));
    for (const NewImage& image : bag.images) hash.Update(TsvRow({"image", image.id, image.digest}));
  }
  for (const Skipped& item : inputs.skipped) hash.Update(TsvRow({"skipped", item.input, item.reason}));
  return hash.HexDigest();
}

std::string NameOf(EvidenceOf evidence) {
  return evidence == EvidenceOf::kAll ? "all" : evidence == EvidenceOf::kNone ? "none" : "calls";
}

std::size_t ChunkCount(const NewBags& inputs) { return (inputs.bags.size() + kBagsAChunk - 1) / kBagsAChunk; }

// Annotates what no earlier process has. Returns the number of images it took.
class ChunkRunner {
 public:
  ChunkRunner(const Model& model, const NewBags& inputs, const AnnotateRun& run, const AnnotationFolder& folder)
      : inputs_(inputs), run_(run), folder_(folder), annotator_(model, run.options), pages_(model) {}

  std::size_t Run(Progress& progress) const {
    std::vector<std::size_t> open;
    std::size_t images = 0;
    for (std::size_t chunk = 0; chunk < ChunkCount(inputs_); ++chunk) {
      if (folder_.HasChunk(chunk, progress)) continue;
      open.push_back(chunk);
      for (std::size_t bag = Begin(chunk); bag < End(chunk); ++bag) images += inputs_.bags[bag].images.size();
    }
    if (open.size() < ChunkCount(inputs_)) {
      progress.Say("going on: " + std::to_string(ChunkCount(inputs_) - open.size()) + " of " +
                   std::to_string(ChunkCount(inputs_)) + " chunks of bags are there");
    }
    CreateBagFolders(folder_.Result());
    progress.Begin(images, "images");
    for (const std::size_t chunk : open) RunChunk(chunk, progress);
    return images;
  }

 private:
  std::size_t Begin(std::size_t chunk) const { return chunk * kBagsAChunk; }
  std::size_t End(std::size_t chunk) const { return std::min(inputs_.bags.size(), Begin(chunk) + kBagsAChunk); }

  void RunChunk(std::size_t chunk, Progress& progress) const {
    std::vector<std::string> texts(End(chunk) - Begin(chunk));
    std::vector<std::vector<ListedFile>> files(texts.size());
    ParallelFor(run_.threads, texts.size(), [&](std::size_t i) {
      progress.ThrowIfStopped();
      const NewBag& bag = inputs_.bags[Begin(chunk) + i];
      const AnnotatedBag annotated = annotator_.Annotate(bag);
      if (annotated.annotation) files[i] = WriteBagFiles(folder_.Result(), bag, annotated, run_.maps, pages_);
      texts[i] = std::to_string(Begin(chunk) + i) + "\n";
      if (annotated.annotation) texts[i] += kSaid + EncodeAnnotation(*annotated.annotation) + "\n";
      for (const Skipped& item : annotated.skipped) {
        texts[i] += kSkipped + TsvRow({item.input, item.reason, item.fault ? "fault" : "filter"});
      }
      progress.Advance(bag.images.size());
    });
    AnnotationChunk content{Join(texts, ""), {}};
    for (const auto& of_bag : files) content.files.insert(content.files.end(), of_bag.begin(), of_bag.end());
    folder_.WriteChunk(chunk, content);
  }

  const NewBags& inputs_;
  const AnnotateRun& run_;
  const AnnotationFolder& folder_;
  BagAnnotator annotator_;
  TermPages pages_;
};

// Calls `on_chunk` with every chunk and `on_said` with every bag something is said of; lists what was left out.
template <class OnChunk, class OnSaid>
void ForEachSaid(const AnnotationFolder& folder,
                 const NewBags& inputs,
                 const OnChunk& on_chunk,
                 const OnSaid& on_said,
                 std::vector<Skipped>& skipped) {
  for (std::size_t chunk = 0; chunk < ChunkCount(inputs); ++chunk) {
    const fs::path path = folder.ChunkPath(chunk);
    const AnnotationChunk content = folder.ReadChunk(chunk);
    on_chunk(content);
    std::size_t bag = 0;
    for (const std::string& line : Split(content.text, '\n')) {
      if (line.empty()) continue;
      if (line.starts_with(kSaid)) {
        on_said(inputs.bags.at(bag), line.substr(2), path);
      } else if (line.starts_with(kSkipped)) {
        const std::vector<std::string> fields = Split(line.substr(2), '\t');
        if (fields.size() != 3) ThrowCorrupt(path, "a line of another format");
        skipped.push_back({fields[0], fields[1], fields[2] == "fault"});
      } else {
        bag = CountField(line, path, static_cast<std::int64_t>(inputs.bags.size()) - 1);
      }
    }
  }
}

void WriteResult(const Model& model, const NewBags& inputs, const AnnotateRun& run, const AnnotationFolder& folder) {
  std::size_t bags = 0;
  std::vector<Skipped> skipped = inputs.skipped;
  ForEachSaid(
      folder,
      inputs,
      [](const AnnotationChunk&) {},
      [&](const NewBag&, const std::string&, const fs::path&) { ++bags; },
      skipped);
  ResultWriter writer(folder.Result(), folder.Scratch("review-rows.tsv"), model, bags);
  std::vector<Skipped> again;
  ForEachSaid(
      folder,
      inputs,
      [&](const AnnotationChunk& chunk) { writer.List(chunk.files); },
      [&](const NewBag& bag, const std::string& line, const fs::path& path) {
        writer.Add(bag, DecodeAnnotation(line, path));
      },
      again);
  writer.Finish(skipped, run.facts, folder.KeyDigest());
}

// Of a result that is in its place.
AnnotationCounts CountsOf(const fs::path& file) {
  const nlohmann::json json = nlohmann::json::parse(ReadFile(file), nullptr, false);
  const auto count = [&file](const nlohmann::json& object, const std::string& name) -> std::size_t {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_number_unsigned())
      ThrowCorrupt(file, "'" + name + "' is missing or no count");
    return *found;
  };
  AnnotationCounts counts;
  counts.bags = count(json, "bags");
  counts.images = count(json, "images");
  counts.calls = count(json, "calls");
  counts.out_of_fold = count(json, "out_of_fold_bags");
  counts.faults = count(json, "faults");
  const auto skipped = json.find("skipped");
  if (skipped == json.end() || !skipped->is_object()) ThrowCorrupt(file, "'skipped' is missing or no list of counts");
  for (const auto& each : skipped->items()) counts.skipped[each.key()] = count(*skipped, each.key());
  return counts;
}

}  // namespace

std::string AnnotationKey(const Model& model, const NewBags& inputs, const AnnotateRun& run) {
  return "flyscribe: " + Version() + "\nmodel: " + model.id + "\nevidence: " + NameOf(run.options.evidence) +
         ", format " + std::to_string(kEvidenceFormat) + ", maps " + NameOf(run.maps) +
         "\ninputs: " + InputsDigest(inputs) + "\n";
}

AnnotateOutcome Annotate(
    const Model& model, const NewBags& inputs, const AnnotateRun& run, AnnotationFolder& folder, Progress& progress) {
  FLYSCRIBE_CHECK(run.maps <= run.options.evidence, "there is evidence of what is drawn");
  folder.Begin(AnnotationKey(model, inputs, run), run.force, progress);
  AnnotateOutcome outcome;
  outcome.was_finished = folder.IsFinished();
  if (!outcome.was_finished) {
    outcome.annotated_now = ChunkRunner(model, inputs, run, folder).Run(progress);
    WriteResult(model, inputs, run, folder);
    folder.Commit(progress);
  }
  outcome.counts = CountsOf(folder.path() / kAnnotationFile);
  return outcome;
}

}  // namespace flyscribe
