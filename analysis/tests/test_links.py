# SPDX-License-Identifier: Apache-2.0
"""Link matrix: every pair's number in its cell."""

import numpy as np
import pytest

from breakeven_analysis import Report, plot


def test_cells_are_the_links(scaling_report: Report) -> None:
    figure = plot.link_matrix(scaling_report)
    bandwidth, latency = figure.axes[:2]
    words = {axes: {text.xy: text.get_text().split("\n") for text in axes.texts} for axes in (bandwidth, latency)}
    for link in scaling_report.launches[0]["links"]:
        cell = (link["from"], link["to"])
        if link["from"] == link["to"]:
            assert all(np.ma.is_masked(axes.images[0].get_array()[cell]) for axes in (bandwidth, latency))
        else:
            assert words[bandwidth][cell[::-1]] == [f"{link['bytes_per_second'] / 1e9:.0f}", "NV18"]
            assert words[latency][cell[::-1]] == [f"{link['latency_seconds'] * 1e6:.2f}"]


def test_alike_links_look_alike_and_a_slow_one_does_not(scaling_report: Report) -> None:
    """Colours are shares of the best link."""
    launch = scaling_report.launches[0]
    slow = [
        link | {"bytes_per_second": 1e11 if (link["from"], link["to"]) == (1, 2) else link["bytes_per_second"]}
        for link in launch["links"]
    ]
    for links, lowest in ((launch["links"], 0.97), (slow, 0.38)):
        figure = plot.link_matrix(Report(scaling_report.said | {"launches": [launch | {"links": links}]}))
        image = figure.axes[0].images[0]
        assert image.get_array().min() == pytest.approx(lowest, abs=0.02) and image.get_array().max() == 1
        assert (image.norm.vmin, image.norm.vmax) == (0, 1) and len(figure.axes) == 3, "with a colour bar"


def test_wrong_data_is_named_and_one_rank_has_no_links(scaling_report: Report) -> None:
    launch = scaling_report.launches[0]
    links = [dict(link, data_right=link["from"] != 2) for link in launch["links"]]
    figure = plot.link_matrix(Report(scaling_report.said | {"launches": [launch | {"links": links}]}))
    assert "WRONG DATA from 2 to 0, 2 to 1, 2 to 3" in figure.texts[0].get_text()
    with pytest.raises(ValueError, match="no links"):
        plot.link_matrix(Report(scaling_report.said | {"launches": [launch | {"links": links[:1]}]}))
