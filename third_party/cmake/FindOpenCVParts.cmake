# Finds the three OpenCV libraries flyscribe links (core, imgproc, imgcodecs) and nothing else.
#
# Debian's OpenCVConfig.cmake comes only with libopencv-dev, which draws in GUI toolkits, video codecs and VTK; the
# three small -dev packages hold all that is needed. Target: OpenCVParts::OpenCVParts.
find_path(OpenCVParts_INCLUDE_DIR opencv2/imgcodecs.hpp PATH_SUFFIXES opencv4)
set(_opencv_libraries "")
foreach(part core imgproc imgcodecs)
  find_library(OpenCVParts_${part}_LIBRARY opencv_${part})
  list(APPEND _opencv_libraries ${OpenCVParts_${part}_LIBRARY})
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  OpenCVParts
  REQUIRED_VARS OpenCVParts_INCLUDE_DIR OpenCVParts_core_LIBRARY OpenCVParts_imgproc_LIBRARY
                OpenCVParts_imgcodecs_LIBRARY)

if(OpenCVParts_FOUND AND NOT TARGET OpenCVParts::OpenCVParts)
  add_library(OpenCVParts::OpenCVParts INTERFACE IMPORTED)
  target_include_directories(OpenCVParts::OpenCVParts SYSTEM INTERFACE ${OpenCVParts_INCLUDE_DIR})
  target_link_libraries(OpenCVParts::OpenCVParts INTERFACE ${_opencv_libraries})
endif()
