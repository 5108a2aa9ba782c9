#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# How a job ends when a rank fails, hangs or is stopped: soon, with one line, with the failure's exit code.
set -u
unset OMPI_MCA_odls_base_sigkill_timeout # it ends here as it does for users
: "${ABORT_PROBE:?the program abort_probe}" "${BREAKEVEN_MPIRUN:?the MPI launcher with its flags}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

complain() {
  echo "FAILED $1: $2"
  cat "$folder/out" "$folder/err"
  failures=$((failures + 1))
}

# ends MODE RANKS CODE LIMIT PATTERN: lines that match PATTERN are counted as the one line of the failure.
ends() {
  local mode=$1 ranks=$2 code=$3 limit=$4 pattern=$5 start=$SECONDS
  # shellcheck disable=SC2086 # the launcher and its flags
  timeout 30 $BREAKEVEN_MPIRUN -np "$ranks" "$ABORT_PROBE" "$mode" >"$folder/out" 2>"$folder/err"
  local got=$?
  [ $got -eq "$code" ] || complain "$mode" "exit code $got, not $code"
  [ $((SECONDS - start)) -le "$limit" ] || complain "$mode" "took $((SECONDS - start)) s, more than $limit"
  local lines
  lines=$(grep -cE "$pattern" "$folder/err")
  [ "$lines" -eq 1 ] || complain "$mode" "$lines lines match '$pattern', not 1"
  [ "$(grep -c '^\[rank ' "$folder/err")" -eq 1 ] || complain "$mode" "more than one line of a rank"
}

host=$(hostname -s)
ends barrier 3 3 10 "^\[rank 2 $host\] probe.cpp:1: probe\(\) -> two lines \(while: testing barrier\)$"
ends allreduce 4 5 10 "^\[rank 3 $host\] probe.cpp:2: probe\(\) -> gone \(while: testing allreduce\)$"
ends exception 2 2 10 "^\[rank 1 $host\] breakeven cannot handle this command line\. Please report it .*\(while: testing exception\)$"
ends watchdog 2 4 10 "^\[rank 1 $host\] no answer within 1.5 s: the process is asleep \(while: testing watchdog\)$"

# shellcheck disable=SC2086 # the launcher and its flags
timeout 30 $BREAKEVEN_MPIRUN -np 2 "$ABORT_PROBE" rearmed >"$folder/out" 2>"$folder/err" ||
  complain rearmed "a watchdog that was answered in time ended the job"

"$ABORT_PROBE" without-mpi >"$folder/out" 2>"$folder/err"
got=$?
[ $got -eq 5 ] || complain without-mpi "exit code $got, not 5"
[ "$(cat "$folder/err")" = "breakeven: results.h5: not a results file" ] || complain without-mpi "another line"

# stopped MODE: sends SIGUSR1 to the launcher, which passes it on; twice where the first is not answered.
stopped() {
  $BREAKEVEN_MPIRUN -np 2 "$ABORT_PROBE" "$1" >"$folder/out" 2>"$folder/err" &
  local launcher=$!
  for _ in $(seq 300); do grep -q ready "$folder/out" && break; sleep 0.1; done
  kill -USR1 $launcher
  if [ "$1" = deaf ]; then sleep 0.5; kill -USR1 $launcher; fi
  (sleep 20; kill -KILL $launcher 2>/dev/null) & local guard=$!
  wait $launcher
  local got=$?
  kill $guard 2>/dev/null
  [ $got -eq 6 ] || complain "$1" "exit code $got, not 6"
}
stopped interrupt
grep -q finished "$folder/out" || complain interrupt "the work was not finished"
stopped deaf

$BREAKEVEN_MPIRUN -np 1 "$ABORT_PROBE" defaults >"$folder/out" 2>"$folder/err"
grep -q '^datasieving=0$' "$folder/out" || complain defaults "data sieving is on"
OMPI_MCA_fbtl_posix_write_datasieving=1 $BREAKEVEN_MPIRUN -np 1 "$ABORT_PROBE" defaults >"$folder/out" 2>"$folder/err"
grep -q '^datasieving=1$' "$folder/out" || complain defaults "the user's value was overwritten"

[ $failures -eq 0 ] && echo "all ends as they should be"
exit $((failures > 0))
