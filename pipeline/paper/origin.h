// When the measurements of a page were made, and in how many goes: some may be of earlier commands.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/paper/measurement.h"

namespace flyscribe {

class MeasurementsOrigin {
 public:
  void Add(const Measured& measured, bool of_an_earlier_command);

  // Name and value, for people.
  std::vector<std::pair<std::string, std::string>> Facts() const;

 private:
  std::size_t now_ = 0;
  std::size_t before_ = 0;
  std::size_t resumed_ = 0;
  std::string first_;  // when, in a form that sorts
  std::string last_;
};

}  // namespace flyscribe
