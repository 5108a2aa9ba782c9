# SPDX-License-Identifier: Apache-2.0
# MPI by its C bindings (breakeven::mpi), and the launcher that the tests use. Sets BREAKEVEN_HAS_MEASURE: without MPI
# nothing is measured.
set(BREAKEVEN_HAS_MEASURE OFF)
if(NOT BREAKEVEN_MEASURE)
  message(STATUS "The program answers from results files only: BREAKEVEN_MEASURE is off")
  return()
endif()
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
  message(STATUS "The program answers from results files only: MPI is not found")
  return()
endif()
set(BREAKEVEN_HAS_MEASURE ON)
add_library(breakeven_mpi_library INTERFACE)
add_library(breakeven::mpi ALIAS breakeven_mpi_library)
target_link_libraries(breakeven_mpi_library INTERFACE MPI::MPI_CXX)

# Tests start more ranks than a small machine has cores; Open MPI wants that said, and so does binding.
if(NOT BREAKEVEN_MPIRUN)
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpirun_version ERROR_QUIET)
  set(mpirun ${MPIEXEC_EXECUTABLE})
  if(mpirun_version MATCHES "Open MPI|OpenRTE")
    list(APPEND mpirun --oversubscribe --bind-to none)
  endif()
  string(JOIN " " mpirun ${mpirun})
  set(BREAKEVEN_MPIRUN "${mpirun}" CACHE STRING "MPI launcher with its flags, as the tests use it")
endif()
