#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What every source file has: the licence line, one subject (300 lines at most), no comparison that a NaN would slip
# through, no unused name, no threads, and no kernel that lets its successor start too early.
#   sources.sh [ROOT]
set -euo pipefail
cd "${1:-.}"
wrong=0

complain() {
  printf '%s\n' "$1"
  wrong=1
}

folders=()
for folder in kernels mpi src tests cmake jobs setup results analysis examples; do [ ! -d $folder ] || folders+=("$folder"); done
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

# A name that a using-declaration brings in, and nothing uses, misleads the reader.
if found=$(printf '%s\0' "${files[@]}" | grep -zE '\.(cpp|cu)$' | xargs -0 -r awk '
  function finish(name) { for (name in line) if (uses[name] < 2) print file ":" line[name] ": " name }
  FNR == 1 { finish(); file = FILENAME; split("", line); split("", uses) }
  match($0, /^ *using [A-Za-z_:]+::[A-Za-z_]+;/) { name = $2; gsub(/^.*::|;$/, "", name); line[name] = FNR }
  { count = split($0, words, /[^A-Za-z0-9_]+/); for (i = 1; i <= count; i++) uses[words[i]]++ }
  END { finish() }') && [ -n "$found" ]; then
  complain "using-declarations of names that nothing uses:"
  complain "$found"
fi

# A rank is one process with one thread; the watchdog is a process. Code with threads needs runs under -fsanitize=thread.
starts_thread='std::(jthread|thread|async)\>[^:]|pthread_create|#pragma omp|execution::par'
if found=$(printf '%s\0' "${files[@]}" | grep -zE '^(kernels|mpi|src)/.*\.(h|cuh|cpp|cu)$' | xargs -0 -r grep -nE "$starts_thread"); then
  complain "sources that start threads:"
  complain "$found"
fi

# A kernel that starts early reads what any kernel before its predecessor wrote (kernels/cuda/launch_order.cuh). So a kernel lets
# its successor start only after it has waited for its own predecessor.
if found=$(printf '%s\0' "${files[@]}" | grep -zE '\.(h|cuh|cpp|cu)$' | xargs -0 -r awk '
  FNR == 1 { waited = 0 }
  /^}/ { waited = 0 }
  /wait_for_predecessor\(\);/ { waited = 1 }
  /"griddepcontrol\.launch_dependents/ && !waited { print FILENAME ":" FNR }
  /cudaTriggerProgrammaticLaunchCompletion/ { print FILENAME ":" FNR }') && [ -n "$found" ]; then
  complain "kernels that let their successor start before wait_for_predecessor():"
  complain "$found"
fi
exit $wrong
