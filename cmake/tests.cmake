# SPDX-License-Identifier: Apache-2.0
# A function for each kind of test: add_test_program(KIND) calls add_KIND_test for every file of tests/KIND, or add_unit_test.

# A hang's limit. The longest takes 170 s alone on two cores; twice as many tests as cores run at once, on machines of half
# the speed.
set(test_seconds 700)

# What is tested is optimised, or sanitized, in full; the tests themselves take a third less to compile so. RelWithDebInfo is
# the type of the preset sanitize.
function(compile_as_test target)
  target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>
                         $<$<AND:$<CONFIG:RelWithDebInfo>,$<COMPILE_LANGUAGE:CXX>>:-fno-sanitize=undefined>)
endfunction()

# add_test_program(KIND LIBRARY...): bin/test_KIND of all tests/KIND/test_NAME.cpp. The argument NAME chooses those of one file.
function(add_test_program kind)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${kind}/test_*.cpp)
  add_executable(test_${kind} ${files})
  target_link_libraries(test_${kind} PRIVATE ${ARGN})
  compile_as_test(test_${kind})
  compile_in_batches(test_${kind})
  reuse_precompiled_headers(test_${kind} breakeven_test_headers)
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    string(REGEX REPLACE "^test_" "" name ${name})
    if(COMMAND add_${kind}_test)
      cmake_language(CALL add_${kind}_test ${name})
    else()
      add_unit_test(${name} test_${kind})
    endif()
  endforeach()
endfunction()

function(add_unit_test name program)
  add_test(NAME unit.${name} COMMAND ${program} ${name})
  describe_test(unit.${name} unit 1)
endfunction()

# The same checks against both devices: the host's here, the GPU's where CUDA is built. They need the lowest
# floor alone.
function(add_device_test name)
  add_test(NAME unit.device_${name} COMMAND test_device ${name})
  describe_test(unit.device_${name} unit 1 BREAKEVEN_TEST_DEVICE=host)
  if(BREAKEVEN_HAS_CUDA)
    add_test(NAME gpu.device_${name} COMMAND test_device ${name})
    describe_test(gpu.device_${name} gpu 1 BREAKEVEN_TEST_DEVICE=cuda)
  endif()
endfunction()

# What only a GPU has: the tiles of its kernels.
function(add_gpu_test name)
  add_test(NAME gpu.${name} COMMAND test_gpu ${name})
  describe_test(gpu.${name} gpu 1 BREAKEVEN_TEST_DEVICE=cuda)
endfunction()

function(add_mpi_test name)
  foreach(ranks 1 2 3 4)
    add_ranks_test(mpi.${name}.np${ranks} mpi ${ranks} "test_mpi;${name}" BREAKEVEN_TEST_DEVICE=host)
  endforeach()
  if(BREAKEVEN_HAS_CUDA)
    foreach(ranks 1 2)
      add_ranks_test(gpu.mpi_${name}.np${ranks} gpu ${ranks} "test_mpi;${name}" BREAKEVEN_TEST_DEVICE=cuda)
    endforeach()
  endif()
endfunction()

function(add_ranks_test test label ranks command)
  separate_arguments(mpirun UNIX_COMMAND "${BREAKEVEN_MPIRUN}")
  list(POP_FRONT command program)
  add_test(NAME ${test} COMMAND sh ${PROJECT_SOURCE_DIR}/tests/support/in_own_folder.sh
           ${mpirun} -np ${ranks} $<TARGET_FILE:${program}> ${command})
  math(EXPR processors "(${ranks} + 1) / 2") # ranks start and end for most of the time
  describe_test(${test} ${label} ${processors} ${ARGN})
endfunction()

# A script that looks at the program, or at the sources, from outside.
function(add_script_test test label file)
  if(file MATCHES "\\.py$")
    set(interpreter ${BREAKEVEN_TEST_PYTHON})
  else()
    set(interpreter bash)
  endif()
  add_test(NAME ${test} COMMAND ${interpreter} ${file} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  describe_test(${test} ${label} 1 ${ARGN})
endfunction()

# The cases of one Python file. Pytest names each of them, and goes on after one that fails. They start ranks, but wait and
# start programs for most of their time: another such test can run beside them.
function(add_python_test test label file)
  add_test(NAME ${test} COMMAND ${BREAKEVEN_TEST_PYTHON} -m pytest -v ${file} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  describe_test(${test} ${label} 1 ${ARGN})
endfunction()

# describe_test(TEST LABEL PROCESSORS [VARIABLE=VALUE...]): what every test has. Where a rank has failed, Open MPI's
# launcher gives the others a second before it kills them, and two go by for every refusal that is tried.
function(describe_test test label processors)
  set(environment ${ARGN} OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
      OMPI_MCA_odls_base_sigkill_timeout=0 OMP_NUM_THREADS=1)
  if(NOT label MATCHES "^(gpu|unit)$" AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")  # whose library must be the first
    list(APPEND environment LD_PRELOAD=$<TARGET_FILE:sleep_when_idle>)
  endif()
  if(BREAKEVEN_TESTS_RUN_AS_ROOT)
    list(APPEND environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
  endif()
  set_tests_properties(${test} PROPERTIES
    LABELS ${label} PROCESSORS ${processors} TIMEOUT ${test_seconds} SKIP_RETURN_CODE 77
    ENVIRONMENT "${environment}")
  if(label STREQUAL gpu)
    set_tests_properties(${test} PROPERTIES RESOURCE_LOCK gpu)
  endif()
endfunction()

# Too slow for `make test`: `make test-long` runs them.
function(run_only_in_test_long)
  foreach(test IN LISTS ARGN)
    set_property(TEST ${test} APPEND PROPERTY LABELS long)
  endforeach()
endfunction()
