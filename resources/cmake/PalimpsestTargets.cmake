# SPDX-License-Identifier: GPL-3.0-or-later
# How all of our own targets are made.
#   palimpsest_defaults(target)                     warnings, include root and sanitizers
#   palimpsest_library(target FOLDERS folder... [FILES file...])   a static library of all sources in these folders
#                                                   and of single files
#   palimpsest_module(target NAME [COMPONENT name] source...)   a module that programs load, lib<NAME>.so, and its
#                                                   place; of the command line's package (cli) if no other is named
#   palimpsest_stamped(target)                      sees the marks and the stamp of modules
#   palimpsest_program(target source...)            a program that the learning engine's module can be loaded into
# With PALIMPSEST_UNITY the files of a library are compiled several at once: that takes a third of the processor time,
# but an edit of one file compiles its neighbours too.

function(palimpsest_defaults target)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wnon-virtual-dtor -Woverloaded-virtual)
  if(PALIMPSEST_UNITY)
    # In one piece with others, a file's own names shadow theirs, and GCC 12 sees values that may be unset where none is.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  else()
    target_compile_options(${target} PRIVATE -Wshadow)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns of overlaps in "literal" + std::string that cannot be (GCC bug 105651).
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(PALIMPSEST_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PALIMPSEST_SANITIZE} -fno-omit-frame-pointer)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # GCC says itself that sanitizers make it warn of values that may be unset where none is.
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
    target_link_options(${target} PUBLIC -fsanitize=${PALIMPSEST_SANITIZE})
  endif()
endfunction()

# The sources of folders, relative to the current one; found anew at each build, so that a new file needs no list.
function(palimpsest_sources out)
  set(found "")
  foreach(folder IN LISTS ARGN)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.h)
    if(NOT files)
      message(FATAL_ERROR "There is no source in ${CMAKE_CURRENT_SOURCE_DIR}/${folder}")
    endif()
    list(APPEND found ${files})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

function(palimpsest_unity target)
  if(PALIMPSEST_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${PALIMPSEST_UNITY_FILES})
  endif()
endfunction()

function(palimpsest_library target)
  cmake_parse_arguments(ARG "" "" "FOLDERS;FILES" ${ARGN})
  palimpsest_sources(sources ${ARG_FOLDERS})
  list(TRANSFORM ARG_FILES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  add_library(${target} STATIC ${sources} ${ARG_FILES})
  palimpsest_defaults(${target})
  palimpsest_unity(${target})
endfunction()

# A program and its modules lie to each other in the build tree as they do where they are installed.
include(GNUInstallDirs)
file(RELATIVE_PATH PALIMPSEST_MODULES ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/palimpsest)
cmake_path(SET PALIMPSEST_MODULE_FOLDER NORMALIZE ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${PALIMPSEST_MODULES})
function(palimpsest_module target name)
  cmake_parse_arguments(ARG "" "COMPONENT" "" ${ARGN})
  if(NOT ARG_COMPONENT)
    # Both programs load it, and the window's package needs that of the command line.
    set(ARG_COMPONENT cli)
  endif()
  add_library(${target} MODULE ${ARG_UNPARSED_ARGUMENTS})
  palimpsest_defaults(${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${PALIMPSEST_MODULE_FOLDER})
  # A small one takes what it needs of the C library through others; Debian wants it named. By its file, since mold
  # takes what the linker script libc.so names for needed only where it is used.
  target_link_options(${target} PRIVATE LINKER:--push-state,--no-as-needed -l:libc.so.6 LINKER:--pop-state)
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/palimpsest COMPONENT ${ARG_COMPONENT})
endfunction()

# engine/support/module_stamp.h is made by the target module_stamp (engine/support).
function(palimpsest_stamped target)
  target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/generated)
  add_dependencies(${target} module_stamp)
endfunction()

# What the module of the learning engine takes from the program is there whole and by name.
set(PALIMPSEST_SHARED_LIBRARIES engine_support engine_core datasets engine_inputs)
function(palimpsest_program target)
  add_executable(${target} ${ARGN})
  palimpsest_defaults(${target})
  target_link_libraries(${target} PRIVATE ${PALIMPSEST_SHARED_LIBRARIES})
  # CMake's own WHOLE_ARCHIVE names a library once more for each that is linked with it, and every linker but mold then
  # finds all of it twice.
  set(whole "")
  foreach(library IN LISTS PALIMPSEST_SHARED_LIBRARIES)
    list(APPEND whole $<TARGET_FILE:${library}>)
  endforeach()
  target_link_options(${target} PRIVATE LINKER:--push-state,--whole-archive ${whole} LINKER:--pop-state
    LINKER:--dynamic-list=${CMAKE_SOURCE_DIR}/resources/cmake/program_symbols.txt)
  set_target_properties(${target} PROPERTIES
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/resources/cmake/program_symbols.txt)
  add_dependencies(${target} palimpsest_engine)
endfunction()
