// Packed text: bounded whatever it claims, and what was packed comes out as it was.
#include "core/archive.h"

#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"
#include "tests/support/gzip_text.h"

namespace flyscribe {

void FuzzGzip(std::string_view bytes) {
  constexpr std::uint64_t kLimit = 1 << 16;
  if (const auto text = TryRead([&] { return Gunzip(bytes, kLimit, "table.gz"); })) {
    Promise(text->size() <= kLimit, "no more than the limit comes out");
    Promise(IsGzip(bytes), "what unpacks is gzip");
    Promise(Gunzip(GzipText(*text), kLimit, "again.gz") == *text, "what came out can be packed and unpacked");
  }
  const std::string packed = GzipText(std::string(bytes));
  Promise(Gunzip(packed, bytes.size(), "packed.gz") == bytes, "packed bytes unpack within their own size");
  Promise(Gunzip(packed + packed, 2 * bytes.size(), "two.gz") == std::string(bytes) + std::string(bytes),
          "two members are one text");
  const std::string_view cut = std::string_view(packed).substr(0, packed.size() - 1);
  Promise(!TryRead([&] { return Gunzip(cut, bytes.size(), "cut.gz"); }), "a cut file is refused");
}

}  // namespace flyscribe
