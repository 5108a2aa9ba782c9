# SPDX-License-Identifier: Apache-2.0
# breakeven_version: the header "version.h", which says what was built from what. It is looked at in every
# build and rewritten only where it would change, so that a new commit recompiles only what includes it.
set(version_header ${PROJECT_BINARY_DIR}/generated/version.h)
if(BREAKEVEN_HAS_CUDA)
  set(version_cuda ${CUDAToolkit_VERSION})
  string(REPLACE ";" "," version_architectures "${version_architectures}")
else()
  set(version_cuda none)
  set(version_architectures none)
endif()

add_custom_target(breakeven_version_header
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DHEADER=${version_header}
          -DVERSION=${PROJECT_VERSION} "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
          -DCUDA=${version_cuda} -DARCHITECTURES=${version_architectures} -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
          -P ${PROJECT_SOURCE_DIR}/cmake/write_version.cmake
  BYPRODUCTS ${version_header}
  COMMENT "Looking up the git revision" VERBATIM)

add_library(breakeven_version INTERFACE)
target_include_directories(breakeven_version INTERFACE ${PROJECT_BINARY_DIR}/generated)
add_dependencies(breakeven_version breakeven_version_header)
