# SPDX-License-Identifier: Apache-2.0
"""What the program answers, as tables: report, advice, prediction. It computes every number and interval in them."""

import math
from dataclasses import dataclass
from typing import Any

import pandas as pd
import xarray as xr

from breakeven_analysis import numbers
from breakeven_analysis.arrays import array_of
from breakeven_analysis.machines import MachinesAdvice, MachinesReport, is_by_machine
from breakeven_analysis.program import Paths, expect_version, read_json
from breakeven_analysis.tables import Tables

REPORT_VERSION, ADVICE_VERSION, PREDICTION_VERSION = 5, 2, 2
IDENTITY = ("model", "batch", "gpus", "strategy")  # the axes that every picture names


@dataclass(frozen=True)
class Vocabulary:
    """`vocabulary` of the report's JSON (docs/report.md): keys with their labels, in the program's order."""

    said: dict[str, Any]

    @property
    def settings(self) -> tuple[str, ...]:
        """The axes that tell cases of the same model, batch, GPUs and strategy apart; timing and choice do not."""
        return tuple(axis["key"] for axis in self.said["axes"] if axis["key"] not in (*IDENTITY, "timing", "chosen"))

    @property
    def case_axes(self) -> tuple[str, ...]:
        """The axes that identify a case."""
        return (*IDENTITY, *self.settings)

    @property
    def phases(self) -> dict[str, str]:
        """The phases of a step, in drawing order."""
        return self._labels("phases")

    @property
    def loss_parts(self) -> dict[str, str]:
        return self._labels("loss_parts")

    @property
    def verdicts(self) -> dict[str, str]:
        """In the order of a legend."""
        return self._labels("verdicts")

    @property
    def claim_verdicts(self) -> dict[str, str]:
        return self._labels("claim_verdicts")

    @property
    def phases_not_recorded(self) -> str:
        """How to record phases."""
        return str(self.said["phases_not_recorded"])

    @property
    def same_within(self) -> float:
        """Two speeds that differ by less than this share count as the same."""
        return float(self.said["same_within"])

    def setting(self, axis: str, value: Any) -> str:
        """A setting as the report's titles print it: "gemm tiled", "no graph"."""
        words = next(one for one in self.said["axes"] if one["key"] == axis)
        without = "" if value else str(words["phrase_without"])
        return without or str(words["phrase"]).replace("{}", str(value))

    def percent(self, share: float) -> str:
        """A share as the report prints it: "4.4 %", "43 %"."""
        return numbers.percent(share, self.said["percent"])

    def ratio(self, middle: float, low: float = math.nan, high: float = math.nan) -> str:
        """A ratio as the report prints it, with its interval if it has one: "1.28 (1.26–1.30)"."""
        return numbers.ratio(middle, low, high, self.said["ratio"])

    def _labels(self, what: str) -> dict[str, str]:
        return {term["key"]: term["label"] for term in self.said[what]}


class Report(Tables):
    """What `breakeven report FILE --format json` prints, such as `table("bounds")`."""

    command = "report"

    @property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.said["vocabulary"])

    @property
    def machine(self) -> str:
        return str(self.said["machine"])

    @property
    def answers(self) -> list[str]:
        """The sentences that answer whether more GPUs pay."""
        return [answer["sentence"] for answer in self.said["answers"]]

    @property
    def warnings(self) -> list[str]:
        """What to read before trusting the numbers."""
        return list(self.said["warnings"])

    @property
    def launches(self) -> list[dict[str, Any]]:
        """When, where and how the runs were started, with links and roofline."""
        return list(self.said["launches"])

    @property
    def cases(self) -> pd.DataFrame:
        """One row per case and timing."""
        return self.table("cases")

    def timed(self) -> pd.DataFrame:
        """One row per case: timed by whole steps, or by phases where whole steps were not timed."""
        cases = self.cases
        if cases.empty:
            return cases
        whole = cases["timing"] == "total"
        has_whole = whole.groupby(cases["case"]).transform("any")
        return cases[whole | ~has_whole].reset_index(drop=True)

    def array(self, name: str) -> xr.DataArray:
        """A number of the cases, such as "step_seconds", over model, strategy, gpus and batch; NaN: not measured.

        A setting that these do not determine is one more dimension; all others are coordinates, as are `verdict` and
        the ends of the 95 % interval, `low` and `high`. Units and meanings are attributes.
        """
        return array_of(self, name, self.timed())

    def speedup(self) -> xr.DataArray:
        """`array("speedup")` without the baselines, which the speed-ups compare with."""
        cases = self.timed()
        return array_of(self, "speedup", cases if cases.empty else cases[cases["case"] != cases["baseline"]])


class Advice(Tables):
    """What `breakeven advise FILE --format json` prints."""

    command = "advise"

    @property
    def answer(self) -> str:
        return str(self.said["answer"])


class Prediction(Tables):
    """What `breakeven predict FILE --format json` prints, such as `table("curve")`."""

    command = "predict"

    @property
    def answer(self) -> str:
        return str(self.said["answer"])

    @property
    def machine(self) -> str:
        """Where the file was measured."""
        return str(self.said["machine"])


def read_report(paths: Paths, *options: str) -> Report | MachinesReport:
    """Reports on one file, on several of one machine as one, or on several machines side by side.

    Options are those of the command line. Raises ProgramError with one sentence if the program is missing, refuses, or
    has another version.
    """
    said = read_json("report", paths, *options)
    if is_by_machine(said, "report"):
        return MachinesReport(said)
    expect_version(said, "report", REPORT_VERSION)
    return Report(said)


def read_advice(paths: Paths, model: str, batch: int, *options: str) -> Advice | MachinesAdvice:
    """Advice for a model and batch; options as on the command line, such as "--lossy".

    Files of several machines need "--samples", the length of the job that compares them.
    """
    said = read_json("advise", paths, "--model", model, "--batch", str(batch), *options)
    if is_by_machine(said, "advice"):
        return MachinesAdvice(said)
    expect_version(said, "advice", ADVICE_VERSION)
    return Advice(said)


def read_prediction(paths: Paths, model: str, batch: int, gpus: str, *options: str) -> Prediction:
    """A prediction for `gpus` such as "2..64"; options as on the command line, such as "--scaling", "weak"."""
    said = read_json("predict", paths, "--model", model, "--batch", str(batch), "--gpus", gpus, *options)
    expect_version(said, "prediction", PREDICTION_VERSION)
    return Prediction(said)
