#include "corpus/corpus.h"

#include <map>
#include <set>
#include <tuple>

#include "core/error.h"
#include "core/text.h"
#include "corpus/source_tables.h"

namespace flyscribe {
namespace {

// What all rows of one image say together.
struct Listing {
  std::set<std::size_t> genes;
  std::set<int> stages;
  std::string view;                          // of the first row that names one
  std::pair<std::size_t, std::string> file;  // folder and file that the first row names
  bool seen = false;
};

std::vector<Gene> GenesOf(const SourceRows& rows) {
  std::vector<Gene> genes;
  for (const AnnotationRow& row : rows.annotations) genes.push_back(row.gene);
  for (const ImageRow& row : rows.images) genes.push_back(row.gene);
  return genes;
}

// Joins the rows into a corpus; one use.
class Joiner {
 public:
  Joiner(SourceRows rows, const ImageFiles& files, Corpus& corpus)
      : rows_(std::move(rows)), files_(files), genes_(GenesOf(rows_)), corpus_(corpus) {}

  void Join() {
    corpus_.genes = genes_.genes();
    corpus_.names = genes_.names();
    corpus_.left_out = std::move(rows_.left_out);
    JoinLabels();
    for (const ImageRow& row : rows_.images) List(row);
    for (const ImageRow& row : rows_.images) JoinImage(row);
    ReportRepeatedRows();
    corpus_.tables = std::move(rows_.tables);
    corpus_.folders = std::move(rows_.folders);
  }

 private:
  // The gene of a row; nothing, and left out, if it is not clear.
  template <class Row>
  std::optional<std::size_t> GeneOf(const Row& row) {
    const std::optional<std::size_t> gene = genes_.Find(row.gene);
    if (!gene) {
      corpus_.left_out.push_back({row.place, row.stage, "symbol of several genes: " + row.gene.symbol, true});
    } else if (const std::string conflict = genes_.Conflict(row.gene); !conflict.empty()) {
      corpus_.notes.push_back({row.place, row.stage, "gene with several ids: " + conflict, false});
    }
    if (const std::string shared = gene ? genes_.SharedSymbol(row.gene) : ""; !shared.empty()) {
      corpus_.notes.push_back({row.place, row.stage, "symbol shared by genes without a common id: " + shared, false});
    }
    return gene;
  }

  void JoinLabels() {
    std::set<std::tuple<std::size_t, int, std::string>> seen;
    for (const AnnotationRow& row : rows_.annotations) {
      const std::optional<std::size_t> gene = GeneOf(row);
      if (!gene) continue;
      const bool is_new = seen.emplace(*gene, row.stage, row.term).second;
      corpus_.labels.push_back(
          {*gene, row.stage, row.term, row.place, is_new ? "" : "duplicate row", !is_new && row.may_repeat});
    }
  }

  void List(const ImageRow& row) {
    const std::optional<std::size_t> gene = genes_.Find(row.gene);
    if (!gene) return;
    Listing& listing = listings_[row.Id()];
    listing.genes.insert(*gene);
    listing.stages.insert(row.stage);
    if (listing.view.empty()) listing.view = row.view;
  }

  void JoinImage(const ImageRow& row) {
    const std::optional<std::size_t> gene = GeneOf(row);
    if (!gene) return;
    Listing& listing = listings_.at(row.Id());
    CorpusImage image;
    image.id = row.Id();
    image.gene = *gene;
    image.stage = row.stage;
    image.view = listing.view;
    image.bag = row.bag;
    image.place = row.place;
    image.file = FileOf(row);
    image.fault = true;
    // A row that names no file leaves it to the others.
    const bool both_name_a_file = !row.file.empty() && !listing.file.second.empty();
    const bool other_file = both_name_a_file && std::pair(row.folder, row.file) != listing.file;
    if (listing.genes.size() > 1) {
      image.problem = "image listed under two genes: " + image.id;
    } else if (listing.stages.size() > 1) {
      image.problem = "image listed under two stage ranges: " + image.id;
    } else if (listing.seen && !row.may_be_copy && other_file) {
      image.problem = "another file of the same image id: " + image.id;
    } else if (listing.seen) {
      image.problem = "duplicate row";
      image.fault = false;
      image.silent = row.may_repeat;
    }
    if (!row.view.empty() && row.view != listing.view) {
      corpus_.notes.push_back({row.place, row.stage, "image listed with two views: " + image.id, false});
    }
    if (!listing.seen) listing.file = {row.folder, row.file};
    listing.seen = true;
    corpus_.images.push_back(std::move(image));
  }

  // A row may repeat its image without a word, or its term; one that repeats both says nothing new, and is listed.
  void ReportRepeatedRows() {
    std::set<RowPlace> heard;
    for (const LeftOut& row : corpus_.left_out) heard.insert(row.place);
    for (const CorpusLabel& label : corpus_.labels) {
      if (!label.silent) heard.insert(label.place);
    }
    for (CorpusImage& image : corpus_.images) {
      if (image.silent && heard.insert(image.place).second) image.silent = false;
    }
  }

  // By number; or, if it is named, below the table's own folder, else below one of those searched.
  std::optional<ImageFile> FileOf(const ImageRow& row) const {
    if (row.file.empty()) {
      const auto found = files_.by_number.find(row.number);
      return found == files_.by_number.end() ? std::nullopt : std::optional(found->second);
    }
    if (auto own = FileBelow(row.folder, row.file)) return own;
    for (std::size_t folder = 0; folder < corpus_.searched_folders; ++folder) {
      if (auto found = FileBelow(folder, row.file)) return found;
    }
    return std::nullopt;
  }

  std::optional<ImageFile> FileBelow(std::size_t folder, const std::string& file) const {
    boost::system::error_code error;
    const std::uintmax_t bytes = fs::file_size(rows_.folders.at(folder) / file, error);
    return error ? std::nullopt : std::optional(ImageFile{folder, file, bytes});
  }

  SourceRows rows_;
  const ImageFiles& files_;
  GeneIndex genes_;
  Corpus& corpus_;
  std::map<std::string, Listing> listings_;  // by the image's id
};

// The same for every way that leads to a file.
std::string RealPath(const fs::path& path) {
  boost::system::error_code error;
  const fs::path real = fs::canonical(path, error);
  return error ? path.string() : real.string();
}

// What became of the files that were found; a tree lists every one of them.
void CountFiles(const ImageFiles& found, bool is_tree, Corpus& corpus) {
  std::set<std::string> used;
  std::set<std::string> listed;
  for (const CorpusImage& image : corpus.images) {
    if (image.file) (image.IsJoined() ? used : listed).insert(RealPath(corpus.PathOf(*image.file)));
  }
  std::set<std::pair<std::size_t, std::string>> chosen;
  for (const auto& [number, file] : found.by_number) chosen.emplace(file.folder, file.file);
  corpus.files = found.all.size();
  for (const ImageFile& file : found.all) {
    const std::string path = RealPath(corpus.PathOf(file));
    const bool has_number =
        (is_tree ? ExplicitImageNumber : ImageNumber)(fs::path(file.file).stem().native()).has_value();
    if (used.contains(path)) {
      ++corpus.used_files;
    } else if (has_number && !chosen.contains({file.folder, file.file})) {
      ++corpus.copies;
    } else if (is_tree || listed.contains(path)) {
      ++corpus.unused_files;
    }
  }
}

}  // namespace

Corpus::Corpus(const Sources& sources, const ImageSizeOf& size_of, const Progress& progress) {
  SourceRows rows = ReadTables(sources, progress);
  const bool is_tree = rows.images.empty() && sources.images_table.empty();
  const NumberOfStem number_of = is_tree ? ExplicitImageNumber : ImageNumber;
  const ImageFiles found = FindImageFiles(sources.image_folders, size_of, number_of, progress);
  if (is_tree) ReadFolderTree(found, rows);
  if (rows.images.empty()) {
    const bool only_folders = is_tree && sources.annotations.empty() && !sources.image_folders.empty();
    const fs::path& table = is_tree ? sources.annotations : sources.images_table;
    throw Error(ErrorCode::kInput,
                "no image is listed",
                "name a table of images, or folders that hold <gene>/<stage range>/<image>",
                {(only_folders ? sources.image_folders.front() : table).string()});
  }
  searched_folders = sources.image_folders.size();
  folder_problems = found.problems;
  Joiner(std::move(rows), found, *this).Join();
  CountFiles(found, is_tree, *this);
}

Corpus SingleImages(const fs::path& folder, const ImageFiles& files, StageRange range) {
  const auto stem_of = [](const ImageFile& file) { return fs::path(file.file).replace_extension().generic_string(); };
  std::map<std::string, int> files_of_stem;
  for (const ImageFile& file : files.all) ++files_of_stem[stem_of(file)];
  Corpus corpus;
  corpus.folders = {folder};
  corpus.searched_folders = 1;
  corpus.folder_problems = files.problems;
  corpus.tables.push_back({folder.filename().string(), "single images", files.all.size(), {}});
  for (const ImageFile& file : files.all) {
    const std::string name = files_of_stem.at(stem_of(file)) == 1 ? stem_of(file) : file.file;
    std::vector<std::string>& row_names = corpus.tables[0].row_names;
    row_names.push_back(ToUtf8(file.file));
    const RowPlace place = {0, static_cast<int>(row_names.size())};
    if (!IsPlainText(name)) {
      corpus.folder_problems.push_back({ToUtf8(file.file), "name is not plain UTF-8 text", true});
      continue;
    }
    const Gene word = GeneFromWord(name);
    const Gene gene = word.symbol.empty() ? word : Gene();
    CorpusImage image;
    image.id = name;
    image.gene = corpus.genes.size();
    image.stage = range.code();
    image.bag = name;
    image.file = file;
    image.place = place;
    corpus.images.push_back(std::move(image));
    corpus.genes.push_back(gene);
    corpus.names.push_back(NamesOf(gene));
  }
  corpus.files = files.all.size();
  corpus.used_files = corpus.images.size();
  return corpus;
}

}  // namespace flyscribe
