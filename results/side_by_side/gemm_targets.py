# SPDX-License-Identifier: Apache-2.0
"""The targets for single matrix products, compared with the JSON of `breakeven kernels`."""
import itertools
import json
import math
from dataclasses import dataclass
from statistics import geometric_mean

from side_by_side.comparison import Spread, spread
from side_by_side.models import NAMED
from side_by_side.targets import verdict

MODELS = ("medium", "large", "xl", "xxl")
BATCHES = (16, 32, 64, 128, 256, 512)
PRECISIONS = ("fp32", "tf32x3", "tf32", "bf16", "fp16")
OURS = "tuned"  # the program's default kernel


@dataclass(frozen=True)
class GemmTarget:
    """Speed of our kernel relative to the library's, over a set of products (layout, m, n, k)."""
    work: str
    precision: str
    ratio: str  # the key in a row: against cublas for plain products, cublaslt for those with bias and ReLU
    products: frozenset
    speedup: float
    stretch: float


@dataclass(frozen=True)
class GemmOutcome:
    target: GemmTarget
    speedup: Spread  # geometric mean over the products, with the slowest and the fastest of them
    met: str


def forward_products():
    """nt, m n k = batch, outputs, inputs"""
    return frozenset(("nt", batch, outputs, inputs) for model, batch in itertools.product(MODELS, BATCHES)
                     for inputs, outputs in NAMED[model].layers)


def products_of_models():
    """Forward, data gradient (nn, not of the first layer) and weight gradient (tn) of every layer."""
    backward = set()
    for model, batch in itertools.product(MODELS, BATCHES):
        for number, (inputs, outputs) in enumerate(NAMED[model].layers):
            backward.add(("tn", outputs, inputs, batch))
            if number > 0:
                backward.add(("nn", batch, inputs, outputs))
    return forward_products() | backward


def gemm_targets():
    for precision in PRECISIONS:
        for caches, ratio in (("warm", "speedup_vs_cublas"), ("cold", "cold_speedup_vs_cublas")):
            yield GemmTarget(f"products of the models, batch 16 to 512, {precision}, {caches}", precision, ratio,
                             products_of_models(), 1.3, 1.5)
    for precision, target, stretch in (("bf16", 0.95, 1.05), ("tf32", 370 / 405, 400 / 405)):
        yield GemmTarget(f"product 8,192 cubed, {precision}", precision, "speedup_vs_cublas",
                         frozenset({("nt", 8192, 8192, 8192)}), target, stretch)
    for precision in PRECISIONS:
        yield GemmTarget(f"forward products with bias and ReLU, batch 16 to 512, {precision}", precision,
                         "speedup_vs_cublaslt", forward_products(), 1.0, 1.2)


def error_limit(precision, k):
    """Relative Frobenius, against float64."""
    return {"tf32": 1e-3, "bf16": 1e-2, "fp16": 1e-2}.get(precision, 1e-6 * math.sqrt(k))


def speedup_of(row, ratio):
    """NaN if the product is wrong or was not measured."""
    error, speedup = row["error"], row[ratio]
    if error is None or speedup is None or not error <= error_limit(row["precision"], row["k"]):
        return math.nan
    return speedup


def is_fused(target):
    return target.ratio.endswith("cublaslt")


def gemm_outcome(kernels, target):
    """Not measured if any product is wrong or missing, because a mean over the others would be too good."""
    rows = kernels["fused_rows" if is_fused(target) else "rows"]
    found = {(row["layout"], row["m"], row["n"], row["k"]): speedup_of(row, target.ratio) for row in rows
             if row["precision"] == target.precision and row["gemm"] == OURS}
    speedups = [found.get(product, math.nan) for product in target.products]
    if all(speedup > 0 for speedup in speedups):
        measured = Spread(geometric_mean(speedups), min(speedups), max(speedups))
    else:
        measured = spread([])
    return GemmOutcome(target, measured, verdict(measured.median, target.speedup, target.stretch, more_is_better=True))


def gemm_outcomes(kernels):
    """From the JSON of `breakeven kernels`; none without it."""
    return [gemm_outcome(kernels, target) for target in gemm_targets()] if kernels is not None else []


def load_kernels(path):
    """ValueError if `breakeven kernels` did not write the file."""
    kernels = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(kernels, dict) or kernels.get("format") != "breakeven kernels" or kernels.get("version") != 1:
        raise ValueError(f"{path} is not the JSON of `breakeven kernels`, version 1")
    return kernels
