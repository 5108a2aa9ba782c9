# SPDX-License-Identifier: Apache-2.0
# Headers that nearly every source of a library includes and the compiler takes seconds to read, read once. Sources
# include what they use all the same: a build with a compiler launcher, such as ccache, does without and shows what
# is missing.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompile OFF)
else()
  set(precompile ON)
endif()
option(BREAKEVEN_PRECOMPILED_HEADERS "Read common headers once; off by default with a compiler launcher" ${precompile})

# precompile_headers(TARGET [HEADER...]): beside those of the standard library.
function(precompile_headers target)
  if(BREAKEVEN_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE <algorithm> <functional> <map> <memory> <optional> <set> <string>
                              <variant> <vector> ${ARGN})
  endif()
endfunction()

# reuse_precompiled_headers(TARGET OTHER): those of another target that is compiled by the same options.
function(reuse_precompiled_headers target other)
  if(BREAKEVEN_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

# Few processors are done the sooner, the less they compile twice; many, the more they compile side by side.
cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
if(processors LESS 8)
  set(sources_at_once 32)
else()
  set(sources_at_once 8)
endif()
set(BREAKEVEN_SOURCES_AT_ONCE ${sources_at_once} CACHE STRING "How many sources are compiled as one")

# compile_in_batches(TARGET [PATTERN...]): BREAKEVEN_SOURCES_AT_ONCE sources of a library or test program are compiled as one,
# so that what they share is compiled once. Sources that match a pattern stay alone: they are filled-in forms, whose files
# all name the same things. So do those for nvcc, of which compile_together() says which.
function(compile_in_batches target)
  get_target_property(sources ${target} SOURCES)
  list(TRANSFORM ARGN PREPEND "|" OUTPUT_VARIABLE forms)
  string(JOIN "" forms ${forms})
  list(FILTER sources INCLUDE REGEX "\\.cu$${forms}")
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${BREAKEVEN_PRECOMPILED_HEADERS}
                                             UNITY_BUILD_BATCH_SIZE ${BREAKEVEN_SOURCES_AT_ONCE})
  # GCC looks for garbage again and again, a ninth of its time. A batch then takes 1.4 GB instead of 1.1.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=1000000>)
endfunction()

# compile_together(TARGET PATTERN...): nvcc has no precompiled headers, and takes longer to read them than to compile a
# small kernel. The .cu sources of each pattern are compiled six at a time, as one source that includes them; what two of
# them name, they cannot both keep to themselves.
function(compile_together target)
  if(NOT BREAKEVEN_PRECOMPILED_HEADERS)
    return()
  endif()
  foreach(pattern IN LISTS ARGN)
    file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${pattern})
    set_source_files_properties(${files} PROPERTIES HEADER_FILE_ONLY ON)
    list(LENGTH files count)
    set(place 0)
    while(place LESS count)
      list(SUBLIST files ${place} 6 group)
      list(GET group 0 first)
      list(TRANSFORM group REPLACE "(.+)" "#include \"\\1\"\n")
      string(JOIN "" includes ${group})
      set(together ${PROJECT_BINARY_DIR}/generated/from_${first})
      file(CONFIGURE OUTPUT ${together} CONTENT "${includes}" @ONLY)
      target_sources(${target} PRIVATE ${together})
      math(EXPR place "${place} + 6")
    endwhile()
  endforeach()
endfunction()
