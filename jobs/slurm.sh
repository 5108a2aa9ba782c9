#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One node's GPUs under Slurm, by the articles' protocol. From the project's root, after `make build`:
#   sbatch --partition=NAME jobs/slurm.sh [SUITE.ini]
#
# Costs: one node alone with 4 GPUs for up to 30 minutes, so 2 GPU-hours at most. For another number of GPUs
# change both 4s. Two minutes before the time is up the current run is finished and the job ends with code 6:
# every finished run is in the file, which opens as usual.
#
# GPUs are asked for by node and not by task: a GPU bound to each task hides the others' from it, which costs
# peer access over NVLink.
#SBATCH --job-name=breakeven
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=4
#SBATCH --exclusive
#SBATCH --time=00:30:00
#SBATCH --signal=USR1@120
#SBATCH --output=breakeven-%j.log
set -euo pipefail
cd "${SLURM_SUBMIT_DIR:?submit this script with sbatch}"

suite=${1:-jobs/suites/seed.ini}
program=build/release/bin/breakeven
[ -x "$program" ] || { echo "$program is missing: run 'make build' first." >&2; exit 2; }

# srun does not take --cpus-per-task over from sbatch (since Slurm 22.05): without it a rank has one core.
# --mpi=pmix is for Open MPI; `srun --mpi=list` names what this Slurm has.
exec jobs/measure "$suite" "$program" srun --mpi=pmix --cpus-per-task="$SLURM_CPUS_PER_TASK" --cpu-bind=cores \
  --kill-on-bad-exit=1
