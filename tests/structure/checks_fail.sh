#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The structure checks themselves: each passes a small clean tree and fails it after one violation.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
export COMPILER=${COMPILER:-c++} FLAGS=-I$tree WITHOUT=/cuda/
wrong=0

plant() {
  rm -rf "${tree:?}"/*
  mkdir -p "$tree"/kernels/cuda "$tree"/mpi/nccl "$tree"/src/{core,hdf5,model,predict,report,statistics} "$tree"/tests
  for floor in kernels mpi src src/{core,hdf5,model,predict,report,statistics}; do
    printf '// SPDX-License-Identifier: Apache-2.0\n#pragma once\n' >"$tree/$floor/good.h"
    printf '# A folder\n' >"$tree/$floor/README.md"
  done
  printf 'namespace breakeven {\nstruct Good {};\n}  // namespace breakeven\n' >>"$tree/kernels/good.h"
}

# fails_after CHECK FILE LINE: the tree passes, and with LINE added to FILE it does not.
fails_after() {
  plant
  bash "$here/$1" "$tree" >/dev/null 2>&1 || { echo "$1 fails a clean tree"; wrong=1; }
  mkdir -p "$(dirname "$tree/$2")"
  printf '%b\n' "$3" >>"$tree/$2"
  ! bash "$here/$1" "$tree" >/dev/null 2>&1 || { echo "$1 passes $2 with: $3"; wrong=1; }
}

fails_after floors.sh kernels/good.h '#include "mpi/session.h"'
fails_after floors.sh kernels/good.h '#include <mpi.h>'
fails_after floors.sh mpi/good.h '#include "src/model/mlp.h"'
fails_after floors.sh src/good.h '#include <cuda_runtime.h>'
fails_after floors.sh src/good.h '#include <nccl.h>'
fails_after floors.sh src/model/good.h '#include "src/train/training.h"'
fails_after floors.sh src/report/good.h '#include "mpi/session.h"'
fails_after floors.sh src/statistics/good.h '#include "kernels/device.h"'
fails_after floors.sh src/hdf5/good.h '#include <mpi.h>'
fails_after floors.sh src/hdf5/good.h '#include "src/hdf5/parallel/parallel_file.h"'
fails_after floors.sh src/core/good.h '#include <hdf5.h>'
fails_after floors.sh src/predict/good.h '#include "src/model/mlp.h"'
fails_after floors.sh src/unheard_of/good.h ''
fails_after floors.sh src/model/undescribed/good.h ''
fails_after sources.sh src/no_licence.cpp 'int x;'
fails_after sources.sh src/good.h "$(printf '\\n%.0s' {1..300})"
fails_after sources.sh src/good.h 'if (std::abs(a - b) > tolerance) return false;'
fails_after sources.sh src/good.h 'std::jthread reader(read);'
fails_after sources.sh src/text.cpp '// SPDX-License-Identifier: Apache-2.0\nusing std::string;\nstd::size_t length = 0;'
fails_after sources.sh kernels/good.h 'asm volatile("griddepcontrol.launch_dependents;");'
fails_after types.sh src/good.h 'namespace breakeven {\nstruct Good {\n  int x;\n};\n}  // namespace breakeven'
fails_after namespaces.sh src/model/good.h 'namespace breakeven {\nstruct Fair;\n}  // namespace breakeven'
fails_after namespaces.sh kernels/good.h 'namespace breakeven::model {\nstruct Fair;\n}  // namespace breakeven::model'
fails_after headers.sh src/good.h 'std::string text();'
exit $wrong
