# SPDX-License-Identifier: Apache-2.0
"""Phases and losses: bars are the report's means, and add up."""

import numpy as np
import pytest

from breakeven_analysis import Report, plot


def test_bars_add_up(strategies_report: Report) -> None:
    left, right = plot.phases_and_losses(strategies_report, "xl", 8192, ["ddp", "pipeline"]).axes
    cases = strategies_report.cases.query("model == 'xl' and batch == 8192 and timing == 'phases'")
    means = (
        cases.set_index("strategy")[[f"{phase}_seconds" for phase in strategies_report.vocabulary.phases]].sum(
            axis="columns"
        )
        * 1e3
    )
    budgets = strategies_report.table("loss_budgets").query("model == 'xl' and batch == 8192").set_index("strategy")
    for row, strategy in enumerate(["single", "ddp", "pipeline"]):
        in_row = [bar.get_width() for bar in left.patches if round(bar.get_y() + 0.33) == row]
        np.testing.assert_allclose(sum(in_row), means[strategy], rtol=1e-6)
        losses = [bar.get_width() for bar in right.patches if round(bar.get_y() + 0.33) == row]
        expected = 0 if strategy == "single" else budgets["loss_seconds"][strategy] * 1e3
        np.testing.assert_allclose(sum(losses), expected, rtol=1e-6)
    diamonds = [line.get_xdata()[0] for line in right.lines if line.get_marker() == "D"]
    np.testing.assert_allclose(diamonds, budgets["loss_seconds"][["ddp", "pipeline"]] * 1e3)


def test_refusals(strategies_report: Report) -> None:
    with pytest.raises(ValueError, match="no case has strategy 'none'"):
        plot.phases_and_losses(strategies_report, "xl", 8192, ["none"])
