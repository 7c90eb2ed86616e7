# SPDX-License-Identifier: GPL-3.0-or-later
# palimpsest_test(layer name [TENSORS] [LIBS ...]): a Qt Test program from name.cpp, registered as layer/name with label
# layer. TENSORS: it looks at tensors, which the engine keeps private.
set(PALIMPSEST_TEST_LIBS_core engine_core)
set(PALIMPSEST_TEST_LIBS_datasets datasets)
set(PALIMPSEST_TEST_LIBS_library engine_library)
set(PALIMPSEST_TEST_LIBS_report engine_report)
set(PALIMPSEST_TEST_LIBS_engine engine)
set(PALIMPSEST_TEST_LIBS_ui palimpsest_ui)
set(PALIMPSEST_TEST_LIBS_app engine_core)

# What a layer's tests are compiled with. A precompiled header serves only what is compiled just like itself.
function(palimpsest_test_flags layer tensors target)
  target_link_libraries(${target} PRIVATE ${PALIMPSEST_TEST_LIBS_${layer}} Qt6::Test)
  target_compile_definitions(${target} PRIVATE PALIMPSEST_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data")
  if(NOT layer STREQUAL "ui")
    target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS)
  endif()
  if(tensors)
    target_include_directories(${target} SYSTEM PRIVATE ${TORCH_INCLUDE_DIRS})
    target_compile_options(${target} PRIVATE ${TORCH_CXX_FLAGS})
  endif()
  palimpsest_defaults(${target})
endfunction()

# The layer's precompiled header, made once: Qt Test defines the folder it was compiled in, so each layer has its own.
function(palimpsest_test_pch layer tensors out)
  set(target test_pch_${layer})
  if(tensors)
    set(target test_pch_tensors)
  endif()
  if(NOT TARGET ${target})
    file(CONFIGURE OUTPUT ${target}.cpp CONTENT "// A target needs a source.\n")
    add_library(${target} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
    palimpsest_test_flags(${layer} "${tensors}" ${target})
    target_precompile_headers(${target} PRIVATE "${CMAKE_SOURCE_DIR}/tests/support/test_pch.h")
    if(layer STREQUAL "ui")
      target_precompile_headers(${target} PRIVATE "${CMAKE_SOURCE_DIR}/ui/qt_pch.h")
    endif()
    if(tensors)
      target_precompile_headers(${target} PRIVATE "${CMAKE_SOURCE_DIR}/engine/torch_pch.h")
    endif()
  endif()
  set(${out} ${target} PARENT_SCOPE)
endfunction()

function(palimpsest_test layer name)
  cmake_parse_arguments(ARG "TENSORS" "" "LIBS" ${ARGN})
  add_executable(${name} ${name}.cpp)
  set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  palimpsest_test_flags(${layer} "${ARG_TENSORS}" ${name})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS})
  # Each of the few tests of the programs is compiled in its own way.
  if(NOT layer STREQUAL "app")
    palimpsest_test_pch(${layer} "${ARG_TENSORS}" pch)
    target_precompile_headers(${name} REUSE_FROM ${pch})
  endif()
  set(timeout 1500)
  if(PALIMPSEST_SANITIZE)
    set(timeout 3600)
  endif()
  add_test(NAME ${layer}/${name} COMMAND ${name})
  # Qt Test ends a function after five minutes by itself; a slow machine needs longer for those that learn.
  set_tests_properties(${layer}/${name} PROPERTIES
    LABELS ${layer}
    TIMEOUT ${timeout}
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;PALIMPSEST_RESOURCES=${CMAKE_SOURCE_DIR}/resources;PALIMPSEST_CLI=$<TARGET_FILE:palimpsest-cli>;PALIMPSEST_RUNS=${CMAKE_BINARY_DIR}/test-runs;QTEST_FUNCTION_TIMEOUT=${timeout}000")
endfunction()
