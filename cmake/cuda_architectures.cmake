# SPDX-License-Identifier: Apache-2.0
# Which GPUs machine code is made for.

# Keeps CMAKE_CUDA_ARCHITECTURES where it is set; else takes the GPUs of this machine, else 8.0 and 9.0: each one
# more compiles every kernel once more, and machine code for 8.0 runs on 8.6 and 8.9 too. "90a" and not "90":
# Hopper's tensor memory copies and warp-group products exist only there.
macro(breakeven_choose_cuda_architectures)
  if(CMAKE_CUDA_ARCHITECTURES MATCHES "(^|;)(90(-real|-virtual)?|native|all|all-major)(;|$)")
    message(FATAL_ERROR "CMAKE_CUDA_ARCHITECTURES=${CMAKE_CUDA_ARCHITECTURES}: ${CMAKE_MATCH_2} lacks Hopper's own instructions. "
            "For Hopper write 90a-real; for the GPUs of this machine leave it empty.")
  endif()
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE capabilities RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(chosen "")
    if("${failed}" STREQUAL "0" AND capabilities MATCHES "^[0-9]+\\.[0-9]")
      string(REPLACE "\n" ";" capabilities "${capabilities}")
      list(REMOVE_DUPLICATES capabilities)
      foreach(capability IN LISTS capabilities)
        string(REPLACE "." "" architecture "${capability}")
        string(REGEX REPLACE "^(9|1[0-9])([0-9])$" "\\1\\2a" architecture "${architecture}")
        list(APPEND chosen ${architecture}-real)
      endforeach()
    else()
      set(chosen 80-real 90a-real)
    endif()
    set(CMAKE_CUDA_ARCHITECTURES "${chosen}" CACHE STRING "GPUs that machine code is made for" FORCE)
  endif()
  set(version_architectures "${CMAKE_CUDA_ARCHITECTURES}")
  if(CMAKE_VERSION VERSION_LESS 3.25 AND CMAKE_CUDA_ARCHITECTURES MATCHES "a")
    breakeven_name_architectures_to_nvcc()
  endif()
endmacro()

# CMake before 3.25 refuses the "a" of 90a; what it would say to nvcc is then said here.
macro(breakeven_name_architectures_to_nvcc)
  foreach(architecture IN LISTS CMAKE_CUDA_ARCHITECTURES)
    string(REGEX MATCH "^[0-9]+[a-z]?" number "${architecture}")
    if(architecture MATCHES "-real$")
      set(code "sm_${number}")
    elseif(architecture MATCHES "-virtual$")
      set(code "compute_${number}")
    else()
      set(code "compute_${number},sm_${number}")
    endif()
    string(APPEND CMAKE_CUDA_FLAGS " --generate-code=arch=compute_${number},code=[${code}]")
  endforeach()
  set(CMAKE_CUDA_ARCHITECTURES OFF)
endmacro()
