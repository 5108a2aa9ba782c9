#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each folder of src/ has its namespace, breakeven::FOLDER, so that two folders may use one name. The vocabulary that all
# share (src/core, kernels/ and mpi/) is in breakeven itself. A folder opens breakeven only to specialise a template of it.
#   namespaces.sh [ROOT]
set -euo pipefail
cd "${1:-.}"

folders=()
for folder in kernels mpi src; do [ ! -d $folder ] || folders+=("$folder"); done
mapfile -t files < <(find "${folders[@]}" -type f \( -name '*.h' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.cu' \) | sort)
[ ${#files[@]} -gt 0 ] || { echo "no source file below $PWD"; exit 1; }

# The vocabulary may nest namespaces of its own, but none that a folder has.
awk -v names=" $(cd src && echo */ | tr -d /) " '
  FNR == 1 {
    split(FILENAME, place, "/")
    is_shared = place[1] != "src" || place[2] == "core" || place[3] == ""
    expected = is_shared ? "breakeven" : "breakeven::" place[2]
  }
  /^(inline )?namespace breakeven/ {
    name = $0; sub(/^(inline )?namespace */, "", name); sub(/ *{.*/, "", name)
    split(name, parts, "::")
    is_expected = name == expected || index(name, expected "::") == 1
    if (name == "breakeven" && !is_expected && (getline line) > 0 && line ~ /^template <>/) next
    if (!is_expected || (is_shared && index(names, " " parts[2] " "))) {
      print FILENAME ":" FNR ": opens namespace " name "; this folder has " expected
      wrong = 1
    }
  }
  END { exit wrong }' "${files[@]}"
