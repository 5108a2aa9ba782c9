# SPDX-License-Identifier: Apache-2.0
"""A replica in PyTorch, the step that trains it in each mode, and the time of its steps."""
import gc
import itertools
import math
import time
from dataclasses import dataclass

from side_by_side.models import model_of

COMPILED = {"compile": "reduce-overhead", "compiled-graph": "default", "tuned-graph": "max-autotune-no-cudagraphs"}
LEARNING_RATE = 1e-3
SEED = 42

# As breakeven settles (docs/measuring.md#settling), by step time alone.
SETTLE_WINDOW_SECONDS = 0.2
SETTLE_TOLERANCE = 0.005


@dataclass(frozen=True)
class Configuration:
    model: str
    batch: int
    precision: str
    mode: str
    warmup: int = 20
    steps: int = 100
    settle: float = 5.0

    @property
    def captured(self):
        return self.mode.endswith("graph")


def build(shape):
    """The multilayer perceptron: ReLU and dropout after every layer except the last."""
    from torch import nn
    parts = []
    for inputs, outputs in shape.layers:
        parts += [nn.Linear(inputs, outputs), nn.ReLU(), nn.Dropout(shape.dropout)]
    return nn.Sequential(*parts[:-2])


class Trainer:
    """A replica with its batch, which stays the same, and the step that trains it."""

    steps_before_capture = 5

    def __init__(self, configuration, device="cuda", shape=None):
        import torch
        if configuration.captured and device != "cuda":
            raise RuntimeError("a CUDA graph needs a GPU")
        self.torch = torch
        self.device = device
        self.mode = configuration.mode
        shape = shape or model_of(configuration.model)
        self.half = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(configuration.precision)
        self.autocast = {"device_type": device, "dtype": self.half, "enabled": self.half is not None}
        torch.manual_seed(SEED)
        torch.set_float32_matmul_precision("high" if configuration.precision == "tf32" else "highest")
        with torch.device(device):
            self.network = build(shape)
            features = torch.randn(configuration.batch, shape.widths[0])
            targets = torch.randn(configuration.batch, shape.widths[-1])
        self.features, self.targets = self.part_of(features), self.part_of(targets)
        self.side = torch.cuda.Stream() if configuration.captured else None
        if self.side:
            self.side.wait_stream(torch.cuda.current_stream())
        self.prepare_loss()
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=LEARNING_RATE, fused=True,
                                          capturable=configuration.captured)
        self.scaler = torch.amp.GradScaler(device, enabled=configuration.precision == "fp16")
        self.step = self._captured_step() if configuration.captured else self._step

    def part_of(self, rows):
        """The rows of the batch that this process trains."""
        return rows

    def prepare_loss(self):
        if self.mode in COMPILED:
            self.loss = self.torch.compile(self.loss, mode=COMPILED[self.mode])

    def loss(self):
        with self.torch.autocast(**self.autocast):
            return self.torch.nn.functional.mse_loss(self.network(self.features), self.targets)

    def _step(self):
        """Gradients that are None are written by the backward pass rather than added to: no pass of zeros."""
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.detach()

    def _captured_step(self):
        """The whole step as one CUDA graph, after steps on a side stream that set the libraries up."""
        torch = self.torch
        self.side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.side):
            for _ in range(self.steps_before_capture):
                self._step()
        torch.cuda.current_stream().wait_stream(self.side)
        graph = torch.cuda.CUDAGraph()
        # The threads of a communication library may query events while this thread captures.
        with torch.cuda.graph(graph, stream=self.side, capture_error_mode="thread_local"):
            loss = self._step()

        def replay():
            graph.replay()
            return loss

        return replay


class HostBorder:
    """In place of an event, on the host: a CPU step is done when it returns."""

    def record(self):
        self.seconds = time.perf_counter()

    def elapsed_time(self, after):
        return (after.seconds - self.seconds) * 1e3


class StepTimer:
    """Times a trainer's steps. `slowest` makes the ranks agree on the longest of their times; `meet` waits for all."""

    def __init__(self, trainer, slowest=lambda seconds: seconds, meet=lambda: None):
        self._torch, self._step, self._cuda = trainer.torch, trainer.step, trainer.device == "cuda"
        self._slowest, self._meet = slowest, meet

    def settle(self, most_seconds):
        """Trains until two successive windows agree, for at most `most_seconds`. All ranks decide alike."""
        if most_seconds <= 0:
            return
        passed, before = 0.0, math.nan
        steps = max(1, math.ceil(SETTLE_WINDOW_SECONDS / self._window(10)))
        while passed < most_seconds:
            one = self._window(steps)
            passed += one * steps
            if abs(one - before) <= SETTLE_TOLERANCE * before:
                return
            before = one

    def measure(self, configuration):
        """Seconds of each measured step by events at its borders, and of all by the host's clock. Nothing waits
        between steps."""
        for _ in range(configuration.warmup):
            self._step()
        self.settle(configuration.settle)
        borders = [self._border() for _ in range(configuration.steps + 1)]
        gc.collect()
        gc.disable()
        self._synchronize()
        self._meet()
        began = time.perf_counter()
        borders[0].record()
        for border in borders[1:]:
            self._step()
            border.record()
        self._synchronize()
        host_seconds = time.perf_counter() - began
        gc.enable()
        return [before.elapsed_time(after) / 1e3 for before, after in itertools.pairwise(borders)], host_seconds

    def _window(self, steps):
        """Seconds of one of the steps, on the slowest rank."""
        self._synchronize()
        began = time.perf_counter()
        for _ in range(steps):
            self._step()
        self._synchronize()
        return self._slowest((time.perf_counter() - began) / steps)

    def _border(self):
        return self._torch.cuda.Event(enable_timing=True) if self._cuda else HostBorder()

    def _synchronize(self):
        if self._cuda:
            self._torch.cuda.synchronize()
