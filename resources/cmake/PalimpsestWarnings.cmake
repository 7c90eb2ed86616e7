# SPDX-License-Identifier: GPL-3.0-or-later
# palimpsest_defaults(target): warnings, include root and sanitizers of our own targets.
function(palimpsest_defaults target)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
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
