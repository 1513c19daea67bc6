// Another program for sparse coding, measured by way of an adapter: README.md in this folder has the protocol.
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"
#include "core/matrix.h"
#include "data/dictionary.h"

namespace flyscribe {

struct RivalRun {
  double seconds = 0.0;  // of the work alone, as the adapter says
  FloatMatrix atoms;     // of learn
  SparseCodes codes;     // of encode
};

class Rival {
 public:
  // `adapter` is a program; its file name is the rival's name.
  explicit Rival(const fs::path& adapter) : adapter_(fs::absolute(adapter)) {}

  std::string name() const { return adapter_.filename().string(); }
  // What `ADAPTER about` prints; empty if it fails, because the rival is not installed.
  std::string About() const;

  // Both run the adapter on files in a folder of their own. Throw Error(kInput) if it fails or leaves what was not
  // asked for.
  RivalRun Learn(FloatView patches, const FloatMatrix& initial, double lambda, int epochs, int batch) const;
  RivalRun Encode(FloatView patches, const FloatMatrix& atoms, double lambda) const;

 private:
  RivalRun Run(const std::string& verb,
               FloatView patches,
               const FloatMatrix& atoms,
               double lambda,
               const std::vector<std::string>& more) const;

  fs::path adapter_;
};

}  // namespace flyscribe
