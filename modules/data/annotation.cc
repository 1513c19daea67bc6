#include "data/annotation.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/csv.h"
#include "core/text.h"
#include "data/tables.h"

namespace flyscribe {
namespace {

// Keeps the order of the columns.
using Json = nlohmann::ordered_json;

std::string TopImage(const BagAnnotation& bag, const TermPrediction& term) {
  return term.top ? bag.images.at(term.top->image) : std::string();
}

Json PredictionJson(const BagAnnotation& bag, std::size_t rank, const std::string& model_id) {
  const TermPrediction& term = bag.terms[rank];
  return {{"bag_id", bag.id},
          {"fbgn", bag.fbgn},
          {"gene_symbol", bag.symbol},
          {"stage_range", bag.range.name()},
          {"fbdv_id", bag.range.fbdv()},
          {"term", term.term},
          {"fbbt_id", term.fbbt_id},
          {"decision_value", term.decision_value},
          {"probability", term.probability},
          {"threshold", term.threshold},
          {"call", term.call},
          {"rank", rank + 1},
          {"score_source", bag.score_source},
          {"n_images", bag.images.size()},
          {"top_image", term.top ? Json(TopImage(bag, term)) : Json()},
          {"top_patch_x", term.top ? Json(term.top->x) : Json()},
          {"top_patch_y", term.top ? Json(term.top->y) : Json()},
          {"model_id", model_id}};
}

Json TermJson(const TermPrediction& term) {
  Json json = {{"term", term.term},
               {"fbbt", term.fbbt_id},
               {"value", term.decision_value},
               {"probability", term.probability},
               {"threshold", term.threshold},
               {"call", term.call}};
  if (term.top) json["top"] = {term.top->image, term.top->x, term.top->y};
  return json;
}

TermPrediction TermFromJson(const Json& json, std::size_t images) {
  TermPrediction term{json.at("term"),
                      json.at("fbbt"),
                      json.at("value"),
                      json.at("probability"),
                      json.at("threshold"),
                      json.at("call"),
                      {}};
  if (json.contains("top")) {
    const Json& top = json.at("top");
    term.top = PatchPlace{top.at(0), top.at(1), top.at(2)};
    if (term.top->image >= images) throw std::out_of_range("image");
  }
  return term;
}

}  // namespace

double TermPrediction::Margin() const { return std::abs(probability - threshold); }

void RankTerms(std::vector<TermPrediction>& terms) {
  std::ranges::sort(terms, {}, [](const TermPrediction& term) {
    return std::tuple(-term.probability, -term.decision_value, std::string_view(term.term));
  });
}

const std::vector<std::string>& PredictionHeader() {
  static const std::vector<std::string> header = Split(
      "bag_id fbgn gene_symbol stage_range fbdv_id term fbbt_id decision_value probability threshold call rank "
      "score_source n_images top_image top_patch_x top_patch_y model_id",
      ' ');
  return header;
}

std::string PredictionRows(const BagAnnotation& bag, const std::string& model_id) {
  std::string rows;
  for (std::size_t i = 0; i < bag.terms.size(); ++i) {
    const TermPrediction& term = bag.terms[i];
    rows += TsvRow({bag.id,
                    bag.fbgn,
                    bag.symbol,
                    bag.range.name(),
                    bag.range.fbdv(),
                    term.term,
                    term.fbbt_id,
                    FormatReal(term.decision_value),
                    FormatReal(term.probability),
                    FormatReal(term.threshold),
                    term.call ? "1" : "0",
                    std::to_string(i + 1),
                    bag.score_source,
                    std::to_string(bag.images.size()),
                    TopImage(bag, term),
                    term.top ? FormatReal(term.top->x) : "",
                    term.top ? FormatReal(term.top->y) : "",
                    model_id});
  }
  return rows;
}

std::string PredictionLines(const BagAnnotation& bag, const std::string& model_id) {
  std::string lines;
  for (std::size_t i = 0; i < bag.terms.size(); ++i) lines += JsonText(PredictionJson(bag, i, model_id)) + '\n';
  return lines;
}

std::string BdgpAnnotationRow(const std::string& cg,
                              const std::string& symbol,
                              const std::string& fbgn,
                              StageRange range,
                              const std::string& term) {
  return CsvQuoted(cg) + ',' + CsvQuoted(symbol) + ',' + CsvQuoted(fbgn) + ',' + std::to_string(range.code()) + ',' +
         CsvQuoted(term) + '\n';
}

std::string CalledRows(const BagAnnotation& bag) {
  std::string rows;
  // A bag that is known by nothing but its own id (an image of no gene) is handed back under that.
  const bool is_gene = !bag.fbgn.empty() || !bag.cg.empty() || !bag.symbol.empty();
  const std::string& symbol = is_gene ? bag.symbol : bag.id;
  for (const TermPrediction& term : bag.terms) {
    if (term.call) rows += BdgpAnnotationRow(bag.cg, symbol, bag.fbgn, bag.range, term.term);
  }
  return rows;
}

const std::vector<std::string>& ReviewHeader() {
  static const std::vector<std::string> header = Split(
      "bag_id fbgn cg gene_symbol stage_range term fbbt_id probability threshold call margin score_source top_image "
      "model_id decision curator date note",
      ' ');
  return header;
}

std::string ReviewRow(const BagAnnotation& bag, std::size_t index, const std::string& model_id) {
  const TermPrediction& term = bag.terms.at(index);
  return QuotedTsvRow({bag.id,
                       bag.fbgn,
                       bag.cg,
                       bag.symbol,
                       bag.range.name(),
                       term.term,
                       term.fbbt_id,
                       FormatReal(term.probability),
                       FormatReal(term.threshold),
                       term.call ? "1" : "0",
                       FormatReal(term.Margin()),
                       bag.score_source,
                       TopImage(bag, term),
                       model_id,
                       "",
                       "",
                       "",
                       ""});
}

std::string EncodeAnnotation(const BagAnnotation& bag) {
  Json terms = Json::array();
  for (const TermPrediction& term : bag.terms) terms.push_back(TermJson(term));
  return JsonText(Json{{"id", bag.id},
                       {"fbgn", bag.fbgn},
                       {"cg", bag.cg},
                       {"symbol", bag.symbol},
                       {"range", bag.range.name()},
                       {"source", bag.score_source},
                       {"images", bag.images},
                       {"terms", terms}});
}

BagAnnotation DecodeAnnotation(std::string_view line, const fs::path& path) {
  try {
    const Json json = Json::parse(line);
    BagAnnotation bag{json.at("id"),
                      json.at("fbgn"),
                      json.at("cg"),
                      json.at("symbol"),
                      StageRange::FromName(json.at("range").get<std::string>()),
                      json.at("source"),
                      json.at("images"),
                      {}};
    for (const Json& term : json.at("terms")) bag.terms.push_back(TermFromJson(term, bag.images.size()));
    return bag;
  } catch (const std::exception& error) {
    ThrowCorrupt(path, std::string("not an annotation: ") + error.what());
  }
}

}  // namespace flyscribe
