#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every fault of tests/mutants still applies: its old text stands in its file exactly once.
set -euo pipefail
python3 "$(dirname "$0")/../mutants/run.py" --list
