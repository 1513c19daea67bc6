#include "simulate/options.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

// Notes the fields and can set one of them.
class Recorder : public OptionsVisitor {
 public:
  using OptionsVisitor::Integer;
  void Flag(const Field& field, bool& value) override {
    fields[field.name] = field;
    flags[field.name] = value;
  }
  void Integer(const Field& field, std::int64_t& value) override { Note(field, static_cast<double>(value)); }
  void Real(const Field& field, double& value) override { Note(field, value); }
  void Word(const Field& field, std::string&) override { fields[field.name] = field; }
  void Words(const Field& field, std::vector<std::string>&) override { fields[field.name] = field; }

  std::map<std::string, Field> fields;
  std::map<std::string, double> values;
  std::map<std::string, bool> flags;

 private:
  void Note(const Field& field, double value) {
    fields[field.name] = field;
    values[field.name] = value;
  }
};

TEST(SimulateOptions, DefaultsLieWithinTheirRangesAndAreDocumented) {
  SimulateOptions options;
  Recorder recorder;
  options.Fields(recorder);
  EXPECT_EQ(recorder.fields.size(), 18U);
  for (const auto& [name, field] : recorder.fields) {
    EXPECT_GT(field.doc.size(), 10U) << name;
    EXPECT_EQ(field.effect, Effect::kResults) << name;
    if (recorder.flags.contains(name)) continue;
    EXPECT_GE(recorder.values.at(name), field.min) << name;
    EXPECT_LE(recorder.values.at(name), field.max) << name;
  }
  EXPECT_FALSE(recorder.flags.at("photographs"));
  options.Check();
}

TEST(SimulateOptions, LimitsAreThoseOfTheFormats) {
  SimulateOptions options;
  Recorder recorder;
  options.Fields(recorder);
  EXPECT_EQ(recorder.fields.at("genes").min, 1.0);
  EXPECT_EQ(recorder.fields.at("genes").max, 9999.0);  // four digits in a symbol
  EXPECT_EQ(recorder.fields.at("images_max").max, 20.0);
  EXPECT_EQ(recorder.fields.at("visibility").max, 1.0);
  EXPECT_EQ(recorder.fields.at("contrast").min, 0.1);
  EXPECT_EQ(recorder.fields.at("max_turn").max, 180.0);
  EXPECT_EQ(recorder.fields.at("neighbours").max, 6.0);
  EXPECT_EQ(recorder.fields.at("touching").max, 1.0);
  EXPECT_EQ(recorder.fields.at("photograph_noise").max, 3.0);
  EXPECT_EQ(recorder.fields.at("seed").max, 9007199254740992.0);
}

TEST(SimulateOptions, EveryFieldIsPartOfTheKey) {
  const std::string key = KeyText(SimulateOptions{});
  for (const char* line :
       {"genes: 240", "visibility: 0.75", "label_noise: 0", "photographs: false", "max_turn: 75", "seed: 1"}) {
    EXPECT_NE(key.find(line), std::string::npos) << line << '\n' << key;
  }
}

TEST(SimulateOptions, ContradictingImageCountsAreRefused) {
  SimulateOptions options;
  options.images_min = 4;
  options.images_max = 3;
  const CaughtError error = ExpectError([&] { options.Check(); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_NE(error.text.find("images_min is 4 but images_max is 3"), std::string::npos) << error.text;
  EXPECT_NE(error.text.find("hint: raise images_max or lower images_min"), std::string::npos) << error.text;
}

}  // namespace
}  // namespace flyscribe
