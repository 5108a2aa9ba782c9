#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The README's figures are those of the recorded file, as this program reports them.
set -euo pipefail
python3 results/update-readme --part results --check results/h200-2-2026-11-22/seed.h5 "$BREAKEVEN"
python3 results/update-readme --part strategies --check results/h200-2-2026-11-22/strategies.h5 "$BREAKEVEN"
python3 results/update-readme --part claims --check results/h200-2-2026-11-22/map.h5 "$BREAKEVEN"
python3 results/update-readme --part advice --check results/h200-2-2026-11-22/map.h5 "$BREAKEVEN"
