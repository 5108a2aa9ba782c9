#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Data parallelism on processors, in numpy: a multilayer perceptron whose ranks average their gradients by mpi4py.

    python3 examples/mpi4py_numpy.py --batch 256 --output mine.h5
    mpirun -np 2 python3 examples/mpi4py_numpy.py --batch 256 --output mine.h5
"""

import argparse
import os
from itertools import pairwise

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a rank is one core

import numpy as np
from mpi4py import MPI

from breakeven_analysis import Recorder

WIDTHS = (256, 512, 64)
RANKS = MPI.COMM_WORLD


class Mlp:
    def __init__(self) -> None:
        random = np.random.default_rng(1)  # the same on all ranks
        shapes = list(pairwise(WIDTHS))
        self.flat = np.concatenate([random.normal(0, n**-0.5, n * m) for n, m in shapes]).astype(np.float32)
        self.gradient = np.zeros_like(self.flat)
        self.first, self.second = self.layers(self.flat, shapes)
        self.first_gradient, self.second_gradient = self.layers(self.gradient, shapes)

    @staticmethod
    def layers(flat: np.ndarray, shapes: list[tuple[int, int]]) -> list[np.ndarray]:
        (a, b), (_, c) = shapes
        return [flat[: a * b].reshape(a, b), flat[a * b :].reshape(b, c)]

    def forward(self, inputs: np.ndarray, targets: np.ndarray) -> None:
        self.inputs, self.hidden = inputs, np.maximum(inputs @ self.first, 0)
        self.error = self.hidden @ self.second - targets
        self.loss = float(np.mean(self.error**2))

    def backward(self) -> None:
        error = 2 / self.error.size * self.error
        np.matmul(self.hidden.T, error, out=self.second_gradient)
        np.matmul(self.inputs.T, (error @ self.second.T) * (self.hidden > 0), out=self.first_gradient)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--batch", type=int, default=256, help="samples of a step over all ranks")
    parser.add_argument("--output", default="mine.h5")
    parser.add_argument("--settle", type=float, default=5, help="seconds")
    options = parser.parse_args()
    model = Mlp()
    random = np.random.default_rng(RANKS.rank + 2)
    rows = options.batch // RANKS.size
    inputs = random.normal(size=(rows, WIDTHS[0])).astype(np.float32)
    targets = inputs[:, : WIDTHS[-1]] ** 2

    recorder = Recorder(
        model="numpy-mlp",
        parameters=model.flat.size,
        batch=options.batch,
        strategy="numpy-ddp",
        transport="mpi",
        output=options.output,
        data="resident",
        settle=options.settle,
    )
    while not recorder.done:
        with recorder.step(loss=lambda: model.loss, samples=rows):
            model.forward(inputs, targets)
            model.backward()
            RANKS.Allreduce(MPI.IN_PLACE, model.gradient)
            model.flat -= 0.01 / RANKS.size * model.gradient
    recorder.close()


if __name__ == "__main__":
    main()
