#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The watchdog ends NCCL's start after the time limit where a rank does not take part, and names that rank. Needs one GPU.
set -u
: "${ABORT_PROBE:?the program abort_probe}" "${BREAKEVEN_MPIRUN:?the MPI launcher with its flags}"
# shellcheck disable=SC2086 # the launcher and its flags
output=$(timeout 40 $BREAKEVEN_MPIRUN -np 2 "$ABORT_PROBE" nccl 2>&1)
code=$?
[ $code -eq 77 ] && echo "skipped: no GPU is visible" && exit 77
if [ $code -ne 4 ] || ! grep -qE '^\[rank 1 .*no answer within 3 s' <<<"$output"; then
  echo "FAILED: exit code $code, not 4, or no line that says why"
  echo "$output"
  exit 1
fi
echo "gave up in time"
