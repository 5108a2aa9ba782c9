# SPDX-License-Identifier: Apache-2.0
# CUDA with cuBLAS, and NCCL: both or none. Sets BREAKEVEN_HAS_CUDA; the targets breakeven::cuda and
# breakeven::nccl exist in any case and are empty where CUDA is left out.
include(cuda_architectures)

add_library(breakeven_cuda INTERFACE)
add_library(breakeven_nccl INTERFACE)
add_library(breakeven::cuda ALIAS breakeven_cuda)
add_library(breakeven::nccl ALIAS breakeven_nccl)
set(BREAKEVEN_HAS_CUDA OFF)

# Sets `reason` to why CUDA cannot be built, empty where it can.
macro(breakeven_find_cuda)
  set(reason "")
  find_program(BREAKEVEN_NVCC nvcc HINTS ENV CUDACXX PATHS ENV CUDA_HOME /usr/local/cuda PATH_SUFFIXES bin
               DOC "CUDA's compiler")
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${NCCL_ROOT} ENV NCCL_ROOT ENV NCCL_HOME ENV CUDA_HOME
            PATHS /usr/local/cuda PATH_SUFFIXES include)
  find_library(NCCL_LIBRARY nccl HINTS ${NCCL_ROOT} ENV NCCL_ROOT ENV NCCL_HOME ENV CUDA_HOME
               PATHS /usr/local/cuda PATH_SUFFIXES lib64 lib)
  if(NOT BREAKEVEN_CUDA)
    set(reason "BREAKEVEN_CUDA is off")
  elseif(NOT BREAKEVEN_NVCC)
    set(reason "nvcc is not found; put it on PATH or set CUDA_HOME")
  elseif(NOT NCCL_INCLUDE_DIR OR NOT NCCL_LIBRARY)
    set(reason "NCCL (nccl.h and libnccl) is not found; set NCCL_ROOT")
  else()
    set(CMAKE_CUDA_COMPILER ${BREAKEVEN_NVCC} CACHE FILEPATH "CUDA's compiler")
    breakeven_choose_cuda_architectures()
    include(CheckLanguage)
    check_language(CUDA)
    if(NOT CMAKE_CUDA_COMPILER)
      set(reason "${BREAKEVEN_NVCC} does not work with this C++ compiler (see CMakeFiles/CMakeError.log)")
    endif()
  endif()
endmacro()

breakeven_find_cuda()
if(reason)
  message(STATUS "CUDA is left out, the host device is built alone: ${reason}")
  return()
endif()

# Kernels take minutes to compile, and change less often than the rest.
find_program(BREAKEVEN_CCACHE ccache DOC "Keeps compiled kernels; empty: none")
if(BREAKEVEN_CCACHE AND NOT DEFINED CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${BREAKEVEN_CCACHE})
endif()

enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
if(CUDAToolkit_VERSION VERSION_LESS 12)
  message(STATUS "CUDA is left out, the host device is built alone: C++20 needs CUDA 12, this is ${CUDAToolkit_VERSION}")
  return()
endif()

set(BREAKEVEN_HAS_CUDA ON)
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)  # older CMake does not know that nvcc speaks C++20
endif()
target_link_libraries(breakeven_cuda INTERFACE CUDA::cudart)
target_include_directories(breakeven_nccl SYSTEM INTERFACE ${NCCL_INCLUDE_DIR})
target_link_libraries(breakeven_nccl INTERFACE ${NCCL_LIBRARY})
message(STATUS "CUDA ${CUDAToolkit_VERSION} for ${version_architectures}, NCCL ${NCCL_LIBRARY}")

# CUPTI is loaded at run time; its headers are part of the toolkit, in a folder of its own or among the others.
find_path(CUPTI_INCLUDE_DIR cupti.h HINTS ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_LIBRARY_ROOT}
          PATH_SUFFIXES extras/CUPTI/include include NO_DEFAULT_PATH)
set(BREAKEVEN_CUPTI_FOLDER no_cupti)
if(CUPTI_INCLUDE_DIR)
  set(BREAKEVEN_CUPTI_FOLDER cupti)
  target_include_directories(breakeven_cuda SYSTEM INTERFACE ${CUPTI_INCLUDE_DIR})
else()
  message(STATUS "cupti.h is not found: `breakeven trace --kernels` is left out")
endif()
