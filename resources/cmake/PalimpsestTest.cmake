# SPDX-License-Identifier: GPL-3.0-or-later
# palimpsest_test(layer name [LIBS ...]): a Qt Test program from name.cpp, registered as layer/name with label layer.
set(PALIMPSEST_TEST_LIBS_core engine_core)
set(PALIMPSEST_TEST_LIBS_datasets datasets)
set(PALIMPSEST_TEST_LIBS_report engine_report)
set(PALIMPSEST_TEST_LIBS_engine engine)
set(PALIMPSEST_TEST_LIBS_ui palimpsest_ui)
set(PALIMPSEST_TEST_LIBS_app engine_core)
function(palimpsest_test layer name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  add_executable(${name} ${name}.cpp)
  set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${PALIMPSEST_TEST_LIBS_${layer}} ${ARG_LIBS} Qt6::Test)
  target_compile_definitions(${name} PRIVATE PALIMPSEST_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data")
  if(NOT layer STREQUAL "ui")
    target_compile_definitions(${name} PRIVATE QT_NO_KEYWORDS)
  endif()
  palimpsest_defaults(${name})
  set(timeout 600)
  set(patience "")
  if(PALIMPSEST_SANITIZE)
    set(timeout 3600)
    # Qt Test ends a function after 300,000 ms by itself.
    set(patience ";QTEST_FUNCTION_TIMEOUT=3000000")
  endif()
  add_test(NAME ${layer}/${name} COMMAND ${name})
  set_tests_properties(${layer}/${name} PROPERTIES
    LABELS ${layer}
    TIMEOUT ${timeout}
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;PALIMPSEST_RESOURCES=${CMAKE_SOURCE_DIR}/resources;PALIMPSEST_CLI=$<TARGET_FILE:palimpsest-cli>;PALIMPSEST_RUNS=${CMAKE_BINARY_DIR}/test-runs${patience}")
endfunction()
