# SPDX-License-Identifier: Apache-2.0
"""Several panels of one scale in a figure."""

import math
from typing import Any

from matplotlib.figure import Figure

from breakeven_analysis.plot.style import new_figure

COLUMNS = 3


def panel_grid(count: int, width: float, height: float) -> tuple[Figure, Any]:
    """So many panels, three in a row, of such a size in inches; places that are left over stay empty."""
    columns = min(COLUMNS, count)
    rows = math.ceil(count / columns)
    figure = new_figure(2.1 + width * columns, 1.5 + height * rows)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes in grid.flat[count:]:
        axes.set_axis_off()
    return figure, grid


def name_horizontal(grid: Any, label: str) -> None:
    """Names the axis under the lowest panel of every column, and shows its numbers there."""
    for column in grid.T:
        lowest = [axes for axes in column if axes.axison][-1]
        lowest.set_xlabel(label)
        lowest.tick_params(labelbottom=True)
