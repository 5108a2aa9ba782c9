# SPDX-License-Identifier: Apache-2.0
"""A comparison in Markdown: targets beside what was measured, every step, what was not measured, how to read it."""
import math
from statistics import geometric_mean

from side_by_side.cases import MODES, PYTORCH
from side_by_side.formats import NOT_MEASURED, markdown_table, microseconds, times, with_range
from side_by_side.gemm_targets import gemm_outcomes, is_fused
from side_by_side.record import compares_one_gpu, workloads_of
from side_by_side.several_table import several_section
from side_by_side.targets import RANDOM_MEAN, RANDOM_WORST, step_outcomes

def step_target_row(outcome):
    target = outcome.target
    peer = f"{with_range(outcome.peer, microseconds)} {outcome.peer_mode}".strip()
    ours = f"{with_range(outcome.ours, microseconds)} {outcome.our_precision}".strip()
    return [f"step, {target.workload}{'-class' if len(target.precisions) > 1 else ''}", peer, ours,
            times(outcome.ratio), target.written(target.target), target.written(target.stretch), outcome.met]


def gemm_target_row(outcome):
    target = outcome.target
    library = "cuBLASLt" if is_fused(target) else "cuBLAS"
    return [target.work, library, "", times(outcome.speedup), f"{target.speedup:.2f}", f"{target.stretch:.2f}",
            outcome.met]


def target_section(comparison, kernels):
    rows = [step_target_row(outcome) for outcome in step_outcomes(comparison)]
    rows += [gemm_target_row(outcome) for outcome in gemm_outcomes(kernels)]
    heads = ["work", "PyTorch or library", "breakeven", "ratio", "target", "stretch", "met"]
    about = "Steps in microseconds, PyTorch in its fastest mode."
    if kernels is not None:
        about += (" Products as speed relative to the library's, geometric\nmean with the slowest and the fastest "
                  "product, as the kernel that the program chooses by itself does them.")
    return f"## Targets on one H200\n\n{about}\n\n" + markdown_table(heads, rows, 1)


def step_rows(comparison, workload, modes):
    """One row for each of our cases, with the peer's modes in front; a dash where one was not asked for."""
    peers = comparison.peers(workload)
    by_mode = {peer.variant: with_range(comparison.seconds(peer), microseconds) for peer in peers}
    best = comparison.fastest(peers)
    rows = []
    for ours in comparison.ours(workload):
        rows.append([f"{workload.model}, {workload.batch:,}, {workload.precision}",
                     *(by_mode.get(mode, "–") for mode in modes),
                     ours.precision if ours.variant == "auto" else f"{ours.precision} {ours.variant}",
                     with_range(comparison.seconds(ours), microseconds), times(comparison.ratio(best, ours))])
    return rows


def step_section(comparison):
    workloads = workloads_of(comparison.record)
    modes = [mode for mode in MODES if any(mode in workload.modes for workload in workloads)]
    rows = [row for workload in workloads for row in step_rows(comparison, workload, modes)]
    heads = ["model, batch, precision", *(f"PyTorch {mode}" for mode in modes), "breakeven's precision", "breakeven",
             "fastest PyTorch / breakeven"]
    return "## Every step\n\nMicroseconds: median over rounds of the median step, and the range of the rounds.\n\n" + \
        markdown_table(heads, rows, 1)


def random_section(comparison):
    """What random workloads show together; no mean where one of them has no ratio."""
    ratios = {workload: comparison.fastest_ratio(workload).median for workload in workloads_of(comparison.record)}
    unknown = [str(workload) for workload, ratio in ratios.items() if not math.isfinite(ratio)]
    if unknown:
        return f"## Random workloads\n\nNo ratio for {len(unknown)} of {len(ratios)}: {'; '.join(unknown)}."
    mean = geometric_mean(ratios.values())
    worst = min(ratios, key=ratios.get)
    return (f"## Random workloads\n\nPyTorch's fastest mode against our fastest precision over {len(ratios)} workloads "
            "that were drawn at random: geometric mean\n"
            f"{mean:.2f} (target {RANDOM_MEAN:g}), worst {ratios[worst]:.2f} (target {RANDOM_WORST:g}): {worst}.")


def refusal_section(comparison):
    refusals = comparison.refusals()
    if not refusals:
        return ""
    return "## Not measured\n\n" + "\n".join(f"- {case}: {sentence}" for case, sentence in refusals)


def provenance_section(record, kernels):
    done = [one for one in record["measurements"] if "refused" not in one]
    told = {"Command": f"`{record['command']}`", "Started": record["started"]}
    told["GPU"] = ", ".join(dict.fromkeys(one["gpu_name"] for one in done)) or NOT_MEASURED
    told["Revision"] = ", ".join(dict.fromkeys(one["git_revision"] for one in done if "git_revision" in one))
    for side in dict.fromkeys(one["side"] for one in done):
        versions = next(one["versions"] for one in done if one["side"] == side)
        told[f"Versions of {side}"] = "; ".join(f"{name} {version}" for name, version in versions.items())
    told["Protocol"] = " ".join(f"{name}={value}" for name, value in record["protocol"].items())
    if kernels is not None:
        told["Products"] = (f"`{kernels['command_line']}` on {kernels['device']['name']}, revision "
                            f"{kernels['revision']}, {kernels['started']}")
    return "## Where and when\n\n" + "\n".join(f"- {name}: {value or 'not known'}" for name, value in told.items())


NOTES = """## How to read this

- A round measures every case of both sides once, in a random order of its own; ratios are taken within rounds, and
  the range is that of the rounds.
- Both sides do forward, loss, backward and Adam with dropout in every hidden layer, on data that lies on the GPU, and
  enqueue steps without waiting in between. A step lasts from one CUDA event to the next.
- breakeven gathers a fresh batch out of its data set in every step, and that counts. PyTorch trains the same batch
  again and again.
- PyTorch's bf16 and fp16 are autocast over fp32 weights, fp16 with a GradScaler; its Adam is the fused one.
- `compile` is torch.compile of forward and loss in CUDA graphs of its own; `graph` the eager step in one CUDA graph;
  `compiled-graph` what torch.compile makes, with Adam, in one CUDA graph; `tuned-graph` the same after torch.compile
  has tried many kernels for every product."""

SEVERAL_NOTE = """
- `ddp` is DistributedDataParallel, which sums gradients in fp32. `fsdp` is FSDP2 with every layer sharded by itself; it
  casts bf16 and fp16 itself, and sums gradients in fp32."""

FP32_NOTE = """
- fp32 of PyTorch is compared with our fp32 and tf32x3, which has the accuracy of fp32 on tensor cores."""


def notes_section(record):
    compares_fp32 = any(one["side"] == PYTORCH and one["precision"] == "fp32" for one in record["measurements"])
    return NOTES + (SEVERAL_NOTE if "several" in record else "") + (FP32_NOTE if compares_fp32 else "")


def markdown(comparison, kernels=None):
    """`kernels` is the JSON of `breakeven kernels`, for the targets of single products."""
    record = comparison.record
    is_random = "random" in record["protocol"]  # models that have no target
    of_one_gpu = [random_section(comparison) if is_random else target_section(comparison, kernels),
                  step_section(comparison)] if compares_one_gpu(record) else []
    sections = ["# breakeven beside PyTorch", *of_one_gpu, several_section(comparison), refusal_section(comparison),
                provenance_section(record, kernels), notes_section(record)]
    return "\n\n".join(section for section in sections if section) + "\n"
