# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed beside the programs, and how CPack makes Debian packages of all of it. app/package builds them.
#   palimpsest-common   what both programs read at run time, and experiment files explained: for every processor
#   palimpsest-cli      the command line, without Qt, and the modules that the window loads, too
#   palimpsest          the window, and the module of its cameras
# The components common, cli and gui of the install rules are these packages.
set(PALIMPSEST_SITE "" CACHE STRING "Web address below which the guide's pictures stand, for software centres; may be empty")
set(PALIMPSEST_PACKAGE_RELEASE "1" CACHE STRING "Debian's part of the version")
set(PALIMPSEST_PACKAGE_SUFFIX "" CACHE STRING "Added to the version: +20261129.0100 for a state after a release")
set(PALIMPSEST_MAINTAINER "The Palimpsest authors <palimpsest@palimpsest.invalid>" CACHE STRING "Who made the packages")

set(packaging ${CMAKE_SOURCE_DIR}/resources/packaging)
set(made ${CMAKE_BINARY_DIR}/documents)
file(MAKE_DIRECTORY ${made})
find_program(GZIP_PROGRAM gzip)
find_program(RSVG_CONVERT_PROGRAM rsvg-convert)

# Manual pages and completions come from the tables of the command line itself.
set(documents "")
function(palimpsest_document file)
  set(resources "")
  file(GLOB_RECURSE resources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/resources/presets/*.toml)
  add_custom_command(OUTPUT ${made}/${file}
    COMMAND ${CMAKE_COMMAND} -E env PALIMPSEST_RESOURCES=${CMAKE_SOURCE_DIR}/resources LC_ALL=C.UTF-8
      $<TARGET_FILE:palimpsest-cli> documents ${ARGN} > ${made}/${file}
    DEPENDS palimpsest-cli ${resources} VERBATIM)
  set(documents ${documents} ${made}/${file} PARENT_SCOPE)
endfunction()

function(palimpsest_compressed source)
  get_filename_component(name ${source} NAME)
  # Without -n the archive would hold the time.
  add_custom_command(OUTPUT ${made}/${name}.gz COMMAND ${GZIP_PROGRAM} -9 -n -c ${source} > ${made}/${name}.gz
    DEPENDS ${source} VERBATIM)
  set(documents ${documents} ${made}/${name}.gz PARENT_SCOPE)
endfunction()

function(palimpsest_manual page section component)
  palimpsest_document(${page}.${section} man ${page})
  set(installed ${made}/${page}.${section})
  if(GZIP_PROGRAM)
    palimpsest_compressed(${installed})
    string(APPEND installed .gz)
  endif()
  install(FILES ${installed} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT ${component})
  set(documents ${documents} PARENT_SCOPE)
endfunction()

palimpsest_manual(palimpsest-cli 1 cli)
palimpsest_manual(palimpsest-experiment 5 common)
foreach(shell IN ITEMS bash zsh fish)
  palimpsest_document(palimpsest.${shell} completions ${shell})
endforeach()
# Each shell looks for completions under a command's name; both commands have them in one file.
set(bash_folder ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
set(fish_folder ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${made}/palimpsest.bash DESTINATION ${bash_folder} RENAME palimpsest-cli COMPONENT cli)
install(FILES ${made}/palimpsest.fish DESTINATION ${fish_folder} RENAME palimpsest-cli.fish COMPONENT cli)
install(FILES ${made}/palimpsest.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _palimpsest-cli
  COMPONENT cli)

if(PALIMPSEST_GUI)
  palimpsest_manual(palimpsest 1 gui)
  file(MAKE_DIRECTORY ${made}/links)
  file(CREATE_LINK palimpsest-cli ${made}/links/palimpsest SYMBOLIC)
  file(CREATE_LINK palimpsest-cli.fish ${made}/links/palimpsest.fish SYMBOLIC)
  install(FILES ${made}/links/palimpsest DESTINATION ${bash_folder} COMPONENT gui)
  install(FILES ${made}/links/palimpsest.fish DESTINATION ${fish_folder} COMPONENT gui)

  if(RSVG_CONVERT_PROGRAM)
    foreach(size IN ITEMS 16 22 24 32 48 64 128 256 512)
      set(icon ${made}/palimpsest-${size}.png)
      add_custom_command(OUTPUT ${icon}
        COMMAND ${RSVG_CONVERT_PROGRAM} --width ${size} --height ${size} --output ${icon}
          ${CMAKE_SOURCE_DIR}/resources/icons/palimpsest.svg
        DEPENDS ${CMAKE_SOURCE_DIR}/resources/icons/palimpsest.svg VERBATIM)
      list(APPEND documents ${icon})
      install(FILES ${icon} DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/apps
        RENAME palimpsest.png COMPONENT gui)
    endforeach()
  else()
    message(STATUS "rsvg-convert is missing: the icon is installed as SVG alone")
  endif()

  # Honours SOURCE_DATE_EPOCH.
  string(TIMESTAMP PALIMPSEST_RELEASE_DATE "%Y-%m-%d" UTC)
  set(PALIMPSEST_SCREENSHOTS "")
  if(PALIMPSEST_SITE)
    string(CONCAT PALIMPSEST_SCREENSHOTS "  <url type=\"homepage\">${PALIMPSEST_SITE}</url>\n  <screenshots>\n"
      "    <screenshot type=\"default\">\n"
      "      <caption>A network learns five sessions of icons; beside it the same run without a mask</caption>\n"
      "      <image>${PALIMPSEST_SITE}/main-dark.png</image>\n    </screenshot>\n    <screenshot>\n"
      "      <caption>Two experiments side by side, in step</caption>\n"
      "      <image>${PALIMPSEST_SITE}/lanes.png</image>\n    </screenshot>\n  </screenshots>\n")
  endif()
  configure_file(${packaging}/palimpsest.metainfo.xml.in ${made}/palimpsest.metainfo.xml @ONLY)
  install(FILES ${made}/palimpsest.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT gui)
  install(FILES ${packaging}/palimpsest-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
    RENAME palimpsest.xml COMPONENT gui)
endif()

# The drawings of the data set icons come along where the system that builds has them.
set(theme_folder /usr/share/icons)
set(drawing_list ${CMAKE_SOURCE_DIR}/datasets/icons/icon_classes.cpp)
file(STRINGS ${CMAKE_SOURCE_DIR}/datasets/icons/icon_themes.cpp themes REGEX "-icon-theme")
string(REGEX MATCHALL "{\"[A-Za-z0-9]+\"" themes "${themes}")
set(drawings_packed ON)
foreach(theme IN LISTS themes)
  string(REGEX REPLACE "[{\"]" "" theme ${theme})
  if(NOT IS_DIRECTORY ${theme_folder}/${theme})
    set(drawings_packed OFF)
  endif()
endforeach()
if(drawings_packed)
  add_custom_command(OUTPUT ${made}/drawings.stamp
    COMMAND ${CMAKE_COMMAND} -DLIST=${drawing_list} -DTHEMES=${theme_folder} -DTO=${made}/drawings
      -P ${CMAKE_SOURCE_DIR}/resources/cmake/package_drawings.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${made}/drawings.stamp
    DEPENDS ${drawing_list} ${CMAKE_SOURCE_DIR}/resources/cmake/package_drawings.cmake VERBATIM)
  list(APPEND documents ${made}/drawings.stamp)
  install(DIRECTORY ${made}/drawings DESTINATION ${CMAKE_INSTALL_DATADIR}/palimpsest COMPONENT common)
else()
  message(STATUS "Not all icon themes are installed: packages recommend them instead of bringing their drawings")
endif()

# What Debian's policy asks for; other systems have other places for it.
set(PALIMPSEST_DEBIAN_VERSION
  ${PROJECT_VERSION}${PALIMPSEST_PACKAGE_SUFFIX}-${PALIMPSEST_PACKAGE_RELEASE})
string(TIMESTAMP PALIMPSEST_CHANGELOG_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
if(GZIP_PROGRAM AND PALIMPSEST_DEBIAN)
  configure_file(${packaging}/changelog.Debian.in ${made}/changelog.Debian @ONLY)
  configure_file(${CMAKE_SOURCE_DIR}/CHANGELOG.md ${made}/changelog COPYONLY)
  palimpsest_compressed(${made}/changelog.Debian)
  palimpsest_compressed(${made}/changelog)
  foreach(component IN ITEMS common cli gui)
    string(REPLACE -gui "" package palimpsest-${component})
    install(FILES ${packaging}/copyright ${made}/changelog.gz ${made}/changelog.Debian.gz
      DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
    if(EXISTS ${packaging}/lintian/${package})
      install(FILES ${packaging}/lintian/${package} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
        COMPONENT ${component})
    endif()
  endforeach()
  file(MAKE_DIRECTORY ${made}/links)
  file(CREATE_LINK ../../palimpsest/docs ${made}/links/guide SYMBOLIC)
  install(FILES ${made}/links/guide DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/palimpsest-common COMPONENT common)
endif()

add_custom_target(palimpsest_documents ALL DEPENDS ${documents})

# What the programs need at run time besides the libraries that they are linked with: sections of the list of packages.
function(palimpsest_run_packages out heading)
  file(STRINGS ${CMAKE_SOURCE_DIR}/resources/debian-packages.txt lines)
  set(found "")
  set(inside FALSE)
  foreach(line IN LISTS lines)
    if(line MATCHES "^# ")
      string(FIND "${line}" "# ${heading}" at)
      if(at EQUAL 0)
        set(inside TRUE)
      else()
        set(inside FALSE)
      endif()
    elseif(inside AND NOT line STREQUAL "")
      list(APPEND found ${line})
    endif()
  endforeach()
  string(REPLACE ";" ", " found "${found}")
  if(found STREQUAL "")
    message(FATAL_ERROR "resources/debian-packages.txt has no section \"${heading}\"")
  endif()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
palimpsest_run_packages(run_required "run, required:")
palimpsest_run_packages(run_recommended "run:")
if(NOT drawings_packed)
  palimpsest_run_packages(theme_packages "drawings:")
  string(APPEND run_recommended ", ${theme_packages}")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME palimpsest)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION}${PALIMPSEST_PACKAGE_SUFFIX})
set(CPACK_PACKAGE_CONTACT "${PALIMPSEST_MAINTAINER}")
# Each package has its own; a common one would stand before it.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/resources/cmake/package_modes.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/resources/cmake/package_archives.cmake)
set(CPACK_COMPONENTS_ALL common cli)
if(PALIMPSEST_GUI)
  list(APPEND CPACK_COMPONENTS_ALL gui)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${PALIMPSEST_PACKAGE_RELEASE})
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Private libraries come with the package that they are asked for by.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
set(this_version "(= ${PALIMPSEST_DEBIAN_VERSION})")

set(about "Palimpsest shows how a network learns from a stream of images, forgets what
came first, and is helped to remember: by masks, prompts and memories, in
Si-Blurry streams, after the published methods.")
set(CPACK_DEBIAN_COMMON_PACKAGE_NAME palimpsest-common)
set(CPACK_DEBIAN_COMMON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_COMMON_DESCRIPTION "laboratory for continual learning (shared files)
${about}
.
This package holds what both programs read: presets, pretrained networks,
lessons, recorded runs and the guide.")
set(CPACK_DEBIAN_COMMON_PACKAGE_RECOMMENDS "${run_recommended}")

set(CPACK_DEBIAN_CLI_PACKAGE_NAME palimpsest-cli)
set(CPACK_DEBIAN_CLI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CLI_PACKAGE_DEPENDS "palimpsest-common ${this_version}, ${run_required}")
set(CPACK_DEBIAN_CLI_DESCRIPTION "laboratory for continual learning (command line)
${about}
.
This package holds palimpsest-cli, which runs experiments and sweeps, makes
reports and figures, and needs neither a display nor Qt, and the learning
engine of both programs.")

set(CPACK_DEBIAN_GUI_PACKAGE_NAME palimpsest)
set(CPACK_DEBIAN_GUI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_GUI_PACKAGE_DEPENDS "palimpsest-cli ${this_version}")
set(CPACK_DEBIAN_GUI_PACKAGE_RECOMMENDS "qt6-wayland")
set(CPACK_DEBIAN_GUI_DESCRIPTION "laboratory for continual learning (window)
${about}
.
This package holds the window, in which every batch can be watched as it is
learned, compared, replayed and shown on a stage.")
include(CPack)
