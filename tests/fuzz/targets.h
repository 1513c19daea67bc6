// The fuzz targets: each takes any bytes at all and holds one reader to what it promises about them.
//
// A target returns if every promise was kept, and throws BrokenPromise (or crashes) if not. libFuzzer calls them
// through fuzzer_main.cc (./dev fuzz); corpus_test.cc gives them the checked-in bytes of corpus/<name>/ in every build.
// One thread at a time: some keep a scratch folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flyscribe {

void FuzzArchive(std::string_view bytes);      // packed folders, hostile ones among them
void FuzzCorpus(std::string_view bytes);       // two tables joined, reported, written as one, read again
void FuzzCsv(std::string_view bytes);          // delimited text
void FuzzDecode(std::string_view bytes);       // pixels of an image file, within limits
void FuzzGzip(std::string_view bytes);         // packed text
void FuzzImageHeader(std::string_view bytes);  // what an image file says about itself
void FuzzNpy(std::string_view bytes);          // arrays, by all three readers
void FuzzObo(std::string_view bytes);          // ontologies
void FuzzTable(std::string_view bytes);        // one table of any kind
void FuzzTermMap(std::string_view bytes);      // SSSOM maps

struct FuzzTarget {
  std::string name;  // of the program and of its folder in corpus/
  void (*run)(std::string_view bytes) = nullptr;
};

inline std::vector<FuzzTarget> FuzzTargets() {
  return {{"archive", FuzzArchive},
          {"corpus", FuzzCorpus},
          {"csv", FuzzCsv},
          {"decode", FuzzDecode},
          {"gzip", FuzzGzip},
          {"image_header", FuzzImageHeader},
          {"npy", FuzzNpy},
          {"obo", FuzzObo},
          {"table", FuzzTable},
          {"term_map", FuzzTermMap}};
}

}  // namespace flyscribe
