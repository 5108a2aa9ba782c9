# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What all job scripts share: how a suite is measured, and under Slurm the launcher and the requeue. Sourced with
# bash from the project's root, never run; sets nothing but functions and defaults.
set -euo pipefail

program=${PROGRAM:-build/release/bin/breakeven}
interrupted=6 # the program's exit code: the file holds every run that was finished, --resume measures the rest

# Slurm announces the end of the time by USR1. Where nothing is running there is nothing to stop.
trap : USR1

# run_and_pass_signal COMMAND...: hands USR1 on to the command, and waits until it has ended by itself.
run_and_pass_signal() {
  local code=0 passed=yes pid
  "$@" &
  pid=$!
  trap 'passed=yes; kill -USR1 "$pid" 2>/dev/null || true' USR1
  while [ $passed = yes ]; do # a signal ends the wait, not the command
    passed=no code=0
    wait "$pid" || code=$?
  done
  trap : USR1
  return $code
}

# write_page NAME: NAME.html of NAME.h5, by the tool beside the program, where `make python` puts it, or wherever it was
# installed.
write_page() {
  local tool
  tool=$(dirname "$program")/../python/bin/breakeven-report
  [ -x "$tool" ] || tool=$(command -v breakeven-report) || {
    echo "No page to look at: it needs the package of analysis/ (make python, or pip install ./analysis)."
    return 0
  }
  BREAKEVEN_PROGRAM=$program "$tool" "$1.h5" --output "$1.html" >/dev/null || return 0 # it said why
  echo "Page to look at: $1.html"
}

# measure SUITE NAME [OPTION...]: measures into NAME.h5 what it does not hold yet, by "${launcher[@]}"; the report
# goes to NAME.md and is printed, and a page is made of it where the Python package is at hand. OPTION is the
# program's and wins over the suite's. Returns the program's code.
measure() {
  local suite=$1 name=$2 code=0
  shift 2
  local command=("${launcher[@]}" "$program" run --config "$suite" --output "$name.h5" --resume "$@")
  mkdir -p "$(dirname "$name")"
  echo "${command[*]}"
  run_and_pass_signal "${command[@]}" || code=$?
  [ $code = 0 ] || [ $code = $interrupted ] || return $code
  "$program" report --format markdown "$name.h5" >"$name.md" || return
  "$program" report "$name.h5" || return
  echo "Results: $name.h5, report: $name.md"
  write_page "$name"
  return $code
}

# Slurm's srun where it speaks PMIx, as Open MPI does; else mpirun, which finds the job's nodes by itself. Sets
# `launcher`; LAUNCHER="srun --mpi=NAME" in the environment of sbatch names another one.
choose_slurm_launcher() {
  local types
  if [ -n "${LAUNCHER:-}" ]; then
    read -ra launcher <<<"$LAUNCHER"
  elif types=$(srun --mpi=list 2>&1) && grep -qw pmix <<<"$types"; then
    # srun does not take --cpus-per-task over from sbatch (since Slurm 22.05): without it a rank has one core.
    # One rank that fails alone ends the others after --wait seconds; --kill-on-bad-exit would also cut
    # short a clean stop, in which ranks end with code 6 one after another.
    launcher=(srun --mpi=pmix --cpus-per-task="$SLURM_CPUS_PER_TASK" --cpu-bind=cores --kill-on-bad-exit=0 --wait=60)
  else
    launcher=(mpirun --map-by "ppr:$SLURM_NTASKS_PER_NODE:node:PE=$SLURM_CPUS_PER_TASK" --bind-to core)
  fi
  echo "Launched by: ${launcher[*]}"
}

# measure_in_job SUITE NAME [OPTION...]: as measure, and has Slurm start the job again where its time was up
# before all runs were made, up to RESTARTS times. The job then goes on where it stopped.
measure_in_job() {
  local code=0 restarts=${SLURM_RESTART_COUNT:-0}
  [ -x "$program" ] || { echo "$program is missing: run 'make build' first." >&2; exit 2; }
  choose_slurm_launcher
  measure "$@" || code=$?
  if [ $code = $interrupted ] && [ "$restarts" -lt "${RESTARTS:-8}" ]; then
    echo "Runs are left: the job is queued again."
    scontrol requeue "$SLURM_JOB_ID"
  fi
  return $code
}
