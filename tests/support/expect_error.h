// Runs code that must fail with flyscribe's Error, and hands back what it said.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"

namespace flyscribe {

struct CaughtError {
  ErrorCode code = ErrorCode::kInternal;
  std::string text;
};

// Adds a test failure, and returns an empty text, if nothing is thrown.
template <class Body>
CaughtError ExpectError(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  ADD_FAILURE() << "expected an Error, but nothing was thrown";
  return {};
}

}  // namespace flyscribe
