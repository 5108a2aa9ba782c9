#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Data parallelism on processors, in numpy: a multilayer perceptron whose ranks average their gradients.

    python3 examples/numpy_data_parallel.py --batch 256 --output mine.h5
    mpirun -np 2 python3 examples/numpy_data_parallel.py --batch 256 --output mine.h5

The ranks of one host exchange gradients through a socket, so numpy and h5py are all that it needs.
"""

import argparse
import os
import time
from itertools import pairwise
from multiprocessing.connection import Client, Connection, Listener

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a rank is one core

import numpy as np

from breakeven_analysis import Recorder
from breakeven_analysis.record import find_rank

WIDTHS = (256, 512, 64)
RANK = find_rank()


def connect() -> list[Connection]:
    """Rank 0 has one connection to each other rank, which have one to rank 0."""
    address = f"\0breakeven-example-{os.getuid()}-{os.getppid()}"  # all ranks have the same parent
    if RANK.rank == 0:
        with Listener(address, "AF_UNIX") as listener:
            return [listener.accept() for _ in range(RANK.ranks - 1)]
    while True:
        try:
            return [Client(address, "AF_UNIX")]
        except ConnectionRefusedError:
            time.sleep(0.01)


def average(flat: np.ndarray, others: list[Connection]) -> None:
    """Over the ranks, in place."""
    if RANK.rank > 0:
        others[0].send_bytes(flat)
        others[0].recv_bytes_into(flat)
        return
    for other in others:
        flat += np.frombuffer(other.recv_bytes(), flat.dtype)
    flat /= RANK.ranks
    for other in others:
        other.send_bytes(flat)


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
    model, others = Mlp(), connect()
    random = np.random.default_rng(RANK.rank + 2)
    rows = options.batch // RANK.ranks
    inputs = random.normal(size=(rows, WIDTHS[0])).astype(np.float32)
    targets = inputs[:, : WIDTHS[-1]] ** 2

    recorder = Recorder(
        model="numpy-mlp",
        parameters=model.flat.size,
        batch=options.batch,
        strategy="numpy-ddp",
        transport="sockets",
        output=options.output,
        data="resident",
        settle=options.settle,
    )
    while not recorder.done:
        with recorder.step(loss=lambda: model.loss, samples=rows):
            model.forward(inputs, targets)
            model.backward()
            average(model.gradient, others)
            model.flat -= 0.01 * model.gradient
    recorder.close()


if __name__ == "__main__":
    main()
