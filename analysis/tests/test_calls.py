# SPDX-License-Identifier: Apache-2.0
"""Communication calls: every measured time at its message size."""

import numpy as np
import pytest
import xarray as xr

from breakeven_analysis import plot


def test_lines_are_the_measured_calls(strategies: xr.Dataset) -> None:
    axes = plot.call_times(strategies, transport="nccl").axes[0]
    calls = strategies["message_seconds"].isel(launch=0).sel(group=2, transport="nccl").dropna("operation", how="all")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == calls["operation"].to_numpy().tolist()
    for line, operation in zip(axes.lines, calls["operation"], strict=True):
        np.testing.assert_array_equal(line.get_xdata(), calls["message"])
        np.testing.assert_array_equal(line.get_ydata(), calls.sel(operation=operation))


def test_refusals(strategies: xr.Dataset) -> None:
    with pytest.raises(ValueError, match="values of transport: "):
        plot.call_times(strategies, transport="pigeon")
    with pytest.raises(ValueError, match="values of group: 2"):
        plot.call_times(strategies, group=3)
    nothing = strategies.assign(message_seconds=strategies["message_seconds"] * np.nan)
    with pytest.raises(ValueError, match="measured no communication calls"):
        plot.call_times(nothing)
