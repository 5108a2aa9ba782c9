#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the sources of ROOT that no GPU compiler reads, by cppcheck. It follows values through a function, which clang-tidy's
# list leaves to the sanitizers. Nothing is configured: cppcheck does without the headers of libraries.
#   cppcheck.sh [ROOT]
set -euo pipefail
exceptions=$(realpath "$(dirname "$0")/cppcheck_exceptions.txt")
cd "${1:-$(dirname "$0")/../..}"
command -v cppcheck >/dev/null || { echo "skipped: cppcheck is not on PATH"; exit 77; }

# kernels/cuda, mpi/nccl and mpi/peer are CUDA's: cppcheck takes <<<>>> and the library's macros for errors.
folders=()
for folder in src mpi kernels/host; do [ ! -d $folder ] || folders+=("$folder"); done
mapfile -t files < <(find "${folders[@]}" -name '*.cpp' ! -path 'mpi/nccl/*' ! -path 'mpi/peer/*' | sort)
[ ${#files[@]} -gt 0 ] || { echo "no source below $PWD"; exit 1; }
# Debian's cppcheck 2.10 knows C++20. nproc obeys OMP_NUM_THREADS, which is 1 in tests.
echo "cppcheck: ${#files[@]} sources"
cppcheck -j "$(env -u OMP_NUM_THREADS nproc)" -I . --std=c++20 --language=c++ --library=posix --quiet \
  --enable=warning,performance,portability --suppressions-list="$exceptions" --error-exitcode=1 \
  --template='{file}:{line}: {message} [{id}]' "${files[@]}"
