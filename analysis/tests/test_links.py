# SPDX-License-Identifier: Apache-2.0
"""Link matrix: every pair's number in its cell."""

import numpy as np
import pytest

from breakeven_analysis import Report, plot


def test_cells_are_the_links(scaling_report: Report) -> None:
    figure = plot.link_matrix(scaling_report)
    bandwidth, latency = (axes.images[0].get_array() for axes in figure.axes)
    for link in scaling_report.launches[0]["links"]:
        cell = (link["from"], link["to"])
        if link["from"] == link["to"]:
            assert np.ma.is_masked(bandwidth[cell])
        else:
            np.testing.assert_allclose(bandwidth[cell], link["bytes_per_second"] / 1e9)
            np.testing.assert_allclose(latency[cell], link["latency_seconds"] * 1e6)
    assert sum(text.get_text().endswith("NV18") for text in figure.axes[0].texts) == 12


def test_wrong_data_is_named_and_one_rank_has_no_links(scaling_report: Report) -> None:
    launch = scaling_report.launches[0]
    links = [dict(link, data_right=link["from"] != 2) for link in launch["links"]]
    figure = plot.link_matrix(Report(scaling_report.said | {"launches": [launch | {"links": links}]}))
    assert "WRONG DATA from 2 to 0, 2 to 1, 2 to 3" in figure.texts[-1].get_text()
    with pytest.raises(ValueError, match="no links"):
        plot.link_matrix(Report(scaling_report.said | {"launches": [launch | {"links": links[:1]}]}))
