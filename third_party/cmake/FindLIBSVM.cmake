# Finds LIBSVM (Debian's libsvm-dev ships no CMake package). Target: LIBSVM::LIBSVM; include <libsvm/svm.h>.
find_path(LIBSVM_INCLUDE_DIR libsvm/svm.h)
find_library(LIBSVM_LIBRARY svm)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LIBSVM REQUIRED_VARS LIBSVM_INCLUDE_DIR LIBSVM_LIBRARY)

if(LIBSVM_FOUND AND NOT TARGET LIBSVM::LIBSVM)
  add_library(LIBSVM::LIBSVM UNKNOWN IMPORTED)
  set_target_properties(
    LIBSVM::LIBSVM PROPERTIES IMPORTED_LOCATION ${LIBSVM_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES
                                                                  ${LIBSVM_INCLUDE_DIR})
endif()
