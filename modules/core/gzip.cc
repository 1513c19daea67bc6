#include "core/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "core/error.h"
#include "core/text.h"

namespace flyscribe {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
constexpr int kGzipOnly = 16;  // added to zlib's window bits

[[noreturn]] void ThrowDamaged(const std::string& place) {
  throw Error(ErrorCode::kInput,
              "compressed file is cut off or damaged",
              "fetch it again; `gunzip --test` tells whether it is whole",
              {place});
}

[[noreturn]] void ThrowTooLarge(std::uint64_t limit, const std::string& place) {
  throw Error(ErrorCode::kInput,
              "compressed file unpacks to more than " + HumanBytes(limit),
              "is this the right file? nothing of it was used",
              {place});
}

// One zlib stream, closed when it goes.
class Inflater {
 public:
  explicit Inflater(std::string_view bytes) {
    // zlib only reads, but takes no pointer to const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    FLYSCRIBE_CHECK(inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK, "zlib cannot begin");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Adds the next block to `text`; false after the last one.
  bool Next(std::string& text, const std::string& place) {
    stream_.next_out = reinterpret_cast<Bytef*>(block_.data());
    stream_.avail_out = static_cast<uInt>(block_.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) ThrowDamaged(place);
    text.append(block_.data(), block_.size() - stream_.avail_out);
    if (status != Z_STREAM_END) return true;
    const std::string_view rest(reinterpret_cast<const char*>(stream_.next_in), stream_.avail_in);
    if (IsGzip(rest)) return inflateReset(&stream_) == Z_OK;
    if (rest.find_first_not_of('\0') != std::string_view::npos) ThrowDamaged(place);  // zeros: padding, as of tapes
    return false;
  }

 private:
  z_stream stream_ = {};
  std::vector<char> block_ = std::vector<char>(kBlockBytes);
};

}  // namespace

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string Gunzip(std::string_view bytes, std::uint64_t limit, const std::string& place) {
  if (bytes.size() > std::numeric_limits<uInt>::max()) ThrowTooLarge(limit, place);
  std::string text;
  Inflater inflater(bytes);
  while (inflater.Next(text, place)) {
    if (text.size() > limit) ThrowTooLarge(limit, place);
  }
  if (text.size() > limit) ThrowTooLarge(limit, place);
  return text;
}

}  // namespace flyscribe
