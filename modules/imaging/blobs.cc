#include "imaging/blobs.h"

#include <algorithm>
#include <numeric>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <set>

#include "imaging/opencv_setup.h"

namespace flyscribe {
namespace {

constexpr float kForeground = 1.0F;
constexpr int kClosing = 3;  // radii, working pixels
constexpr int kOpening = 4;
constexpr float kMargin = 6.0F;
constexpr float kWaist = 0.8F;
constexpr double kSmallestShare = 0.01;  // of the picture

cv::Mat Disc(int radius) { return cv::getStructuringElement(cv::MORPH_ELLIPSE, {2 * radius + 1, 2 * radius + 1}); }

Matrix<std::uint8_t> Copy(const cv::Mat& mask) {
  Matrix<std::uint8_t> copy(static_cast<std::size_t>(mask.rows), static_cast<std::size_t>(mask.cols));
  std::copy_n(mask.ptr<std::uint8_t>(), mask.total(), copy.data());
  return copy;
}

cv::Mat FilledMask(const FloatMatrix& strength) {
  const cv::Mat source(static_cast<int>(strength.rows()),
                       static_cast<int>(strength.cols()),
                       CV_32F,
                       const_cast<float*>(strength.data()));
  cv::Mat mask = source > kForeground;
  cv::morphologyEx(mask, mask, cv::MORPH_CLOSE, Disc(kClosing));
  std::vector<std::vector<cv::Point>> contours;
  cv::findContours(mask, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
  cv::drawContours(mask, contours, -1, cv::Scalar(255), cv::FILLED);
  cv::morphologyEx(mask, mask, cv::MORPH_OPEN, Disc(kOpening), {-1, -1}, 1, cv::BORDER_REPLICATE);
  return mask;
}

// Regions that grow together from the peaks of the distance down.
class Flood {
 public:
  explicit Flood(const cv::Mat& distance) : distance_(distance), region_(distance.total(), -1) {}

  void Run() {
    for (const std::vector<int>& level : Levels()) {
      for (const int pixel : level) Add(pixel);
    }
  }

  // The region of a pixel, -1 for background.
  int Root(int pixel) {
    int& region = region_[static_cast<std::size_t>(pixel)];
    while (region >= 0 && parent_[static_cast<std::size_t>(region)] != region) {
      region = parent_[static_cast<std::size_t>(region)];  // also shortens the next way
    }
    return region;
  }

  // Calls visit for the four or eight neighbours of a pixel.
  template <class Visit>
  void ForNeighbours(int pixel, Visit visit) const {
    const int x = pixel % distance_.cols;
    const int y = pixel / distance_.cols;
    for (int v = std::max(y - 1, 0); v <= std::min(y + 1, distance_.rows - 1); ++v) {
      for (int u = std::max(x - 1, 0); u <= std::min(x + 1, distance_.cols - 1); ++u) {
        if (u != x || v != y) visit(v * distance_.cols + u);
      }
    }
  }

 private:
  // Foreground pixels by falling distance, in steps of 1/8 pixel; by position within a step.
  std::vector<std::vector<int>> Levels() const {
    constexpr float kPerPixel = 8.0F;
    constexpr float kFarthest = 4096.0F;
    double highest = 0.0;
    cv::minMaxLoc(distance_, nullptr, &highest);
    const auto steps = static_cast<std::size_t>(kPerPixel * std::min(static_cast<float>(highest), kFarthest));
    std::vector<std::vector<int>> levels(steps + 1);
    for (int i = 0; i < static_cast<int>(distance_.total()); ++i) {
      if (At(i) <= 0.0F) continue;
      levels[steps - std::min(steps, static_cast<std::size_t>(kPerPixel * std::min(At(i), kFarthest)))].push_back(i);
    }
    return levels;
  }

  float At(int pixel) const { return distance_.ptr<float>()[pixel]; }

  void Add(int pixel) {
    int home = -1;
    ForNeighbours(pixel, [&](int neighbour) {
      const int other = Root(neighbour);
      if (other < 0 || other == home) return;
      home = home < 0 ? other : Meet(home, other, At(pixel));
    });
    if (home < 0) {
      home = static_cast<int>(parent_.size());
      parent_.push_back(home);
      peaks_.push_back(At(pixel));
    }
    region_[static_cast<std::size_t>(pixel)] = home;
  }

  // The region a pixel belongs to at which two regions meet: theirs if the waist is shallow, else the higher one's.
  int Meet(int a, int b, float level) {
    if (peaks_[static_cast<std::size_t>(a)] < peaks_[static_cast<std::size_t>(b)]) std::swap(a, b);
    if (level >= kWaist * peaks_[static_cast<std::size_t>(b)]) parent_[static_cast<std::size_t>(b)] = a;
    return a;
  }

  const cv::Mat& distance_;
  std::vector<int> region_;
  std::vector<int> parent_;
  std::vector<float> peaks_;
};

Blobs Collect(const cv::Mat& distance, Flood& flood) {
  const auto rows = static_cast<std::size_t>(distance.rows);
  const auto cols = static_cast<std::size_t>(distance.cols);
  std::vector<std::size_t> sizes(rows * cols);  // by root
  for (std::size_t i = 0; i < rows * cols; ++i) {
    const int root = flood.Root(static_cast<int>(i));
    if (root >= 0) ++sizes[static_cast<std::size_t>(root)];
  }
  const double smallest = kSmallestShare * static_cast<double>(rows * cols);
  std::vector<std::int32_t> label_of(sizes.size());
  Blobs blobs;
  blobs.labels = Matrix<std::int32_t>(rows, cols);
  for (std::size_t root = 0; root < sizes.size(); ++root) {
    if (static_cast<double>(sizes[root]) < std::max(smallest, 1.0)) continue;
    blobs.areas.push_back(sizes[root]);
    label_of[root] = static_cast<std::int32_t>(blobs.areas.size());
  }
  for (std::size_t i = 0; i < rows * cols; ++i) {
    const int root = flood.Root(static_cast<int>(i));
    if (root >= 0) blobs.labels.data()[i] = label_of[static_cast<std::size_t>(root)];
  }
  return blobs;
}

void FindContacts(const Flood& flood, Blobs& blobs) {
  std::set<std::pair<std::size_t, std::size_t>> contacts;
  for (std::size_t i = 0; i < blobs.labels.values().size(); ++i) {
    const std::int32_t label = blobs.labels.values()[i];
    flood.ForNeighbours(static_cast<int>(i), [&](int neighbour) {
      const std::int32_t other = blobs.labels.values()[static_cast<std::size_t>(neighbour)];
      if (label > 0 && other > label) contacts.emplace(label - 1, other - 1);
    });
  }
  blobs.contacts.assign(contacts.begin(), contacts.end());
}

}  // namespace

Blobs FindBlobs(const FloatMatrix& strength) {
  SetUpOpenCv();
  const cv::Mat mask = FilledMask(strength);
  cv::Mat distance;
  cv::distanceTransform(mask, distance, cv::DIST_L2, cv::DIST_MASK_5);
  Flood flood(distance);
  flood.Run();
  Blobs blobs = Collect(distance, flood);
  FindContacts(flood, blobs);
  blobs.mask = Copy(mask);
  blobs.solid = Copy(distance > kMargin);
  return blobs;
}

}  // namespace flyscribe
