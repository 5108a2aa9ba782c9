# SPDX-License-Identifier: Apache-2.0
# A floor is one library of the program: all sources that match its patterns.

# add_floor(NAME PATTERN...): a static library, or an INTERFACE one while no file matches.
function(add_floor name)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/)
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  if(sources)
    add_library(${name} STATIC ${sources})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${PROJECT_SOURCE_DIR})
  endif()
endfunction()

# link_floor(NAME LIBRARY...): what the floor stands on; whoever links it gets those too.
function(link_floor name)
  get_target_property(type ${name} TYPE)
  if(type STREQUAL INTERFACE_LIBRARY)
    target_link_libraries(${name} INTERFACE ${ARGN})
  else()
    target_link_libraries(${name} PUBLIC ${ARGN})
  endif()
endfunction()
