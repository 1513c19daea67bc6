#include "pipeline/annotate/kept_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "core/csv.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "data/annotation.h"
#include "data/bag_evidence.h"
#include "data/tables.h"
#include "imaging/image_file.h"
#include "pipeline/annotate/annotation_folder.h"
#include "pipeline/annotate/bag_files.h"

namespace flyscribe {
namespace {

// The terms of a bag by stage range, as predictions.tsv lists them.
using TermsOfRange = std::map<std::string, std::vector<std::string>>;

// The first few of them, and how many more there are.
std::string Listed(const std::vector<std::string>& names) {
  constexpr std::size_t kListed = 20;
  if (names.size() <= kListed) return Join(names, ", ");
  return Join(std::vector<std::string>(names.begin(), names.begin() + kListed), ", ") +
         fmt::format(" and {} more", names.size() - kListed);
}

// `option` was given with a word that is none of `names`.
[[noreturn]] void ThrowUnknown(const std::string& message,
                               const std::string& word,
                               const std::string& kind,
                               const std::vector<std::string>& names,
                               const std::string& option) {
  const auto nearest = Nearest(word, names);
  throw Error(ErrorCode::kUsage,
              message,
              (nearest ? "did you mean '" + *nearest + "'? " : "") + kind + ": " + Listed(names),
              {option + " " + word});
}

// predictions.tsv may have millions of rows. It only serves to choose, so it may have been edited.
TermsOfRange FindBag(const fs::path& folder, const std::string& bag) {
  const fs::path path = folder / "predictions.tsv";
  const MappedFile file(path);
  std::string_view rest = file.bytes();
  const auto next_row = [&rest] {
    const std::string_view row = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), row.size() + 1));
    return row;
  };
  if (std::string(next_row()) + "\n" != TsvRow(PredictionHeader())) {
    ThrowCorrupt(path, "the columns are not those of annotate", 1);
  }
  TermsOfRange terms;
  std::vector<std::string> bags;
  while (!rest.empty()) {
    const std::string_view row = next_row();
    const std::string_view id = row.substr(0, row.find('\t'));
    if (id == bag) {
      const std::vector<std::string> fields = Split(row, '\t');
      if (fields.size() != PredictionHeader().size()) ThrowCorrupt(path, "a row with another number of fields");
      terms[fields[3]].push_back(fields[5]);
    } else if (bags.empty() || bags.back() != id) {
      bags.emplace_back(id);
    }
  }
  if (terms.empty()) ThrowUnknown("there is no bag of this name", bag, "bags", bags, "--bag");
  return terms;
}

// The evidence file of a bag; blank if none was kept. Bags whose names are alike as file names are told by a number,
// and which is whose by what the files say.
std::string FindEvidence(const FinishedAnnotation& annotation,
                         const std::string& bag,
                         const std::string& range,
                         BagEvidence& evidence) {
  const std::string id = nlohmann::json::parse(JsonText(nlohmann::json(bag)));  // as text of JSON can have it
  const std::string start = "evidence/" + SlugMaker().Make(bag + "_" + range);
  for (const std::string& name : annotation.NamesFrom(start)) {
    const std::string number = name.substr(start.size(), name.find('.', start.size()) - start.size());
    const bool is_like = name.ends_with(".json") && name.find('/', start.size()) == std::string::npos &&
                         (number.empty() || number.front() == '-');
    if (!is_like) continue;
    evidence = DecodeEvidence(annotation.Read(name), annotation.path() / name);
    if (evidence.bag_id == id && evidence.range.name() == range) return name;
  }
  return {};
}

}  // namespace

KeptHeatMap DrawKeptEvidence(const fs::path& folder, const HeatMapRequest& request) {
  const FinishedAnnotation annotation(folder);
  const TermsOfRange terms = FindBag(folder, request.bag);
  std::vector<std::string> ranges;
  for (const auto& [range, names] : terms) ranges.push_back(range);
  if (request.range.empty() && ranges.size() > 1) {
    throw Error(ErrorCode::kUsage,
                "the bag is there in several stage ranges",
                "choose one by --range: " + Join(ranges, ", "),
                {"--bag " + request.bag});
  }
  const std::string range = request.range.empty() ? ranges.front() : StageRange::FromName(request.range).name();
  if (!terms.contains(range)) {
    ThrowUnknown("the bag has no images of this stage range", range, "ranges of the bag", ranges, "--range");
  }
  const std::vector<std::string>& known = terms.at(range);
  if (std::ranges::count(known, request.term) == 0) {
    ThrowUnknown("there is no term of this name in the stage range", request.term, "terms", known, "--term");
  }

  BagEvidence evidence;
  const std::string file = FindEvidence(annotation, request.bag, range, evidence);
  const std::string again = "annotate again with --evidence all (--force replaces what is there)";
  if (file.empty()) {
    throw Error(ErrorCode::kUsage, "no evidence was kept of this bag", again, {"--bag " + request.bag});
  }
  const auto term = std::ranges::find(evidence.terms, request.term, &TermEvidence::term);
  if (term == evidence.terms.end()) {
    std::vector<std::string> kept;
    for (const TermEvidence& each : evidence.terms) kept.push_back(each.term);
    throw Error(ErrorCode::kUsage,
                "no evidence was kept of this term, which the bag was not called for",
                "there is evidence of " + Listed(kept) + "; for others " + again,
                {"--term " + request.term});
  }
  const auto strongest = StrongestPatch(*term);
  if (!strongest) {
    throw Error(ErrorCode::kUsage,
                "the decision value rests on no window of this bag: there is nothing to draw",
                {},
                {"--term " + request.term});
  }
  std::size_t image = evidence.patches[*strongest].image;
  if (!request.image.empty()) {
    const auto found = std::ranges::find(evidence.images, request.image);
    if (found == evidence.images.end()) {
      ThrowUnknown("the bag has no image of this name", request.image, "images", evidence.images, "--image");
    }
    image = static_cast<std::size_t>(found - evidence.images.begin());
  }
  const std::string slug = fs::path(file).stem().string();
  const std::string embryo = "gallery/images/" + EmbryoFile(slug, image);
  return {.png = HeatMapPng(evidence, *term, image, DecodeGray(annotation.Read(embryo), (folder / embryo).string())),
          .range = range,
          .image = evidence.images[image],
          .decision_value = term->decision_value,
          .windows = evidence.patches.size()};
}

}  // namespace flyscribe
