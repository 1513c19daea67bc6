# Finds OpenBLAS with its C interface. Debian's own OpenBLASConfig.cmake names no target. Target: OpenBLAS::OpenBLAS.
find_path(OpenBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES openblas openblas-pthread
                                                               ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread)
find_library(OpenBLAS_LIBRARY openblas)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY)

if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(
    OpenBLAS::OpenBLAS PROPERTIES IMPORTED_LOCATION ${OpenBLAS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES
                                                                        ${OpenBLAS_INCLUDE_DIR})
endif()
