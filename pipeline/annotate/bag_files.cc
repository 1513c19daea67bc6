#include "pipeline/annotate/bag_files.h"

#include <optional>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"
#include "imaging/image_file.h"
#include "imaging/pictures.h"
#include "report/gallery.h"

namespace flyscribe {
namespace {

constexpr int kJpegQuality = 85;

void Write(const fs::path& result,
           const std::string& name,
           const std::string& bytes,
           std::vector<ListedFile>& written) {
  WriteFile(result / name, bytes, Durability::kUnsynced);
  written.push_back({name, bytes.size(), Sha256OfText(bytes)});
}

}  // namespace

TermPages::TermPages(const Model& model) {
  SlugMaker slugs;
  for (const RangeModel& range : model.ranges) {
    for (const TermModel& term : range.models.terms) {
      pages_[{range.range, term.term}] = slugs.Make(range.range.name() + "_" + term.term);
    }
  }
}

const std::string& TermPages::Of(StageRange range, const std::string& term) const { return pages_.at({range, term}); }

std::string EmbryoFile(const std::string& slug, std::size_t image) {
  return slug + "-" + std::to_string(image + 1) + ".jpg";
}

std::string HeatMapPng(const BagEvidence& evidence,
                       const TermEvidence& term,
                       std::size_t image,
                       const GrayImage& embryo) {
  return EncodePng(DrawHeatMap(embryo, EvidenceIn(evidence.patches, term, image)));
}

void CreateBagFolders(const fs::path& result) {
  for (const char* folder : {"evidence", "gallery/images", "gallery/bags"}) CreateFolder(result / folder);
}

std::vector<ListedFile> WriteBagFiles(
    const fs::path& result, const NewBag& bag, const AnnotatedBag& annotated, EvidenceOf maps, const TermPages& pages) {
  FLYSCRIBE_CHECK(annotated.annotation.has_value(), "a bag without annotation has no files");
  const BagAnnotation& said = *annotated.annotation;
  const BagEvidence& evidence = annotated.evidence;
  GalleryBag shown{&said, {}, {}, evidence.patches, {}};
  std::vector<ListedFile> written;
  std::vector<GrayImage> embryos;  // as their files have them
  for (std::size_t i = 0; i < annotated.embryos.size(); ++i) {
    const std::string jpeg = EncodeJpeg(annotated.embryos[i], kJpegQuality);
    const std::string file = EmbryoFile(bag.slug, i);
    Write(result, "gallery/images/" + file, jpeg, written);
    if (maps != EvidenceOf::kNone) embryos.push_back(DecodeGray(jpeg, file));
    shown.images.push_back({file, said.images[i]});
  }
  if (!evidence.terms.empty()) {
    shown.evidence = "evidence/" + bag.slug + ".json";
    Write(result, shown.evidence, EncodeEvidence(evidence), written);
  }
  if (!evidence.terms.empty() && maps != EvidenceOf::kNone) CreateFolder(result / "evidence" / bag.slug);
  SlugMaker slugs;
  auto next = evidence.terms.begin();  // by rank too
  for (std::size_t rank = 0; rank < said.terms.size(); ++rank) {
    const std::string& term = said.terms[rank].term;
    GalleryTerm row{.page = pages.Of(said.range, term), .evidence = nullptr, .scale = {}, .png = {}};
    if (next != evidence.terms.end() && next->term == term) {
      row.evidence = &*next++;
      const std::optional<std::size_t> strongest = StrongestPatch(*row.evidence);
      if (strongest) {
        const std::size_t image = evidence.patches[*strongest].image;
        row.scale = HeatMapScale(EvidenceIn(evidence.patches, *row.evidence, image), kEmbryoWidth, kEmbryoHeight);
        if (IsAmong(maps, said, rank)) {
          row.png = "evidence/" + bag.slug + "/" + slugs.Make(std::to_string(rank + 1) + "-" + term) + ".png";
          Write(result, row.png, HeatMapPng(evidence, *row.evidence, image, embryos.at(image)), written);
        }
      }
    }
    shown.terms.push_back(std::move(row));
  }
  Write(result, "gallery/bags/" + bag.slug + ".html", RenderBagPage(shown), written);
  return written;
}

}  // namespace flyscribe
