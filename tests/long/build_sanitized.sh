#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: tests/long/build_sanitized.sh TARGET...
# Builds targets of the preset `sanitize` in build/sanitize, with a Clang that has libFuzzer and reads the library of GCC 12.
# Exit code 77: there is none.
set -euo pipefail
cd "$(dirname "$0")/../.."

has_fuzzer() {
  local version
  version=$("$1" -dumpversion 2>/dev/null) && [ "${version%%.*}" -ge 15 ] &&
    "$1" -x c++ -fsanitize=fuzzer,address,undefined -o /dev/null - 2>/dev/null \
      <<<'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
}

for compiler in clang++-16 clang++-17 clang++-18 clang++-19 clang++ ""; do
  [ -n "$compiler" ] || { echo "skipped: no Clang 15 or later has libFuzzer (packages clang-16, libclang-rt-16-dev)"; exit 77; }
  ! has_fuzzer "$compiler" || break
done
generator=()
[ -e build/sanitize/CMakeCache.txt ] || ! command -v ninja >/dev/null || generator=(-G Ninja)
cmake --preset sanitize "${generator[@]}" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_C_COMPILER="${compiler/++/}"
# nproc obeys OMP_NUM_THREADS, which is 1 in tests.
cmake --build --preset sanitize --target "$@" --parallel "$(env -u OMP_NUM_THREADS nproc)"
