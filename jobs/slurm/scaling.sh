#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From one node to many: nodes.sbatch on 1, 2, 4, ... nodes, one job after another, and one report of them all. From
# the project's root, on the login node:
#   jobs/slurm/scaling.sh MOST_NODES [SBATCH_OPTION...] [-- SUITE.ini [OPTION...]]
#
# Costs:  as nodes.sbatch for each number of nodes: with 4 GPUs a node and MOST_NODES=8, 1 + 2 + 4 + 8 nodes for 30
#         minutes at most: 30 GPU-hours at most.
# Expect: build/results/scaling-TIME/: a file for each number of nodes, and all.h5 with its report when the last has
#         ended. One job after another, because jobs at the same time would share the network.
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
  job=${job%%;*} # behind it may stand the cluster's name
  echo "Job $job: $nodes nodes"
  after=(--dependency="afterok:$job" --kill-on-invalid-dep=yes)
  files+=("$folder/$nodes-nodes.h5")
done
job=$(sbatch --parsable "${sbatch_options[@]}" "${after[@]}" --ntasks-per-node=1 --gpus-per-node=0 \
  jobs/slurm/report.sbatch "$folder/all" "${files[@]}")
echo "Job ${job%%;*}: the report, $folder/all.md"
