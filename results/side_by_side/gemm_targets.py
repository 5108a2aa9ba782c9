# SPDX-License-Identifier: Apache-2.0
"""The targets of single matrix products, held against the JSON of `breakeven kernels`."""
import itertools
import math
from dataclasses import dataclass

from side_by_side.comparison import Spread, spread
from side_by_side.models import NAMED
from side_by_side.targets import verdict

MODELS = ("medium", "large", "xl", "xxl")
BATCHES = (16, 32, 64, 128, 256, 512)
PRECISIONS = ("fp32", "tf32x3", "tf32", "bf16", "fp16")
LIBRARIES = ("cublas", "cublaslt", "openblas")  # what is compared with, not what is judged


@dataclass(frozen=True)
class GemmTarget:
    """Speed of the hand-written kernels relative to cuBLAS, over a set of products (layout, m, n, k)."""
    work: str
    precision: str
    products: frozenset
    speedup: float
    stretch: float


@dataclass(frozen=True)
class GemmOutcome:
    target: GemmTarget
    speedup: Spread  # geometric mean over the products, with the slowest and the fastest of them
    met: str


def products_of_models():
    """Forward (nt), data gradient (nn, not of the first layer) and weight gradient (tn) of every layer."""
    products = set()
    for model, batch in itertools.product(MODELS, BATCHES):
        for number, (inputs, outputs) in enumerate(NAMED[model].layers):
            products |= {("nt", batch, outputs, inputs), ("tn", outputs, inputs, batch)}
            if number > 0:
                products.add(("nn", batch, inputs, outputs))
    return frozenset(products)


def gemm_targets():
    of_models = products_of_models()
    yield from (GemmTarget(f"products of the models, batch 16 to 512, {precision}", precision, of_models, 1.15, 1.5)
                for precision in PRECISIONS)
    yield from (GemmTarget(f"product {size:,} cubed, bf16", "bf16", frozenset({("nt", size, size, size)}), 0.95, 1.05)
                for size in (4096, 8192))


def error_limit(precision, k):
    """Relative Frobenius, against float64."""
    return {"tf32": 1e-3, "bf16": 1e-2, "fp16": 1e-2}.get(precision, 1e-6 * math.sqrt(k))


def speedup_of(row):
    """NaN for wrong numbers, however fast; and where there is no figure."""
    error, speedup = row["error"], row["speedup_vs_cublas"]
    if error is None or speedup is None or not error <= error_limit(row["precision"], row["k"]):
        return math.nan
    return speedup


def fastest_speedups(rows, precision):
    """{product: speed-up of the fastest right hand-written kernel}"""
    fastest = {}
    for row in rows:
        if row["precision"] != precision or row["gemm"] in LIBRARIES:
            continue
        product = (row["layout"], row["m"], row["n"], row["k"])
        fastest[product] = max(speedup_of(row), fastest.get(product, 0.0), key=lambda x: (math.isfinite(x), x))
    return fastest


def gemm_outcome(rows, target):
    """A product without a right kernel leaves the target unmeasured: a mean over the others would flatter."""
    fastest = fastest_speedups(rows, target.precision)
    speedups = [fastest.get(product, 0.0) for product in target.products]
    if all(speedup > 0 for speedup in speedups):
        mean = math.exp(sum(map(math.log, speedups)) / len(speedups))
        measured = Spread(mean, min(speedups), max(speedups))
    else:
        measured = spread([])
    return GemmOutcome(target, measured, verdict(measured.median, target.speedup, target.stretch, more_is_better=True))


def gemm_outcomes(rows):
    """Of the rows of `breakeven kernels`; none where the comparison was made without them."""
    return [gemm_outcome(rows, target) for target in gemm_targets()] if rows is not None else []
