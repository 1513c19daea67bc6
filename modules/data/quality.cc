#include "data/quality.h"

#include <algorithm>
#include <array>

#include "core/text.h"
#include "data/tables.h"

namespace flyscribe {
namespace {

const std::vector<std::string> kHeader =
    Split("image way confidence area aspect border centre_x centre_y angle half_length half_height doubts", ' ');
const std::array<std::string, 3> kWays = {"passed", "enlarged", "found"};

std::vector<std::string> FieldsOf(const ImageQuality& quality) {
  const EmbryoPose& pose = quality.pose;
  return {quality.image,
          kWays[static_cast<std::size_t>(quality.way)],
          FormatFixed(quality.confidence, 3),
          FormatFixed(quality.area, 4),
          FormatFixed(quality.aspect, 3),
          FormatFixed(quality.border, 3),
          FormatFixed(pose.centre_x, 2),
          FormatFixed(pose.centre_y, 2),
          FormatFixed(pose.angle, 2),
          FormatFixed(pose.half_length, 2),
          FormatFixed(pose.half_height, 2),
          Join(quality.doubts, "; ")};
}

ImageQuality FromFields(const std::vector<std::string>& fields, const fs::path& path) {
  ImageQuality quality;
  quality.image = fields[0];
  const auto* const way = std::ranges::find(kWays, fields[1]);
  if (way == kWays.end()) ThrowCorrupt(path, "unknown way '" + fields[1] + "'");
  quality.way = static_cast<ImageQuality::Way>(way - kWays.begin());
  const std::array<double*, 9> numbers = {&quality.confidence,
                                          &quality.area,
                                          &quality.aspect,
                                          &quality.border,
                                          &quality.pose.centre_x,
                                          &quality.pose.centre_y,
                                          &quality.pose.angle,
                                          &quality.pose.half_length,
                                          &quality.pose.half_height};
  for (std::size_t i = 0; i < numbers.size(); ++i) *numbers[i] = RealField(fields[i + 2], path);
  for (const std::string& doubt : Split(fields[11], ';')) {
    if (!Trim(doubt).empty()) quality.doubts.emplace_back(Trim(doubt));
  }
  return quality;
}

const std::vector<std::string> kPosesHeader = {
    "image_id", "width", "height", "centre_x", "centre_y", "angle", "half_length", "half_height"};

}  // namespace

std::string QualityRow(const ImageQuality& quality) { return Join(FieldsOf(quality), "\t"); }

ImageQuality ParseQualityRow(const std::string& line, const fs::path& path) {
  const std::vector<std::string> fields = Split(line, '\t');
  if (fields.size() != kHeader.size()) ThrowCorrupt(path, "a row about an image has another number of fields");
  return FromFields(fields, path);
}

void SaveQuality(const fs::path& folder, const std::vector<ImageQuality>& qualities) {
  std::vector<std::vector<std::string>> rows;
  for (const ImageQuality& quality : qualities) rows.push_back(FieldsOf(quality));
  SaveTsv(folder / "quality.tsv", kHeader, rows);
}

std::vector<ImageQuality> LoadQuality(const fs::path& folder) {
  const fs::path path = folder / "quality.tsv";
  std::vector<ImageQuality> qualities;
  for (const auto& row : LoadTsv(path, kHeader)) qualities.push_back(FromFields(row, path));
  return qualities;
}

std::vector<KnownPose> LoadPoses(const fs::path& path) {
  std::vector<KnownPose> poses;
  for (const auto& row : LoadTsv(path, kPosesHeader)) {
    poses.push_back({row[0],
                     {RealField(row[3], path),
                      RealField(row[4], path),
                      RealField(row[5], path),
                      RealField(row[6], path),
                      RealField(row[7], path)}});
    if (poses.back().pose.half_length <= 0.0 || poses.back().pose.half_height <= 0.0) {
      ThrowCorrupt(path, "the pose of image " + row[0] + " has no extent");
    }
  }
  return poses;
}

}  // namespace flyscribe
