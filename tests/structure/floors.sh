#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Includes go down only. The answering wing includes nothing of the measuring wing: no MPI, no CUDA, no kernels. Each
# folder has a README.md.
#   floors.sh [ROOT]
set -euo pipefail
cd "${1:-.}"
wrong=0

# refuse SENTENCE PATTERN FOLDER...: prints every include of PATTERN in the folders.
refuse() {
  local sentence=$1 pattern=$2 found
  shift 2
  found=$(grep -rnE --include='*.h' --include='*.cuh' --include='*.cpp' --include='*.cu' \
    "^ *# *include *[<\"]($pattern)" "$@" 2>/dev/null) || return 0
  printf '%s\n%s\n' "$sentence" "$found"
  wrong=1
}

# Everything of a folder but its subfolders for CUDA, NCCL or parallel HDF5: without FOLDER SUBFOLDER...
without() {
  local folder=$1 subfolder
  local -a others=()
  shift
  for subfolder in "$@"; do others+=(! -name "$subfolder"); done
  find "$folder" -mindepth 1 -maxdepth 1 "${others[@]}"
}

# The folders of src/, the lowest first. What answers comes before what measures.
answering=(core hdf5 statistics analysis predict report command/answer)
measuring=(hdf5/parallel model data compression strategy train measure autotune bench verify command/measure)
# What measures may use these of what answers: a bench prints tables, autotuning predicts.
order=("${answering[@]}" "${measuring[@]}")

mapfile -t host_kernels < <(without kernels cuda)
mapfile -t host_mpi < <(without mpi nccl peer)
mapfile -t without_nccl < <(without mpi nccl)
mapfile -t answer < <(for folder in "${answering[@]}"; do [ ! -d "src/$folder" ] || without "src/$folder" parallel; done)
refuse "kernels/ knows no ranks and nothing of the program but src/core:" \
  'mpi/|mpi\.h|tests/|src/([^c]|c[^o]|co[^r])' kernels
refuse "mpi/ knows nothing of the program but src/core:" 'tests/|src/([^c]|c[^o]|co[^r])' mpi
refuse "src/ knows no tests:" 'tests/' src
refuse "CUDA is included in kernels/cuda, mpi/nccl and mpi/peer only:" 'cu(da|blas)[_a-z0-9]*\.h|kernels/cuda/' \
  "${host_kernels[@]}" "${host_mpi[@]}" src
refuse "NCCL is included in mpi/nccl only:" 'nccl\.h|mpi/nccl/' "${without_nccl[@]}" kernels src
refuse "The answering wing knows no ranks and no kernels:" 'mpi/|mpi\.h|kernels/|cblas\.h' "${answer[@]}"
refuse "src/core knows no HDF5:" 'hdf5\.h|H5' src/core

for folder in src/*/ src/command/*/; do
  [ -d "$folder" ] || continue
  name=${folder#src/}
  name=${name%/}
  [[ $name == command || $name == command/no_measure || " ${order[*]} " == *" $name "* ]] ||
    { echo "the order of src/ does not name $name"; wrong=1; }
done
higher=("${order[@]}")
for folder in "${order[@]}"; do
  higher=("${higher[@]:1}")
  if [ ! -d "src/$folder" ] || [ ${#higher[@]} -eq 0 ]; then continue; fi
  mapfile -t places < <(without "src/$folder" parallel)
  [ ${#places[@]} -gt 0 ] || continue
  refuse "src/$folder knows nothing above it:" "src/($(IFS='|'; echo "${higher[*]}"))/" "${places[@]}"
done

while read -r folder; do
  [ -f "$folder/README.md" ] || { echo "$folder has no README.md that says what it holds and may include"; wrong=1; }
done < <(find kernels mpi src -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -printf '%h\n' | sort -u)
exit $wrong
