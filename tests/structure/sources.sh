#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What every source file has: the licence line, one subject (300 lines at most), and no comparison that a NaN
# would slip through.
#   sources.sh [ROOT]
set -euo pipefail
cd "${1:-.}"
wrong=0

complain() {
  printf '%s\n' "$1"
  wrong=1
}

folders=()
for folder in kernels mpi src tests cmake jobs setup results analysis; do [ ! -d $folder ] || folders+=("$folder"); done
mapfile -t files < <(find "${folders[@]}" -type f ! -path '*/__pycache__/*' \
  \( -name '*.h' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.cu' -o -name '*.py' -o -name '*.sh' \
  -o -name '*.cmake' -o -name CMakeLists.txt \))
[ ${#files[@]} -gt 0 ] || complain "no source file below $PWD"

for file in "${files[@]}"; do [ -s "$file" ] || complain "$file: empty"; done

# One process for all files: their last line's number is their length.
if found=$(awk '
  function finish() { if (name != "" && lines > 300) print name ": " lines " lines, 300 at most; split it by subject" }
  FNR == 1 { finish(); if (name != "" && !licensed) print name ": no licence line"; name = FILENAME; licensed = 0 }
  FNR <= 2 && /SPDX-License-Identifier: Apache-2.0/ { licensed = 1 }
  { lines = FNR }
  END { finish(); if (name != "" && !licensed) print name ": no licence line" }' "${files[@]}") && [ -n "$found" ]; then
  complain "$found"
fi

# `error > tolerance` is false for NaN: the check passes. `!(error <= tolerance)` fails it.
passes_nan='(\<if|_FALSE|assert) *\(.*(abs|error|diff|deviation|distance)[^<>=;]* > [a-z]'
if found=$(printf '%s\0' "${files[@]}" | grep -zE '\.(h|cuh|cpp|cu)$' | xargs -0 -r grep -nE "$passes_nan"); then
  complain "comparisons that let NaN pass, write !(difference <= tolerance):"
  complain "$found"
fi
exit $wrong
