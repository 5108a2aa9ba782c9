# SPDX-License-Identifier: Apache-2.0
# The front door: `make run` goes from a fresh machine to a printed answer, `make test` to a green suite.
# CMake does the building; what differs from site to site stands in Makefile.inc.
include Makefile.inc

BUILD := build/$(PRESET)
PROGRAM := $(BUILD)/bin/breakeven
PYTHON := $(BUILD)/python/bin/python
JOBS := $(shell nproc)
SUITE := jobs/suites/seed.ini

# One rank a GPU. Without a GPU the ranks share the processor, on the host device.
GPUS := $(shell nvidia-smi --list-gpus 2>/dev/null | grep -c '^GPU')
LAUNCHED := $(shell [ $(GPUS) -gt 0 ] && [ $(GPUS) -lt $(RANKS) ] && echo $(GPUS) || echo $(RANKS))
LAUNCH = $(MPIRUN) $(MPIRUN_FLAGS) -np $(LAUNCHED)

# Open MPI refuses to run as root unless told twice.
ifeq ($(shell id -u),0)
export OMPI_ALLOW_RUN_AS_ROOT := 1
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM := 1
# Only root can start a Slurm of its own, as the tests of the batch scripts do.
CLUSTER := cluster
endif

# CMake reads compilers and roots from the environment. Make's own defaults and empty values are not the site's.
$(foreach name,CC CXX CUDACXX NCCL_ROOT HDF5_ROOT,\
  $(if $(filter file command,$(origin $(name))),$(if $($(name)),$(eval export $(name)))))

# Make expands a whole recipe before it runs the first line of it, so the shell asks for what that line may install.
CONFIGURE = cmake --preset $(PRESET) \
  $(if $(wildcard $(BUILD)/CMakeCache.txt),,$$(command -v ninja >/dev/null && echo "-G Ninja")) \
  $(if $(CUDA_ARCHITECTURES),"-DCMAKE_CUDA_ARCHITECTURES=$(CUDA_ARCHITECTURES)") \
  "-DBREAKEVEN_MPIRUN=$(MPIRUN) $(MPIRUN_FLAGS)" -DCMAKE_INSTALL_PREFIX=$(PREFIX)

SCRIPTS = $(shell git ls-files '*.sh' '*.sbatch' jobs/measure setup/install-packages setup/python-environment analysis/check results/update-docs .ci/run)
SOURCES = $(shell git ls-files '*.h' '*.cuh' '*.cpp' '*.cu')

.PHONY: help run test bench build python python-if-possible docs format lint install clean
.NOTPARALLEL:

help:
	@echo "make run      install what is missing, build, measure the quick suite, print the answer, make a page of it"
	@echo "make test     install what is missing, build, run all tests"
	@echo "make bench    measure SUITE ($(SUITE)) and keep its report beside the results file"
	@echo "make build    the program alone: $(PROGRAM)"
	@echo "make python   the package of analysis/ with what it needs: $(PYTHON)"
	@echo "make docs     all figures and tables of the docs anew, from results/"
	@echo "make format   clang-format on every source"
	@echo "make lint     formatting, shell scripts, structure of the sources"
	@echo "make install  program and suites below PREFIX ($(PREFIX))"
	@echo "make clean    remove $(BUILD); measured results stay in build/results"
	@echo "Settings: Makefile.inc, or NAME=VALUE behind the command."

run: build python-if-possible
	@jobs/measure jobs/suites/quick.ini $(PROGRAM) $(LAUNCH)

bench: build python-if-possible
	@jobs/measure $(SUITE) $(PROGRAM) $(LAUNCH)

# The tests need packages of their own, so they are switched on only by `make test`, and then stay on.
build:
	@setup/install-packages build
	@$(CONFIGURE) $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DBUILD_TESTING=OFF)
	@cmake --build --preset $(PRESET) --target breakeven --parallel $(JOBS)

test:
	@setup/install-packages build test python $(CLUSTER)
	@setup/python-environment $(BUILD)/python
	@$(CONFIGURE) -DBUILD_TESTING=ON
	@cmake --build --preset $(PRESET) --parallel $(JOBS)
	@ctest --preset $(PRESET) --parallel $(JOBS)

python:
	@setup/install-packages test python
	@setup/python-environment $(BUILD)/python

# What was measured is worth more than a page of it.
python-if-possible:
	@setup/install-packages python && setup/python-environment $(BUILD)/python || true

docs: build python
	@results/update-docs $(PROGRAM) $(PYTHON)
	@BREAKEVEN_PROGRAM=$(abspath $(PROGRAM)) $(PYTHON) analysis/notebooks/execute --write

format:
	@setup/install-packages lint
	@clang-format -i $(SOURCES)

# The check of the headers compiles them by a build's flags, so CTest alone runs it.
lint:
	@setup/install-packages lint
	@clang-format --dry-run -Werror $(SOURCES)
	@shellcheck --external-sources $(SCRIPTS)
	@for check in $(filter-out %/headers.sh,$(wildcard tests/structure/*.sh)); do bash $$check || exit 1; done

install: build
	@cmake --install $(BUILD)

clean:
	@rm -rf $(BUILD)
