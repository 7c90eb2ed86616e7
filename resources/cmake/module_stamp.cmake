# SPDX-License-Identifier: GPL-3.0-or-later
# Writes a header with the marks of modules, and a stamp of all headers that a program and its modules both see and of
# what else decides how their values lie in memory. It names no commit and no folder, so builds of the same source agree.
#   cmake -DROOT=<source> -DOUT=<header> -DEXTRA=<compiler and the like> -P module_stamp.cmake
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE headers RELATIVE ${ROOT} ${ROOT}/engine/*.h ${ROOT}/engine/*.inc ${ROOT}/datasets/*.h)
list(SORT headers COMPARE STRING)
set(all "${EXTRA}")
foreach(header IN LISTS headers)
  file(SHA256 ${ROOT}/${header} digest)
  string(APPEND all "\n${header} ${digest}")
endforeach()
string(SHA256 stamp "${all}")
string(SUBSTRING ${stamp} 0 16 stamp)
file(WRITE ${OUT}.new "#define PALIMPSEST_ENGINE_MARK \"palimpsest-engine-module: \"
#define PALIMPSEST_CAMERA_MARK \"palimpsest-camera-module: \"
#define PALIMPSEST_CODECS_MARK \"palimpsest-codecs-module: \"
#define PALIMPSEST_MODULE_STAMP PALIMPSEST_VERSION \" ${stamp}\"
")
file(COPY_FILE ${OUT}.new ${OUT} ONLY_IF_DIFFERENT)
