#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks all host sources by the list in .clang-tidy, or only those that changed since COMMIT. It configures a build of its
# own in TIDY_FOLDER: without CUDA, and without precompiled headers, which clang cannot read, but with sources in batches,
# whose headers are then read once. Nothing is compiled there.
#   clang_tidy.sh [COMMIT]
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(realpath -m "${TIDY_FOLDER:-build/tidy}")
command -v clang-tidy >/dev/null || { echo "skipped: clang-tidy is not on PATH"; exit 77; }

changed() {
  { git diff --name-only --diff-filter=d "$1" -- kernels mpi src; git ls-files --others --exclude-standard kernels mpi src; } |
    grep '\.cpp$' || true
}

# with_one_of SOURCE...: of the batches on standard input, those that are or include one of the sources.
with_one_of() {
  local unit source
  while read -r unit; do
    for source in "$@"; do
      ! { [ "$unit" = "$source" ] || grep -qF "\"$source\"" "$unit"; } || { echo "$unit"; break; }
    done
  done
}

files=()
if [ $# -ge 1 ]; then
  mapfile -t files < <(changed "$1")
  [ ${#files[@]} -gt 0 ] || { echo "no source has changed since $1"; exit 0; }
fi
# shellcheck disable=SC2046 # the generator is two words
cmake -S . -B "$folder" $([ -e "$folder/CMakeCache.txt" ] || ! command -v ninja >/dev/null || echo "-G Ninja") \
  -DBREAKEVEN_PRECOMPILED_HEADERS=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DBREAKEVEN_CUDA=OFF -DBUILD_TESTING=OFF >/dev/null
cmake --build "$folder" --target breakeven_version_header >/dev/null
mapfile -t units < <(sed -n 's|^ *"file": "\(.*\)",\?$|\1|p' "$folder/compile_commands.json" | sort)
[ ${#units[@]} -gt 0 ] || { echo "$folder/compile_commands.json names no source"; exit 1; }
if [ $# -ge 1 ]; then
  mapfile -t units < <(printf '%s\n' "${units[@]}" | with_one_of "${files[@]/#/$PWD/}")
  [ ${#units[@]} -gt 0 ] || { echo "all sources that have changed since $1 are CUDA's"; exit 0; }
fi

# What clang-tidy says of each header is said for each source that includes it; once is enough. Clang 14 cannot read the
# ranges of GCC 12's library: an error there is shown, and is no failure. Any other one is, and so is a crash (124 on).
# nproc obeys OMP_NUM_THREADS, which is 1 in tests.
report=$(mktemp)
trap 'rm -f "$report"' EXIT
ended=0
printf '%s\0' "${units[@]}" |
  xargs -0 -n 1 -P "$(env -u OMP_NUM_THREADS nproc)" clang-tidy -p "$folder" --quiet >"$report" 2>/dev/null || ended=$?
echo "clang-tidy: ${#units[@]} batches of sources"
found=$(grep -E ' (error|warning): .*\]$' "$report" | sort -u || true)
[ -z "$found" ] || echo "$found"
if [ $ended -gt 123 ] || grep -qvE '/include/c\+\+/.*\[clang-diagnostic-error\]$|^$' <<<"$found"; then exit 1; fi
