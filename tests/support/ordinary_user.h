// Permissions bind everybody but root, and tests may run as root: an ordinary user while this lives.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace flyscribe {

class AsOrdinaryUser {
 public:
  AsOrdinaryUser() : was_root_(geteuid() == 0) {
    constexpr uid_t kNobody = 65534;
    if (was_root_ && seteuid(kNobody) != 0) throw std::runtime_error("cannot leave root");
  }
  ~AsOrdinaryUser() {
    if (was_root_ && seteuid(0) != 0) std::abort();
  }
  AsOrdinaryUser(const AsOrdinaryUser&) = delete;
  AsOrdinaryUser& operator=(const AsOrdinaryUser&) = delete;

 private:
  bool was_root_;
};

}  // namespace flyscribe
