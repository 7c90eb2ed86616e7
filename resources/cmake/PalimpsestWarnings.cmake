# SPDX-License-Identifier: GPL-3.0-or-later
# palimpsest_defaults(target): warnings, include root and sanitizers of our own targets.
function(palimpsest_defaults target)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
  if(PALIMPSEST_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PALIMPSEST_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${PALIMPSEST_SANITIZE})
  endif()
endfunction()
