#include "corpus/manifest.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/csv.h"
#include "core/error.h"
#include "core/text.h"
#include "corpus/corpus.h"
#include "corpus/image_files.h"

namespace flyscribe {
namespace {

Gene ReadGene(const Header& header, const Fields& fields) {
  Gene gene = GeneFromColumns(header.Get(fields, "cg"), header.Get(fields, "symbol"), header.Get(fields, "fbgn"));
  return gene.Identity().empty() ? GeneFromWord(header.Get(fields, "gene")) : gene;
}

bool IsManifestHeader(const Header& header) {
  const bool names_gene = header.Has("gene") || header.Has("fbgn") || header.Has("cg") || header.Has("symbol");
  return names_gene && header.Has("stage_range") && (header.Has("file") || header.Has("image_id"));
}

// Where a file is named, bare digits are a name like any other; without one, they are the number to find it by. Two
// folders may hold files of one name, so an image without an id is known by its path.
void NameImage(const std::string& id, ImageRow& image) {
  image.id = id.empty() ? fs::path(image.file).lexically_normal().generic_string() : id;
  const std::string stem = id.empty() ? fs::path(image.file).stem().string() : id;
  image.number = (image.file.empty() ? ImageNumber(stem) : ExplicitImageNumber(stem)).value_or(-1);
}

RowContent ReadManifestRow(const Header& header, const Fields& fields) {
  RowContent content;
  if (!ReadStage(header.Get(fields, "stage_range"), content)) return content;
  ImageRow image;
  image.gene = ReadGene(header, fields);
  image.stage = content.stage;
  image.view = ToLower(header.Get(fields, "view"));
  image.bag = header.Get(fields, "bag_id");
  image.file = header.Get(fields, "file");
  NameImage(header.Get(fields, "image_id"), image);
  if (image.gene.Identity().empty()) content.Refuse("no gene");
  if (image.file.empty() && image.number < 0) content.Refuse("neither a file nor an image number");
  const std::vector<std::string> words = Split(header.Get(fields, "terms"), kTermSeparator);
  if (words.size() > kMaxWordsOfAList) content.RefuseLongList("terms", words.size());
  if (!content.refusals.empty()) return content;
  for (const std::string& word : words) {
    const std::string term = CleanField(word);
    if (!term.empty()) content.annotations.push_back({image.gene, content.stage, term, {}});
  }
  content.images.push_back(std::move(image));
  return content;
}

// Terms of each bag, in the order of their names. None has the separator in it: such terms are not taken up.
std::map<std::pair<std::size_t, int>, std::vector<std::string>> TermsOfBags(const Corpus& corpus) {
  std::map<std::pair<std::size_t, int>, std::vector<std::string>> terms;
  for (const CorpusLabel& label : corpus.labels) {
    if (label.problem.empty()) terms[{label.gene, label.stage}].push_back(label.term);
  }
  for (auto& [bag, words] : terms) std::sort(words.begin(), words.end());
  return terms;
}

// The path of an image file from a manifest's folder.
std::string PathFrom(const fs::path& folder, const fs::path& file) {
  // Through a link, `..` leads to where the link points, not back.
  const fs::path real = fs::weakly_canonical(fs::absolute(file).parent_path()) / file.filename();
  std::string path = real.lexically_relative(fs::weakly_canonical(fs::absolute(folder))).generic_string();
  if (IsUtf8(path)) return path;
  throw Error(ErrorCode::kInput,
              "a manifest cannot name this file: its path is not UTF-8 text",
              "rename it; a config that names the tables and folders themselves reads it as it is",
              {ToUtf8(file.string())});
}

}  // namespace

TableFormat ManifestFormat() {
  return {.name = "manifest",
          .columns = "file, stage_range, fbgn or cg or symbol, then view, terms (separated by |), image_id",
          .is_header = IsManifestHeader,
          .read = ReadManifestRow};
}

std::string ManifestText(const Corpus& corpus, const fs::path& folder, const IdOfTerm& id_of) {
  std::string text =
      TsvRow({"image_id", "file", "stage_range", "fbdv_ids", "fbgn", "cg", "symbol", "view", "terms", "fbbt_ids"});
  const auto terms_of = TermsOfBags(corpus);
  const std::string separator(1, kTermSeparator);
  for (const CorpusImage& image : corpus.images) {
    if (!image.IsJoined()) continue;
    const Gene& gene = corpus.genes[image.gene];
    const StageRange range = StageRange::FromCode(image.stage);
    const auto found = terms_of.find({image.gene, image.stage});
    const std::vector<std::string> terms = found == terms_of.end() ? std::vector<std::string>{} : found->second;
    std::vector<std::string> ids;
    for (const std::string& term : terms) ids.push_back(id_of ? id_of(term, range) : "");
    text += QuotedTsvRow({image.id,
                          PathFrom(folder, corpus.PathOf(*image.file)),
                          range.name(),
                          range.fbdv(),
                          gene.fbgn,
                          gene.cg,
                          gene.symbol,
                          image.view,
                          Join(terms, separator),
                          Join(ids, separator)});
  }
  return text;
}

}  // namespace flyscribe
