# SPDX-License-Identifier: Apache-2.0
"""What titles, ticks and captions say: what is undecided, in which devices, and in numbers that can be read."""

import re
from typing import Any

import pytest
from conftest import MAP

from breakeven_analysis import PictureError, Report, plot, read_advice
from breakeven_analysis.plot.devices import devices_of
from breakeven_analysis.plot.figure import parameters_words, times

SHAPE = "2048-2048-2048-512"


def changed(report: Report, **values: Any) -> Report:
    """With these values in all cases on several GPUs."""
    rows = [row | (values if row["gpus"] > 1 else {}) for row in report.said["cases"]]
    return Report(report.said | {"cases": rows})


def title_of(figure: Any) -> str:
    return " ".join(text.get_text() for text in figure.texts)


def test_where_nothing_is_decided_titles_say_so(map_report: Report) -> None:
    report = changed(map_report, verdict="undecided", gpu_hours_verdict="not_measured")
    titles = [
        title_of(plot.break_even_map(report, read_advice(MAP, SHAPE, 64, "--map"))),
        title_of(plot.speedup_by_batch(report, "xl")),
        title_of(plot.speedup_by_batch(report, ["xl", "large"])),
        title_of(plot.strategy_ranking(report, "xl", 1024)),
        title_of(plot.cost_and_energy(report, "xl", 1024, 2.5)),
    ]
    starts = [
        "Undecided at all 71 measured points whether 2 GPUs pay",
        "Undecided at all 8 batches whether more GPUs pay for xl",
        "Undecided for both models whether more GPUs pay",
        "Undecided whether any configuration pays for xl at batch 1,024 (bf16)",
        "Undecided whether any configuration is cheaper than one GPU",
    ]
    assert [title[: len(start)] for title, start in zip(titles, starts, strict=True)] == starts


def test_what_is_left_undecided_is_counted(map_report: Report) -> None:
    title = title_of(plot.strategy_ranking(map_report, SHAPE, 4096))
    assert re.match(r"0 of \d configurations pay for \S+ at batch 4,096 \(bf16\); \d (is|are) undecided", title), title


@pytest.mark.parametrize(
    ("machine", "one"),
    [
        ("2x NVIDIA H200", "GPU"),
        ("2x AMD EPYC (host backend)", "host device"),
        ("1x A (host backend) and 1x B (host backend) on 2 hosts", "host device"),
        ("1x A (host backend) and 1x NVIDIA H200", "GPU"),
    ],
)
def test_processor_cores_are_no_gpus(machine: str, one: str) -> None:
    """In the program's words."""
    assert devices_of(machine).one == one


def test_why_energy_was_not_measured(map_report: Report) -> None:
    on_host = Report(map_report.said | {"machine": "2x AMD EPYC (host backend)"})
    for report, why in (
        (map_report, "energy not measured: it needs NVML's energy counter and runs of a second or more"),
        (on_host, "energy not measured: host devices have no energy counter"),
    ):
        assert why in title_of(plot.cost_and_energy(report, "xl", 1024, 2.5))


def test_numbers_of_ticks_and_sizes() -> None:
    values = [2**-16, 2**-5, 0.125, 0.5, 1, 1.5, 64, 1024]
    assert [times(value) for value in values] == [
        *("0.000015×", "0.031×", "0.125×", "0.5×", "1×", "1.5×", "64×", "1,024×")
    ]
    sizes = [640, 8_906, 258_432, 6_885_376, 124_475_904, 7e9]
    assert [parameters_words(size) for size in sizes] == ["640", "8.91 k", "258 k", "6.89 M", "124 M", "7 G"]


def test_a_speedup_above_its_bound_is_explained(map_report: Report) -> None:
    above = changed(map_report, amdahl_speedup=0.3, link_speedup=0.3)
    below = changed(map_report, amdahl_speedup=100.0, link_speedup=None)
    words = "above its bound"
    assert words in title_of(plot.speedup_by_batch(above, "xl", ["ddp"]))
    assert words not in title_of(plot.speedup_by_batch(below, "xl", ["ddp"]))
    assert words not in title_of(plot.speedup_by_batch(above, "xl")), "more lines have no bounds"


def test_captions_name_no_bar_that_is_not_drawn(map_report: Report) -> None:
    far_below = changed(map_report, amdahl_speedup=0.01, link_speedup=0.01)
    unknown = changed(map_report, amdahl_speedup=None, link_speedup=None)
    for report in (far_below, unknown):
        figure = plot.speedup_by_batch(report, "xl", ["ddp"])
        bars = [line for line in figure.axes[0].lines if line.get_marker() == "_"]
        assert "bound" not in title_of(figure) and not bars


def test_an_unknown_size_or_precision_is_no_number(map_report: Report) -> None:
    rows = [row | {"parameters": 0, "precision": "unknown"} for row in map_report.said["cases"]]
    report = Report(map_report.said | {"cases": rows})
    figure = plot.speedup_by_batch(report, "xl")
    assert figure.axes[0].get_title(loc="left") == "xl" and " in unknown precision; " in title_of(figure)


def test_the_map_leaves_out_models_of_unknown_size(map_report: Report) -> None:
    rows = [row | {"parameters": row["parameters"] * (row["model"] != "xl")} for row in map_report.said["cases"]]
    figure = plot.break_even_map(Report(map_report.said | {"cases": rows}), read_advice(MAP, SHAPE, 64, "--map"))
    assert figure.axes[0].get_ylim()[0] > 1 and re.match(r"2 GPUs pay at \d+ of 63 measured", title_of(figure))


def test_a_single_gpu_has_nothing_to_compare(map_report: Report) -> None:
    single = Report(map_report.said | {"cases": [row for row in map_report.said["cases"] if row["gpus"] == 1]})
    assert title_of(plot.cost_and_energy(single, "xl", 1024, 2.5)).startswith("Only one GPU was measured")
    with pytest.raises(PictureError, match="more than one GPU"):
        plot.strategy_ranking(single, "xl", 1024)
