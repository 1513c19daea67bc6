#include "core/hash.h"

#include <openssl/evp.h>

#include <array>

#include "core/error.h"
#include "core/file.h"

namespace flyscribe {

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  FLYSCRIBE_CHECK(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) == 1, "SHA-256 is not available");
}

Sha256::~Sha256() = default;

void Sha256::Update(std::string_view bytes) {
  FLYSCRIBE_CHECK(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1, "SHA-256 failed");
}

std::string Sha256::HexDigest() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  FLYSCRIBE_CHECK(EVP_DigestFinal_ex(state_->context, digest.data(), &size) == 1, "SHA-256 failed");
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) {
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

std::string Sha256OfText(std::string_view text) {
  Sha256 hash;
  hash.Update(text);
  return hash.HexDigest();
}

std::string Sha256OfFile(const fs::path& path) {
  Sha256 hash;
  ForEachBlock(path, [&hash](std::string_view block) { hash.Update(block); });
  return hash.HexDigest();
}

}  // namespace flyscribe
