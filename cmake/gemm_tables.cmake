# SPDX-License-Identifier: Apache-2.0
# The tables of measured products that come with the program: kernels/cuda/gemm/tuned/sm_NN.txt, each for the GPUs
# of one compute capability, become text in the program. A new table is a new file there.
set(gemm_tables ${PROJECT_BINARY_DIR}/generated/gemm_tables.cpp)
file(GLOB gemm_table_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/cuda/gemm/tuned/sm_*.txt)
set(GEMM_TABLE_CASES "")
foreach(file IN LISTS gemm_table_files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  get_filename_component(capability ${file} NAME_WE)
  string(REGEX REPLACE "^sm_" "" capability ${capability})
  file(READ ${file} text)
  set(table "parse_gemm_table(R\"table(${text})table\", \"the program's sm_${capability}.txt\")")
  string(APPEND GEMM_TABLE_CASES "    case ${capability}: {\n      static const GemmTable table = ${table};\n"
                                 "      return table;\n    }\n")
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/gemm_tables.cpp.in ${gemm_tables} @ONLY)
target_sources(breakeven_kernels PRIVATE ${gemm_tables})
