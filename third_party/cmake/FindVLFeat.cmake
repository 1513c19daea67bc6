# Finds VLFeat (Debian's libvlfeat-dev ships no CMake package). Target: VLFeat::VLFeat.
find_path(VLFeat_INCLUDE_DIR vl/dsift.h)
find_library(VLFeat_LIBRARY vl)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(VLFeat REQUIRED_VARS VLFeat_INCLUDE_DIR VLFeat_LIBRARY)

if(VLFeat_FOUND AND NOT TARGET VLFeat::VLFeat)
  add_library(VLFeat::VLFeat UNKNOWN IMPORTED)
  set_target_properties(
    VLFeat::VLFeat PROPERTIES IMPORTED_LOCATION ${VLFeat_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES
                                                                  ${VLFeat_INCLUDE_DIR})
endif()
