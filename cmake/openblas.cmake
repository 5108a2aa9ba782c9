# SPDX-License-Identifier: Apache-2.0
# OpenBLAS with cblas.h (breakeven::openblas): the host device's matrix products.
add_library(breakeven_openblas INTERFACE)
add_library(breakeven::openblas ALIAS breakeven_openblas)

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(OPENBLAS QUIET IMPORTED_TARGET openblas)
endif()
if(OPENBLAS_FOUND)
  target_link_libraries(breakeven_openblas INTERFACE PkgConfig::OPENBLAS)
else()
  find_path(OPENBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas openblas-pthread REQUIRED)
  find_library(OPENBLAS_LIBRARY openblas PATH_SUFFIXES openblas-pthread REQUIRED)
  target_include_directories(breakeven_openblas SYSTEM INTERFACE ${OPENBLAS_INCLUDE_DIR})
  target_link_libraries(breakeven_openblas INTERFACE ${OPENBLAS_LIBRARY})
endif()
