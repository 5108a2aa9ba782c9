# SPDX-License-Identifier: Apache-2.0
# Parallel HDF5 with its high-level library (breakeven::hdf5). Debian and Ubuntu keep the parallel build beside
# the serial one, under the name of the MPI that it was built with; elsewhere CMake's own search is asked.
add_library(breakeven_hdf5 INTERFACE)
add_library(breakeven::hdf5 ALIAS breakeven_hdf5)

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND AND NOT HDF5_ROOT AND NOT DEFINED ENV{HDF5_ROOT})
  pkg_check_modules(HDF5_PARALLEL QUIET IMPORTED_TARGET hdf5-openmpi)
endif()

if(HDF5_PARALLEL_FOUND)
  find_library(HDF5_PARALLEL_HL hdf5_hl HINTS ${HDF5_PARALLEL_LIBRARY_DIRS} REQUIRED NO_DEFAULT_PATH)
  target_link_libraries(breakeven_hdf5 INTERFACE ${HDF5_PARALLEL_HL} PkgConfig::HDF5_PARALLEL)
  message(STATUS "Parallel HDF5 ${HDF5_PARALLEL_VERSION}: ${HDF5_PARALLEL_HL}")
else()
  set(HDF5_PREFER_PARALLEL ON)
  find_package(HDF5 REQUIRED COMPONENTS C HL)
  if(NOT HDF5_IS_PARALLEL)
    message(FATAL_ERROR "The HDF5 in ${HDF5_C_INCLUDE_DIRS} is serial. breakeven writes one file from all ranks and "
                        "needs the parallel one: install libhdf5-openmpi-dev (module or Spack: hdf5+mpi+hl), or "
                        "set HDF5_ROOT.")
  endif()
  target_include_directories(breakeven_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
  target_link_libraries(breakeven_hdf5 INTERFACE ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES})
  target_compile_definitions(breakeven_hdf5 INTERFACE ${HDF5_C_DEFINITIONS})
  message(STATUS "Parallel HDF5 ${HDF5_VERSION}: ${HDF5_C_INCLUDE_DIRS}")
endif()
