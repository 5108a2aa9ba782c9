# SPDX-License-Identifier: Apache-2.0
"""Pictures: one function each, which returns a figure; docs/gallery.md shows them all."""

from breakeven_analysis.plot.break_even import break_even_map
from breakeven_analysis.plot.calls import call_times
from breakeven_analysis.plot.cost import cost_and_energy
from breakeven_analysis.plot.distribution import step_distributions
from breakeven_analysis.plot.links import link_matrix
from breakeven_analysis.plot.loss import loss_against_time
from breakeven_analysis.plot.phases import phases_and_losses
from breakeven_analysis.plot.ranking import strategy_ranking
from breakeven_analysis.plot.scaling import scaling_curve
from breakeven_analysis.plot.series import step_series
from breakeven_analysis.plot.speedup import speedup_by_batch
from breakeven_analysis.plot.timeline import step_timeline

__all__ = [
    "break_even_map",
    "call_times",
    "cost_and_energy",
    "link_matrix",
    "loss_against_time",
    "phases_and_losses",
    "scaling_curve",
    "speedup_by_batch",
    "step_distributions",
    "step_series",
    "step_timeline",
    "strategy_ranking",
]
