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
