#include "core/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/error.h"
#include "core/npy.h"
#include "core/progress.h"

namespace flyscribe {
namespace {

constexpr std::size_t kBlockValues = 2048;
constexpr std::size_t kBlocksPerLook = 1024;  // at whether to stop

template <class T>
Number ToNumber(T value) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<double>(value);
  if constexpr (std::is_signed_v<T>) return static_cast<std::int64_t>(value);
  return static_cast<std::uint64_t>(value);
}

double FiniteOrNan(double value) { return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN(); }

// How many values, their mean, and the sum of their squared distances from it.
struct Moments {
  double count = 0.0;
  double mean = 0.0;
  double squares = 0.0;

  void Join(const Moments& other) {
    if (other.count == 0.0) return;
    const double both = count + other.count;
    const double apart = other.mean - mean;
    squares += other.squares + apart * apart * (count * (other.count / both));
    mean += apart * (other.count / both);
    count = both;
  }
};

template <class T>
class Tally {
 public:
  void Add(std::span<const T> block) {
    Moments moments;
    for (const T value : block) Count(value, moments);
    moments.mean /= std::max(moments.count, 1.0);
    for (const T value : block) {
      const auto real = static_cast<double>(value);
      const double apart = std::isfinite(real) ? real - moments.mean : 0.0;
      moments.squares += apart * apart;
    }
    moments_.Join(moments);
  }

  Statistics Result() const {
    Statistics result = counts_;
    if (result.Finite() == 0) return result;
    result.min = ToNumber(min_);
    result.max = ToNumber(max_);
    result.mean = FiniteOrNan(moments_.mean);
    result.deviation = FiniteOrNan(std::sqrt(moments_.squares / moments_.count));
    return result;
  }

 private:
  // `moments.mean` is the sum for now.
  void Count(T value, Moments& moments) {
    ++counts_.count;
    const auto real = static_cast<double>(value);
    if (!std::isfinite(real)) {
      ++(std::isnan(real) ? counts_.nans : counts_.infinities);
      return;
    }
    if (value == T{}) ++counts_.zeros;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
    moments.mean += real;
    moments.count += 1.0;
  }

  Statistics counts_;
  Moments moments_;
  T min_ = std::numeric_limits<T>::max();
  T max_ = std::numeric_limits<T>::lowest();
};

// Copies block by block, because nothing promises that the elements are aligned.
template <class T>
Statistics TallyBytes(std::string_view bytes, const Progress& progress) {
  Tally<T> tally;
  std::array<T, kBlockValues> block{};
  for (std::size_t blocks = 0; bytes.size() >= sizeof(T); ++blocks) {
    if (blocks % kBlocksPerLook == 0) progress.ThrowIfStopped();
    const std::size_t count = std::min(kBlockValues, bytes.size() / sizeof(T));
    std::memcpy(block.data(), bytes.data(), count * sizeof(T));
    tally.Add({block.data(), count});
    bytes.remove_prefix(count * sizeof(T));
  }
  return tally.Result();
}

struct Reader {
  std::string_view type;
  Statistics (*read)(std::string_view bytes, const Progress& progress);
};
constexpr std::array<Reader, 11> kReaders = {{{"|b1", TallyBytes<std::uint8_t>},
                                              {"|u1", TallyBytes<std::uint8_t>},
                                              {"|i1", TallyBytes<std::int8_t>},
                                              {"<u2", TallyBytes<std::uint16_t>},
                                              {"<i2", TallyBytes<std::int16_t>},
                                              {"<u4", TallyBytes<std::uint32_t>},
                                              {"<i4", TallyBytes<std::int32_t>},
                                              {"<u8", TallyBytes<std::uint64_t>},
                                              {"<i8", TallyBytes<std::int64_t>},
                                              {"<f4", TallyBytes<float>},
                                              {"<f8", TallyBytes<double>}}};

}  // namespace

std::optional<Statistics> StatisticsOf(const AnyNpy& array, const Progress& progress) {
  for (const Reader& reader : kReaders) {
    if (reader.type == array.header().type) return reader.read(array.data(), progress);
  }
  return std::nullopt;
}

std::vector<Above> CountsByThreshold(std::span<const double> scores, std::span<const std::uint8_t> labels) {
  FLYSCRIBE_CHECK(scores.size() == labels.size(), "one score per label");
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::ranges::greater{}, [&](std::size_t i) { return scores[i]; });
  std::vector<Above> counts;
  Above above;
  for (std::size_t k = 0; k < order.size(); ++k) {
    above.score = scores[order[k]];
    ++(labels[order[k]] != 0 ? above.positives : above.negatives);
    const bool last_of_equals = k + 1 == order.size() || scores[order[k + 1]] != above.score;
    if (last_of_equals) counts.push_back(above);
  }
  return counts;
}

Above Total(const std::vector<Above>& counts) { return counts.empty() ? Above{} : counts.back(); }

double Auc(const std::vector<Above>& counts) {
  const Above total = Total(counts);
  if (total.positives == 0 || total.negatives == 0) return 0.5;
  // Of each group of equal scores: its positives win against the negatives below, and half against its own negatives.
  double wins = 0.0;
  Above before;
  for (const Above& above : counts) {
    const auto positives = static_cast<double>(above.positives - before.positives);
    const auto below = static_cast<double>(total.negatives - above.negatives);
    const auto equal = static_cast<double>(above.negatives - before.negatives);
    wins += positives * (below + 0.5 * equal);
    before = above;
  }
  return wins / (static_cast<double>(total.positives) * static_cast<double>(total.negatives));
}

double Auc(std::span<const double> scores, std::span<const std::uint8_t> labels) {
  return Auc(CountsByThreshold(scores, labels));
}

}  // namespace flyscribe
