#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# No namespace has two types of one name. Two sources that define one with different members compile and link, and the
# program is undefined: the linker keeps one constructor for both. The linker itself is asked in the preset `odr`.
#   types.sh [ROOT]
set -euo pipefail
cd "${1:-.}"

folders=()
for folder in kernels mpi src; do [ ! -d $folder ] || folders+=("$folder"); done
mapfile -t files < <(find "${folders[@]}" -type f \( -name '*.h' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.cu' \) | sort)
[ ${#files[@]} -gt 0 ] || { echo "no source file below $PWD"; exit 1; }

# clang-format indents nothing in a namespace, so a type that begins its line is a namespace's own. An unnamed namespace is
# its file's own. Specialisations, members and declarations do not count, nor does a second definition behind #else.
awk '
  FNR == 1 { depth = 0 }
  /^(inline )?namespace .*{/ {
    name = $0; sub(/^(inline )?namespace */, "", name); sub(/ *{.*/, "", name)
    space[depth + 1] = space[depth] "::" (name == "" ? FILENAME : name); ++depth
    next
  }
  /^}  \/\/ namespace/ { --depth; next }
  /^(struct|class|union|enum class|enum) / && (/{/ || !/;$/) {
    name = $0; sub(/^(enum class|[a-z]+) (alignas\([^)]*\)+ )?/, "", name)
    if (match(name, /^[A-Za-z0-9_]+/) == 0) next
    rest = substr(name, RLENGTH + 1); name = substr(name, 1, RLENGTH)
    if (rest ~ /^(<|::|;)/) next
    key = space[depth] "::" name
    if (key in first && first[key] != FILENAME) {
      print FILENAME ":" FNR ": " substr(key, 3) " is defined in " first[key] ", too"
      wrong = 1
    } else {
      first[key] = FILENAME
    }
  }
  END { exit wrong }' "${files[@]}"
