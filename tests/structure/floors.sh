#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Includes go down only: src -> mpi -> kernels, and inside src/ from folder to folder in the order below; CUDA
# and NCCL stay in the folders that can be left out.
#   floors.sh [ROOT]
set -euo pipefail
cd "${1:-.}"
wrong=0

# refuse SENTENCE PATTERN FOLDER...: prints every include of PATTERN in the folders.
refuse() {
  local sentence=$1 pattern=$2 found
  shift 2
  found=$(grep -rnE --include='*.h' --include='*.cuh' --include='*.cpp' --include='*.cu' \
    "^ *# *include *[<\"]($pattern)" "$@") || return 0
  printf '%s\n%s\n' "$sentence" "$found"
  wrong=1
}

# Everything of a folder but its subfolder for CUDA or NCCL.
without() {
  find "$1" -mindepth 1 -maxdepth 1 ! -name "$2"
}

mapfile -t host_kernels < <(without kernels cuda)
mapfile -t host_mpi < <(without mpi nccl)
refuse "kernels/ knows no ranks and no program:" '(mpi|src|tests)/|mpi\.h' kernels
refuse "mpi/ knows no program:" '(src|tests)/' mpi
refuse "src/ knows no tests:" 'tests/' src
refuse "CUDA is included in kernels/cuda and mpi/nccl only:" 'cu(da|blas)[_a-z0-9]*\.h|kernels/cuda/' \
  "${host_kernels[@]}" "${host_mpi[@]}" src
refuse "NCCL is included in mpi/nccl only:" 'nccl\.h|mpi/nccl/' "${host_mpi[@]}" kernels src

# The folders of src/, the lowest first.
order=(text model plan data exchange strategy record train measure ceilings file statistics predict choice report kernel_bench matmul collectives verify command)
for folder in src/*/; do
  name=$(basename "$folder")
  [[ " ${order[*]} " == *" $name "* ]] || { echo "the order of src/ does not name $name"; wrong=1; }
done
higher=("${order[@]}")
for folder in "${order[@]}"; do
  higher=("${higher[@]:1}")
  # shellcheck disable=SC2015 # both sides only test
  [ -d "src/$folder" ] && [ ${#higher[@]} -gt 0 ] || continue
  refuse "src/$folder knows nothing above it:" "src/($(IFS='|'; echo "${higher[*]}"))/" "src/$folder"
done
exit $wrong
