# SPDX-License-Identifier: Apache-2.0
# Which GPUs machine code is made for.

# Keeps CMAKE_CUDA_ARCHITECTURES where it is set; else takes the GPUs of this machine, else those of the last
# three data-centre generations. "90a" and not "90": Hopper's tensor memory copies and warp-group products
# exist only there.
macro(breakeven_choose_cuda_architectures)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE capabilities RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(architectures "")
    if("${failed}" STREQUAL "0" AND capabilities MATCHES "^[0-9]+\\.[0-9]")
      string(REPLACE "\n" ";" capabilities "${capabilities}")
      list(REMOVE_DUPLICATES capabilities)
      foreach(capability IN LISTS capabilities)
        string(REPLACE "." "" architecture "${capability}")
        string(REGEX REPLACE "^(9|1[0-9])([0-9])$" "\\1\\2a" architecture "${architecture}")
        list(APPEND architectures ${architecture}-real)
      endforeach()
    else()
      set(architectures 80-real 89-real 90a-real)
    endif()
    set(CMAKE_CUDA_ARCHITECTURES "${architectures}" CACHE STRING "GPUs that machine code is made for" FORCE)
  endif()
endmacro()
