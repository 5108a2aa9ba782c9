# SPDX-License-Identifier: Apache-2.0
# The templates of the asynchronous and the Hopper GEMM kernels, instantiated in a source file for each precision and
# layout: each takes nvcc a minute or more, and so as many are compiled at once as there are processors. The precisions
# are those of the table in src/core/precision.h; the Hopper kernels compute some of them.

# add_gemm_instance(NAME HEADER INSTANCE): generated/gemm/NAME.cu
function(add_gemm_instance name header instance)
  set(source ${PROJECT_BINARY_DIR}/generated/gemm/${name}.cu)
  file(CONFIGURE OUTPUT ${source} CONTENT
       "#include \"kernels/cuda/gemm/${header}\"\n\nnamespace breakeven {\ntemplate void ${instance};\n}\n" @ONLY)
  target_sources(breakeven_kernels PRIVATE ${source})
endfunction()

set(hopper_precisions tf32 bf16 fp16)
set(hopper_update_precisions bf16 fp16)

set(precision_table ${PROJECT_SOURCE_DIR}/src/core/precision.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${precision_table})
file(READ ${precision_table} text)
string(REGEX MATCHALL "PrecisionInfo{[^}]*" rows "${text}")
foreach(row IN LISTS rows)
  if(NOT row MATCHES "precision = Precision::([a-z0-9]+)")
    continue()
  endif()
  set(precision ${CMAKE_MATCH_1})
  foreach(layout nt nn tn)
    set(form "<Precision::${precision}, GemmLayout::${layout}>")
    add_gemm_instance(async_${precision}_${layout} async_launch.cuh "launch_async_tile${form}(int, const AsyncLaunch&)")
    if(precision IN_LIST hopper_precisions)
      add_gemm_instance(hopper_${precision}_${layout} hopper_launch.cuh
                        "launch_hopper_tile${form}(const HopperChoice&, const GemmProblem&, CudaStream&)")
    endif()
  endforeach()
  if(precision IN_LIST hopper_update_precisions)
    add_gemm_instance(hopper_${precision}_update hopper_update_launch.cuh
                      "launch_hopper_update<Precision::${precision}>(int, const GemmProblem&, CudaStream&)")
  endif()
endforeach()
