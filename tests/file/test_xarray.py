# SPDX-License-Identifier: Apache-2.0
"""A results file opens as a labelled xarray.Dataset, with either engine."""
import json
import pathlib

import numpy
import pytest
import xarray
from results_file import ResultsFile

PHASES = ["input", "forward", "backward", "collect", "exchange", "broadcast", "wait", "optimizer", "overhead",
          "step"]
ENGINES = ["h5netcdf", "netcdf4"]


@pytest.fixture(scope="module")
def shared(folder: pathlib.Path) -> pathlib.Path:
    """Made once for all cases, which only read it. Every third run is of the model "medium"."""
    results = ResultsFile(folder / "results.h5")
    results.write(3, "create", 1, 9, 6)
    results.write(2, "append", 2, 4, 8)
    return results.path


@pytest.fixture(scope="module", params=ENGINES)
def data(request: pytest.FixtureRequest, shared: pathlib.Path) -> xarray.Dataset:
    return xarray.load_dataset(shared, engine=request.param)


def test_what_auto_saw(data: xarray.Dataset) -> None:
    """Of every fourth run, by the formula; nothing of the others."""
    chose = data.candidates.values > 0
    assert list(numpy.flatnonzero(chose)) == [run for run in range(13) if data.strategy.values[run] == "auto"]
    assert (data.chosen.values[~chose] == "").all()
    assert data.candidate_probed_seconds.dims == ("run", "candidate")
    assert numpy.isnan(data.candidate_probed_seconds.values[~chose]).all()
    first = data.isel(run=int(chose.argmax()), candidate=0)
    assert (str(first.candidate_strategy.values), int(first.candidate_gpus)) == ("ddp:buckets=0MB", 1)


def test_dimensions_and_coordinates(data: xarray.Dataset) -> None:
    assert dict(data.sizes) == dict(run=13, rank=3, step=8, phase=10, peer=3, launch=2, transport=3, group=2,
                                    operation=7, message=14, candidate=2, product_precision=5)
    assert list(data.indexes) == ["rank", "step", "phase", "peer", "launch", "run", "transport", "group",
                                  "operation", "message", "candidate", "product_precision"]
    assert list(data.phase.values) == PHASES
    assert list(data.step.values) == list(range(8))
    assert data.run.values[12].endswith(" #12")
    assert data.seconds.dims == ("run", "rank", "step", "phase")
    assert data.link.dims == ("launch", "rank", "peer")


def test_measured_numbers_are_the_data_variables(data: xarray.Dataset) -> None:
    assert "seconds" in data.data_vars
    assert "model" in data.coords
    for name, variable in data.data_vars.items():
        assert variable.dims[:2] == ("run", "rank"), name
        assert variable.dtype == numpy.float64, name


def test_select_by_label(data: xarray.Dataset) -> None:
    forward = data.seconds.sel(phase="forward")
    assert forward.dims == ("run", "rank", "step")
    numpy.testing.assert_array_equal(forward, data.seconds[..., 1])
    one = data.seconds.sel(run=data.run.values[4], rank=1)
    numpy.testing.assert_array_equal(one, data.seconds[4, 1])


def test_select_by_condition(data: xarray.Dataset) -> None:
    medium = data.where(data.model == "medium", drop=True)
    assert set(medium.model.values) == {"medium"}
    assert medium.sizes["run"] == 5
    numpy.testing.assert_array_equal(medium.seconds, data.seconds[[0, 3, 6, 9, 12]])
    assert medium.batch.dtype == numpy.uint32
    few = data.where((data.gpus == 2) & ~data.graph, drop=True)
    assert few.sizes["run"] > 0
    assert set(few.gpus.values) == {2}


def test_shorter_runs_and_fewer_ranks_leave_nan(data: xarray.Dataset) -> None:
    steps = data.steps.values
    for run, gpus in enumerate(data.gpus.values):
        host = data.host_seconds.values[run]
        assert numpy.isnan(host[gpus:]).all() and numpy.isnan(host[:, steps[run]:]).all(), run
        assert (~numpy.isnan(host[:gpus, :steps[run]])).any(), run


def test_units_do_not_change_types(data: xarray.Dataset) -> None:
    for name in "seconds", "host_seconds", "setup_seconds", "link_latency_seconds":
        assert data[name].dtype == numpy.float64, name
        assert data[name].attrs["units"] == "s", name
    units = {variable.attrs.get("units") for variable in data.variables.values()}
    assert units == {None, "1", "1/s", "s", "B", "B/s", "Hz", "W", "J", "degC", "%"}


def test_types(data: xarray.Dataset) -> None:
    assert data.graph.dtype == bool
    assert data.peer_access.dtype == bool
    assert data.parameters.dtype == numpy.uint64
    assert data.status.dtype == numpy.uint8
    assert list(data.status.values) == [2] * 13


def test_launches(data: xarray.Dataset) -> None:
    assert data.host.values.tolist() == [["knot0ä", "knot1ä", "knot2ä"], ["knot0ä", "knot1ä", ""]]
    assert json.loads(str(data.environment.values[1])) == dict(SEED="2", RUNS="4", STEPS="8")
    assert json.loads(str(data.versions.values[0]))["mpi"] == 'Open MPI "4.1"\n2'
    assert "größe" in str(data.command_line.values[0])


def test_messages(data: xarray.Dataset) -> None:
    seconds = data.message_seconds
    assert seconds.dims == ("launch", "transport", "group", "operation", "message")
    assert list(data.transport.values) == ["mpi", "nccl", "peer"]
    assert list(data.group.values) == [2, 3]
    assert list(data.operation.values) == ["all-reduce", "reduce", "broadcast", "reduce-scatter",
                                           "all-gather", "one-sided", "send"]
    assert list(data.message.values) == [4 ** (place + 1) for place in range(14)]
    one = seconds.sel(transport="nccl", group=3, operation="send", message=64)
    numpy.testing.assert_array_equal(one, seconds[:, 1, 1, 6, 2])
    assert numpy.isnan(seconds.sel(launch=1, group=3)).all()


def test_every_variable_says_what_it_is(data: xarray.Dataset) -> None:
    for name, variable in data.variables.items():
        assert variable.attrs.get("long_name"), name


@pytest.mark.parametrize("engine", ENGINES)
def test_lazily(shared: pathlib.Path, engine: str) -> None:
    with xarray.open_dataset(shared, engine=engine) as data:
        xarray.testing.assert_identical(data.load(), xarray.load_dataset(shared, engine=engine))


def test_engines_agree(shared: pathlib.Path) -> None:
    one, other = (xarray.load_dataset(shared, engine=engine) for engine in ENGINES)
    xarray.testing.assert_equal(one, other)
