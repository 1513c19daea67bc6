#include "pipeline/annotate/bag_files.h"

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

RgbImage Coloured(const GrayImage& gray) {
  RgbImage image(gray.width, gray.height);
  for (std::size_t i = 0; i < gray.pixels.size(); ++i) {
    for (std::size_t c = 0; c < 3; ++c) image.pixels[3 * i + c] = gray.pixels[i];
  }
  return image;
}

void Write(const fs::path& result,
           const std::string& name,
           const std::string& bytes,
           std::vector<ListedFile>& written) {
  WriteFile(result / name, bytes, Durability::kUnsynced);
  written.push_back({name, bytes.size(), Sha256OfText(bytes)});
}

// Draws the heat maps; returns the path of each ranked term's, empty where there is none.
std::vector<std::string> WriteMaps(const fs::path& result,
                                   const NewBag& bag,
                                   const AnnotatedBag& annotated,
                                   std::vector<ListedFile>& written) {
  const BagAnnotation& said = *annotated.annotation;
  std::vector<std::string> maps(said.terms.size());
  if (annotated.evidence.terms.empty()) return maps;
  const fs::path folder = fs::path("evidence") / bag.slug;
  CreateFolder(result / folder);
  SlugMaker slugs;
  std::size_t next = 0;  // evidence is kept by rank too
  for (std::size_t rank = 0; rank < said.terms.size() && next < annotated.evidence.terms.size(); ++rank) {
    const TermEvidence& evidence = annotated.evidence.terms[next];
    if (evidence.term != said.terms[rank].term) continue;
    ++next;
    if (!said.terms[rank].top) continue;
    const TopPatch& top = *said.terms[rank].top;
    const fs::path file = folder / (slugs.Make(std::to_string(rank + 1) + "-" + evidence.term) + ".png");
    maps[rank] = file.generic_string();
    Write(result,
          maps[rank],
          EncodePng(DrawHeatMap(annotated.embryos.at(top.image), PatchesIn(evidence, top.image))),
          written);
  }
  return maps;
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

std::string EmbryoFile(const NewBag& bag, std::size_t image) {
  return bag.slug + "-" + std::to_string(image + 1) + ".jpg";
}

void CreateBagFolders(const fs::path& result) {
  for (const char* folder : {"evidence", "gallery/images", "gallery/bags"}) CreateFolder(result / folder);
}

std::vector<ListedFile> WriteBagFiles(const fs::path& result,
                                      const NewBag& bag,
                                      const AnnotatedBag& annotated,
                                      const TermPages& pages) {
  FLYSCRIBE_CHECK(annotated.annotation.has_value(), "a bag without annotation has no files");
  const BagAnnotation& said = *annotated.annotation;
  GalleryBag shown{&said, {}, {}, {}};
  std::vector<ListedFile> written;
  for (std::size_t i = 0; i < annotated.embryos.size(); ++i) {
    const std::string file = EmbryoFile(bag, i);
    Write(result, "gallery/images/" + file, EncodeJpeg(Coloured(annotated.embryos[i]), kJpegQuality), written);
    shown.images.push_back({file, said.images[i]});
  }
  const std::vector<std::string> maps = WriteMaps(result, bag, annotated, written);
  for (std::size_t rank = 0; rank < said.terms.size(); ++rank) {
    shown.terms.push_back({pages.Of(said.range, said.terms[rank].term), maps[rank]});
  }
  if (!annotated.evidence.terms.empty()) {
    shown.evidence = "evidence/" + bag.slug + ".json";
    Write(result, shown.evidence, EncodeEvidence(annotated.evidence), written);
  }
  Write(result, "gallery/bags/" + bag.slug + ".html", RenderBagPage(shown), written);
  return written;
}

}  // namespace flyscribe
