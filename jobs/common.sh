# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared functions of the job scripts: measure a suite, choose Slurm's launcher, requeue a job. Source it with bash from
# the project's root. It only defines functions and defaults.
set -euo pipefail

program=${PROGRAM:-build/release/bin/breakeven}
[ -n "${PROGRAM:-}" ] || [ -x "$program" ] || program=$(command -v breakeven || echo "$program")
LAUNCHES=${LAUNCHES:-1}
interrupted=6 # exit code: the file holds the finished runs, and --resume measures the rest

# Slurm sends USR1 shortly before the time limit. Ignore it while no command runs.
trap : USR1

# run_and_pass_signal COMMAND...: passes USR1 on to the command, and waits until the command ends.
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

# write_report NAME: writes NAME.md from NAME.h5, with links to the docs if they lie here.
write_report() {
  local links=()
  [ ! -e docs/troubleshooting.md ] || links=(--docs "$(realpath --relative-to "$(dirname "$1")" docs)")
  "$program" report --format markdown "${links[@]}" "$1.h5" >"$1.md"
}

# write_page NAME: writes NAME.html from NAME.h5. Uses breakeven-report from `make python`, else from PATH.
write_page() {
  local tool
  tool=$(dirname "$program")/../python/bin/breakeven-report
  [ -x "$tool" ] || tool=$(command -v breakeven-report) || {
    echo "No HTML report: install the package of analysis/ (make python, or pip install ./analysis)."
    return 0
  }
  BREAKEVEN=$program "$tool" "$1.h5" --output "$1.html" >/dev/null || return 0 # the tool printed the reason
  echo "HTML report: $1.html"
}

# launch SUITE NAME [OPTION...]: measures the missing runs of NAME.h5 with "${launcher[@]}". Returns the program's exit
# code.
launch() {
  local suite=$1 name=$2
  shift 2
  local command=("${launcher[@]}" "$program" run --config "$suite" --output "$name.h5" --resume "$@")
  mkdir -p "$(dirname "$name")"
  echo "${command[*]}"
  run_and_pass_signal "${command[@]}" >&"${answers:-1}"
}

# launch_several SUITE NAME [OPTION...]: LAUNCHES launches one after another, each with an order of its own, in files of
# NAME.launches/. Those that were begun are merged into NAME.h5.
launch_several() {
  local suite=$1 name=$2 code=0 number parts=()
  shift 2
  for ((number = 1; number <= LAUNCHES && code == 0; number++)); do
    echo "Launch $number of $LAUNCHES"
    parts+=("$name.launches/$number.h5")
    launch "$suite" "$name.launches/$number" --order "random:$number" "$@" || code=$?
  done
  [ $code = 0 ] || [ $code = $interrupted ] || return $code
  rm -f "$name.h5"
  "$program" merge "${parts[@]}" --output "$name.h5" || return
  return $code
}

# measure SUITE NAME [OPTION...]: measures what NAME.h5 lacks, in one launch or in LAUNCHES. Writes the report to NAME.md and,
# with the Python package, to NAME.html, and prints it last. OPTIONs of the program override the suite's. Returns the
# program's exit code.
measure() {
  local name=$2 code=0 answers
  exec {answers}>/dev/null # the report has the answer
  if [ "$LAUNCHES" = 1 ]; then launch "$@" || code=$?; else launch_several "$@" || code=$?; fi
  [ $code = 0 ] || [ $code = $interrupted ] || return $code
  write_report "$name" || return
  echo "Results: $name.h5, report: $name.md"
  write_page "$name"
  echo "All sections: $program report --sections all $name.h5"
  "$program" report "$name.h5" || return
  return $code
}

# Sets `launcher`: srun if it supports PMIx, as Open MPI does, else mpirun, which finds the job's nodes. To use another
# launcher, set LAUNCHER="srun --mpi=NAME" in the environment of sbatch.
choose_slurm_launcher() {
  local types
  if [ -n "${LAUNCHER:-}" ]; then
    read -ra launcher <<<"$LAUNCHER"
  elif types=$(srun --mpi=list 2>&1) && grep -qw pmix <<<"$types"; then
    # Since Slurm 22.05 srun does not inherit --cpus-per-task from sbatch. Without it a rank has one core.
    # If one rank fails, --wait ends the others. --kill-on-bad-exit would also end a clean stop, in which ranks exit
    # with code 6 one after another.
    launcher=(srun --mpi=pmix --cpus-per-task="$SLURM_CPUS_PER_TASK" --cpu-bind=cores --kill-on-bad-exit=0 --wait=60)
  else
    launcher=(mpirun --map-by "ppr:$SLURM_NTASKS_PER_NODE:node:PE=$SLURM_CPUS_PER_TASK" --bind-to core)
  fi
  echo "Launched by: ${launcher[*]}"
}

# measure_in_job SUITE NAME [OPTION...]: like measure. If the time limit ends the job before all runs are done, Slurm
# requeues it, up to RESTARTS times, and the job continues.
measure_in_job() {
  local code=0 restarts=${SLURM_RESTART_COUNT:-0}
  [ -x "$program" ] || { echo "$program is missing: run 'make build' first, or put breakeven on PATH." >&2; exit 2; }
  choose_slurm_launcher
  measure "$@" || code=$?
  if [ $code = $interrupted ] && [ "$restarts" -lt "${RESTARTS:-8}" ]; then
    echo "Some runs are missing: the job is queued again."
    scontrol requeue "$SLURM_JOB_ID"
  fi
  return $code
}
