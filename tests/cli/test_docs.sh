#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The figures of README and docs are those of the recorded files, as this program reports them; the pictures have a test
# of their own (analysis/check gallery).
set -euo pipefail
results/update-docs --check "$BREAKEVEN"
