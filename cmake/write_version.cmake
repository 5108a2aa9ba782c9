# SPDX-License-Identifier: Apache-2.0
# Run at build time by cmake/version.cmake: fills in version.h.in with the sources' git revision.
execute_process(COMMAND git -C ${SOURCE_DIR} describe --always --abbrev=12 --dirty --exclude=*
                OUTPUT_VARIABLE GIT_REVISION RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT "${failed}" STREQUAL "0")
  set(GIT_REVISION unknown)  # a source archive has no history
endif()
configure_file(${SOURCE_DIR}/cmake/version.h.in ${HEADER} @ONLY)
