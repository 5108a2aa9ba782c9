# SPDX-License-Identifier: Apache-2.0
"""Several GPUs: the cases of both sides, the order of the measurements, and what both sides' losses must agree to."""
import random

from side_by_side.cases import BREAKEVEN, COMPETING, PYTORCH, Case, check_words

# PyTorch's modes of a step on several GPUs; results/pytorch_peer.py explains them.
RANK_MODES = ("ddp", "ddp-compile", "ddp-graph", "ddp-compiled-graph", "fsdp", "fsdp-compile")
STRATEGIES = ("ddp", "zero1", "tensor")
TRANSPORTS = ("nccl", "peer")
SINGLE = "single"  # the program's own single GPU, measured in the same launch

# Relative, of losses of the same training on one and on several GPUs. Splitting the batch changes the order of sums;
# 16-bit products round every part anew.
LOSS_TOLERANCE = {"fp32": 1e-4, "tf32x3": 1e-4, "tf32": 1e-2, "bf16": 2e-2, "fp16": 1e-2}


def parse_gpus(text):
    """Numbers of GPUs from a comma list; ValueError says what is wrong."""
    words = text.split(",")
    if not all(word.isdecimal() and int(word) >= 1 for word in words) or len(set(words)) != len(words):
        raise ValueError(f"--gpus '{text}' is not a list of different whole numbers from 1 on, such as 1,2,4")
    return sorted(int(word) for word in words)


def parse_list(what, text, legal=None):
    words = text.split(",")
    if legal:
        check_words(what, words, legal)
    if not all(words) or len(set(words)) != len(words):
        raise ValueError(f"{what} '{text}' is not a list of different names")
    return words


def peers_on(workload, gpus, several):
    return [Case(PYTORCH, workload.model, workload.batch, workload.precision, mode, gpus)
            for mode in several["modes"]]


def ours_on(workload, gpus, several):
    """A strategy over each transport, and the single GPU of the same launch."""
    variants = [SINGLE, *(f"{strategy} {transport}" for transport in several["transports"]
                          for strategy in several["strategies"])]
    return [Case(BREAKEVEN, workload.model, workload.batch, precision, variant, gpus)
            for variant in variants for precision in COMPETING[workload.precision]]


def our_launches(workloads, gpus, several):
    """The cases of all workloads of one precision: those of one launch, ordered by transport."""
    for precision in dict.fromkeys(workload.precision for workload in workloads):
        each = [ours_on(workload, gpus, several) for workload in workloads if workload.precision == precision]
        yield [case for together in zip(*each) for case in together]


def plan_several(workloads, several, rounds, seed):
    """(round, cases that one start measures): every case once a round, each round in another order. breakeven measures
    the cases of one precision in one launch, beside their single GPUs and in an order of its own."""
    starts = []
    for gpus in several["gpus"]:
        starts += our_launches(workloads, gpus, several)
        starts += [[case] for workload in workloads for case in peers_on(workload, gpus, several)]
    chance = random.Random(seed)
    for number in range(rounds):
        yield from ((number, cases) for cases in chance.sample(starts, len(starts)))


def check_losses(found, expected, precision):
    """RuntimeError unless the losses of several GPUs are those of one within rounding. NaN is never."""
    for step, (several, one) in enumerate(zip(found, expected, strict=True), 1):
        if not abs(several - one) <= LOSS_TOLERANCE[precision] * abs(one):
            raise RuntimeError(f"the loss is not that of one GPU: {several:g} instead of {one:g} in step {step}")
