// SHA-256 digests, as lower-case hexadecimal that `sha256sum` agrees with.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/fs.h"

namespace flyscribe {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void Update(std::string_view bytes);
  // 64 hexadecimal digits. The object cannot be used afterwards.
  std::string HexDigest();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string Sha256OfText(std::string_view text);
// Throws Error(kInput) if the file cannot be read.
std::string Sha256OfFile(const fs::path& path);

}  // namespace flyscribe
