#include "core/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
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

TEST_F(NpyTest, WritesRowsAsOneArray) {
  NpyRowWriter<float> writer(folder_ / "a", {3});
  writer.Append(std::vector<float>{1.5F, -2, 0});
  writer.Append({});
  writer.Append(std::vector<float>{3, 4, 0.1F});
  EXPECT_EQ(writer.rows(), 2U);
  EXPECT_EQ(ExpectError([&] { writer.Append(std::vector<float>{1, 2}); }).code, ErrorCode::kInternal);
  writer.Finish();
  EXPECT_EQ(ReadFile(folder_ / "a"), NumpyFile("<f4", "(2, 3)", kFloatHex));
}

TEST_F(NpyTest, ManyRowsKeepTheHeadersSize) {
  const std::vector<std::uint8_t> values(123456, 7);
  NpyRowWriter<std::uint8_t> writer(folder_ / "a", {});
  writer.Append(values);
  writer.Finish();
  WriteNpy<std::uint8_t>(folder_ / "b", values, {values.size()});
  EXPECT_EQ(ReadFile(folder_ / "a"), ReadFile(folder_ / "b"));
}

TEST_F(NpyTest, RowsAlreadyWrittenAreNoArrayBeforeTheEnd) {
  NpyRowWriter<float> writer(folder_ / "a", {3});
  writer.Append(std::vector<float>{1.5F, -2, 0});
  EXPECT_EQ(ExpectError([&] { ReadNpyMatrix<float>(folder_ / "a"); }).code, ErrorCode::kCorrupt);
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

TEST_F(NpyTest, StrangeTypesAreShownSafely) {
  EXPECT_EQ(Reason(NumpyFile("<\x1b[31m\xe9", "(1,)", "00000000")),
            "expected <f4 with 1 dimension(s) in C order, found <?[31m? (1,)");
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

// What a test varies in the header of a user's file.
struct ArrayKind {
  std::string type = "<f4";  // or a list of fields
  bool fortran_order = false;
  std::string shape = "(2, 3)";
  char version = 1;
  std::size_t shift = 0;  // bytes by which the data misses the alignment that NumPy gives it
};

std::string ArrayFile(const ArrayKind& kind, const std::string& data) {
  std::string header = "{'descr': " + (kind.type.starts_with('[') ? kind.type : "'" + kind.type + "'") +
                       ", 'fortran_order': " + (kind.fortran_order ? "True" : "False") + ", 'shape': " + kind.shape +
                       ", }";
  const std::size_t length_bytes = kind.version == 1 ? 2 : 4;
  header.resize(256 - 8 - length_bytes + kind.shift - 1, ' ');
  header += '\n';
  std::string bytes = std::string("\x93NUMPY") + kind.version + '\0';
  for (std::size_t i = 0; i < length_bytes; ++i) bytes += static_cast<char>((header.size() >> (8 * i)) & 0xff);
  return bytes + header + data;
}

// Element (i, j) of the matrices below: different everywhere, exact in float32.
float Cell(std::size_t row, std::size_t col) { return static_cast<float>(row * 1000 + col) + 0.25F; }

std::string CellBytes(std::size_t rows, std::size_t cols, const ArrayKind& kind) {
  std::string bytes;
  for (std::size_t i = 0; i < rows * cols; ++i) {
    const float single = kind.fortran_order ? Cell(i % rows, i / rows) : Cell(i / cols, i % cols);
    const double value = single;
    if (kind.type == "<f8") bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    if (kind.type == "<f4") bytes.append(reinterpret_cast<const char*>(&single), sizeof(single));
  }
  return bytes;
}

template <class T>
std::string BytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

FloatMatrix Copy(const FloatView& view) {
  return {view.rows(), view.cols(), std::vector<float>(view.values().begin(), view.values().end())};
}

class FloatNpyTest : public ::testing::Test {
 protected:
  fs::path Write(const std::string& bytes) const { return folder_.Write("x.npy", bytes); }

  // Writes and reads a matrix of cells; a test failure names what differs.
  void ExpectCells(std::size_t rows, std::size_t cols, ArrayKind kind, bool mapped) const {
    kind.shape = "(" + std::to_string(rows) + ", " + std::to_string(cols) + ")";
    SCOPED_TRACE(kind.type + " " + kind.shape + (kind.fortran_order ? " Fortran" : " C") + " version " +
                 std::to_string(kind.version) + " shift " + std::to_string(kind.shift));
    const FloatNpy array(Write(ArrayFile(kind, CellBytes(rows, cols, kind))));
    EXPECT_EQ(array.mapped(), mapped);
    ASSERT_EQ(array.view().rows(), rows);
    ASSERT_EQ(array.view().cols(), cols);
    for (std::size_t i = 0; i < rows * cols; ++i) {
      ASSERT_EQ(array.view()(i / cols, i % cols), Cell(i / cols, i % cols))
          << "row " << i / cols << " col " << i % cols;
    }
  }

  // The error's text without the path and "error: ", after checking these and the code.
  std::string Refusal(const std::string& bytes, ErrorCode code) const {
    const fs::path path = Write(bytes);
    const CaughtError error = ExpectError([&] { FloatNpy{path}; });
    EXPECT_EQ(error.code, code) << error.text;
    const std::string before = path.string() + ": error: ";
    EXPECT_THAT(error.text, ::testing::StartsWith(before));
    return error.text.substr(std::min(before.size(), error.text.size()));
  }

  // The refusal of a sound array of the wrong kind, whose data is never looked at.
  std::string WrongKind(const std::string& type, const std::string& shape) const {
    return Refusal(ArrayFile({.type = type, .shape = shape}, "any"), ErrorCode::kInput);
  }

  std::string Damage(const std::string& bytes) const {
    std::string text = Refusal(bytes, ErrorCode::kCorrupt);
    const std::string before = "not a readable .npy array: ";
    const std::string after = "\n  hint: expected a whole file as numpy.save(path, x) writes it";
    EXPECT_THAT(text, ::testing::StartsWith(before));
    EXPECT_THAT(text, ::testing::EndsWith(after));
    if (text.size() < before.size() + after.size()) return text;
    return text.substr(before.size(), text.size() - before.size() - after.size());
  }

  TempFolder folder_;
};

std::string Found(const std::string& what, const std::string& remedy) {
  return "expected float32 or float64 in two dimensions, found " + what + "\n  hint: in NumPy: " + remedy;
}

TEST_F(FloatNpyTest, ReadsWhatNumpyWrites) {
  const FloatMatrix expected(2, 3, std::vector<float>{1.5F, -2, 0, 3, 4, 0.1F});
  const std::string f4 = "{'descr': '<f4', 'fortran_order': ";
  const std::string f8 = "{'descr': '<f8', 'fortran_order': ";
  const FloatNpy single(Write(NumpyFile(f4 + "False, 'shape': (2, 3), }", kFloatHex)));
  EXPECT_EQ(Copy(single.view()), expected);
  EXPECT_TRUE(single.mapped());
  const FloatNpy transposed(
      Write(NumpyFile(f4 + "True, 'shape': (2, 3), }", "0000c03f00004040000000c00000804000000000cdcccc3d")));
  EXPECT_EQ(Copy(transposed.view()), expected);
  EXPECT_FALSE(transposed.mapped());
  const FloatNpy rounded(Write(NumpyFile(f8 + "False, 'shape': (2, 3), }",
                                         "000000000000f83f00000000000000c00000000000000000"
                                         "000000000000084000000000000010409a9999999999b93f")));
  EXPECT_EQ(Copy(rounded.view()), expected);
  EXPECT_FALSE(rounded.mapped());
  const FloatNpy both(Write(NumpyFile(f8 + "True, 'shape': (2, 3), }",
                                      "000000000000f83f000000000000084000000000000000c0"
                                      "000000000000104000000000000000009a9999999999b93f")));
  EXPECT_EQ(Copy(both.view()), expected);
  EXPECT_FALSE(both.mapped());
}

TEST_F(FloatNpyTest, ReadsAllVersions) {
  for (const char version : {'\1', '\2', '\3'}) {
    ExpectCells(4, 3, {.type = "<f4", .version = version}, true);
    ExpectCells(4, 3, {.type = "<f4", .fortran_order = true, .version = version}, false);
    ExpectCells(4, 3, {.type = "<f8", .version = version}, false);
    ExpectCells(4, 3, {.type = "<f8", .fortran_order = true, .version = version}, false);
  }
}

TEST_F(FloatNpyTest, TransposesWholeAndBrokenTiles) {
  const std::vector<std::pair<std::size_t, std::size_t>> shapes = {
      {2, 2}, {31, 33}, {32, 32}, {64, 96}, {33, 65}, {100, 7}, {7, 100}, {130, 129}};
  for (const auto& [rows, cols] : shapes) {
    ExpectCells(rows, cols, {.type = "<f4", .fortran_order = true}, false);
    ExpectCells(rows, cols, {.type = "<f8", .fortran_order = true}, false);
    ExpectCells(rows, cols, {.type = "<f4"}, true);
    ExpectCells(rows, cols, {.type = "<f8"}, false);
  }
}

TEST_F(FloatNpyTest, OneRowOrOneColumnIsMappedInEitherOrder) {
  for (const bool fortran_order : {false, true}) {
    ExpectCells(1, 40, {.type = "<f4", .fortran_order = fortran_order}, true);
    ExpectCells(40, 1, {.type = "<f4", .fortran_order = fortran_order}, true);
    ExpectCells(1, 1, {.type = "<f4", .fortran_order = fortran_order}, true);
    ExpectCells(1, 40, {.type = "<f8", .fortran_order = fortran_order}, false);
    ExpectCells(40, 1, {.type = "<f8", .fortran_order = fortran_order}, false);
  }
}

TEST_F(FloatNpyTest, EmptyMatricesKeepTheirShape) {
  for (const bool fortran_order : {false, true}) {
    ExpectCells(0, 128, {.type = "<f4", .fortran_order = fortran_order}, true);
    ExpectCells(5, 0, {.type = "<f4", .fortran_order = fortran_order}, true);
    ExpectCells(0, 0, {.type = "<f4", .fortran_order = fortran_order}, true);
    ExpectCells(0, 128, {.type = "<f8", .fortran_order = fortran_order}, false);
    ExpectCells(5, 0, {.type = "<f8", .fortran_order = fortran_order}, false);
  }
}

TEST_F(FloatNpyTest, MisalignedDataIsCopied) {
  for (const std::size_t shift : {1U, 2U, 3U, 4U, 7U}) {
    ExpectCells(5, 3, {.type = "<f4", .shift = shift}, shift == 4);
    ExpectCells(1, 3, {.type = "<f4", .fortran_order = true, .shift = shift}, shift == 4);
    ExpectCells(5, 3, {.type = "<f4", .fortran_order = true, .shift = shift}, false);
    ExpectCells(5, 3, {.type = "<f8", .shift = shift}, false);
    ExpectCells(5, 3, {.type = "<f8", .fortran_order = true, .shift = shift}, false);
  }
}

TEST_F(FloatNpyTest, RoundsToTheNearest) {
  const float largest = std::numeric_limits<float>::max();
  // The last number is the greatest double below the middle between float32's largest and 2^128.
  const std::vector<double> values = {0.1, 1 + 0x1p-24, 1 + 0x1.8p-24, 1e-60, -0.0, -largest, 0x1.fffffefffffffp127};
  const FloatNpy array(Write(ArrayFile({.type = "<f8", .shape = "(1, 7)"}, BytesOf(values))));
  EXPECT_THAT(array.view().Row(0), ElementsAre(0.1F, 1.0F, 1 + 0x1p-23F, 0.0F, -0.0F, -largest, largest));
  EXPECT_TRUE(std::signbit(array.view()(0, 4)));
}

TEST_F(FloatNpyTest, PassesOnNanAndInfinity) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const bool fortran_order : {false, true}) {
    const ArrayKind f4 = {.type = "<f4", .fortran_order = fortran_order, .shape = "(2, 2)"};
    const ArrayKind f8 = {.type = "<f8", .fortran_order = fortran_order, .shape = "(2, 2)"};
    for (const std::string& bytes : {ArrayFile(f4, BytesOf<float>({infinity, nan, nan, -infinity})),
                                     ArrayFile(f8, BytesOf<double>({infinity, nan, nan, -infinity}))}) {
      const FloatNpy array(Write(bytes));
      EXPECT_EQ(array.view()(0, 0), infinity);
      EXPECT_TRUE(std::isnan(array.view()(0, 1)));
      EXPECT_TRUE(std::isnan(array.view()(1, 0)));
      EXPECT_EQ(array.view()(1, 1), -infinity);
    }
  }
}

TEST_F(FloatNpyTest, ValuesBeyondFloat32AreNamed) {
  const std::string hint =
      "\n  hint: float32 ends at 3.4e38: correct the value, or in NumPy: numpy.save(path, x / numpy.abs(x).max())";
  const double infinity = std::numeric_limits<double>::infinity();
  // Row 0 holds a true infinity, which is no mistake of the conversion.
  const std::string rows = BytesOf<double>({1, infinity, 3, 4, 5, -1e39});
  EXPECT_EQ(Refusal(ArrayFile({.type = "<f8"}, rows), ErrorCode::kInput),
            "the value -1e+39 at row 1, column 2 (counted from 0) is beyond float32's range" + hint);
  const std::string columns = BytesOf<double>({1, 2e300, 3, 4, 1e300, 6});
  EXPECT_EQ(Refusal(ArrayFile({.type = "<f8", .fortran_order = true}, columns), ErrorCode::kInput),
            "the value 1e+300 at row 0, column 2 (counted from 0) is beyond float32's range" + hint)
      << "the first by row, though another lies before it in the file";
  EXPECT_THAT(
      Refusal(ArrayFile({.type = "<f8", .shape = "(1, 1)"}, BytesOf<double>({0x1.ffffffp127})), ErrorCode::kInput),
      HasSubstr("at row 0, column 0 (counted from 0) is beyond float32's range"))
      << "the smallest number that is rounded to infinity";
}

TEST_F(FloatNpyTest, OtherTypesAreNamed) {
  const std::string remedy = "numpy.save(path, x.astype('float32'))";
  const std::vector<std::pair<std::string, std::string>> names = {
      {">f4", "big-endian float32"},
      {">f8", "big-endian float64"},
      {"=f4", "float32 without a byte order"},
      {"|f8", "float64 without a byte order"},
      {"<f2", "float16"},
      {"<f16", "float128"},
      {"<i8", "int64"},
      {">i4", "big-endian int32"},
      {"|i1", "int8"},
      {"|u1", "uint8"},
      {"|b1", "bool"},
      {"|S32", "text"},
      {"<U32", "text"},
      {"<M8[D]", "dates"},
      {"<m8[s]", "time spans"},
      {"|V3", "raw bytes"},
  };
  for (const auto& [type, name] : names) {
    EXPECT_EQ(WrongKind(type, "(2, 3)"), Found(name + " (" + type + ") of shape (2, 3)", remedy));
  }
  for (const std::string type : {"", "<", "f4", "<f", "<f0", "<f33", "<f-4", "<f4x", "<x4", "<f99999999999999999999"}) {
    EXPECT_EQ(WrongKind(type, "(2, 3)"), Found("an unknown type (" + type + ") of shape (2, 3)", remedy));
  }
}

TEST_F(FloatNpyTest, ComplexNumbers) {
  EXPECT_EQ(WrongKind("<c8", "(2, 3)"),
            Found("complex64 (<c8) of shape (2, 3)", "numpy.save(path, x.real.astype('float32'))"));
  EXPECT_EQ(WrongKind(">c16", "(2, 3)"),
            Found("big-endian complex128 (>c16) of shape (2, 3)", "numpy.save(path, x.real.astype('float32'))"));
}

TEST_F(FloatNpyTest, ObjectArrays) {
  const std::string remedy =
      "numpy.save(path, numpy.array(x.tolist(), dtype='float32')), if the objects are rows of one length";
  EXPECT_EQ(WrongKind("|O", "(5,)"), Found("Python objects (|O) of shape (5,)", remedy));
  EXPECT_EQ(WrongKind("|O", "(5, 3)"), Found("Python objects (|O) of shape (5, 3)", remedy));
  EXPECT_EQ(WrongKind("|O", "()"), Found("Python objects (|O) of shape ()", remedy));
}

TEST_F(FloatNpyTest, StructuredArrays) {
  const std::string stack = "numpy.stack([x[name] for name in x.dtype.names], axis=-1).astype('float32')";
  EXPECT_EQ(WrongKind("[('x', '<f4'), ('y', '<f8')]", "(2,)"),
            Found("named fields ([('x', '<f4'), ('y', '<f8')]) of shape (2,)", "numpy.save(path, " + stack + ")"));
  EXPECT_EQ(WrongKind("[('a', [('b', '<f8', (2,))])]", "(4, 2)"),
            Found("named fields ([('a', [('b', '<f8', (2,))])]) of shape (4, 2)",
                  "numpy.save(path, " + stack + ".reshape(len(x), -1))"));
  EXPECT_EQ(Damage(ArrayFile({.type = "[('x', '<f4')"}, "any")), "bad descr");
}

TEST_F(FloatNpyTest, OtherDimensions) {
  EXPECT_EQ(WrongKind("<f4", "(6,)"),
            Found("float32 (<f4) of shape (6,)",
                  "numpy.save(path, x.reshape(1, -1)) for one row, or numpy.save(path, x.reshape(-1, 1)) for one "
                  "column"));
  EXPECT_EQ(WrongKind("<f8", "(10, 4, 4)"),
            Found("float64 (<f8) of shape (10, 4, 4)", "numpy.save(path, x.reshape(len(x), -1))"));
  EXPECT_EQ(WrongKind("<f8", "()"), Found("float64 (<f8) of shape ()", "numpy.save(path, x.reshape(1, 1))"));
  EXPECT_EQ(WrongKind("|u1", "(10, 4, 4)"),
            Found("uint8 (|u1) of shape (10, 4, 4)", "numpy.save(path, x.astype('float32').reshape(len(x), -1))"))
      << "one remedy for both faults";
}

TEST_F(FloatNpyTest, StrangeTypesAreShownSafely) {
  EXPECT_THAT(WrongKind("<\x1b[31m\xe9", "(2, 3)"), HasSubstr("an unknown type (<?[31m?) of shape"));
  EXPECT_THAT(WrongKind("<i4" + std::string(100, '4'), "(2, 3)"),
              HasSubstr("an unknown type (<i4" + std::string(57, '4') + "...) of shape"));
}

TEST_F(FloatNpyTest, DamagedFilesStayCorrupt) {
  EXPECT_EQ(Damage(""), "bad magic");
  EXPECT_EQ(Damage(std::string(200, 'x')), "bad magic");
  const std::string whole = ArrayFile({.type = "<f8", .fortran_order = true}, std::string(48, '\0'));
  for (const std::size_t size : {6U, 8U, 9U, 10U, 100U, 255U}) {
    EXPECT_EQ(Damage(whole.substr(0, size)), "truncated header") << size << " bytes";
  }
  for (const std::size_t size : {256U, 257U, 280U, 303U}) {
    EXPECT_EQ(Damage(whole.substr(0, size)), "the shape <f8 (2, 3) does not fit the file's size") << size << " bytes";
  }
  EXPECT_EQ(Damage(whole + "x"), "the shape <f8 (2, 3) does not fit the file's size");
  EXPECT_EQ(Damage(ArrayFile({.shape = "(2 3)"}, "")), "bad shape");
}

TEST_F(FloatNpyTest, ShapesAreBoundedBeforeAllocating) {
  EXPECT_EQ(Damage(ArrayFile({.type = "<f8", .shape = "(2, 3)"}, std::string(24, '\0'))),
            "the shape <f8 (2, 3) does not fit the file's size")
      << "as if it were float32";
  EXPECT_EQ(Damage(ArrayFile({.type = "<f8", .shape = "(2305843009213693952, 1)"}, "")),
            "the shape <f8 (2305843009213693952, 1) does not fit the file's size")
      << "2^64 bytes: a product that wraps to 0";
  EXPECT_EQ(Damage(ArrayFile({.shape = "(4294967296, 4294967296)"}, "")), "shape too large");
  EXPECT_EQ(Damage(ArrayFile({.type = "<f8", .shape = "(0, 1099511627776)"}, "")), "shape too large");
}

TEST_F(FloatNpyTest, MissingFileIsAnInputError) {
  const CaughtError error = ExpectError([&] { FloatNpy{folder_ / "missing.npy"}; });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("missing.npy"));
}

TEST_F(FloatNpyTest, ViewsStayValidWhenMoved) {
  for (const bool fortran_order : {false, true}) {
    const ArrayKind kind = {.fortran_order = fortran_order};
    FloatNpy array(Write(ArrayFile(kind, CellBytes(2, 3, kind))));
    const FloatView before = array.view();
    const FloatNpy moved = std::move(array);
    EXPECT_EQ(moved.mapped(), !fortran_order);
    EXPECT_EQ(moved.view().data(), before.data());
    EXPECT_EQ(before(1, 2), Cell(1, 2));
  }
}

TEST_F(FloatNpyTest, AConvertedMatrixDoesNotNeedItsFile) {
  const ArrayKind kind = {.type = "<f8"};
  const FloatNpy array(Write(ArrayFile(kind, CellBytes(2, 3, kind))));
  Write("overwritten");
  EXPECT_EQ(array.view()(1, 2), Cell(1, 2));
}

class AnyNpyTest : public ::testing::Test {
 protected:
  fs::path Write(const std::string& bytes) const { return folder_.Write("x.npy", bytes); }
  std::string Damage(const std::string& bytes) const {
    const CaughtError error = ExpectError([&] { AnyNpy{Write(bytes)}; });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    EXPECT_THAT(error.text, ::testing::EndsWith("\n  hint: expected a whole file as numpy.save(path, x) writes it"));
    return error.text;
  }

  TempFolder folder_;
};

struct SizedType {
  std::string type;
  std::string name;
  std::size_t bytes;  // of one element
};

TEST_F(AnyNpyTest, ReadsEveryType) {
  const std::vector<SizedType> types = {{"|b1", "bool", 1},
                                        {"|u1", "uint8", 1},
                                        {">i2", "big-endian int16", 2},
                                        {"<f2", "float16", 2},
                                        {"<c16", "complex128", 16},
                                        {"|S5", "text", 5},
                                        {"<U3", "text", 12},
                                        {"<M8[ns]", "dates", 8},
                                        {"<m8", "time spans", 8},
                                        {"|V7", "raw bytes", 7}};
  for (const auto& [type, name, bytes] : types) {
    const std::string data(6 * bytes, 'x');
    const AnyNpy array(Write(ArrayFile({.type = type, .fortran_order = true}, data)));
    EXPECT_EQ(array.header().type, type);
    EXPECT_EQ(array.header().TypeName(), name);
    EXPECT_TRUE(array.header().fortran_order);
    EXPECT_THAT(array.header().shape, ElementsAre(2U, 3U));
    EXPECT_EQ(array.data(), data);
    EXPECT_THAT(Damage(ArrayFile({.type = type}, data + "x")), HasSubstr("does not fit the file's size")) << type;
    EXPECT_THAT(Damage(ArrayFile({.type = type}, data.substr(1))), HasSubstr("does not fit the file's size")) << type;
  }
}

TEST_F(AnyNpyTest, TypesWithoutAKnownSizeAreNotMeasured) {
  for (const std::string type :
       {"|O", "[('x', '<f4')]", "<x4", "<f0", "|S0", "<U-1", "<U99999999999", "<f99999999999999999999", "", "<"}) {
    EXPECT_EQ(AnyNpy(Write(ArrayFile({.type = type}, "any"))).data(), "any") << type;
  }
}

TEST_F(AnyNpyTest, DamageIsNamed) {
  EXPECT_THAT(Damage(""), HasSubstr("bad magic"));
  EXPECT_THAT(Damage(ArrayFile({}, "").substr(0, 100)), HasSubstr("truncated header"));
  EXPECT_THAT(Damage(ArrayFile({.shape = "(4294967296, 4294967296)"}, "")), HasSubstr("shape too large"));
  EXPECT_THAT(Damage(ArrayFile({.type = "<U2147483647", .shape = "(4294967296,)"}, "")),
              HasSubstr("does not fit the file's size"));
  EXPECT_EQ(ExpectError([&] { AnyNpy{folder_ / "missing.npy"}; }).code, ErrorCode::kInput);
}

}  // namespace
}  // namespace flyscribe
