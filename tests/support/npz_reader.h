// Reads .npz archives for tests, by the format's description and not by the writer's code: the end of the archive, the
// list of files, then each file where the list says it lies.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/npy.h"

namespace flyscribe {

// Name (without .npy) and content of each file, in the archive's order.
std::vector<std::pair<std::string, std::string>> ReadNpz(const std::string& archive);

// The elements of an array, after a look at its header.
template <class T>
std::vector<T> NpyValues(const std::string& bytes, const std::string& type, const Shape& shape) {
  const NpyHeader header = ParseNpyHeader(bytes, "array");
  EXPECT_EQ(header.type, type);
  EXPECT_EQ(header.shape, shape);
  EXPECT_FALSE(header.fortran_order);
  std::vector<T> values((bytes.size() - header.data_offset) / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data() + header.data_offset, values.size() * sizeof(T));
  return values;
}

}  // namespace flyscribe
