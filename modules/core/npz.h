// NumPy's .npz: several arrays in one file, written so that numpy.load opens it.
//
// A zip archive of .npy files, stored and not compressed. All sizes are zip64's, of 64 bits, so that a large archive is
// written as a small one is; there are no times, so the same arrays give the same bytes.
// Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, version 4.5.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.h"
#include "core/fs.h"
#include "core/npy.h"

namespace flyscribe {

class NpzWriter {
 public:
  explicit NpzWriter(const fs::path& path) : file_(path) {}

  // Adds `name`.npy; the values are written from where they lie. REQUIRES: as many values as the shape says.
  template <class T>
  void Add(const std::string& name, std::span<const T> values, const Shape& shape) {
    Write(name, NpyHeaderBytes<T>(shape), {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  // Adds a text as NumPy keeps one: an array of bytes without dimensions.
  void AddText(const std::string& name, std::string_view text) { Write(name, NpyTextHeaderBytes(text.size()), text); }
  // Writes the list of what is in it: without this the file is no archive.
  void Finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t checksum = 0;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;  // of its local header
  };

  void Write(const std::string& name, const std::string& header, std::string_view data);
  void Append(std::string_view bytes);

  FileWriter file_;
  std::uint64_t written_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace flyscribe
