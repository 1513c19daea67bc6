#include "bench/rival.h"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>

#include "core/error.h"
#include "core/file.h"
#include "core/npy.h"
#include "core/text.h"

namespace flyscribe {
namespace {

std::string Quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

}  // namespace

std::string Rival::About() const {
  const std::string command = Quoted(adapter_.string()) + " about 2>/dev/null";
  FILE* output = popen(command.c_str(), "r");
  if (output == nullptr) return {};
  std::string text;
  for (int letter = std::fgetc(output); letter != EOF; letter = std::fgetc(output)) text += static_cast<char>(letter);
  return pclose(output) == 0 ? std::string(Trim(text)) : std::string();
}

RivalRun Rival::Learn(FloatView patches, const FloatMatrix& initial, double lambda, int epochs, int batch) const {
  return Run("learn", patches, initial, lambda, {"--epochs", std::to_string(epochs), "--batch", std::to_string(batch)});
}

RivalRun Rival::Encode(FloatView patches, const FloatMatrix& atoms, double lambda) const {
  return Run("encode", patches, atoms, lambda, {});
}

RivalRun Rival::Run(const std::string& verb,
                    FloatView patches,
                    const FloatMatrix& atoms,
                    double lambda,
                    const std::vector<std::string>& more) const {
  const fs::path folder = fs::temp_directory_path() / fs::unique_path("flyscribe-rival-%%%%%%%%");
  const fs::path output = folder / "output";
  CreateFolder(output);
  WriteNpy<float>(folder / "X.npy", patches);
  WriteNpy<float>(folder / "D.npy", atoms);
  std::vector<std::string> words = {adapter_.string(), verb, "--input", (folder / "X.npy").string(), "--init"};
  words.insert(words.end(), {(folder / "D.npy").string(), "--lambda", FormatReal(lambda), "--output", output.string()});
  words.insert(words.end(), more.begin(), more.end());
  std::string command;
  for (const std::string& word : words) command += Quoted(word) + " ";
  RivalRun run;
  try {
    const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): what the user named is to be run
    if (status != 0) throw Error(ErrorCode::kInput, "the adapter failed at " + verb, {}, {adapter_.string()});
    const auto seconds = ParseReal(Trim(ReadFile(output / "seconds.txt")));
    if (!seconds || *seconds <= 0.0)
      throw Error(ErrorCode::kInput, "seconds.txt holds no time", {}, {adapter_.string()});
    run.seconds = *seconds;
    if (verb == "learn") {
      run.atoms = ReadNpyMatrix<float>(output / "dictionary.npy");
    } else {
      run.codes = SparseCodes::Load(output, atoms.rows());
    }
  } catch (...) {
    fs::remove_all(folder);
    throw;
  }
  fs::remove_all(folder);
  const bool fits = verb == "learn" ? run.atoms.rows() == atoms.rows() && run.atoms.cols() == atoms.cols()
                                    : run.codes.rows() == patches.rows();
  if (!fits) throw Error(ErrorCode::kInput, "the adapter left a result of another shape", {}, {adapter_.string()});
  return run;
}

}  // namespace flyscribe
