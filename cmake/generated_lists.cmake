# SPDX-License-Identifier: Apache-2.0
# generated/LIST.inc: MACRO(NAME) for every NAME.cpp of a folder. Tables in the code are made of it, so that a new file is
# in them and no list names it.
function(list_files_for_preprocessor list macro folder)
  file(GLOB names CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  list(TRANSFORM names REPLACE "(.+)\\.cpp" "${macro}(\\1)\n")
  string(JOIN "" names ${names})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${list}.inc CONTENT "${names}" @ONLY)
endfunction()

list_files_for_preprocessor(strategies STRATEGY src/core/strategy/described)
list_files_for_preprocessor(report_tables REPORT_TABLE src/report/tables)
