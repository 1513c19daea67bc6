#include "core/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/file.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string FromHex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

// A file as NumPy 1.24 lays it out: the header is padded with spaces so that the data begins at byte 128.
std::string NumpyFile(const std::string& dictionary, const std::string& data_hex) {
  std::string header = dictionary;
  header.resize(117, ' ');
  return FromHex("934e554d505901007600") + header + "\n" + FromHex(data_hex);
}

std::string NumpyFile(const std::string& type, const std::string& shape, const std::string& data_hex) {
  return NumpyFile("{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }", data_hex);
}

class NpyTest : public ::testing::Test {
 protected:
  fs::path Write(const std::string& bytes) const { return folder_.Write("a.npy", bytes); }

  // The error's text without the path and the hint, after checking both.
  std::string Reason(const std::string& bytes, std::size_t dimensions = 1) const {
    const fs::path path = Write(bytes);
    const CaughtError error = ExpectError([&] { MappedNpy<float>(path, dimensions); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    const std::string before = path.string() + ": error: not a readable .npy array: ";
    const std::string after = "\n  hint: expected what numpy.save writes: little-endian, C order";
    EXPECT_THAT(error.text, ::testing::StartsWith(before));
    EXPECT_THAT(error.text, ::testing::EndsWith(after));
    if (error.text.size() < before.size() + after.size()) return error.text;
    return error.text.substr(before.size(), error.text.size() - before.size() - after.size());
  }

  TempFolder folder_;
};

// np.array([[1.5, -2, 0], [3, 4, 0.1]], dtype='<f4')
const std::string kFloatHex = "0000c03f000000c0000000000000404000008040cdcccc3d";

TEST_F(NpyTest, WritesTheBytesNumpyWrites) {
  WriteNpy<float>(folder_ / "f4", FloatMatrix(2, 3, std::vector<float>{1.5F, -2, 0, 3, 4, 0.1F}));
  EXPECT_EQ(ReadFile(folder_ / "f4"), NumpyFile("<f4", "(2, 3)", kFloatHex));
  WriteNpy<std::int64_t>(folder_ / "i8", std::vector<std::int64_t>{1, 2, 3}, {3});
  EXPECT_EQ(ReadFile(folder_ / "i8"), NumpyFile("<i8", "(3,)", "010000000000000002000000000000000300000000000000"));
  WriteNpy<std::uint8_t>(folder_ / "u1", std::vector<std::uint8_t>{255, 0, 7}, {3, 1, 1});
  EXPECT_EQ(ReadFile(folder_ / "u1"), NumpyFile("|u1", "(3, 1, 1)", "ff0007"));
  WriteNpy<double>(folder_ / "f8", std::vector<double>{2.5}, {});
  EXPECT_EQ(ReadFile(folder_ / "f8"), NumpyFile("<f8", "()", "0000000000000440"));
  WriteNpy<std::int32_t>(folder_ / "i4", std::vector<std::int32_t>{7, -1}, {2});
  EXPECT_EQ(ReadFile(folder_ / "i4"), NumpyFile("<i4", "(2,)", "07000000ffffffff"));
}

TEST_F(NpyTest, WritesEmptyArraysAsNumpyDoes) {
  WriteNpy<float>(folder_ / "a", FloatMatrix(0, 128));
  EXPECT_EQ(ReadFile(folder_ / "a"), NumpyFile("<f4", "(0, 128)", ""));
  WriteNpy<double>(folder_ / "b", std::vector<double>{}, {0});
  EXPECT_EQ(ReadFile(folder_ / "b"), NumpyFile("<f8", "(0,)", ""));
}

TEST_F(NpyTest, WritesPartsAsOneArray) {
  const std::vector<float> first = {1.5F, -2};
  const std::vector<float> second = {0, 3, 4, 0.1F};
  const std::vector<std::span<const float>> parts = {first, {}, second};
  WriteNpyParts<float>(folder_ / "a", parts, {2, 3});
  EXPECT_EQ(ReadFile(folder_ / "a"), NumpyFile("<f4", "(2, 3)", kFloatHex));
}

TEST_F(NpyTest, ShapeAndValuesMustAgree) {
  const CaughtError error = ExpectError([&] { WriteNpy<float>(folder_ / "a", std::vector<float>{1, 2}, {3}); });
  EXPECT_EQ(error.code, ErrorCode::kInternal);
  EXPECT_THAT(error.text, HasSubstr("array shape and values differ"));
  EXPECT_FALSE(fs::exists(folder_ / "a"));
}

TEST_F(NpyTest, ReadsWhatNumpyWrites) {
  const FloatMatrix matrix = ReadNpyMatrix<float>(Write(NumpyFile("<f4", "(2, 3)", kFloatHex)));
  EXPECT_EQ(matrix, FloatMatrix(2, 3, std::vector<float>{1.5F, -2, 0, 3, 4, 0.1F}));
  EXPECT_THAT(ReadNpyVector<std::int32_t>(Write(NumpyFile("<i4", "(2,)", "07000000ffffffff"))), ElementsAre(7, -1));
  const MappedNpy<double> scalar(Write(NumpyFile("<f8", "()", "0000000000000440")), 0);
  EXPECT_THAT(scalar.values(), ElementsAre(2.5));
}

TEST_F(NpyTest, ReadsVersionsTwoAndThree) {
  for (const std::string version : {"02", "03"}) {
    std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }";
    header.resize(115, ' ');
    const std::string bytes =
        FromHex("934e554d5059" + version + "0074000000") + header + "\n" + FromHex("07000000ffffffff");
    EXPECT_THAT(ReadNpyVector<std::int32_t>(Write(bytes)), ElementsAre(7, -1)) << version;
  }
}

TEST_F(NpyTest, EmptyArraysKeepTheirShape) {
  const MappedNpy<float> none(Write(NumpyFile("<f4", "(0, 128)", "")), 2);
  EXPECT_THAT(none.shape(), ElementsAre(0U, 128U));
  EXPECT_EQ(none.matrix().cols(), 128U);
  EXPECT_THAT(none.values(), IsEmpty());
  EXPECT_EQ(ReadNpyMatrix<float>(Write(NumpyFile("<f4", "(5, 0)", ""))).rows(), 5U);
  EXPECT_THAT(ReadNpyVector<float>(Write(NumpyFile("<f4", "(0,)", ""))), IsEmpty());
}

TEST_F(NpyTest, RoundTripsExtremeValues) {
  const std::vector<double> values = {0.0, -0.0, std::numeric_limits<double>::denorm_min(), 1e308, -1.0 / 3};
  WriteNpy<double>(folder_ / "a", values, {values.size()});
  EXPECT_EQ(ReadNpyVector<double>(folder_ / "a"), values);
  EXPECT_TRUE(std::signbit(ReadNpyVector<double>(folder_ / "a")[1]));
}

TEST_F(NpyTest, StaysValidWhenMoved) {
  MappedNpy<float> array(Write(NumpyFile("<f4", "(2, 3)", kFloatHex)), 2);
  const MappedNpy<float> moved = std::move(array);
  EXPECT_EQ(moved.matrix()(1, 1), 4.0F);
}

TEST_F(NpyTest, BadMagic) {
  EXPECT_EQ(Reason(""), "bad magic");
  EXPECT_EQ(Reason("\x93NUMP"), "bad magic");
  EXPECT_EQ(Reason(std::string(200, 'x')), "bad magic");
}

TEST_F(NpyTest, TruncatedHeaders) {
  const std::string whole = NumpyFile("<f4", "(1,)", "00000000");
  for (const std::size_t size : {6U, 7U, 8U, 9U, 10U, 11U, 60U, 127U}) {
    EXPECT_EQ(Reason(whole.substr(0, size)), "truncated header") << size << " bytes";
  }
  EXPECT_EQ(Reason(FromHex("934e554d50590200740000")), "truncated header");
}

TEST_F(NpyTest, HugeHeaderLength) {
  EXPECT_EQ(Reason(FromHex("934e554d50590200ffffffff") + std::string(200, ' ')), "truncated header");
  const std::string commas = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::string(0x20000, ',');
  EXPECT_EQ(Reason(FromHex("934e554d5059020000000200") + commas), "header too large");
}

TEST_F(NpyTest, UnknownVersions) {
  EXPECT_EQ(Reason(FromHex("934e554d505904007600") + std::string(200, ' ')), "unknown version 4");
  EXPECT_EQ(Reason(FromHex("934e554d505900007600") + std::string(200, ' ')), "unknown version 0");
  EXPECT_EQ(Reason(FromHex("934e554d5059ff007600") + std::string(200, ' ')), "unknown version 255");
}

TEST_F(NpyTest, MissingKeys) {
  EXPECT_EQ(Reason(NumpyFile("{'fortran_order': False, 'shape': (1,), }", "00000000")), "the header has no descr");
  EXPECT_EQ(Reason(NumpyFile("{'descr': '<f4', 'shape': (1,), }", "00000000")), "the header has no fortran_order");
  EXPECT_EQ(Reason(NumpyFile("{'descr': '<f4', 'fortran_order': False, }", "00000000")), "the header has no shape");
  EXPECT_EQ(Reason(NumpyFile("", "00000000")), "the header has no descr");
}

TEST_F(NpyTest, BadValues) {
  EXPECT_EQ(Reason(NumpyFile("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }", "00000000")),
            "bad descr");
  EXPECT_EQ(Reason(NumpyFile("{'fortran_order': False, 'shape': (1,), 'descr':", "")), "bad descr");
  EXPECT_EQ(Reason(NumpyFile("{'fortran_order': False, 'shape': (1,), 'descr': '<f4", "")), "bad descr");
  EXPECT_EQ(Reason(NumpyFile("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,), }", "00000000")),
            "bad fortran_order");
  for (const std::string shape : {"3", "(3", "(-1,)", "(3.0,)", "(3 4)", "(a,)", "(1,,2)", "(,3)", "(3L,)", ",)"}) {
    EXPECT_EQ(Reason(NumpyFile("<f4", shape, "00000000")), "bad shape") << shape;
  }
  EXPECT_EQ(Reason(NumpyFile("<f4", "(99999999999999999999,)", "00000000")), "bad shape");
}

TEST_F(NpyTest, TooManyDimensions) {
  EXPECT_EQ(Reason(NumpyFile("<f4", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)", "00000000")),
            "too many dimensions");
}

TEST_F(NpyTest, AnotherTypeOrderOrDimension) {
  EXPECT_EQ(Reason(NumpyFile(">f4", "(1,)", "00000000")),
            "expected <f4 with 1 dimension(s) in C order, found >f4 (1,)");
  EXPECT_EQ(Reason(NumpyFile("<f8", "(1,)", "0000000000000000")),
            "expected <f4 with 1 dimension(s) in C order, found <f8 (1,)");
  EXPECT_EQ(Reason(NumpyFile("<f4", "(1, 1)", "00000000")),
            "expected <f4 with 1 dimension(s) in C order, found <f4 (1, 1)");
  EXPECT_EQ(Reason(NumpyFile("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1), }", "00000000"), 2),
            "expected <f4 with 2 dimension(s) in C order, found <f4 (1, 1) in Fortran order");
}

TEST_F(NpyTest, ShapeMustFitTheFile) {
  for (const std::string hex : {"", "0000", "000000", "0000000000", "0000000000000000"}) {
    EXPECT_EQ(Reason(NumpyFile("<f4", "(1,)", hex)), "the shape <f4 (1,) does not fit the file's size") << hex;
  }
  EXPECT_EQ(Reason(NumpyFile("<f4", "(0,)", "00000000")), "the shape <f4 (0,) does not fit the file's size");
}

TEST_F(NpyTest, ShapesThatOverflow) {
  // 2^62 floats are 2^64 bytes: a product that wraps to 0.
  EXPECT_EQ(Reason(NumpyFile("<f4", "(4611686018427387904,)", "")),
            "the shape <f4 (4611686018427387904,) does not fit the file's size");
  EXPECT_EQ(Reason(NumpyFile("<f4", "(4294967296, 4294967296)", ""), 2), "shape too large");
  EXPECT_EQ(Reason(NumpyFile("<f4", "(4294967296, 4294967296, 0)", ""), 3), "shape too large");
  EXPECT_EQ(Reason(NumpyFile("<f4", "(1099511627776, 0)", ""), 2), "shape too large")
      << "a loop over its rows would never end";
  EXPECT_EQ(Reason(NumpyFile("<f4", "(0, 1099511627776)", ""), 2), "shape too large");
}

TEST_F(NpyTest, MisalignedData) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
  header.resize(0x3a, ' ');
  EXPECT_THAT(ReadNpyVector<float>(Write(FromHex("934e554d505901003a00") + header + FromHex("0000c03f"))),
              ElementsAre(1.5F))
      << "68 is a multiple of 4";
  EXPECT_EQ(Reason(FromHex("934e554d505901003b00") + header + " " + FromHex("0000c03f")), "misaligned data");
}

TEST_F(NpyTest, MissingFileIsAnInputError) {
  EXPECT_EQ(ExpectError([&] { MappedNpy<float>(folder_ / "missing.npy", 1); }).code, ErrorCode::kInput);
}

}  // namespace
}  // namespace flyscribe
