# SPDX-License-Identifier: GPL-3.0-or-later
# OpenCV's own configuration where there is one, else its headers and libraries. Debian ships the configuration only in
# libopencv-dev, which brings every module with VTK and Qt 5 (some 60 to 140 more packages); a few small -dev packages do.
find_package(OpenCV ${OpenCV_FIND_VERSION} CONFIG QUIET COMPONENTS ${OpenCV_FIND_COMPONENTS})
if(OpenCV_CONFIG)
  include(FindPackageHandleStandardArgs)
  find_package_handle_standard_args(OpenCV CONFIG_MODE)
  return()
endif()

find_path(OpenCV_INCLUDE_DIRS opencv2/core.hpp PATH_SUFFIXES opencv4)
mark_as_advanced(OpenCV_INCLUDE_DIRS)
set(OpenCV_LIBS "")
foreach(component IN LISTS OpenCV_FIND_COMPONENTS)
  find_library(OpenCV_${component}_LIBRARY opencv_${component})
  mark_as_advanced(OpenCV_${component}_LIBRARY)
  if(OpenCV_INCLUDE_DIRS AND OpenCV_${component}_LIBRARY)
    set(OpenCV_${component}_FOUND TRUE)
    list(APPEND OpenCV_LIBS opencv_${component})
    if(NOT TARGET opencv_${component})
      add_library(opencv_${component} UNKNOWN IMPORTED)
      set_target_properties(opencv_${component} PROPERTIES
        IMPORTED_LOCATION ${OpenCV_${component}_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${OpenCV_INCLUDE_DIRS})
    endif()
  endif()
endforeach()
if(OpenCV_INCLUDE_DIRS)
  file(STRINGS ${OpenCV_INCLUDE_DIRS}/opencv2/core/version.hpp numbers REGEX "#define CV_VERSION_(MAJOR|MINOR|REVISION) ")
  string(REGEX REPLACE ".*MAJOR +([0-9]+).*MINOR +([0-9]+).*REVISION +([0-9]+).*" "\\1.\\2.\\3" OpenCV_VERSION "${numbers}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCV REQUIRED_VARS OpenCV_INCLUDE_DIRS VERSION_VAR OpenCV_VERSION HANDLE_COMPONENTS)
