#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All GPUs of one machine without a batch system, by the articles' protocol. From the project's root:
#   jobs/workstation.sh [SUITE.ini]
# One that was interrupted goes on with the name that it printed: RESULTS=build/results/NAME jobs/workstation.sh ...
#
# Costs: every GPU of the machine, alone, for as long as the suite says (jobs/suites/*.ini); progress and the
# time left are printed. Nothing else should run on the GPUs or be compiled meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."

suite=${1:-jobs/suites/seed.ini}
gpus=$(nvidia-smi --list-gpus 2>/dev/null | grep -c '^GPU') || {
  echo "No GPU is visible to nvidia-smi. On processor cores: make bench SUITE=$suite" >&2
  exit 2
}

# Other work on a GPU is in every number that follows; what it is, its owner may not want printed.
others=$(nvidia-smi --query-compute-apps=pid --format=csv,noheader | wc -l)
[ "$others" = 0 ] || { echo "$others other processes use the GPUs; measure when they have ended." >&2; exit 2; }

exec make bench RANKS="$gpus" SUITE="$suite"
