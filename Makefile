# SPDX-License-Identifier: Apache-2.0
# Start here: `make run` takes a fresh machine to a printed answer, `make test` to a green test suite.
# CMake builds. Makefile.inc holds the settings of a site.
include Makefile.inc

BUILD := build/$(PRESET)
PROGRAM := $(BUILD)/bin/breakeven
PYTHON := $(BUILD)/python/bin/python
# nproc obeys OMP_NUM_THREADS, which says nothing about compilers.
JOBS := $(shell env -u OMP_NUM_THREADS nproc)
# Tests start ranks and wait for them much of the time.
TEST_JOBS := $(shell echo $$((2 * $(JOBS))))
# A line for each stage; what it prints goes to a log.
STAGE = setup/stage
LOGS := $(BUILD)/logs
SUITE := jobs/suites/seed.ini
# Intervals between launches need at least three.
LAUNCHES := 1
MINUTES := 25
FUZZ_SECONDS := 60

# One rank per GPU. Without a GPU the ranks share the processor, on the host device.
GPUS := $(shell nvidia-smi --list-gpus 2>/dev/null | grep -c '^GPU')
LAUNCHED := $(shell [ $(GPUS) -gt 0 ] && [ $(GPUS) -lt $(RANKS) ] && echo $(GPUS) || echo $(RANKS))
LAUNCH = $(MPIRUN) $(MPIRUN_FLAGS) -np $(LAUNCHED)

# Open MPI runs as root only if both variables are set.
ifeq ($(shell id -u),0)
export OMPI_ALLOW_RUN_AS_ROOT := 1
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM := 1
# The tests of the batch scripts start their own Slurm, and that of jobs/containers a clean system. Only root can do either.
CLUSTER := cluster image
endif

# CMake reads compilers and install folders from the environment. Do not export Make's own defaults or empty values.
$(foreach name,CC CXX CUDACXX NCCL_ROOT HDF5_ROOT,\
  $(if $(filter file command,$(origin $(name))),$(if $($(name)),$(eval export $(name)))))

# Make expands a whole recipe before it runs the first line. The shell looks for ninja later, after that line installed it.
CONFIGURE = cmake --preset $(PRESET) \
  $(if $(wildcard $(BUILD)/CMakeCache.txt),,$$(command -v ninja >/dev/null && echo "-G Ninja")) \
  $(if $(CUDA_ARCHITECTURES),"-DCMAKE_CUDA_ARCHITECTURES=$(CUDA_ARCHITECTURES)") \
  "-DBREAKEVEN_MPIRUN=$(MPIRUN) $(MPIRUN_FLAGS)" -DCMAKE_INSTALL_PREFIX=$(PREFIX)

SCRIPTS = $(shell git ls-files '*.sh' '*.sbatch' jobs/measure jobs/nccl-study setup/install-packages setup/lock-python setup/python-environment setup/stage analysis/check jobs/ci/gate jobs/containers/install results/update-docs results/record results/record-fresh-system .ci/run)
# Where this branch left main; of a clone without main, the last commit.
MAIN = $(shell git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main 2>/dev/null || echo HEAD)
SOURCES = $(shell git ls-files '*.h' '*.cuh' '*.cpp' '*.cu')

.PHONY: help run record test test-long build-tests sanitize threads odr fuzz bench build python python-if-possible docs format lint install sbom clean
.NOTPARALLEL:

help:
	@echo "make run      install what is missing, build, measure the quick suite, print the answer, write an HTML report"
	@echo "make test     install what is missing, build, run the quick tests"
	@echo "make test-long  run the slow tests: sanitizers of memory and threads, types defined twice, Slurm jobs, browser, notebooks, clang-tidy, cppcheck"
	@echo "make fuzz     run all parsers under libFuzzer for FUZZ_SECONDS ($(FUZZ_SECONDS)) each"
	@echo "make bench    measure SUITE ($(SUITE)) LAUNCHES ($(LAUNCHES)) times and write its report"
	@echo "make record   measure the suites of results/plans/MACHINE in at most MINUTES ($(MINUTES)) minutes, and update the docs"
	@echo "make build    build the program only: $(PROGRAM)"
	@echo "make python   install the package of analysis/ for $(PYTHON)"
	@echo "make docs     make all figures and tables of the docs again, from results/"
	@echo "make format   run clang-format on every source"
	@echo "make lint     check formatting, shell scripts and structure, and run clang-tidy on what differs from main"
	@echo "make install  install the program, batch scripts, docs and Python package below PREFIX ($(PREFIX))"
	@echo "make sbom     write the bill of materials of the program: $(BUILD)/breakeven.spdx.json"
	@echo "make clean    remove $(BUILD); keep measured results in build/results"
	@echo "Settings: edit Makefile.inc, or write NAME=VALUE after the command."

run: build python-if-possible
	@jobs/measure jobs/suites/quick.ini $(PROGRAM) $(LAUNCH)

# Of a machine kind that results/plans names: everything that README and docs quote.
record: build python-if-possible
	@PYTHON=$(PYTHON) results/record $(MACHINE) --minutes $(MINUTES) $(PROGRAM) $(LAUNCH)

bench: build python-if-possible
	@jobs/measure --launches $(LAUNCHES) $(SUITE) $(PROGRAM) $(LAUNCH)

# Tests need more packages, so only `make test` switches them on. They then stay on.
build:
	@$(STAGE) "Packages" $(LOGS)/packages.txt setup/install-packages build
	@$(STAGE) "Configuration" $(LOGS)/configuration.txt $(CONFIGURE) $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DBUILD_TESTING=OFF)
	@$(STAGE) "Build" $(LOGS)/build.txt cmake --build --preset $(PRESET) --target breakeven --parallel $(JOBS)

# Without a GPU, tests of GPUs would only say so.
test: build-tests
	@$(if $(filter 0,$(GPUS)),echo "No GPU: tests with the label gpu are left out.")
	@ctest --preset $(PRESET) --progress --parallel $(TEST_JOBS) --label-exclude "$(if $(filter 0,$(GPUS)),^(long|gpu)$$,^long$$)"

build-tests:
	@$(STAGE) "Packages" $(LOGS)/packages.txt setup/install-packages build test python
	@$(STAGE) "Python environment" $(LOGS)/python.txt setup/python-environment $(BUILD)/python
	@$(STAGE) "Configuration" $(LOGS)/configuration.txt $(CONFIGURE) -DBUILD_TESTING=ON -DBREAKEVEN_WERROR=ON
	@$(STAGE) "Build" $(LOGS)/build.txt cmake --build --preset $(PRESET) --parallel $(JOBS)

# The cheapest first. Each part says by its name what it runs, and can be made alone.
test-long: build-tests
	@setup/install-packages lint clang $(CLUSTER)
	@ctest --preset $(PRESET) --parallel $(TEST_JOBS) --label-regex long
	@$(MAKE) sanitize threads odr

# Unit tests, and those of ranks on two of them, under the address and undefined-behaviour sanitizers. Long ones repeat
# thousands of times what others call once.
sanitize:
	@setup/install-packages build test clang
	@tests/long/build_sanitized.sh test_answer test_measure test_device test_mpi abort_probe
	@ctest --preset sanitize --parallel $(JOBS) --label-regex "unit|mpi" --label-exclude long --exclude-regex "\.np[134]$$"

# The sources start no threads (tests/structure/sources.sh). What could race is OpenBLAS, Open MPI and signal handlers.
# Left out are the three slowest tests, minutes each: the others call the same functions.
threads:
	@cmake --preset threads $$([ -e build/threads/CMakeCache.txt ] || ! command -v ninja >/dev/null || echo "-G Ninja")
	@cmake --build --preset threads --parallel $(JOBS)
	@ctest --preset threads --parallel $(JOBS) --tests-regex "^(unit\.device_|threads\.)" \
	  --exclude-regex "_(gemm|network_step|topk_compression)$$"

# The linker compares the types of all sources, which no compiler sees together. It takes minutes.
odr:
	@cmake --preset odr
	@cmake --build --preset odr --parallel $(JOBS)

# Clang's libFuzzer changes what parsers read, and goes on from what reaches new code.
fuzz:
	@setup/install-packages build test clang
	@tests/long/build_sanitized.sh fuzz_parsers
	@tests/fuzz/fuzz.py --seconds $(FUZZ_SECONDS) --jobs $(JOBS)

python:
	@$(STAGE) "Packages" $(LOGS)/packages.txt setup/install-packages test python
	@$(STAGE) "Python environment" $(LOGS)/python.txt setup/python-environment $(BUILD)/python

# Without the package, `make run` still measures and prints the answer.
python-if-possible:
	@$(STAGE) "Packages of Python" $(LOGS)/packages-of-python.txt setup/install-packages python && \
	  $(STAGE) "Python environment" $(LOGS)/python.txt setup/python-environment $(BUILD)/python || true

docs: build python
	@results/update-docs $(PROGRAM) $(PYTHON)
	@BREAKEVEN=$(abspath $(PROGRAM)) $(PYTHON) analysis/notebooks/execute --write

format:
	@setup/install-packages lint
	@clang-format -i $(SOURCES)

# headers.sh needs the flags of a build, so only CTest runs it.
lint:
	@setup/install-packages lint
	@clang-format --dry-run -Werror $(SOURCES)
	@shellcheck --external-sources $(SCRIPTS)
	@for check in $(filter-out %/headers.sh,$(wildcard tests/structure/*.sh)); do bash $$check || exit 1; done
	@bash tests/long/clang_tidy.sh $(MAIN)

install: build
	@cmake --install $(BUILD)

# SPDX 2.3.
sbom: build
	@setup/sbom $(PROGRAM) $(BUILD)/breakeven.spdx.json
	@echo "Bill of materials: $(BUILD)/breakeven.spdx.json"

clean:
	@rm -rf $(BUILD)
