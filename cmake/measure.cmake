# SPDX-License-Identifier: Apache-2.0
# The measuring wing: kernels (one device), mpi (the ranks), and what trains, measures and writes the file.
include(openblas)

if(BREAKEVEN_HAS_CUDA)
  add_floor(breakeven_kernels kernels/*.cpp kernels/host/*.cpp
            kernels/cuda/*.cu kernels/cuda/*.cpp kernels/cuda/gemm/*.cu kernels/cuda/gemm/*.cpp
            kernels/cuda/network/*.cu kernels/cuda/${BREAKEVEN_CUPTI_FOLDER}/*.cpp)
  add_floor(breakeven_mpi mpi/*.cpp mpi/nccl/*.cpp mpi/peer/*.cpp mpi/peer/*.cu)
else()
  add_floor(breakeven_kernels kernels/*.cpp kernels/host/*.cpp kernels/no_cuda/*.cpp)
  add_floor(breakeven_mpi mpi/*.cpp mpi/no_cuda/*.cpp)
endif()
add_floor(breakeven_measure src/hdf5/parallel/*.cpp src/model/*.cpp src/data/*.cpp src/compression/*.cpp
          src/strategy/*.cpp src/train/*.cpp src/measure/*.cpp src/measure/*/*.cpp src/autotune/*.cpp
          src/verify/*.cpp src/bench/*.cpp src/bench/*/*.cpp src/command/measure/*.cpp)

# Nobody reads errno after a square root, or traps on a floating-point exception: loops may be vectorised. No
# result changes by these two; -ffast-math, which changes results and hides NaN, is never set.
target_compile_options(breakeven_kernels PRIVATE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-math-errno> $<$<COMPILE_LANGUAGE:CXX>:-fno-trapping-math>)

# For kernels/cuda/random_delay.cuh.
option(BREAKEVEN_RANDOM_DELAYS "CUDA kernels wait at random where lateness must not matter: for tests" OFF)
foreach(floor breakeven_kernels breakeven_mpi)
  target_compile_definitions(${floor} PRIVATE $<$<BOOL:${BREAKEVEN_RANDOM_DELAYS}>:BREAKEVEN_RANDOM_DELAYS>)
endforeach()

if(BREAKEVEN_HAS_CUDA)
  include(gemm_tables)
  include(gemm_instances)
  compile_together(breakeven_kernels kernels/cuda/*.cu kernels/cuda/network/*.cu)
endif()
target_link_libraries(breakeven_kernels PUBLIC breakeven_core breakeven::cuda breakeven::openblas Threads::Threads
                                               ${CMAKE_DL_LIBS})
share_floors(breakeven_shared breakeven_core breakeven_kernels)
target_link_libraries(breakeven_mpi PUBLIC breakeven_kernels_to_link breakeven::mpi breakeven::nccl)
target_link_libraries(breakeven_measure PUBLIC breakeven_answer breakeven_mpi)
precompile_headers(breakeven_measure <fmt/format.h>)
foreach(floor kernels mpi measure)
  compile_in_batches(breakeven_${floor})
endforeach()
