# SPDX-License-Identifier: Apache-2.0
# HDF5 with its high-level library (breakeven::hdf5): the parallel one where the program measures, since all ranks write
# one file; else the serial one is preferred, and either will do. Debian and Ubuntu keep both side by side, the parallel
# one under the name of the MPI that it was built with; elsewhere CMake's own search is asked.
add_library(breakeven_hdf5 INTERFACE)
add_library(breakeven::hdf5 ALIAS breakeven_hdf5)

set(HDF5_PREFER_PARALLEL ${BREAKEVEN_HAS_MEASURE})
set(hdf5_package hdf5-serial)
if(BREAKEVEN_HAS_MEASURE)
  set(hdf5_package hdf5-openmpi)
endif()
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND AND NOT HDF5_ROOT AND NOT DEFINED ENV{HDF5_ROOT})
  # The cache keeps the libraries that were found before BREAKEVEN_MEASURE changed.
  if(NOT HDF5_PACKAGED_MODULE_NAME STREQUAL hdf5_package)
    unset(pkgcfg_lib_HDF5_PACKAGED_hdf5 CACHE)
    unset(HDF5_PACKAGED_HL CACHE)
  endif()
  pkg_check_modules(HDF5_PACKAGED QUIET IMPORTED_TARGET ${hdf5_package})
endif()

if(HDF5_PACKAGED_FOUND)
  find_library(HDF5_PACKAGED_HL NAMES hdf5_hl hdf5_serial_hl HINTS ${HDF5_PACKAGED_LIBRARY_DIRS} REQUIRED
               NO_DEFAULT_PATH)
  target_link_libraries(breakeven_hdf5 INTERFACE ${HDF5_PACKAGED_HL} PkgConfig::HDF5_PACKAGED)
  message(STATUS "HDF5 ${HDF5_PACKAGED_VERSION} (${hdf5_package}): ${HDF5_PACKAGED_HL}")
else()
  find_package(HDF5 REQUIRED COMPONENTS C HL)
  if(BREAKEVEN_HAS_MEASURE AND NOT HDF5_IS_PARALLEL)
    message(FATAL_ERROR "The HDF5 in ${HDF5_C_INCLUDE_DIRS} is serial. breakeven writes one file from all ranks and "
                        "needs the parallel one: install libhdf5-openmpi-dev (module or Spack: hdf5+mpi+hl), or "
                        "set HDF5_ROOT. To answer from results files only, pass -DBREAKEVEN_MEASURE=OFF.")
  endif()
  target_include_directories(breakeven_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
  target_link_libraries(breakeven_hdf5 INTERFACE ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES})
  target_compile_definitions(breakeven_hdf5 INTERFACE ${HDF5_C_DEFINITIONS})
  message(STATUS "HDF5 ${HDF5_VERSION}: ${HDF5_C_INCLUDE_DIRS}")
endif()
