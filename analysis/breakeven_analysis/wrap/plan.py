# SPDX-License-Identifier: Apache-2.0
"""The cases that a command is started for, their words in the command, and their order."""

import difflib
import random
import re
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from breakeven_analysis.errors import WrapError
from breakeven_analysis.record.case import SINGLE

Axes: TypeAlias = dict[str, list[str]]

NAME = r"\{([A-Za-z_][A-Za-z0-9_-]*)\}"
PLACEHOLDER = re.compile(rf"\{{{NAME}\}}|{NAME}")
KNOWN = ("gpus", "batch", "batch_per_gpu", "strategy", "precision")
STEPS = "steps"  # the placeholder of --total
# The axes that have a label of their own in the results file; the values of all others go with the model's name.
LABELS = {"model": "model", "framework": "gemm", "transport": "collective", "data": "data"}


@dataclass(frozen=True)
class Case:
    gpus: int
    batch: int  # samples of a step over all ranks
    strategy: str = ""  # "" where it is no axis
    precision: str = ""
    axes: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> dict[str, str]:
        """The values by placeholder. There is no batch per GPU where the GPUs cannot share the batch equally."""
        words = {"gpus": str(self.gpus), "batch": str(self.batch), **dict(self.axes)}
        if self.batch % self.gpus == 0:
            words["batch_per_gpu"] = str(self.batch // self.gpus)
        words |= {"strategy": self.strategy} if self.strategy else {}
        return words | ({"precision": self.precision} if self.precision else {})

    @property
    def labels(self) -> dict[str, str]:
        """The values of axes that have a label of their own, by label."""
        return {LABELS[name]: value for name, value in self.axes if name in LABELS}

    @property
    def suffix(self) -> str:
        """What is added to the model's name."""
        return "".join(f" {name}={value}" for name, value in self.axes if name not in LABELS)

    def __str__(self) -> str:
        gpus = "1 GPU" if self.gpus == 1 else f"{self.gpus} GPUs"
        words = [f"batch {self.batch}", gpus, self.strategy, self.precision]
        return ", ".join(word for word in [*words, *(f"{name} {value}" for name, value in self.axes)] if word)


def make_cases(gpus: list[int], batches: list[int], scaling: str, axes: Axes) -> list[Case]:
    """`axes` may have 'strategy' and 'precision', which the results file knows as such. With weak scaling the batches
    are those of each GPU. On one GPU the strategy is always 'single'."""
    own = {name: values for name, values in axes.items() if name not in KNOWN}
    cases = []
    for count, batch, (precision, *values) in product(
        gpus, batches, product(axes.get("precision", [""]), *own.values())
    ):
        strategies = axes.get("strategy", [""])
        for strategy in strategies if count > 1 else [SINGLE if strategies != [""] else ""]:
            samples = batch * count if scaling == "weak" else batch
            cases.append(Case(count, samples, strategy, precision, tuple(zip(own, values, strict=True))))
    return cases


def order_of(cases: list[Case], scaling: str, seed: int, launch: int) -> list[Case]:
    """A baseline and what is compared with it are a group. The groups are in random order, and so are the cases of each
    (docs/measuring.md)."""
    chance = random.Random(f"{seed} {launch}")
    groups: dict[tuple[object, ...], list[Case]] = {}
    for case in cases:
        batch = case.batch // case.gpus if scaling == "weak" else case.batch
        groups.setdefault((batch, case.precision, case.axes), []).append(case)
    ordered = list(groups.values())
    chance.shuffle(ordered)
    for group in ordered:
        chance.shuffle(group)
    return [case for group in ordered for case in group]


def fill(command: list[str], words: dict[str, str]) -> list[str]:
    """The words as they are, in place of their placeholders; no shell sees them. '{{gpus}}' stands for '{gpus}'."""

    def replace(found: re.Match[str]) -> str:
        literal, name = found.groups()
        return words[name] if name else f"{{{literal}}}"

    return [PLACEHOLDER.sub(replace, word) for word in command]


def placeholders_in(command: list[str]) -> set[str]:
    return {name for word in command for _, name in PLACEHOLDER.findall(word) if name}


def check_command(command: list[str], cases: list[Case], axes: Axes, has_steps: bool) -> None:
    """Every placeholder has a value in every case, and every axis of several values is in the command."""
    used = placeholders_in(command)
    offered = [*KNOWN[:3], *axes, *([STEPS] if has_steps else [])]
    for name in sorted(used - set(offered)):
        raise WrapError(f"{{{name}}} {reason_against(name, offered)}")
    if has_steps and STEPS not in used:
        raise WrapError(f"--total needs {{{STEPS}}} in the command: the program is started with two numbers of steps")
    for name, values in axes.items():
        if name not in used and len(values) > 1:
            raise WrapError(
                f"the command does not contain {{{name}}}, so its {len(values)} values would be the same run"
            )
    if len({case.batch for case in cases if case.gpus == cases[0].gpus}) > 1 and not used & {"batch", "batch_per_gpu"}:
        raise WrapError(
            "the command contains neither {batch} nor {batch_per_gpu}, so all batches would be the same run"
        )
    if "batch_per_gpu" in used:
        for case in cases:
            if "batch_per_gpu" not in case.words:
                raise WrapError(
                    f"batch {case.batch} does not divide by {case.gpus} GPUs, so {{batch_per_gpu}} has no value. "
                    "Choose batches that every number of --gpus divides"
                )


def reason_against(name: str, offered: list[str]) -> str:
    option = {"strategy": "--strategies", "precision": "--precisions", STEPS: "--total STEPS"}.get(name)
    if option:
        return f"has a value only with {option}"
    known = ", ".join(f"{{{one}}}" for one in offered)
    close = difflib.get_close_matches(name, offered, 1)
    meant = f". Did you mean {{{close[0]}}}?" if close else f". Give it values with --axis {name}=A,B"
    return f"is no placeholder: there are {known}. To pass it on as it is, write {{{{{name}}}}}{meant}"
