#include "data/bag_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/error.h"
#include "core/text.h"
#include "data/tables.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

constexpr const char* kWholeNumbers = "<i2";
constexpr const char* kFloats = "<f4";
constexpr float kMostUnits = 32767.0F;
// Rounded by less than 2^-17 each, and in sum: 8e-6.
constexpr int kLargestUnit = -17;  // power of two
constexpr int kLeastUnit = -100;   // multiples stay ordinary numbers

float LargestMagnitude(const std::vector<float>& values) {
  float largest = 0.0F;
  for (const float value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

// The smallest power of two, as its exponent, of which 16 bits count up to `largest`.
int UnitFor(float largest) {
  int exponent = 0;
  const float mantissa = std::frexp(largest / kMostUnits, &exponent);
  return std::max(kLeastUnit, mantissa == 0.5F ? exponent - 1 : exponent);
}

template <class Number>
std::string Packed(const std::vector<Number>& values) {
  return Base64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number)});
}

// Throws std::out_of_range unless there are `count` of them.
template <class Number>
std::vector<Number> Unpacked(const std::string& text, std::size_t count) {
  const std::optional<std::string> bytes = DecodeBase64(text);
  if (!bytes || bytes->size() != count * sizeof(Number)) throw std::out_of_range("contributions");
  std::vector<Number> values(count);
  if (count > 0) std::memcpy(values.data(), bytes->data(), bytes->size());
  return values;
}

// `"type":"<i2","unit":...,"contributions":"..."`.
std::string PackedContributions(const std::vector<float>& contributions) {
  const float unit = std::ldexp(1.0F, UnitFor(LargestMagnitude(contributions)));
  std::vector<std::int16_t> units;
  for (const float contribution : contributions) {
    const float count = contribution / unit;
    if (std::abs(count) > kMostUnits || count != std::trunc(count)) break;
    units.push_back(static_cast<std::int16_t>(count));
  }
  const bool whole = units.size() == contributions.size();
  return fmt::format(R"("type":"{}","unit":{},"contributions":"{}")",
                     whole ? kWholeNumbers : kFloats,
                     FormatReal(whole ? double{unit} : 1.0),
                     whole ? Packed(units) : Packed(contributions));
}

// Throws std::out_of_range for what is no list of so many finite numbers.
std::vector<float> ContributionsFromJson(const Json& json, std::size_t count) {
  const std::string text = json.at("contributions");
  std::vector<float> contributions;
  if (json.at("type") == kWholeNumbers) {
    for (const std::int16_t units : Unpacked<std::int16_t>(text, count)) contributions.push_back(units);
  } else if (json.at("type") == kFloats) {
    contributions = Unpacked<float>(text, count);
  } else {
    throw std::out_of_range("type");
  }
  const float unit = json.at("unit");
  for (float& contribution : contributions) {
    contribution *= unit;
    if (!std::isfinite(contribution)) throw std::out_of_range("contributions");
  }
  return contributions;
}

// `"x":[168,176]`, written by hand: a tree of numbers would take a hundred times the room.
template <class TextOf>
std::string Column(const char* name, const std::vector<PatchPlace>& patches, const TextOf& text_of) {
  std::string text = std::string("\"") + name + "\":[";
  for (const PatchPlace& patch : patches) {
    if (text.back() != '[') text += ',';
    text += text_of(patch);
  }
  return text + "]";
}

std::vector<PatchPlace> PatchesFromJson(const Json& json, std::size_t images) {
  const Json& image = json.at("image");
  const Json& x = json.at("x");
  const Json& y = json.at("y");
  if (x.size() != image.size() || y.size() != image.size()) throw std::out_of_range("patches");
  std::vector<PatchPlace> patches;
  for (std::size_t i = 0; i < image.size(); ++i) {
    patches.push_back({image.at(i), x.at(i), y.at(i)});
    if (patches.back().image >= images) throw std::out_of_range("image");
  }
  return patches;
}

StageRange RangeFromJson(const Json& json) {
  const auto range = StageRange::Find(json.get<std::string>());
  if (!range) throw std::out_of_range("stage range");
  return *range;
}

}  // namespace

double SumOf(const TermEvidence& term) {
  double sum = term.bias;
  for (const float contribution : term.contributions) sum += double{contribution};
  return sum;
}

std::optional<std::size_t> StrongestPatch(const TermEvidence& term) {
  if (term.contributions.empty()) return std::nullopt;
  return static_cast<std::size_t>(std::ranges::max_element(term.contributions) - term.contributions.begin());
}

void RoundContributions(TermEvidence& term) {
  const int exponent = UnitFor(LargestMagnitude(term.contributions));
  if (exponent > kLargestUnit) return;
  const double unit = std::ldexp(1.0, exponent);
  double left = 0.0;  // of the running sum, for the next one to take up
  for (float& contribution : term.contributions) {
    left += double{contribution};
    const double units = std::clamp<double>(std::round(left / unit), -kMostUnits, kMostUnits);
    contribution = static_cast<float>(unit * units);
    left -= unit * units;
  }
}

std::vector<PatchEvidence> EvidenceIn(const std::vector<PatchPlace>& patches,
                                      const TermEvidence& term,
                                      std::size_t image) {
  FLYSCRIBE_CHECK(term.contributions.size() == patches.size(), "a contribution for each patch");
  std::vector<PatchEvidence> found;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (patches[i].image == image) found.push_back({patches[i].x, patches[i].y, term.contributions[i]});
  }
  return found;
}

std::string EncodeEvidence(const BagEvidence& evidence) {
  std::string text = JsonText(Json{{"format", kEvidenceFormat},
                                   {"model_id", evidence.model_id},
                                   {"bag_id", evidence.bag_id},
                                   {"fbgn", evidence.fbgn},
                                   {"gene_symbol", evidence.symbol},
                                   {"stage_range", evidence.range.name()},
                                   {"score_source", evidence.score_source},
                                   {"images", evidence.images}});
  text.pop_back();
  text += ",\n\"patches\":{" +
          Column("image", evidence.patches, [](const PatchPlace& patch) { return std::to_string(patch.image); }) +
          ",\n" + Column("x", evidence.patches, [](const PatchPlace& patch) { return FormatReal(patch.x); }) + ",\n" +
          Column("y", evidence.patches, [](const PatchPlace& patch) { return FormatReal(patch.y); }) +
          "},\n\"terms\":[";
  for (std::size_t i = 0; i < evidence.terms.size(); ++i) {
    const TermEvidence& term = evidence.terms[i];
    std::string row = JsonText(Json{
        {"term", term.term}, {"fbbt_id", term.fbbt_id}, {"decision_value", term.decision_value}, {"bias", term.bias}});
    row.pop_back();
    text += (i == 0 ? "\n" : ",\n") + row + ',' + PackedContributions(term.contributions) + '}';
  }
  return text + "]}\n";
}

BagEvidence DecodeEvidence(const std::string& text, const fs::path& path) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != kEvidenceFormat) {
      throw Error(
          ErrorCode::kInput,
          fmt::format(
              "evidence of format {}, but this program reads format {}", json.at("format").dump(), kEvidenceFormat),
          "annotate the images again",
          {path.string()});
    }
    BagEvidence evidence{json.at("model_id"),
                         json.at("bag_id"),
                         json.at("fbgn"),
                         json.at("gene_symbol"),
                         RangeFromJson(json.at("stage_range")),
                         json.at("score_source"),
                         json.at("images"),
                         {},
                         {}};
    evidence.patches = PatchesFromJson(json.at("patches"), evidence.images.size());
    for (const Json& term : json.at("terms")) {
      evidence.terms.push_back({term.at("term"),
                                term.at("fbbt_id"),
                                term.at("decision_value"),
                                term.at("bias"),
                                ContributionsFromJson(term, evidence.patches.size())});
    }
    return evidence;
  } catch (const Json::exception& error) {
    ThrowCorrupt(path, std::string("not a bag's evidence: ") + error.what());
  } catch (const std::out_of_range& error) {
    ThrowCorrupt(path, std::string("not a bag's evidence: ") + error.what());
  }
}

}  // namespace flyscribe
