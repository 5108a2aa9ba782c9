# SPDX-License-Identifier: Apache-2.0
"""Pictures: one function each, which returns the figure; docs/gallery.md shows them all."""

from breakeven_analysis.plot.break_even import break_even_map
from breakeven_analysis.plot.ranking import strategy_ranking
from breakeven_analysis.plot.speedup import speedup_by_batch
from breakeven_analysis.plot.timeline import step_timeline

__all__ = ["break_even_map", "speedup_by_batch", "step_timeline", "strategy_ranking"]
