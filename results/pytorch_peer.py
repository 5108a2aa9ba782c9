#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains one configuration with PyTorch on one GPU, or on one for each rank of mpirun, and prints its step times as one
line of JSON.

usage: results/pytorch_peer.py --model medium --batch 16 --precision tf32 --mode graph
       results/pytorch_peer.py --stdin      # configurations as JSON, one per line; one line answers each
       MASTER_ADDR=127.0.0.1 MASTER_PORT=29500 mpirun -np 2 results/pytorch_peer.py --batch 128 --mode ddp-graph

The modes are common versions of the same step:
  eager           operation by operation
  compile         forward and loss through torch.compile, in CUDA graphs of its own; Adam outside
  graph           the eager step, all of it in one CUDA graph
  compiled-graph  the compiled forward, backward and Adam in one CUDA graph
  tuned-graph     the same, after torch.compile has tried many kernels for every product, which takes minutes the
                  first time on a machine
On several GPUs, where the batch is that of all together:
  ddp, ddp-compile, ddp-graph, ddp-compiled-graph   DistributedDataParallel, eager, compiled or captured as above
  fsdp, fsdp-compile                                FSDP2: every layer by fully_shard, eager or compiled
Adam is the fused one. bf16 and fp16 are autocast over fp32 weights, or FSDP2's own casts; fp16 with a GradScaler.
"""
import argparse
import gc
import io
import json
import math
import os
import re
import sys
import time
from dataclasses import fields

from side_by_side.cases import MODES
from side_by_side.quantiles import quantiles
from side_by_side.several_cases import RANK_MODES
from side_by_side.torch_ranks import Ranks, fail, limit, ranks_of_launch
from side_by_side.torch_several import RanksTrainer, check_against_one, check_training, slowest_of
from side_by_side.torch_trainer import Configuration, StepTimer, Trainer

PRECISIONS = ("fp32", "tf32", "bf16", "fp16")


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


def check_device(torch, device):
    if device == "cuda" and not torch.cuda.is_available():
        raise RuntimeError("PyTorch sees no GPU")


def times_of(configuration, timer):
    seconds, host_seconds = timer.measure(configuration)
    return {"seconds": quantiles(seconds), "mean_seconds": sum(seconds) / len(seconds),
            "host_seconds_per_step": host_seconds / configuration.steps}


def start(make):
    """A trainer after its first step, that step's loss, and the seconds both took."""
    began = time.perf_counter()
    trainer = make()
    loss = float(trainer.step())
    return trainer, loss, time.perf_counter() - began


def description(torch, trainer):
    gpu = torch.cuda.get_device_properties(trainer.features.device) if trainer.device == "cuda" else None
    return {
        "parameters": sum(each.numel() for each in trainer.network.parameters()),
        "gpu_name": gpu.name if gpu else trainer.device, "gpu_uuid": f"GPU-{gpu.uuid}" if gpu else "",
        "versions": {"torch": torch.__version__, "cuda": torch.version.cuda or "", "cublas": cublas_version()},
    }


def measure(configuration, device):
    """The answer for one configuration on one GPU."""
    import torch
    check_device(torch, device)
    trainer, _, setup_seconds = start(lambda: Trainer(configuration, device))
    times = times_of(configuration, StepTimer(trainer))
    loss = float(trainer.step())
    if not math.isfinite(loss):
        raise RuntimeError(f"the loss after training is {loss}")
    return description(torch, trainer) | times | {"setup_seconds": setup_seconds, "loss": loss}


def measure_on(ranks, configuration, checked):
    """The answer for one configuration on all ranks. `checked` holds the modes and precisions that have trained as one
    GPU does."""
    import torch
    kind = (configuration.mode, configuration.precision)
    if kind not in checked:
        check_against_one(ranks, configuration)
        checked.add(kind)
        release_memory()  # torch.compile would generalise what it compiled for the check, which is slower
    trainer, own_loss, setup_seconds = start(lambda: RanksTrainer(configuration, ranks))
    first_loss = ranks.mean(own_loss)
    times = times_of(configuration, StepTimer(trainer, ranks.slowest, ranks.meet))
    loss = check_training(trainer, first_loss)
    own = description(torch, trainer)
    return own | slowest_of(ranks, times | {"gpu_uuid": own["gpu_uuid"]}) | {
        "setup_seconds": setup_seconds, "first_loss": first_loss, "loss": loss}


def refusal(error):
    first_line = (str(error).strip().splitlines() or [""])[0]
    return {"refused": f"{type(error).__name__}: {first_line[:300]}"}


def answer(configuration, device):
    """What cannot be measured is answered by a sentence under "refused"."""
    try:
        found = measure(configuration, device)
    except Exception as error:  # whatever PyTorch throws ends this configuration alone
        found = refusal(error)
    release_memory()
    return vars(configuration) | found


def release_memory():
    """Nothing of a configuration stays on the GPU: neither compiled code, nor graphs, nor unused memory."""
    import torch
    torch.compiler.reset()
    gc.collect()
    if torch.cuda.is_initialized():
        torch.cuda.empty_cache()


def answer_on_ranks(device, source, limit_seconds, answers):
    """Rank 0 reads and answers. Where one rank fails, it answers and all end: they are out of step with each other."""
    configuration = None
    try:
        import torch
        check_device(torch, device)
        limit(limit_seconds)
        ranks = Ranks(device)
        limit(0)
        checked = set()
        for line in ranks.lines(source):
            limit(limit_seconds)
            configuration = Configuration(**json.loads(line))
            found = vars(configuration) | measure_on(ranks, configuration, checked)
            release_memory()
            if ranks.rank == 0:
                print(json.dumps(found), file=answers, flush=True)
            limit(0)
        ranks.end()
    except Exception as error:  # as above
        print(json.dumps((vars(configuration) if configuration else {}) | refusal(error)), file=answers, flush=True)
        fail()


def parse_command_line():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stdin", action="store_true", help="configurations as JSON objects, one a line")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda", help="cpu is for trying this script out")
    parser.add_argument("--limit", type=int, default=900, help="seconds for a configuration on several ranks")
    parser.add_argument("--model", default="medium", help="named model, or a shape such as 784-512-10")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--precision", choices=PRECISIONS, default="fp32")
    parser.add_argument("--mode", choices=MODES + RANK_MODES, default="graph")
    parser.add_argument("--warmup", type=int, default=20, help="steps before the measured ones")
    parser.add_argument("--settle", type=float, default=5.0, help="seconds of training at most, until steps are steady")
    parser.add_argument("--steps", type=int, default=100, help="measured steps")
    return parser.parse_args()


def main():
    options = parse_command_line()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print goes to the errors: the output holds answers alone
    source = sys.stdin
    if not options.stdin:
        source = io.StringIO(json.dumps({field.name: getattr(options, field.name) for field in fields(Configuration)}))
    if ranks_of_launch() > 1:
        answer_on_ranks(options.device, source, options.limit, answers)
        return
    for line in source:
        found = answer(Configuration(**json.loads(line)), options.device)
        print(json.dumps(found), file=answers, flush=True)


if __name__ == "__main__":
    try:
        import torch as _  # noqa: F401
    except ImportError:
        raise SystemExit("pytorch_peer.py: needs the Python module torch, which this python3 lacks") from None
    main()
