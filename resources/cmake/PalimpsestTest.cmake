# SPDX-License-Identifier: GPL-3.0-or-later
# palimpsest_tests(program LABEL layer FOLDER folder [LIBS ...] [TENSORS] [WIDGETS] [SLOW tst...] [STRESS tst...]
#   [GOLDEN tst...])
# One program of all tst_*.cpp in a folder, and a test layer/tst_name for each, which the program runs by its name.
#   TENSORS  they look at tensors, which the engine keeps private
#   WIDGETS  they show widgets
#   SLOW     tests that learn, start programs or take more than two seconds: label "slow"
#   STRESS   tests that go on for as long as the environment says or judge how fast the machine is: label "stress"
#   GOLDEN   tests that compare with numbers recorded from official code: label "golden" besides the others
# Tests that are neither slow nor stress are labelled "unit"; each also has the label of its layer.
# What they test is optimised; they themselves need not be, and compile in half the time. Each file's names stand in a
# namespace of its own, so that several can be compiled at once.

# What a program of tests is compiled with. A precompiled header serves only what is compiled just like itself.
function(palimpsest_test_flags target)
  target_link_libraries(${target} PRIVATE ${ARG_LIBS} Qt6::Test)
  if(ARG_WIDGETS)
    target_link_libraries(${target} PRIVATE Qt6::Widgets)
  else()
    target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS)
  endif()
  target_compile_definitions(${target} PRIVATE PALIMPSEST_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data")
  if(PALIMPSEST_SANITIZE)
    target_compile_definitions(${target} PRIVATE PALIMPSEST_SANITIZED)
  endif()
  if(ARG_TENSORS)
    target_include_directories(${target} SYSTEM PRIVATE ${TORCH_INCLUDE_DIRS})
    target_compile_options(${target} PRIVATE ${TORCH_CXX_FLAGS})
  endif()
  palimpsest_defaults(${target})
  # Qt Test defines the folders that a program is built in and from; with them no two could share a precompiled header.
  target_compile_options(${target} PRIVATE -O0 -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
  # Test classes use what their own file keeps to itself, and GCC sees a header in a file that others are built with.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

function(palimpsest_tests program)
  cmake_parse_arguments(ARG "TENSORS;WIDGETS" "LABEL;FOLDER" "LIBS;SLOW;STRESS;GOLDEN" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER}/tst_*.cpp)
  add_executable(${program} ${sources} ${CMAKE_SOURCE_DIR}/tests/support/test_program.cpp)
  set_target_properties(${program} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  palimpsest_test_flags(${program})
  palimpsest_unity(${program})
  # The first program of a kind makes the precompiled header, the others take it: each is hundreds of megabytes.
  set(kind PALIMPSEST_TEST_PCH_${ARG_TENSORS}_${ARG_WIDGETS})
  get_property(made GLOBAL PROPERTY ${kind})
  if(made)
    target_precompile_headers(${program} REUSE_FROM ${made})
  else()
    set_property(GLOBAL PROPERTY ${kind} ${program})
    target_precompile_headers(${program} PRIVATE "${CMAKE_SOURCE_DIR}/tests/support/test_pch.h")
    if(ARG_WIDGETS)
      target_precompile_headers(${program} PRIVATE "${CMAKE_SOURCE_DIR}/ui/qt_pch.h")
    endif()
    if(ARG_TENSORS)
      target_precompile_headers(${program} PRIVATE "${CMAKE_SOURCE_DIR}/engine/torch_pch.h")
    endif()
  endif()

  set(timeout 1500)
  if(PALIMPSEST_SANITIZE)
    set(timeout 3600)
  endif()
  foreach(name IN LISTS ARG_SLOW ARG_STRESS ARG_GOLDEN)
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER}/${name}.cpp)
      message(FATAL_ERROR "${program}: there is no ${ARG_FOLDER}/${name}.cpp")
    endif()
  endforeach()
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    set(labels ${ARG_LABEL})
    if(name IN_LIST ARG_SLOW)
      list(APPEND labels slow)
    elseif(name IN_LIST ARG_STRESS)
      list(APPEND labels stress)
    else()
      list(APPEND labels unit)
    endif()
    if(name IN_LIST ARG_GOLDEN)
      list(APPEND labels golden)
    endif()
    add_test(NAME ${ARG_LABEL}/${name} COMMAND ${program} ${name})
    # Qt Test ends a function after five minutes by itself; a slow machine needs longer for those that learn.
    set_tests_properties(${ARG_LABEL}/${name} PROPERTIES
      LABELS "${labels}"
      TIMEOUT ${timeout}
      ENVIRONMENT "QT_QPA_PLATFORM=offscreen;PALIMPSEST_RESOURCES=${CMAKE_SOURCE_DIR}/resources;PALIMPSEST_CLI=$<TARGET_FILE:palimpsest-cli>;PALIMPSEST_RUNS=${CMAKE_BINARY_DIR}/test-runs;QTEST_FUNCTION_TIMEOUT=${timeout}000")
  endforeach()
endfunction()
