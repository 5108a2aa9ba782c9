# SPDX-License-Identifier: Apache-2.0
# A floor is one library of the program: all sources that match its patterns.

# add_floor(NAME PATTERN...)
function(add_floor name)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/)
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
endfunction()

# share_floors(LIBRARY FLOOR...) makes two forms of the floors from the same objects. Targets link FLOOR_to_link and get one
# of them. The installed program contains the floors: it stays one file, which people copy to nodes and into containers,
# and it needs no rpath. Test programs share LIBRARY in their folder: the device code of the kernels is 27 MB, and
# they need no copies of it. The floors are listed from the lowest to the highest, and all of them are in LIBRARY, so
# that no program has one of them twice.
function(share_floors library)
  set(objects "")
  set(below "")
  foreach(floor IN LISTS ARGN)
    # Position-independent code costs the program nothing if the compiler may still inline within a source.
    set_target_properties(${floor} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${floor} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-semantic-interposition>)
    get_target_property(linked ${floor} INTERFACE_LINK_LIBRARIES)
    list(REMOVE_ITEM linked ${ARGN})
    list(APPEND below ${linked})
    list(APPEND objects $<TARGET_OBJECTS:${floor}>)
    add_library(${floor}_to_link INTERFACE)
    target_link_libraries(${floor}_to_link INTERFACE
                          $<IF:$<BOOL:$<TARGET_PROPERTY:SHARES_FLOORS>>,${library},${floor}>)
  endforeach()
  add_library(${library} SHARED EXCLUDE_FROM_ALL ${objects})
  set_target_properties(${library} PROPERTIES LINKER_LANGUAGE CXX
                        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  target_include_directories(${library} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${library} PUBLIC ${below})
endfunction()

# take_shared_floors(FOLDER...): all programs of the folders' CMakeLists.txt link the shared form. Their rpath is relative
# ($ORIGIN), so the folder of programs can be copied to another machine.
function(take_shared_floors)
  foreach(folder IN LISTS ARGN)
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      if(type STREQUAL EXECUTABLE)
        set_target_properties(${target} PROPERTIES SHARES_FLOORS ON BUILD_RPATH_USE_ORIGIN ON)
      endif()
    endforeach()
  endforeach()
endfunction()
