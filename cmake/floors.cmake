# SPDX-License-Identifier: Apache-2.0
# A floor is one library of the program: all sources that match its patterns.

# add_floor(NAME PATTERN...)
function(add_floor name)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/)
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
endfunction()
