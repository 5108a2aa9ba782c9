# SPDX-License-Identifier: Apache-2.0
"""`breakeven wrap`: starts any training program once for each case, and makes one results file (docs/own-loop.md)."""

from breakeven_analysis.wrap.command import main

__all__ = ["main"]
