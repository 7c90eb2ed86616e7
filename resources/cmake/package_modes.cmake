# SPDX-License-Identifier: GPL-3.0-or-later
# Run by CPack before it packs: the builder's umask must not show in the modes of folders.
cmake_policy(SET CMP0009 NEW)
file(GLOB_RECURSE entries LIST_DIRECTORIES TRUE ${CPACK_TEMPORARY_DIRECTORY}/*)
foreach(entry IN LISTS entries)
  # Links of completions lead to files of another package.
  if(IS_DIRECTORY ${entry} AND NOT IS_SYMLINK ${entry})
    file(CHMOD ${entry} DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
      WORLD_EXECUTE)
  endif()
endforeach()
