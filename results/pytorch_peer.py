#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains one configuration with PyTorch on one GPU and prints its step times as one line of JSON.

usage: results/pytorch_peer.py --model medium --batch 16 --precision tf32 --mode graph
       results/pytorch_peer.py --stdin      # configurations as JSON, one per line; one line answers each

The modes are common versions of the same step:
  eager           operation by operation
  compile         forward and loss through torch.compile, in CUDA graphs of its own; Adam outside
  graph           the eager step, all of it in one CUDA graph
  compiled-graph  the compiled forward, backward and Adam in one CUDA graph
  tuned-graph     the same, after torch.compile has tried many kernels for every product, which takes minutes the
                  first time on a machine
Adam is the fused one. bf16 and fp16 are autocast over fp32 weights, fp16 with a GradScaler.
"""
import argparse
import gc
import itertools
import json
import math
import os
import re
import sys
import time
from dataclasses import dataclass

from side_by_side.cases import MODES
from side_by_side.models import model_of
from side_by_side.quantiles import quantiles

PRECISIONS = ("fp32", "tf32", "bf16", "fp16")
COMPILED = {"compile": "reduce-overhead", "compiled-graph": "default", "tuned-graph": "max-autotune-no-cudagraphs"}
LEARNING_RATE = 1e-3
SEED = 42


@dataclass(frozen=True)
class Configuration:
    model: str
    batch: int
    precision: str
    mode: str
    warmup: int = 20
    steps: int = 100

    @property
    def captured(self):
        return self.mode in ("graph", "compiled-graph", "tuned-graph")


def build(shape):
    """The multilayer perceptron: ReLU and dropout after every layer except the last."""
    from torch import nn
    parts = []
    for inputs, outputs in shape.layers:
        parts += [nn.Linear(inputs, outputs), nn.ReLU(), nn.Dropout(shape.dropout)]
    return nn.Sequential(*parts[:-2])


class Trainer:
    """A replica with its batch, which stays the same, and the step that trains it."""

    def __init__(self, configuration):
        import torch
        self.torch = torch
        shape = model_of(configuration.model)
        half = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(configuration.precision)
        self.autocast = {"device_type": "cuda", "dtype": half, "enabled": half is not None}
        torch.manual_seed(SEED)
        torch.set_float32_matmul_precision("high" if configuration.precision == "tf32" else "highest")
        with torch.device("cuda"):
            self.network = build(shape)
            self.features = torch.randn(configuration.batch, shape.widths[0])
            self.targets = torch.randn(configuration.batch, shape.widths[-1])
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=LEARNING_RATE, fused=True,
                                          capturable=configuration.captured)
        self.scaler = torch.amp.GradScaler("cuda", enabled=configuration.precision == "fp16")
        if configuration.mode in COMPILED:
            self.loss = torch.compile(self.loss, mode=COMPILED[configuration.mode])
        self.step = self._captured_step() if configuration.captured else self._step

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
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(5):
                self._step()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=side):
            loss = self._step()

        def replay():
            graph.replay()
            return loss

        return replay


def time_steps(torch, step, configuration):
    """Seconds of each measured step by events at its borders, and of all by the host's clock. Nothing waits
    between steps."""
    for _ in range(configuration.warmup):
        step()
    borders = [torch.cuda.Event(enable_timing=True) for _ in range(configuration.steps + 1)]
    gc.collect()
    gc.disable()
    torch.cuda.synchronize()
    began = time.perf_counter()
    borders[0].record()
    for border in borders[1:]:
        step()
        border.record()
    torch.cuda.synchronize()
    host_seconds = time.perf_counter() - began
    gc.enable()
    return [before.elapsed_time(after) / 1e3 for before, after in itertools.pairwise(borders)], host_seconds


def cublas_version():
    """Of the library that this process has loaded, or ""."""
    import ctypes
    with open("/proc/self/maps", encoding="utf-8") as maps:
        found = re.search(r"\s(/\S*/libcublas\.so\S*)", maps.read())
    if not found:
        return ""
    ask = ctypes.CDLL(found[1]).cublasGetProperty
    parts = []
    for part in range(3):  # major, minor, patch
        value = ctypes.c_int()
        if ask(part, ctypes.byref(value)) != 0:
            return ""
        parts.append(str(value.value))
    return ".".join(parts)


def measure(configuration):
    """The answer for one configuration; what cannot be measured is answered by a sentence under "refused"."""
    import torch
    if not torch.cuda.is_available():
        raise RuntimeError("PyTorch sees no GPU")
    began = time.perf_counter()
    trainer = Trainer(configuration)
    trainer.step()
    torch.cuda.synchronize()
    setup_seconds = time.perf_counter() - began
    seconds, host_seconds = time_steps(torch, trainer.step, configuration)
    loss = float(trainer.step())
    if not math.isfinite(loss):
        raise RuntimeError(f"the loss after training is {loss}")
    gpu = torch.cuda.get_device_properties(0)
    return {
        "parameters": sum(each.numel() for each in trainer.network.parameters()),
        "seconds": quantiles(seconds), "host_seconds_per_step": host_seconds / configuration.steps,
        "setup_seconds": setup_seconds, "loss": loss, "gpu_name": gpu.name, "gpu_uuid": f"GPU-{gpu.uuid}",
        "versions": {"torch": torch.__version__, "cuda": torch.version.cuda or "", "cublas": cublas_version()},
    }


def answer(configuration):
    try:
        found = measure(configuration)
    except Exception as error:  # whatever PyTorch throws ends this configuration alone
        first_line = (str(error).strip().splitlines() or [""])[0]
        found = {"refused": f"{type(error).__name__}: {first_line[:300]}"}
    release_memory()
    return vars(configuration) | found


def release_memory():
    """Nothing of a configuration stays on the GPU: neither compiled code, nor graphs, nor unused memory."""
    import torch
    torch.compiler.reset()
    gc.collect()
    if torch.cuda.is_initialized():
        torch.cuda.empty_cache()


def parse_command_line():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stdin", action="store_true", help="configurations as JSON objects, one a line")
    parser.add_argument("--model", default="medium", help="named model, or a shape such as 784-512-10")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--precision", choices=PRECISIONS, default="fp32")
    parser.add_argument("--mode", choices=MODES, default="graph")
    parser.add_argument("--warmup", type=int, default=20, help="steps before the measured ones")
    parser.add_argument("--steps", type=int, default=100, help="measured steps")
    return parser.parse_args()


def main():
    options = parse_command_line()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print goes to the errors: the output holds answers alone
    if options.stdin:
        configurations = (Configuration(**json.loads(line)) for line in sys.stdin)
    else:
        configurations = [Configuration(options.model, options.batch, options.precision, options.mode,
                                        options.warmup, options.steps)]
    for configuration in configurations:
        print(json.dumps(answer(configuration)), file=answers, flush=True)


if __name__ == "__main__":
    try:
        import torch as _  # noqa: F401
    except ImportError:
        raise SystemExit("pytorch_peer.py: needs the Python module torch, which this python3 lacks") from None
    main()
