# SPDX-License-Identifier: Apache-2.0
"""Several GPUs in Markdown: a row for each workload and number of GPUs."""
from side_by_side.cases import cases_of
from side_by_side.formats import NOT_MEASURED, markdown_table, microseconds, times, with_range
from side_by_side.record import compares_one_gpu, several_of, workloads_of
from side_by_side.several_cases import SINGLE, ours_on, peers_on

HEADS = ("model, batch, precision", "GPUs", "breakeven's fastest", "breakeven", "breakeven, 1 GPU")
LAST_HEADS = ("fastest PyTorch / breakeven", "breakeven's speed-up", "PyTorch's speed-up")


def fastest_strategy(case):
    if case is None:
        return NOT_MEASURED
    strategy, transport = case.variant.split(" ")
    return f"{strategy}, {transport}"


def our_fastest(comparison, workload, gpus, several):
    """Our fastest strategy, and the fastest single GPU of the same launches."""
    ours = ours_on(workload, gpus, several)
    return (comparison.fastest(case for case in ours if case.variant != SINGLE),
            comparison.fastest(case for case in ours if case.variant == SINGLE))


def peers_speedup(comparison, workload, best):
    """PyTorch's fastest on several GPUs against its fastest on one, where that was measured too."""
    if not compares_one_gpu(comparison.record):
        return "–"
    singles = cases_of(workload, comparison.record["gemm"])
    return times(comparison.ratio(comparison.fastest(case for case in singles if case.side == best.side), best)) \
        if best else NOT_MEASURED


def row_of(comparison, workload, gpus):
    several = several_of(comparison.record)
    peers = peers_on(workload, gpus, several)
    best = comparison.fastest(peers)
    ours, single = our_fastest(comparison, workload, gpus, several)
    precision = f" {ours.precision}" if ours and ours.precision != workload.precision else ""
    return [f"{workload.model}, {workload.batch:,}, {workload.precision}", gpus, fastest_strategy(ours) + precision,
            with_range(comparison.seconds(ours), microseconds), with_range(comparison.seconds(single), microseconds),
            *(with_range(comparison.seconds(peer), microseconds) for peer in peers),
            times(comparison.ratio(best, ours)), times(comparison.ratio(single, ours)),
            peers_speedup(comparison, workload, best)]


def strategy_rows(comparison, workload, gpus):
    several = several_of(comparison.record)
    ours = [case for case in ours_on(workload, gpus, several) if case.variant != SINGLE]
    precisions = dict.fromkeys(case.precision for case in ours)
    for precision in precisions:
        yield [f"{workload.model}, {workload.batch:,}, {precision}", gpus,
               *(with_range(comparison.seconds(case), microseconds) for case in ours if case.precision == precision)]


NOTES = """Microseconds of a step: the slowest rank's mean after settling, as the median over rounds and their range. The batch
is that of all GPUs together. breakeven's single GPU is measured in the same launch as its strategies, PyTorch's by
itself, as the median step.

All modes and strategies passed these checks. Before it is timed, a mode of PyTorch trains a small network, and its
losses are those of one GPU within rounding. After the timed steps the loss has fallen, and all ranks have the same
parameters, bit by bit. A strategy of breakeven has the losses of its single GPU within rounding."""


def several_section(comparison):
    """"" if only one GPU was compared."""
    several = several_of(comparison.record)
    if not several["gpus"]:
        return ""
    each = [(workload, gpus) for workload in workloads_of(comparison.record) for gpus in several["gpus"]]
    heads = [*HEADS, *(f"PyTorch {mode}" for mode in several["modes"]), *LAST_HEADS]
    variants = [f"{strategy}, {transport}" for transport in several["transports"] for strategy in several["strategies"]]
    fastest = markdown_table(heads, [row_of(comparison, *one) for one in each], 1)
    strategies = markdown_table([*HEADS[:2], *variants], [row for one in each for row in strategy_rows(comparison, *one)], 1)
    return f"## Several GPUs\n\n{NOTES}\n\n{fastest}\n\n### breakeven's strategies\n\n{strategies}"
