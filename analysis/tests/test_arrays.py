# SPDX-License-Identifier: Apache-2.0
"""Arrays of the report's cases hold the numbers of its JSON, each at its labels."""

import copy

import numpy as np
import pytest
from conftest import AUTO, LINKS, MAP, SCALING, STRATEGIES

from breakeven_analysis import Report, read_report


@pytest.mark.parametrize("path", [MAP, STRATEGIES, AUTO, SCALING, pytest.param(LINKS, id="links")], ids=str)
@pytest.mark.parametrize("name", ["speedup", "step_seconds", "runs_done"])
def test_every_number_of_the_json_stands_at_its_labels(path: object, name: str) -> None:
    report = read_report(path)  # type: ignore[arg-type]
    array = report.array(name)
    rows = [row for row in report.timed().to_dict("records") if not np.isnan(row[name])]
    assert int(array.notnull().sum()) == len(rows)
    for row in rows:
        (one,) = [array.sel({axis: row[axis] for axis in array.dims}).to_numpy().reshape(-1)]
        assert one == row[name], row["case"]


def test_the_speedup_has_intervals_verdicts_and_units(map_report: Report) -> None:
    speedup = map_report.speedup()
    assert speedup.dims == ("model", "strategy", "gpus", "batch") and list(speedup["gpus"]) == [2]
    cases = map_report.timed().to_dict("records")
    rows = [row for row in cases if row["case"] != row["baseline"] and not np.isnan(row["speedup"])]
    assert int(speedup.notnull().sum()) == len(rows)
    assert float(speedup.isnull().mean()) < 0.05, "no row of labels without measurements"
    for row in rows:
        one = speedup.sel({axis: row[axis] for axis in speedup.dims})
        assert float(one) == row["speedup"] and str(one["verdict"].item()) == row["verdict"]
        assert (float(one["low"]), float(one["high"])) == pytest.approx(
            (row["speedup_low"], row["speedup_high"]), nan_ok=True
        )
    assert set(speedup["verdict"].where(speedup.isnull()).to_numpy().reshape(-1)) <= {"not_measured", np.nan}
    assert speedup["batch"].attrs["units"] == "samples" and speedup.attrs["units"] == "1"
    assert map_report.array("step_seconds").attrs == {
        "units": "s",
        "long_name": "arithmetic mean of all steps, each as long as on its slowest rank",
    }
    assert str(speedup["precision"].item()) == "bf16", "what does not differ is a coordinate without dimension"


def test_a_setting_that_tells_cases_apart_is_a_dimension() -> None:
    links = read_report(LINKS).array("samples_per_second")
    assert links.dims == ("model", "strategy", "gpus", "batch", "nccl_settings")
    assert set(links["collective"].to_numpy().reshape(-1)) == {"nccl", "none", "not_measured"}


def test_labels_keep_the_programs_order(map_report: Report) -> None:
    cases = map_report.timed()
    assert list(map_report.array("step_seconds")["model"]) == list(dict.fromkeys(cases["model"]))


def test_what_is_no_number_or_not_measured_is_one_sentence(map_report: Report) -> None:
    with pytest.raises(KeyError, match=r"no number 'verdict'; choose one of .*speedup"):
        map_report.array("verdict")
    said = copy.deepcopy(map_report.said)
    for row in said["cases"]:
        row["speedup"] = None
    for none in (Report(said), Report({**said, "cases": []})):
        with pytest.raises(ValueError, match="none of these cases has a measured speedup"):
            none.speedup()
