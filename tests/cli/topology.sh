#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `breakeven topology` from outside: what it prints, what it refuses, and with which exit code.
set -u
: "${BREAKEVEN:?the program}" "${BREAKEVEN_MPIRUN:?the MPI launcher with its flags}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

complain() {
  echo "FAILED: $*"
  cat "$folder/out" "$folder/err"
  failures=$((failures + 1))
}

# topology RANKS CODE [OPTION...]
topology() {
  local ranks=$1 code=$2
  shift 2
  # shellcheck disable=SC2086 # the launcher and its flags
  timeout 50 $BREAKEVEN_MPIRUN -np "$ranks" "$BREAKEVEN" topology "$@" >"$folder/out" 2>"$folder/err"
  local got=$?
  [ $got -eq "$code" ] || complain "topology $*: exit code $got, not $code"
}

# says FILE PATTERN: exactly one line matches
says() { [ "$(grep -cE -- "$2" "$folder/$1")" -eq 1 ] || complain "not one line of $1 matches '$2'"; }

topology 2 0 --backend host
says out '^Bandwidth over mpi in GB/s'
says out '^Latency over mpi'
says out 'Every float arrived as it was sent'

topology 1 0 --backend host
says out 'There is one rank'

# Both ranks on one core, as a launcher binds them that was told nothing. CTest's launcher binds nothing itself.
core=$(taskset -cp $$ | grep -oE '[0-9]+' | tail -n 1)
if [ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ]; then
  unbound=$BREAKEVEN_MPIRUN BREAKEVEN_MPIRUN="taskset -c $core $BREAKEVEN_MPIRUN"
  topology 2 0 --backend host
  says err '^breakeven: the 2 ranks on .* may use only 1 of its .* cores: pass --cpus-per-task'
  BREAKEVEN_MPIRUN=$unbound
fi

topology 3 0 --backend host --format json
python3 - "$folder/out" <<'PYTHON' || complain "the JSON is not as it should be"
import json, sys
report = json.load(open(sys.argv[1]))
assert report["format"] == "breakeven topology" and report["data_right"] is True
assert len(report["ranks"]) == 3 and len(report["links"]) == 6
assert all(link["bytes_per_second"] > 0 and link["latency_seconds"] > 0 for link in report["links"])
assert {(link["from"], link["to"]) for link in report["links"]} == {(a, b) for a in range(3) for b in range(3) if a != b}
PYTHON

topology 2 0 --backend host --format csv
[ "$(wc -l <"$folder/out")" -eq 3 ] || complain "not a header and two rows"

topology 2 1 --backend gpu
says err "^breakeven: --backend 'gpu' is not one of auto, cuda, host"
topology 2 1 --format xml
says err "^breakeven: --format 'xml' is not one of text, markdown, csv, json"
topology 2 1 --timeout 0
says err '^breakeven: --timeout must be'
topology 2 1 --nonsense
says err 'nonsense'
topology 2 1 --backend host --collective nccl
says err '^breakeven: --collective nccl needs'
topology 2 0 --help
says out '^mpirun -np N breakeven topology'

[ $failures -eq 0 ] && echo "topology does what it says"
exit $((failures > 0))
