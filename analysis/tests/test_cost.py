# SPDX-License-Identifier: Apache-2.0
"""Cost: the price of all GPU time, and energy if it was measured."""

import numpy as np
import pytest
from text_layout import faults_of

from breakeven_analysis import Report, plot


def test_money_is_gpu_time(strategies_report: Report) -> None:
    figure = plot.cost_and_energy(strategies_report, "xl", 8192, 2.5, ["single", "ddp", "independent"])
    points = [line.get_xdata()[0] for line in figure.axes[0].lines if len(line.get_xdata()) == 1]
    cases = strategies_report.timed().query("model == 'xl' and batch == 8192").set_index("strategy")
    a_sample = 2.5 / 3600 * cases["step_seconds"] / 8192  # 'independent': two batches by two GPUs
    labels = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    names = ["single" if label == "one GPU" else label for label in labels]
    expected = [1e9 * a_sample[name] * (2 if name == "ddp" else 1) for name in names]
    np.testing.assert_allclose(points, expected)
    assert points == sorted(points, reverse=True)
    assert "energy not measured" in " ".join(text.get_text() for text in figure.texts)


def test_unmeasured_energy_has_no_mark(scaling_report: Report) -> None:
    figure = plot.cost_and_energy(scaling_report, "xl", 8192, 2.5, ["single", "ddp"])
    case = scaling_report.timed().query("model == 'xl' and batch == 8192 and strategy == 'single'").iloc[0]
    known = [case[f"joules_per_sample{end}"] for end in ("_low", "_high", "")]
    drawn = np.concatenate([line.get_xdata() for line in figure.axes[1].lines])
    np.testing.assert_allclose(drawn, np.array(known) * 1e9 / 1e6)


@pytest.mark.parametrize("low", [1e-6, 1e-9, 1e-15, 1e-30])
def test_ticks_of_a_wide_interval_do_not_overlap(scaling_report: Report, low: float) -> None:
    """Intervals of few noisy launches reach over many powers of ten."""
    ends = {f"{name}_low": low for name in ("gpu_seconds_per_sample", "joules_per_sample")}
    cases = [row | ends if row["gpus"] > 1 else row for row in scaling_report.said["cases"]]
    figure = plot.cost_and_energy(Report(scaling_report.said | {"cases": cases}), "xl", 8192, 2.5, ["single", "ddp"])
    assert faults_of(figure) == []
    assert all(len(axes.get_xticks()) > 3 for axes in figure.axes)


def test_refusals(strategies_report: Report) -> None:
    for price in (0, float("nan")):
        with pytest.raises(ValueError, match="price_an_hour"):
            plot.cost_and_energy(strategies_report, "xl", 8192, price)
