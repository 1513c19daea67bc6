// JSON as one line of UTF-8.
#pragma once

#include <string>

namespace flyscribe {

// Names may hold any bytes; the text must be UTF-8 all the same. `Json`: a type of nlohmann's, which no header names.
template <class Json>
std::string JsonText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace flyscribe
