# SPDX-License-Identifier: Apache-2.0
"""Training loops on a clock that only they move, so that their steps lose time to what was planted and to nothing else.

planted_loop.py OUTPUT PLANT

`losses` needs a launch of one rank, then one of two; the other plants need one rank.
"""
import itertools
import random
import sys

from breakeven_analysis import Recorder
from breakeven_analysis.record.ranks import find_rank
from breakeven_analysis.record.timers import HostTimer

BATCH, HALF = 64, 32
REPEATS = 3
# Time units of the phases; "": between them. Two ranks without a loss halve the step of one.
SINGLE = {  # by model and batch: what is planted shows in what one rank takes for half the batch
    "whole": {BATCH: {"forward": 8}},
    "faster by half": {BATCH: {"forward": 8}, HALF: {"forward": 4}},
    "no faster by half": {BATCH: {"forward": 8}, HALF: {"forward": 8}},
}
LOSSES = {  # by the words of docs/troubleshooting.md; on each of two ranks
    "communication": ("whole", [{"forward": 4, "exchange": 4}] * 2),
    "compute inefficiency": ("whole", [{"forward": 8}] * 2),
    "launch gaps": ("whole", [{"forward": 4, "": 4}] * 2),
    "waiting": ("whole", [{"forward": 1}, {"forward": 7}]),
    "strategy overhead": ("faster by half", [{"forward": 4, "optimizer": 4}] * 2),
    "lower GEMM efficiency": ("no faster by half", [{"forward": 8}] * 2),
}


class Clock:
    """Steps differ a little, as real ones do. Its readings are exact, so that sums and differences of them are."""

    seconds = 0.0
    jitter = random.Random(find_rank().rank)

    @classmethod
    def pass_units(cls, units):
        cls.seconds += units * (64 + cls.jitter.randint(-2, 2)) / 2**16


HostTimer.now = lambda self: Clock.seconds


def train(output, model, batch, parts, strategy="ddp", last=None):
    """`parts` says how many units the phases of step n take. The loop ends after `last` steps, before it is done."""
    with Recorder(model=model, parameters=1000, batch=batch, strategy=strategy, output=output, warmup=2, settle=0, steps=30,
                  seconds=0.001) as recorder:
        for number in itertools.count(1):
            with recorder.step():
                for phase, units in parts(number).items():
                    if phase:
                        with recorder.phase(phase):
                            Clock.pass_units(units)
                    else:
                        Clock.pass_units(units)
            if recorder.done or number == last:
                return


def train_losses(output):
    rank = find_rank()
    for _ in range(REPEATS):
        if rank.ranks == 1:
            for model, batches in SINGLE.items():
                for batch, parts in batches.items():
                    train(output, model, batch, lambda _, parts=parts: parts)
        else:
            for cause, (model, ranks) in LOSSES.items():
                train(output, model, BATCH, lambda _, parts=ranks[rank.rank]: parts, strategy=cause.replace(" ", "-"))


def train_few_steps(output):
    train(output, "few", BATCH, lambda _: {"forward": 1}, last=14)


def train_unsteady(output):
    train(output, "unsteady", BATCH, lambda number: {"forward": 1 if number < 20 else 2})


PLANTS = {"losses": train_losses, "Few steps": train_few_steps, "Not steady": train_unsteady}

if __name__ == "__main__":
    PLANTS[sys.argv[2]](sys.argv[1])
