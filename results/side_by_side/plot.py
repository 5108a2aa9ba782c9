# SPDX-License-Identifier: Apache-2.0
"""A comparison as one picture: a row for each workload, a point for each case."""
from side_by_side.formats import US
from side_by_side.record import workloads_of
from side_by_side.targets import STEP_TARGETS

PEER_MARKS = {"eager": "o", "compile": "s", "graph": "D", "compiled-graph": "^", "tuned-graph": "v"}
OUR_COLOURS = {"fp32": "#d62728", "tf32x3": "#ff7f0e", "tf32": "#d62728", "bf16": "#d62728", "fp16": "#d62728"}
PEER_COLOUR = "#1f4e79"


def points_of(comparison, workload):
    """(spread, label, marker, colour, filled) of every case that was measured."""
    for case in comparison.peers(workload):
        yield comparison.seconds(case), f"PyTorch {case.variant}", PEER_MARKS[case.variant], PEER_COLOUR, False
    for case in comparison.ours(workload):
        kind = "tf32x3" if case.precision == "tf32x3" else "same precision"
        kernel = "" if case.variant == "auto" else f", {case.variant}"
        yield comparison.seconds(case), f"breakeven, {kind}{kernel}", "o", OUR_COLOURS[case.precision], True


def draw_workload(axes, comparison, workload, row):
    for spread, label, marker, colour, filled in points_of(comparison, workload):
        if not spread.known:
            continue
        axes.plot([spread.low / US, spread.high / US], [row, row], color=colour, linewidth=1.5)
        axes.plot(spread.median / US, row, marker=marker, color=colour, linestyle="none", markersize=8,
                  markerfacecolor=colour if filled else "white", label=label)
    for target in STEP_TARGETS:
        if target.workload == workload and not target.in_ratio:
            axes.plot(target.target / US, row, marker="|", color="black", linestyle="none", markersize=18,
                      label="target")


def draw(comparison, path):
    """The same numbers give the same SVG file."""
    import matplotlib
    from matplotlib.figure import Figure
    matplotlib.rcParams["svg.hashsalt"] = "breakeven"
    workloads = workloads_of(comparison.record)
    figure = Figure(figsize=(9, 1.6 + 0.55 * len(workloads)), layout="constrained")
    axes = figure.subplots()
    for row, workload in enumerate(workloads):
        draw_workload(axes, comparison, workload, row)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda microseconds, _: f"{microseconds:,g}")
    axes.set_xlabel("time of a step (µs), median and range of the rounds; less is better")
    axes.set_yticks(range(len(workloads)), [str(workload) for workload in workloads])
    axes.invert_yaxis()
    axes.grid(axis="x", which="both", alpha=0.25)
    labelled = dict(zip(*reversed(axes.get_legend_handles_labels())))
    if labelled:
        axes.legend(labelled.values(), labelled.keys(), loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=4,
                    frameon=False)
    figure.savefig(path, metadata={"Date": None})
