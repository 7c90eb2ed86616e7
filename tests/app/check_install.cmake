# SPDX-License-Identifier: GPL-3.0-or-later
# Installs below WORK and runs the installed program, which must find what belongs to it beside itself.
#   cmake -DBUILD=<build folder> -DWORK=<folder to use> -DGUI=<ON or OFF> -P check_install.cmake
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

set(expected bin/palimpsest-cli share/palimpsest/presets/default.toml share/palimpsest/docs/index.md
  share/palimpsest/presets/misa.toml share/palimpsest/lessons/2-forgetting.toml share/palimpsest/replay/replay.html share/palimpsest/replay/replay.css
  share/palimpsest/replay/replay.js share/palimpsest/python/palimpsest_runs.py)
foreach(backbone IN ITEMS palimpsest-stem-vit palimpsest-vit)
  list(APPEND expected share/palimpsest/backbones/${backbone}.safetensors)
  foreach(adaptation IN ITEMS naive sam fam)
    list(APPEND expected share/palimpsest/prompts/${backbone}-${adaptation}.safetensors)
  endforeach()
endforeach()
if(GUI)
  list(APPEND expected bin/palimpsest share/applications/palimpsest.desktop
    share/icons/hicolor/scalable/apps/palimpsest.svg)
endif()
foreach(file IN LISTS expected)
  if(NOT EXISTS ${WORK}/${file})
    message(SEND_ERROR "${file} is not installed")
  endif()
endforeach()
foreach(file cmake scripts packaging debian-packages.txt)
  if(EXISTS ${WORK}/share/palimpsest/${file})
    message(SEND_ERROR "share/palimpsest/${file} is only for building")
  endif()
endforeach()

# A preset that is only here tells these resources from the source's.
file(COPY_FILE ${WORK}/share/palimpsest/presets/default.toml ${WORK}/share/palimpsest/presets/only-here.toml)
unset(ENV{PALIMPSEST_RESOURCES})
execute_process(COMMAND ${WORK}/bin/palimpsest-cli presets OUTPUT_VARIABLE presets COMMAND_ERROR_IS_FATAL ANY)
if(NOT presets MATCHES "only-here")
  message(SEND_ERROR "the installed program reads other presets than its own:\n${presets}")
endif()
foreach(module IN ITEMS engine codecs)
  file(GLOB_RECURSE found ${WORK}/lib*/libpalimpsest-${module}.so)
  if(NOT found MATCHES "/palimpsest/libpalimpsest-${module}\\.so$")
    message(SEND_ERROR "libpalimpsest-${module}.so is not installed in a folder of its own: ${found}")
  endif()
endforeach()
unset(ENV{PALIMPSEST_ENGINE})
execute_process(COMMAND ${WORK}/bin/palimpsest-cli selfcheck --json WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status
  OUTPUT_VARIABLE words ERROR_VARIABLE words)
if(NOT status EQUAL 0)
  message(SEND_ERROR "the installed program's selfcheck fails:\n${words}")
elseif(NOT words MATCHES "\"engine\": ?\"${WORK}/lib")
  message(SEND_ERROR "the installed program takes another learning engine than its own:\n${words}")
endif()
file(REMOVE_RECURSE ${WORK})
