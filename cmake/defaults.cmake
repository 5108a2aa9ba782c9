# SPDX-License-Identifier: Apache-2.0
# Language, warnings, and where programs go: build/PRESET/bin.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# Failures name their place as "kernels/host/gemm.cpp:41", wherever the sources were built.
set(place -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:${place}> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${place}>)

# A program takes along only the libraries that it calls: it may run where the others are missing.
add_link_options(LINKER:--as-needed)
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wall> $<$<COMPILE_LANGUAGE:CXX>:-Wextra>
                    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
option(BREAKEVEN_WERROR "Warnings are errors, as in CI" OFF)
if(BREAKEVEN_WERROR)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Werror>)
  # These follow what the optimiser has inlined, and GCC 12 takes sound code of its own string for wrong (its bugs 105329 and
  # 105651). They stay warnings.
  foreach(warning stringop-overflow stringop-overread array-bounds maybe-uninitialized)
    add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-error=${warning}>)
    add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CXX_COMPILER_ID:GNU>>:-Xcompiler=-Wno-error=${warning}>)
  endforeach()
endif()
# GCC 12 takes every `"text" + string` for an overlapping copy (its bug 105651).
add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>)
