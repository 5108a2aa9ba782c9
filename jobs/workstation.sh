#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures all GPUs of one machine without a batch system, with the articles' protocol. Run from the project's root:
#   jobs/workstation.sh [SUITE.ini]
# To continue an interrupted one, give the name that it printed: RESULTS=build/results/NAME jobs/workstation.sh ...
#
# Costs: every GPU of the machine for the time that the suite states (jobs/suites/*.ini). The script prints the time
# left. Do not use the GPUs or compile at the same time.
set -euo pipefail
cd "$(dirname "$0")/.."

suite=${1:-jobs/suites/seed.ini}
gpus=$(nvidia-smi --list-gpus 2>/dev/null | grep -c '^GPU') || {
  echo "nvidia-smi shows no GPU. To measure processor cores: make bench SUITE=$suite" >&2
  exit 2
}

# Other work on a GPU changes every number. Do not print the processes: they may be private.
others=$(nvidia-smi --query-compute-apps=pid --format=csv,noheader | wc -l)
[ "$others" = 0 ] || { echo "$others other processes use the GPUs. Wait until they end, then measure." >&2; exit 2; }

exec make bench RANKS="$gpus" SUITE="$suite"
