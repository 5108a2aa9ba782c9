# SPDX-License-Identifier: Apache-2.0
"""Where matplotlib's renderer puts the texts of a figure, and which of them a reader cannot read."""

import math
from itertools import combinations
from unittest.mock import patch

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

PIXEL = 1.0  # the renderer rounds


def drawn_texts(figure: Figure) -> list[tuple[str, Bbox]]:
    """Every text that is drawn, with its extent in pixels."""
    canvas, found = FigureCanvasAgg(figure), {}
    draw = Text.draw

    def note(text: Text, renderer: object) -> None:
        if text.get_visible() and text.get_text().strip():
            found[text] = text.get_window_extent(renderer)
        draw(text, renderer)

    with patch.object(Text, "draw", note):
        canvas.draw()
    return [(text.get_text(), extent) for text, extent in found.items()]


def faults_of(figure: Figure) -> list[str]:
    """Texts that leave the canvas, and pairs that overlap."""
    texts = drawn_texts(figure)
    width, height = figure.bbox.width + PIXEL, figure.bbox.height + PIXEL
    faults = [
        f"'{words}' leaves the canvas"
        for words, box in texts
        if not (box.x0 >= -PIXEL and box.y0 >= -PIXEL and box.x1 <= width and box.y1 <= height)
    ]
    for (one, a), (other, b) in combinations(texts, 2):
        wide, high = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        if wide > PIXEL and high > PIXEL:
            faults.append(f"'{one}' and '{other}' overlap")
    return faults


def cut_marks(figure: Figure) -> list[str]:
    """Marks that the border of their axes cuts."""
    FigureCanvasAgg(figure).draw()
    found = []
    for axes in figure.axes:
        box = axes.get_window_extent()
        for line in axes.lines:
            if line.get_marker() in ("None", "", None) or not line.get_clip_on() or not len(line.get_xdata()):
                continue
            radius = line.get_markersize() / 2 * figure.dpi / 72
            height = 0 if line.get_marker() == "_" else radius
            for x, y in line.get_transform().transform(line.get_xydata()):
                if not (math.isfinite(x) and math.isfinite(y)):
                    continue
                if x - radius < box.x0 - PIXEL or x + radius > box.x1 + PIXEL:
                    found.append(f"a mark '{line.get_marker()}' is cut at the side")
                if y - height < box.y0 - PIXEL or y + height > box.y1 + PIXEL:
                    found.append(f"a mark '{line.get_marker()}' is cut at the top or the bottom")
    return sorted(set(found))
