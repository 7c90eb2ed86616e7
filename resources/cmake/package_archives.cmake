# SPDX-License-Identifier: GPL-3.0-or-later
# Run by CPack when it has packed: the members of a package carry the time at which they were made and the builder's
# umask, which ar replaces by none.
find_program(AR_PROGRAM ar REQUIRED)
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(members ${package}.members)
  file(REMOVE_RECURSE ${members})
  file(MAKE_DIRECTORY ${members})
  execute_process(COMMAND ${AR_PROGRAM} t ${package} OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" names "${names}")
  execute_process(COMMAND ${AR_PROGRAM} x ${package} WORKING_DIRECTORY ${members} COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${package})
  execute_process(COMMAND ${AR_PROGRAM} qcSD ${package} ${names} WORKING_DIRECTORY ${members}
    COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE ${members})
endforeach()
