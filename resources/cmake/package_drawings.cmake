# SPDX-License-Identifier: GPL-3.0-or-later
# Copies the drawings of the data set icons from the system's themes, so that packages bring 10 MB along instead of asking
# for twelve themes of 280 MB.
#   cmake -DLIST=<datasets/icons/icon_classes.cpp> -DTHEMES=<folder of icon themes> -DTO=<folder to fill> -P package_drawings.cmake
file(STRINGS ${LIST} lines REGEX "\\.(png|svg)")
string(REGEX MATCHALL "[A-Za-z0-9]+/[^\" ;]+\\.(png|svg)" drawings "${lines}")
list(REMOVE_DUPLICATES drawings)
file(REMOVE_RECURSE ${TO})
set(count 0)
foreach(drawing IN LISTS drawings)
  # Themes keep many names as links to one drawing.
  file(REAL_PATH ${THEMES}/${drawing} source)
  if(NOT EXISTS ${source})
    message(FATAL_ERROR "${THEMES}/${drawing} is missing. Install the icon themes of resources/debian-packages.txt again.")
  endif()
  get_filename_component(folder ${TO}/${drawing} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  file(COPY_FILE ${source} ${TO}/${drawing})
  file(CHMOD ${TO}/${drawing} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  math(EXPR count "${count} + 1")
endforeach()
if(count LESS 500)
  message(FATAL_ERROR "${LIST} names only ${count} drawings: it is not read as it is written.")
endif()
