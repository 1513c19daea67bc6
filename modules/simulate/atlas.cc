#include "simulate/atlas.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace flyscribe {
namespace {

using enum Tissue;
using enum Texture;

Mark Disc(float u, float v, float radius) { return Mark::Path({{u, v}}, radius); }
Mark Tube(std::vector<AtlasPoint> points, float half_width) { return Mark::Path(std::move(points), half_width); }
Mark Dots(std::vector<AtlasPoint> points, float radius, int count) {
  return Mark::Path(std::move(points), radius).Repeated(count);
}
Mark Rim(float from, float to, float near, float far) { return Mark::Rim(from, to, near, far); }
Mark Area(float from, float to, float near, float far) { return Mark::Area(from, to, near, far); }
Mark Everywhere() { return Area(-2.0F, 2.0F, -2.0F, 2.0F); }
// A mark that reaches the outline starts beyond it.
constexpr float kEdge = -6.0F;

Term Ubiquitous() { return {"ubiquitous", kBroad, kMottled, 0.5F, {Everywhere()}}; }

// Cleavage: a yolky egg, stain of the mother's transcripts.
std::vector<Term> Terms1() {
  return {
      {"maternal", kBroad, kMottled, 0.75F, {Rim(-1.0F, 2.0F, 13.0F, 90.0F)}},
      {"ubiquitous", kBroad, kGrainy, 0.55F, {Everywhere()}},
      {"pole plasm", kGerm, kSmooth, 1.0F, {Disc(1.0F, 0.0F, 20.0F)}},
      {"need new term(localised)", kGerm, kSmooth, 0.9F, {Disc(-0.97F, 0.0F, 32.0F)}, true},
      {"fertilized egg", kGerm, kSpeckled, 1.1F, {Area(-0.6F, 0.6F, -0.55F, 0.55F)}, true},
  };
}

// Blastoderm: a layer of cells around the yolk, domains along both axes.
std::vector<Term> Terms2() {
  return {
      {"cellular blastoderm", kBroad, kStriated, 0.8F, {Rim(-1.0F, 2.0F, 2.0F, 13.0F)}},
      Ubiquitous(),
      {"dorsal ectoderm anlage in statu nascendi", kEpidermis, kSmooth, 0.9F, {Area(-0.55F, 0.8F, -2.0F, -0.42F)}},
      {"ventral ectoderm anlage in statu nascendi", kEpidermis, kGrainy, 0.8F, {Area(-0.5F, 0.75F, 0.15F, 0.7F)}},
      {"procephalic ectoderm anlage in statu nascendi",
       kNeural,
       kSmooth,
       0.95F,
       {Area(-0.82F, -0.52F, -2.0F, 0.25F).Slanted(0.15F)}},
      {"posterior endoderm anlage in statu nascendi", kGut, kSmooth, 1.0F, {Disc(1.0F, 0.05F, 42.0F)}},
      {"mesoderm anlage in statu nascendi", kMesoderm, kSmooth, 1.2F, {Rim(0.06F, 0.44F, kEdge, 14.0F)}},
      {"pole cell",
       kGerm,
       kSmooth,
       1.3F,
       {Dots({{0.97F, -0.36F}, {0.985F, 0.36F}}, 6.0F, 4), Dots({{0.91F, -0.24F}, {0.92F, 0.24F}}, 5.0F, 3)}},
      {"yolk nuclei", kGerm, kSpeckled, 1.1F, {Area(-0.7F, 0.7F, -0.5F, 0.5F)}},
      {"foregut anlage in statu nascendi", kGut, kSmooth, 1.1F, {Disc(-0.86F, 0.25F, 15.0F)}},
      {"hindgut anlage in statu nascendi", kGut, kSmooth, 1.1F, {Area(0.7F, 0.8F, -2.0F, 2.0F).Slanted(-0.06F)}},
      {"amnioserosa anlage in statu nascendi", kEpidermis, kGrainy, 1.1F, {Rim(0.6F, 0.88F, kEdge, 7.0F)}},
      {"visual anlage in statu nascendi", kNeural, kSmooth, 1.1F, {Tube({{-0.68F, -0.62F}, {-0.54F, -0.45F}}, 8.0F)}},
      {"gap", kEpidermis, kSmooth, 0.9F, {Area(-0.16F, 0.16F, -2.0F, 2.0F).Slanted(0.08F)}, true},
      {"pair rule",
       kEpidermis,
       kGrainy,
       1.1F,
       {Area(-0.42F, 0.72F, -2.0F, 2.0F).Slanted(0.06F).Repeated(7, 0.5F)},
       true},
  };
}

// Gastrulation: head fold, the germ band begins to bend over the posterior end.
std::vector<Term> Terms3() {
  return {
      Ubiquitous(),
      {"trunk mesoderm primordium P2", kMesoderm, kSmooth, 0.95F, {Rim(0.12F, 0.66F, 11.0F, 23.0F)}},
      {"head mesoderm primordium P4", kMesoderm, kMottled, 1.0F, {Tube({{-0.6F, 0.3F}, {-0.5F, 0.55F}}, 15.0F)}},
      {"posterior endoderm primordium P2",
       kGut,
       kSmooth,
       1.0F,
       {Tube({{0.22F, -0.5F}, {0.36F, -0.3F}, {0.28F, -0.1F}, {0.12F, -0.15F}}, 12.0F)}},
      {"anterior endoderm anlage", kGut, kSmooth, 1.0F, {Tube({{-0.86F, 0.1F}, {-0.72F, 0.4F}}, 12.0F)}},
      {"ventral ectoderm primordium P2", kEpidermis, kGrainy, 0.9F, {Rim(0.13F, 0.48F, kEdge, 11.0F)}},
      {"procephalic ectoderm anlage", kNeural, kSmooth, 0.9F, {Area(-0.85F, -0.5F, -2.0F, -0.05F).Slanted(-0.1F)}},
      {"hindgut anlage", kGut, kSmooth, 1.15F, {Tube({{0.36F, -0.82F}, {0.5F, -0.4F}}, 8.0F)}},
      {"dorsal ectoderm primordium", kEpidermis, kSmooth, 0.8F, {Area(-0.2F, 0.85F, -0.15F, 0.35F)}},
      {"ventral nerve cord anlage", kNeural, kStriated, 1.0F, {Rim(0.14F, 0.62F, 3.0F, 14.0F)}},
      {"pole cell", kGerm, kSmooth, 1.3F, {Dots({{0.1F, -0.55F}, {0.3F, -0.45F}}, 5.0F, 4)}},
      {"yolk nuclei", kGerm, kSpeckled, 1.1F, {Area(-0.35F, 0.75F, -0.35F, 0.45F)}},
      {"mesectoderm primordium", kNeural, kSmooth, 1.3F, {Rim(0.12F, 0.5F, kEdge, 6.0F).Repeated(26, 0.55F)}},
      {"amnioserosa anlage", kEpidermis, kGrainy, 1.0F, {Area(-0.38F, 0.08F, -2.0F, -0.5F)}},
      {"pair_rule", kEpidermis, kGrainy, 1.1F, {Area(-0.38F, 0.8F, 0.1F, 2.0F).Repeated(7, 0.5F)}, true},
  };
}

// Extended germ band: from the ventral side around the posterior end and forward on the dorsal side.
std::vector<Term> Terms4() {
  return {
      Ubiquitous(),
      {"trunk mesoderm primordium", kMesoderm, kSmooth, 0.95F, {Rim(0.13F, 0.74F, 10.0F, 22.0F).Repeated(16, 0.75F)}},
      {"head mesoderm primordium P2", kMesoderm, kMottled, 1.0F, {Tube({{-0.62F, 0.2F}, {-0.5F, 0.5F}}, 15.0F)}},
      {"posterior endoderm primordium", kGut, kSmooth, 1.0F, {Disc(0.18F, -0.22F, 20.0F)}},
      {"anterior endoderm primordium", kGut, kSmooth, 1.0F, {Tube({{-0.7F, 0.45F}, {-0.45F, 0.25F}}, 11.0F)}},
      {"procephalic ectoderm primordium", kNeural, kGrainy, 0.9F, {Area(-0.85F, -0.5F, -2.0F, -0.1F).Slanted(-0.1F)}},
      {"ventral nerve cord primordium P3", kNeural, kStriated, 1.0F, {Rim(0.12F, 0.72F, 2.0F, 12.0F)}},
      {"inclusive hindgut primordium", kGut, kSmooth, 1.15F, {Tube({{-0.02F, -0.85F}, {0.06F, -0.42F}}, 9.0F)}},
      {"ventral ectoderm primordium", kEpidermis, kSmooth, 0.95F, {Rim(0.13F, 0.5F, kEdge, 20.0F).Repeated(11, 0.45F)}},
      {"dorsal ectoderm primordium", kEpidermis, kSmooth, 0.8F, {Area(-0.1F, 0.8F, 0.05F, 0.42F)}},
      {"amnioserosa", kEpidermis, kGrainy, 1.0F, {Area(-0.4F, -0.05F, -2.0F, -0.3F).Slanted(0.1F)}},
      {"germ cell", kGerm, kSmooth, 1.3F, {Dots({{0.28F, -0.3F}, {0.46F, -0.1F}}, 5.0F, 4)}},
      {"foregut primordium", kGut, kSmooth, 1.1F, {Tube({{-0.93F, 0.2F}, {-0.78F, 0.22F}}, 8.0F)}},
      {"yolk nuclei", kGerm, kSpeckled, 1.1F, {Area(-0.3F, 0.75F, -0.25F, 0.35F)}},
      {"mesectoderm primordium", kNeural, kSmooth, 1.3F, {Rim(0.12F, 0.7F, kEdge, 6.0F).Repeated(30, 0.55F)}},
      {"crystal cell specific anlage", kGerm, kSmooth, 1.3F, {Dots({{-0.5F, 0.0F}, {-0.38F, 0.3F}}, 4.0F, 5)}, true},
  };
}

// Segments appear, the germ band shortens, the two midgut rudiments grow towards each other.
std::vector<Term> Terms5() {
  return {
      {"posterior midgut primordium",
       kGut,
       kSmooth,
       1.0F,
       {Tube({{0.1F, -0.3F}, {0.35F, -0.35F}, {0.5F, -0.05F}, {0.25F, 0.05F}}, 12.0F)}},
      {"anterior midgut primordium", kGut, kSmooth, 1.0F, {Tube({{-0.5F, 0.2F}, {-0.2F, 0.1F}}, 13.0F)}},
      {"brain primordium", kNeural, kMottled, 1.0F, {Tube({{-0.72F, -0.3F}, {-0.58F, -0.5F}}, 19.0F)}},
      {"ventral nerve cord primordium", kNeural, kStriated, 1.05F, {Rim(0.12F, 0.68F, 3.0F, 14.0F)}},
      Ubiquitous(),
      {"trunk mesoderm primordium", kMesoderm, kSmooth, 0.9F, {Rim(0.13F, 0.68F, 15.0F, 26.0F)}},
      {"hindgut proper primordium", kGut, kSmooth, 1.1F, {Tube({{0.12F, -0.8F}, {0.3F, -0.62F}, {0.5F, -0.6F}}, 7.0F)}},
      {"somatic muscle primordium", kMesoderm, kStriated, 1.0F, {Rim(0.14F, 0.64F, 8.0F, 28.0F).Repeated(13, 0.5F)}},
      {"dorsal epidermis primordium", kEpidermis, kGrainy, 0.9F, {Area(-0.25F, 0.7F, 0.1F, 0.5F)}},
      {"foregut primordium", kGut, kSmooth, 1.1F, {Tube({{-0.92F, 0.15F}, {-0.62F, 0.05F}}, 7.0F)}},
      {"head mesoderm primordium", kMesoderm, kMottled, 0.95F, {Tube({{-0.7F, 0.3F}, {-0.6F, 0.55F}}, 13.0F)}},
      {"Malpighian tubule primordium",
       kGut,
       kSmooth,
       1.3F,
       {Tube({{0.5F, -0.65F}, {0.58F, -0.4F}, {0.66F, -0.55F}}, 4.0F)}},
      {"amnioserosa", kEpidermis, kGrainy, 1.0F, {Area(-0.42F, 0.05F, -2.0F, -0.45F)}},
      {"yolk nuclei", kGerm, kSpeckled, 1.1F, {Area(-0.2F, 0.8F, -0.25F, 0.35F)}},
      {"tracheal primordium",
       kEpidermis,
       kSmooth,
       1.2F,
       {Dots({{-0.32F, 0.32F}, {0.3F, 0.5F}, {0.75F, 0.15F}}, 5.5F, 9)}},
      {"salivary gland primordium", kEpidermis, kSmooth, 1.2F, {Tube({{-0.45F, 0.62F}, {-0.36F, 0.5F}}, 8.0F)}, true},
      {"midline primordium", kNeural, kSmooth, 1.3F, {Rim(0.14F, 0.66F, kEdge, 6.0F).Repeated(14, 0.4F)}, true},
  };
}

// Organs: condensed nerve cord, closed and looped gut, muscles by segments, tracheal tree.
std::vector<Term> Terms6() {
  return {
      {"embryonic midgut",
       kGut,
       kSmooth,
       0.95F,
       {Tube({{-0.28F, -0.2F}, {-0.22F, 0.2F}, {0.05F, 0.3F}, {0.35F, 0.2F}, {0.42F, -0.2F}}, 11.0F),
        Tube({{0.05F, -0.3F}, {0.08F, 0.3F}}, 7.0F)}},
      {"ventral nerve cord", kNeural, kStriated, 1.1F, {Rim(0.12F, 0.43F, 6.0F, 18.0F)}},
      {"embryonic brain", kNeural, kMottled, 1.1F, {Tube({{-0.66F, -0.45F}, {-0.55F, -0.1F}}, 18.0F)}},
      {"embryonic hindgut",
       kGut,
       kSmooth,
       1.1F,
       {Tube({{0.4F, -0.45F}, {0.55F, -0.62F}, {0.75F, -0.45F}, {0.88F, -0.1F}}, 7.0F)}},
      {"embryonic dorsal epidermis", kEpidermis, kGrainy, 1.0F, {Rim(0.57F, 0.87F, kEdge, 10.0F).Repeated(12, 0.6F)}},
      {"embryonic ventral epidermis", kEpidermis, kSmooth, 1.1F, {Rim(0.14F, 0.44F, kEdge, 5.0F).Repeated(11, 0.5F)}},
      {"embryonic/larval somatic muscle",
       kMesoderm,
       kStriated,
       1.0F,
       {Area(-0.4F, 0.75F, 0.05F, 0.65F).Slanted(-0.06F).Repeated(9, 0.45F)}},
      Ubiquitous(),
      {"embryonic head epidermis", kEpidermis, kGrainy, 1.0F, {Rim(-0.1F, 0.08F, kEdge, 11.0F)}},
      {"dorsal prothoracic pharyngeal muscle",
       kMesoderm,
       kStriated,
       1.1F,
       {Tube({{-0.85F, 0.0F}, {-0.66F, 0.18F}}, 9.0F)}},
      {"embryonic anal pad", kEpidermis, kSmooth, 1.2F, {Disc(0.9F, 0.28F, 10.0F)}},
      {"embryonic/larval visceral muscle",
       kMesoderm,
       kSmooth,
       1.0F,
       {Tube({{-0.36F, -0.3F}, {-0.34F, 0.3F}, {-0.05F, 0.48F}, {0.4F, 0.42F}, {0.56F, 0.0F}}, 5.0F)}},
      {"embryonic Malpighian tubule",
       kGut,
       kSmooth,
       1.3F,
       {Tube({{0.45F, -0.25F}, {0.52F, 0.0F}, {0.6F, -0.2F}, {0.68F, 0.05F}, {0.78F, -0.15F}}, 3.5F)}},
      {"embryonic/larval tracheal system",
       kEpidermis,
       kSmooth,
       1.2F,
       {Tube({{-0.5F, -0.35F}, {0.0F, -0.45F}, {0.8F, -0.35F}}, 2.5F),
        Dots({{-0.5F, -0.28F}, {0.0F, -0.36F}, {0.8F, -0.28F}}, 5.0F, 10)}},
      {"embryonic/larval fat body",
       kMesoderm,
       kSpeckled,
       1.3F,
       {Tube({{-0.3F, 0.0F}, {0.2F, 0.15F}, {0.6F, -0.05F}}, 18.0F)}},
      {"gonad", kGerm, kSmooth, 1.2F, {Disc(0.5F, 0.12F, 11.0F)}, true},
      {"embryonic/larval garland cell", kGerm, kSmooth, 1.3F, {Tube({{-0.42F, 0.0F}, {-0.4F, 0.22F}}, 7.0F)}, true},
  };
}

// A fold: a raised edge beside a sunk one.
Anatomy Fold(std::vector<AtlasPoint> points, float half_width, float height) {
  return {Tube(std::move(points), half_width), 3.0F, height, 0.0F};
}

std::vector<Anatomy> EarlyAnatomy(bool cellular) {
  if (!cellular) return {{Rim(-1.0F, 2.0F, kEdge, 9.0F), 5.0F, 1.2F, 0.03F}};
  return {{Rim(-1.0F, 2.0F, kEdge, 10.0F), 2.5F, 1.6F, 0.04F},
          {Rim(-1.0F, 2.0F, 2.0F, 9.0F).Repeated(480, 0.5F), 2.0F, 1.6F, 0.0F},
          {Rim(-1.0F, 2.0F, 11.0F, 16.0F), 4.0F, 0.0F, -0.06F}};
}

// The head fold, the end of the germ band with the gut pocket behind it, the pit in front, mesoderm, yolk.
std::vector<Anatomy> GermBandAnatomy(float tip) {
  return {Fold({{-0.36F, -1.0F}, {-0.4F, -0.4F}, {-0.5F, 0.2F}, {-0.58F, 0.8F}}, 2.5F, -5.0F),
          Fold({{tip, -1.0F}, {tip - 0.05F, -0.4F}, {tip + 0.1F, -0.02F}, {tip + 0.35F, 0.0F}}, 3.0F, 5.0F),
          Fold({{tip + 0.12F, -0.8F}, {tip + 0.14F, -0.4F}, {tip + 0.3F, -0.25F}, {tip + 0.5F, -0.35F}}, 2.5F, 4.0F),
          Fold({{tip - 0.15F, -0.95F}, {tip - 0.16F, -0.5F}}, 4.0F, 5.0F),
          Fold({{tip - 0.24F, -0.95F}, {tip - 0.2F, -0.6F}}, 2.5F, -4.0F),
          {Rim(0.14F, 0.6F, 21.0F, 26.0F), 3.0F, 2.4F, 0.0F},
          {Area(tip - 0.25F, tip + 0.05F, -1.0F, -0.1F), 12.0F, 0.0F, 0.09F},
          {Tube({{-0.1F, 0.15F}, {0.6F, 0.12F}}, 9.0F), 9.0F, 0.0F, 0.07F}};
}

std::vector<Anatomy> SegmentAnatomy() {
  return {{Rim(0.12F, 0.5F, kEdge, 17.0F).Repeated(12, 0.84F), 2.5F, 3.0F, 0.0F},
          {Rim(0.5F, 0.66F, kEdge, 12.0F).Repeated(5, 0.84F), 2.5F, 2.5F, 0.0F},
          Fold({{-0.42F, -0.9F}, {-0.4F, -0.4F}, {-0.48F, 0.0F}, {-0.6F, 0.1F}}, 2.5F, 4.5F),
          Fold({{0.02F, -0.9F}, {-0.05F, -0.45F}, {0.08F, -0.08F}, {0.4F, 0.02F}, {0.55F, -0.15F}}, 3.0F, 4.5F),
          Fold({{0.15F, -0.55F}, {0.38F, -0.5F}, {0.45F, -0.25F}}, 2.5F, 3.5F),
          {Tube({{-0.1F, 0.08F}, {0.65F, 0.05F}}, 12.0F), 9.0F, 0.0F, 0.09F},
          {Area(-0.42F, 0.0F, -1.0F, -0.4F), 10.0F, 0.0F, 0.09F}};
}

// Segments on both sides, the gut with its constriction, head fold, hindgut, pharynx, nerve cord.
std::vector<Anatomy> OrganAnatomy() {
  return {{Rim(0.12F, 0.46F, kEdge, 12.0F).Repeated(11, 0.8F), 2.0F, 2.6F, 0.0F},
          {Rim(0.56F, 0.88F, kEdge, 7.0F).Repeated(11, 0.8F), 2.0F, 2.2F, 0.0F},
          {Area(-0.36F, 0.48F, -0.5F, 0.5F), 4.0F, 4.0F, 0.04F},
          Fold({{0.06F, -0.45F}, {0.08F, 0.45F}}, 2.5F, -3.0F),
          Fold({{-0.72F, 0.35F}, {-0.5F, 0.3F}, {-0.4F, -0.1F}, {-0.45F, -0.6F}}, 2.5F, 4.0F),
          Fold({{0.42F, -0.4F}, {0.58F, -0.55F}, {0.78F, -0.35F}, {0.92F, -0.05F}}, 3.0F, 4.0F),
          Fold({{-0.9F, 0.05F}, {-0.7F, 0.12F}, {-0.5F, 0.05F}}, 2.5F, 3.0F),
          {Rim(0.12F, 0.45F, 18.0F, 22.0F), 2.0F, 2.4F, 0.0F}};
}

// The dip that the head fold makes, and the pit in front of the germ band.
std::vector<DrawnDent> GermBandDents() {
  return {{{-0.38, -0.3}, 0.03F, {0.0, 0.14}}, {{-0.12, 0.0}, 0.06F, {-0.06, 0.14}}};
}

std::vector<RangeAtlas> MakeAtlas() {
  return {
      {.range = "1-3",
       .mean_terms = 2.3,  // there are few to choose from
       .yolky = true,
       .body = {.taper = {-0.02, 0.06}, .blunt_front = {1.9, 3.0}, .wobble = 0.012F},
       .terms = Terms1(),
       .anatomy = EarlyAnatomy(false)},
      {.range = "4-6", .mean_terms = 2.8, .body = {.wobble = 0.012F}, .terms = Terms2(), .anatomy = EarlyAnatomy(true)},
      {.range = "7-8",
       .mean_terms = 3.1,
       .body = {.dents = GermBandDents()},
       .terms = Terms3(),
       .anatomy = GermBandAnatomy(0.12F)},
      {.range = "9-10",
       .mean_terms = 3.6,
       .body = {.dents = GermBandDents()},
       .terms = Terms4(),
       .anatomy = GermBandAnatomy(-0.08F)},
      // The dent: the dip that the retracting germ band leaves.
      {.range = "11-12",
       .mean_terms = 4.5,
       .body = {.bend = {-7.0, 1.0}, .scallops = {0.0, 0.04}, .dents = {{{-0.3, -0.15}, 0.16F, {0.0, 0.25}}}},
       .terms = Terms5(),
       .anatomy = SegmentAnatomy()},
      {.range = "13-16",
       .mean_terms = 5.0,
       .body = {.bend = {-7.0, 1.0}, .scallops = {0.0, 0.04}, .dents = {{{-0.2, 0.2}, 0.35F, {-0.04, 0.12}}}},
       .terms = Terms6(),
       .anatomy = OrganAnatomy()}};
}

}  // namespace

const RangeAtlas& AtlasOf(StageRange range) {
  static const std::vector<RangeAtlas> atlas = MakeAtlas();
  const auto found = std::ranges::find(atlas, range.name(), &RangeAtlas::range);
  FLYSCRIBE_CHECK(found != atlas.end(), "the simulator knows BDGP's stage ranges only");
  return *found;
}

}  // namespace flyscribe
