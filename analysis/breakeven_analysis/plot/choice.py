# SPDX-License-Identifier: Apache-2.0
"""Which cases of a report, or runs of a data set, a picture shows; and their names."""

from collections.abc import Callable, Container, Iterable
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from breakeven_analysis.answers import IDENTITY, Report, Vocabulary
from breakeven_analysis.errors import PictureError
from breakeven_analysis.plot.devices import devices_of

# What tells the runs of a data set apart, besides repeats: by the names of results files, where a report has keys.
RUN_AXES = (
    *("machine", *IDENTITY, "precision", "gemm", "collective", "nccl_settings", "scaling", "instrument", "graph"),
    *("data", "chosen"),
)


def choose(report: Report, cases: pd.DataFrame, **axes: Any) -> pd.DataFrame:
    """The report's cases with these values; None leaves an axis free, a list takes any of its values.

    PictureError names the choices if a value does not exist, or if cases differ in a setting such as the precision.
    """
    for axis, wanted in check_axes(axes, cases).items():
        if wanted is None:
            continue
        values = list(wanted) if isinstance(wanted, list | tuple | set) else [wanted]
        existing = cases[axis].unique().tolist()
        if not existing:
            raise PictureError("no case is left to draw")
        missing = [value for value in values if value not in existing]
        if missing:
            raise PictureError(f"no case has {axis} {missing[0]!r}; choose from {listed(existing)}")
        cases = cases[cases[axis].isin(values)]
    for setting in report.vocabulary.settings:
        values = cases.groupby(list(IDENTITY), sort=False)[setting].unique()
        divided = values[values.map(len) > 1]
        if len(divided):
            raise PictureError(several_words("cases", setting, divided.explode()))
    if cases.empty:
        raise PictureError("no case is left to draw")
    return cases


def choose_runs(dataset: xr.Dataset, **axes: Any) -> xr.Dataset:
    """The finished runs of one case in the order of measurement.

    None leaves an axis free; `gpus` is then the most. PictureError names the choices if there are several cases.
    """
    left = np.flatnonzero(dataset["status"].to_numpy() > 0)
    wanted_gpus = {"gpus": axes.pop("gpus", None)}
    for axis, wanted in (check_axes(axes, dataset.coords) | wanted_gpus).items():
        values = dataset[axis].to_numpy()[left]
        if wanted is None and axis == "gpus" and values.size:
            wanted = values.max()
        if wanted is None:
            continue
        if not (values == wanted).any():
            choices = f"; choose from {listed(sorted(set(values.tolist())))}" if values.size else ""
            raise PictureError(f"no run has {axis} {wanted!r}{choices}")
        left = left[values == wanted]
    if not left.size:
        raise PictureError("no finished run is left to draw")
    runs = dataset.isel(run=left)
    for axis in (name for name in RUN_AXES if name in runs.coords):
        values = runs[axis].to_numpy()
        if len(set(values.tolist())) > 1:
            raise PictureError(several_words("runs", axis, values))
    return runs.isel(run=np.lexsort([runs["order"].to_numpy(), runs["launch_index"].to_numpy()]))


def several_words(what: str, axis: str, values: Iterable[Any]) -> str:
    return f"the {what} have several values of {axis}: choose one of {listed(dict.fromkeys(values))}"


def finished_runs(runs: xr.Dataset, report: Report) -> pd.DataFrame:
    """The report's rows about these runs, which must come from the report's file."""
    said = report.table("finished_runs")
    said = said.set_index("label") if len(said) else said
    labels = runs["run"].to_numpy().tolist()
    for label in labels:
        if label not in said.index:
            raise PictureError(
                f"the report has no run '{label}': its training failed, or the data set is not from the same file"
            )
        if labels.count(label) > 1 or list(said.index).count(label) > 1:
            raise PictureError(f"several runs are called '{label}', so what the report says of each is not known")
    return said.loc[labels]


def only_value(axis: str, values: Iterable[Any], wanted: Any) -> Any:
    """The wanted value, or without one the only value that exists."""
    existing = sorted(set(values))
    if wanted is None and len(existing) == 1:
        return existing[0]
    if wanted not in existing:
        raise PictureError(f"choose one of the values of {axis}: {listed(existing)}")
    return wanted


def check_launch(launch: int, launches: int) -> None:
    if not 0 <= launch < launches:
        raise PictureError(f"there is no launch {launch}: choose one from 0 to {launches - 1}")


def check_axes(axes: dict[str, Any], known: Container[str]) -> dict[str, Any]:
    for axis in axes:
        if axis not in known:
            raise PictureError(f"cases have no axis '{axis}'")
    return axes


def listed(values: Iterable[Any]) -> str:
    return ", ".join(map(str, values))


def by_size(cases: pd.DataFrame) -> list[str]:
    """The models, smallest first."""
    sizes: pd.Series[int] = cases.groupby("model")["parameters"].first()
    return [str(model) for model in sizes.sort_values(kind="stable").index]


def runs_words(report: Report, cases: pd.DataFrame) -> str:
    """How many runs each number comes from, and what the names leave out: "5 runs each; nccl, graph unless named"."""
    least, most = int(cases["runs_done"].min()), int(cases["runs_done"].max())
    runs = f"{least} to {most} runs each" if least < most else f"{most} runs each" if most > 1 else "one run each"
    usual = usual_settings(report, cases)
    return f"{runs}; {listed(map(words_in(report.vocabulary, usual), usual))} unless named" if usual else runs


def intervals_words(cases: pd.DataFrame, covers: str = "speedup_covers") -> str:
    """What the intervals of these cases cover: "95 % intervals (within one launch)"."""
    scopes = "; ".join(dict.fromkeys(scope for scope in cases[covers] if scope))
    return f"95 % intervals ({scopes})" if scopes else "95 % intervals"


def case_words(run: xr.Dataset) -> str:
    """The case of one run, for a title."""
    return (
        f"{run['model'].item()}, batch {int(run['batch']):,}, {run['strategy'].item()} on {int(run['gpus'])} "
        f"({precision_name(run['precision'].item())})"
    )


def configuration_names(report: Report, cases: pd.DataFrame) -> list[str]:
    """Cases as a legend names them: strategies, with their GPUs if those differ, and settings that few of them have."""
    usual = usual_settings(report, cases)
    counts = cases.loc[cases["gpus"] > 1, "gpus"].nunique()

    def name_of(case: dict[Any, Any]) -> str:
        if case["strategy"] == "single":
            name = f"one {devices_of(report.machine).one}"
        else:
            name = f"{case['strategy']}{' (lossy)' * is_lossy(case)}" + (f" on {case['gpus']}" if counts > 1 else "")
        own = (axis for axis in usual if case[axis] != usual[axis] and has_choice(case, axis))
        return ", ".join([name, *map(words_in(report.vocabulary, case), own)])

    return [name_of(case) for case in cases.to_dict("records")]


def is_lossy(case: dict[Any, Any]) -> bool:
    """Whether the strategy does not compute what one GPU computes, as each unconnected copy does; older programs do not
    say it.
    """
    return bool(case.get("lossy")) and case["strategy"] != "independent"


def has_choice(case: dict[Any, Any], axis: str) -> bool:
    """One GPU has no transport, and nor have unconnected copies."""
    return axis not in ("collective", "nccl_settings", "scaling") or case["collective"] != "none"


def usual_settings(report: Report, cases: pd.DataFrame) -> dict[str, Any]:
    """The most frequent value of each setting that has several."""
    rows = cases.to_dict("records")
    values = {axis: [row[axis] for row in rows if has_choice(row, axis)] for axis in report.vocabulary.settings}
    return {axis: max(own, key=own.count) for axis, own in values.items() if len(set(own)) > 1}


def words_in(vocabulary: Vocabulary, case: dict[Any, Any]) -> Callable[[str], str]:
    return lambda axis: vocabulary.setting(axis, case[axis])


def precision_words(cases: pd.DataFrame) -> str:
    return listed(map(precision_name, sorted(set(cases["precision"]))))


def precision_name(precision: str) -> str:
    return "unknown precision" if precision == "unknown" else precision
