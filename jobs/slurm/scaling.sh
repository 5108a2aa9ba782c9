#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures scaling over nodes: submits nodes.sbatch on 1, 2, 4, ... nodes, one job after another, then one report of all.
# Run from the project's root on the login node:
#   jobs/slurm/scaling.sh MOST_NODES [SBATCH_OPTION...] [-- SUITE.ini [OPTION...]]
#
# Costs:  one nodes.sbatch per number of nodes. With 4 GPUs per node and MOST_NODES=8: 1 + 2 + 4 + 8 nodes for up to 30
#         minutes, which is 30 GPU-hours.
# Expect: build/results/scaling-TIME/ with one file per number of nodes, then all.h5 and its report. The jobs run one
#         after another, because simultaneous jobs would share the network.
set -euo pipefail
cd "$(dirname "$0")/../.."

[[ ${1:-} =~ ^[1-9][0-9]*$ ]] || { echo "usage: $0 MOST_NODES [SBATCH_OPTION...] [-- SUITE.ini [OPTION...]]" >&2; exit 1; }
most=$1
shift
sbatch_options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  sbatch_options+=("$1")
  shift
done
[ $# = 0 ] || shift

folder=build/results/scaling-$(date -u +%Y%m%dT%H%M%SZ)
after=()
files=()
for ((nodes = 1; nodes <= most; nodes *= 2)); do
  job=$(RESULTS=$folder/$nodes-nodes sbatch --parsable "${sbatch_options[@]}" "${after[@]}" --nodes="$nodes" \
    jobs/slurm/nodes.sbatch "$@")
  job=${job%%;*} # the cluster's name may follow
  echo "Job $job: $nodes nodes"
  after=(--dependency="afterok:$job" --kill-on-invalid-dep=yes)
  files+=("$folder/$nodes-nodes.h5")
done
job=$(sbatch --parsable "${sbatch_options[@]}" "${after[@]}" --ntasks-per-node=1 --gpus-per-node=0 \
  jobs/slurm/report.sbatch "$folder/all" "${files[@]}")
echo "Job ${job%%;*}: the report, $folder/all.md"
