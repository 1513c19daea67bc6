#include "imaging/find_embryo.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

namespace flyscribe {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr std::size_t kMostBlobs = 4;  // that are traced, by rough score
constexpr std::size_t kMostArcs = 6;
constexpr double kBestSupport = 0.45;  // support * shape * wholeness of hardly any outline is higher
constexpr double kHopeless = 0.5;      // of the best score so far
constexpr double kSameStart = 0.04;    // tolerances of Differ
constexpr double kSameEmbryo = 0.1;
constexpr double kUpright = 70.0;          // degrees: beyond, the outline may say which end is anterior ...
constexpr double kClearSkewness = 0.02;    // ... if it is at least so asymmetric
constexpr double kClear = 0.7;             // factors of the confidence below this are named as doubts
constexpr double kFineHalfLength = 120.0;  // pixels, of the embryo at its own scale
constexpr double kFineMargin = 1.4;        // how far beyond the ellipse the part goes

// 1 up to `good`, 0 from `bad` on (or the other way round), linear between.
double Ramp(double value, double bad, double good) { return std::clamp((value - bad) / (good - bad), 0.0, 1.0); }

// Whether two ellipses are more different than `tolerance`: in place, size (as shares) or angle (radians).
bool Differ(const Ellipse& e, const Ellipse& other, double tolerance) {
  const double turn = std::abs(std::remainder(e.angle - other.angle, kPi));
  return std::hypot(other.x - e.x, other.y - e.y) > tolerance * e.a || std::abs(std::log(other.a / e.a)) > tolerance ||
         std::abs(std::log(other.b / e.b)) > 1.5 * tolerance || turn > tolerance;
}

class Finder {
 public:
  explicit Finder(const TissueMap& tissue)
      : tracer_(tissue),
        width_(static_cast<double>(tissue.gray.cols())),
        height_(static_cast<double>(tissue.gray.rows())) {}

  // Best first.
  std::vector<OutlineCandidate> Candidates(const Blobs& blobs) const {
    std::vector<OutlineCandidate> candidates;
    double best = 0.0;
    for (const Ellipse& start : Starts(blobs)) {
      // Far from the centre or small: no outline could make up for it.
      if (kBestSupport * Centrality(start) * Size(start) < kHopeless * best) continue;
      OutlineCandidate candidate{tracer_.Trace(start), 0.0};
      candidate.score = Score(candidate.outline);
      best = std::max(best, candidate.score);
      candidates.push_back(std::move(candidate));
    }
    std::ranges::stable_sort(candidates, std::ranges::greater{}, &OutlineCandidate::score);
    return candidates;
  }

 private:
  std::vector<Ellipse> Starts(const Blobs& blobs) const {
    std::vector<AreaSums> sums(blobs.areas.size());
    for (std::size_t row = 0; row < blobs.labels.rows(); ++row) {
      for (std::size_t col = 0; col < blobs.labels.cols(); ++col) {
        const std::int32_t label = blobs.labels(row, col);
        if (label > 0)
          sums[static_cast<std::size_t>(label - 1)].Add(static_cast<double>(col), static_cast<double>(row));
      }
    }
    std::vector<std::pair<double, std::size_t>> rough;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const Ellipse ellipse = EllipseOf(sums[i]);
      rough.emplace_back(-Centrality(ellipse) * Size(ellipse), i);
    }
    std::ranges::sort(rough);
    rough.resize(std::min(rough.size(), kMostBlobs));
    std::vector<Ellipse> starts;
    std::vector<bool> chosen(sums.size());
    for (const auto& [score, i] : rough) {
      starts.push_back(EllipseOf(sums[i]));
      chosen[i] = true;
    }
    for (const auto& [i, j] : blobs.contacts) {
      if (!chosen[i] || !chosen[j]) continue;
      const AreaSums& p = sums[i];
      const AreaSums& q = sums[j];
      starts.push_back(EllipseOf(AreaSums{p.one + q.one, p.x + q.x, p.y + q.y, p.xx + q.xx, p.xy + q.xy, p.yy + q.yy}));
    }
    AddArcs(blobs, starts);
    return starts;
  }

  void AddArcs(const Blobs& blobs, std::vector<Ellipse>& starts) const {
    std::vector<ArcEllipse> arcs = EllipsesOfArcs(blobs.mask);
    const auto rough = [this](const ArcEllipse& arc) {
      return Centrality(arc.ellipse) * Size(arc.ellipse) * (0.2 + arc.share);
    };
    std::ranges::stable_sort(arcs, std::ranges::greater{}, rough);
    arcs.resize(std::min(arcs.size(), kMostArcs));
    for (const ArcEllipse& arc : arcs) {
      const bool is_new =
          std::ranges::all_of(starts, [&](const Ellipse& known) { return Differ(arc.ellipse, known, kSameStart); });
      if (is_new) starts.push_back(arc.ellipse);
    }
  }

  double Centrality(const Ellipse& e) const {
    const double off = std::hypot((e.x - 0.5 * width_) / width_, (e.y - 0.5 * height_) / height_);
    return std::exp(-0.5 * off * off / (0.18 * 0.18));
  }
  double Size(const Ellipse& e) const { return Ramp(e.a / std::max(width_, height_), 0.05, 0.25); }

  double Score(const Outline& outline) const {
    const Ellipse& e = outline.ellipse;
    const double support = outline.edge * outline.edge * Ramp(outline.support, 0.4, 1.0);
    const double aspect = e.a / std::max(e.b, 1.0);
    const double shape = Ramp(outline.likeness, 0.7, 0.97) * Ramp(aspect, 1.2, 1.9) * Ramp(aspect, 4.2, 3.2);
    const double whole = 1.0 / (1.0 + std::pow(outline.border / 0.12, 2));
    return Centrality(e) * Size(e) * support * shape * whole;
  }

  OutlineTracer tracer_;
  double width_;
  double height_;
};

std::vector<OutlinePoint> ToPhotograph(const std::vector<OutlinePoint>& points, const TissueMap& tissue) {
  std::vector<OutlinePoint> scaled;
  for (const OutlinePoint& p : points) scaled.push_back({tissue.ToPhotoX(p.x), tissue.ToPhotoY(p.y)});
  return scaled;
}

// The outline again, at a scale of its own.
struct FineOutline {
  Outline outline;                   // its ellipse and points at that scale
  std::vector<OutlinePoint> points;  // photograph pixels
};

FineOutline Refine(const GrayImage& photograph, const TissueMap& whole, const Outline& rough) {
  const Ellipse e = EllipseOf(ToPhotograph(rough.points, whole));
  // The rectangle around the ellipse, with a margin, as far as it lies in the photograph.
  const double c = std::cos(e.angle);
  const double s = std::sin(e.angle);
  const double reach_x = kFineMargin * std::hypot(e.a * c, e.b * s) + 8.0;
  const double reach_y = kFineMargin * std::hypot(e.a * s, e.b * c) + 8.0;
  const auto clip = [](double at, int size) {
    return static_cast<int>(std::clamp(at, 0.0, static_cast<double>(size)));
  };
  const int x = clip(e.x - reach_x, photograph.width);
  const int y = clip(e.y - reach_y, photograph.height);
  const PhotoPart part = {x, y, clip(e.x + reach_x, photograph.width) - x, clip(e.y + reach_y, photograph.height) - y};
  const double shrink = std::max(1.0, e.a / kFineHalfLength);
  if (std::min(part.width, part.height) < 20.0 * shrink) return {rough, ToPhotograph(rough.points, whole)};
  const TissueMap fine = MapTissue(photograph, part, shrink, whole);
  const Ellipse start{fine.FromPhotoX(e.x), fine.FromPhotoY(e.y), e.angle, e.a / fine.scale_x(), e.b / fine.scale_x()};
  const Outline outline = OutlineTracer(fine).Trace(start);
  return {outline, ToPhotograph(outline.points, fine)};
}

// Anterior end left, unless the embryo stands nearly upright and its outline says otherwise.
EmbryoPose PoseOf(const std::vector<OutlinePoint>& outline) {
  const Ellipse e = EllipseOf(outline);
  double angle = e.angle * 180.0 / kPi;  // atan2 / 2: within +-90
  if (std::abs(angle) > kUpright && SkewnessAlong(outline, e) > kClearSkewness) angle += angle > 0.0 ? -180.0 : 180.0;
  return {e.x, e.y, angle, e.a, e.b};
}

// 1 if nothing contends with the best, 0 if another candidate is as good and says something else.
double Lead(const std::vector<OutlineCandidate>& candidates) {
  const OutlineCandidate& best = candidates.front();
  for (const OutlineCandidate& other : candidates) {
    if (Differ(best.outline.ellipse, other.outline.ellipse, kSameEmbryo))
      return 1.0 - other.score / std::max(best.score, 1e-9);
  }
  return 1.0;
}

// One thing the confidence depends on, 0 to 1, and what is said if it is low.
struct Factor {
  double value = 1.0;
  const char* doubt = "";
};

void SetConfidence(const PhotoTrace& trace, ImageQuality& quality) {
  const Outline& outline = trace.fine;
  const double clear =
      Ramp(outline.edge, 0.45, 0.55) * Ramp(outline.weakest, 0.1, 0.45) * Ramp(outline.support, 0.5, 0.72);
  const Ellipse e = EllipseOf(trace.chosen);
  const bool upright = std::abs(e.angle) * 180.0 / kPi > kUpright;  // only then it is in doubt which end is anterior
  const double ends = upright ? Ramp(std::abs(SkewnessAlong(trace.chosen, e)), 0.0, 2.0 * kClearSkewness) : 1.0;
  const double aspect = Ramp(quality.aspect, 1.5, 2.0) * Ramp(quality.aspect, 3.8, 3.3);
  const std::vector<Factor> factors = {{Ramp(outline.border, 0.15, 0.03), kDoubtBorder},
                                       {Ramp(outline.likeness, 0.75, 0.9) * aspect, kDoubtShape},
                                       {clear, kDoubtOutline},
                                       {Ramp(Lead(trace.candidates), 0.0, 0.4), kDoubtRival},
                                       {ends, kDoubtEnds},
                                       {Ramp(quality.pose.half_length, 25.0, 60.0), kDoubtSmall}};
  quality.confidence = 1.0;
  for (const Factor& factor : factors) quality.confidence *= factor.value;
  // What holds the confidence down most is named always, so that no doubtful embryo is without a reason.
  const auto least = std::ranges::min_element(factors, {}, &Factor::value);
  for (const Factor& factor : factors) {
    if (factor.value < kClear || &factor == &*least) quality.doubts.emplace_back(factor.doubt);
  }
}

}  // namespace

std::optional<FoundEmbryo> FindEmbryo(const GrayImage& photograph, PhotoTrace* trace) {
  PhotoTrace local;
  PhotoTrace& t = trace != nullptr ? *trace : local;
  t.tissue = MapTissue(photograph);
  t.blobs = FindBlobs(t.tissue.strength);
  t.tissue.solid = t.blobs.solid;
  EnforceSolid(t.tissue);
  t.candidates = Finder(t.tissue).Candidates(t.blobs);
  if (t.candidates.empty()) return std::nullopt;
  FineOutline fine = Refine(photograph, t.tissue, t.candidates.front().outline);
  t.fine = std::move(fine.outline);
  t.chosen = std::move(fine.points);
  FoundEmbryo found;
  found.outline = t.chosen;
  found.background = t.tissue.background;
  ImageQuality& quality = found.quality;
  quality.way = ImageQuality::Way::kFound;
  quality.pose = PoseOf(found.outline);
  quality.aspect = quality.pose.half_length / std::max(quality.pose.half_height, 1e-6);
  quality.area = AreaOf(found.outline) / (static_cast<double>(photograph.width) * photograph.height);
  quality.border = t.fine.border;
  SetConfidence(t, quality);
  return found;
}

}  // namespace flyscribe
