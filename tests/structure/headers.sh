#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every header compiles alone: it is the first include of a source of its name, which the build has compiled, or
# it is compiled here. COMPILER is the C++ compiler and FLAGS its include flags, as the build has them;
# WITHOUT is a pattern of paths that this build leaves out.
#   headers.sh [ROOT]
set -euo pipefail
cd "${1:-.}"
: "${COMPILER:?}" "${FLAGS:?}" "${WITHOUT:?}"

first_of_its_source() {
  local source
  for source in "${1%.h}".cpp "${1%.h}".cu; do
    [ -f "$source" ] && [ "$(grep -m 1 '^#include' "$source")" = "#include \"$1\"" ] && return
  done
  return 1
}

check() {
  ! first_of_its_source "$1" || return 0
  # shellcheck disable=SC2086 # FLAGS is a list
  $COMPILER -std=c++20 -fsyntax-only -Wall -Wextra -Werror $FLAGS -include "$1" -x c++ /dev/null ||
    { echo "$1 does not compile alone"; return 1; }
}
export -f check first_of_its_source
mapfile -t headers < <(find kernels mpi src tests -name '*.h' | grep -vE "$WITHOUT")
[ ${#headers[@]} -gt 0 ] || { echo "no header below $PWD"; exit 1; }
# shellcheck disable=SC2016 # $0 is the header that xargs hands over
printf '%s\0' "${headers[@]}" | xargs -0 -n 1 -P "$(env -u OMP_NUM_THREADS nproc)" bash -c 'check "$0"'
