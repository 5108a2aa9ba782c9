# SPDX-License-Identifier: Apache-2.0
"""A results file opens as a labelled xarray.Dataset, with either engine."""
import functools
import json
import unittest

import numpy
import xarray

from harness import FileTest

PHASES = ["input", "forward", "backward", "collect", "exchange", "broadcast", "wait", "optimizer", "overhead",
          "step"]


@functools.cache
def shared_file():
    """Made once for all tests, which only read it. Every third run is of the model "medium"."""
    maker = FileTest()
    maker.setUp()
    unittest.addModuleCleanup(maker.doCleanups)
    maker.write(3, "create", 1, 9, 6)
    maker.write(2, "append", 2, 4, 8)
    return maker.path


@functools.cache
def shared_data(engine):
    return xarray.load_dataset(shared_file(), engine=engine)


class Labelled(FileTest):
    engine = "h5netcdf"

    def setUp(self):
        self.path = shared_file()
        self.data = shared_data(self.engine)

    def test_what_auto_saw(self):
        """Of every fourth run, by the formula; nothing of the others."""
        chose = self.data.candidates.values > 0
        self.assertEqual(list(numpy.flatnonzero(chose)), [run for run in range(13) if self.data.strategy.values[run] == "auto"])
        self.assertTrue((self.data.chosen.values[~chose] == "").all())
        self.assertEqual(self.data.candidate_probed_seconds.dims, ("run", "candidate"))
        self.assertTrue(numpy.isnan(self.data.candidate_probed_seconds.values[~chose]).all())
        first = self.data.isel(run=int(chose.argmax()), candidate=0)
        self.assertEqual((str(first.candidate_strategy.values), int(first.candidate_gpus)), ("ddp:buckets=0MB", 1))

    def test_dimensions_and_coordinates(self):
        self.assertEqual(dict(self.data.sizes), dict(run=13, rank=3, step=8, phase=10, peer=3, launch=2, transport=2, group=2,
                                                       operation=7, message=14, candidate=2, product_precision=5))
        self.assertEqual(list(self.data.indexes), ["rank", "step", "phase", "peer", "launch", "run", "transport", "group",
                                                   "operation", "message", "candidate", "product_precision"])
        self.assertEqual(list(self.data.phase.values), PHASES)
        self.assertEqual(list(self.data.step.values), list(range(8)))
        self.assertTrue(self.data.run.values[12].endswith(" #12"))
        self.assertEqual(self.data.seconds.dims, ("run", "rank", "step", "phase"))
        self.assertEqual(self.data.link.dims, ("launch", "rank", "peer"))

    def test_measured_numbers_are_the_data_variables(self):
        self.assertIn("seconds", self.data.data_vars)
        self.assertIn("model", self.data.coords)
        for name, variable in self.data.data_vars.items():
            self.assertEqual(variable.dims[:2], ("run", "rank"), name)
            self.assertEqual(variable.dtype, numpy.float64, name)

    def test_select_by_label(self):
        forward = self.data.seconds.sel(phase="forward")
        self.assertEqual(forward.dims, ("run", "rank", "step"))
        numpy.testing.assert_array_equal(forward, self.data.seconds[..., 1])
        one = self.data.seconds.sel(run=self.data.run.values[4], rank=1)
        numpy.testing.assert_array_equal(one, self.data.seconds[4, 1])

    def test_select_by_condition(self):
        medium = self.data.where(self.data.model == "medium", drop=True)
        self.assertEqual(set(medium.model.values), {"medium"})
        self.assertEqual(medium.sizes["run"], 5)
        numpy.testing.assert_array_equal(medium.seconds, self.data.seconds[[0, 3, 6, 9, 12]])
        self.assertEqual(medium.batch.dtype, numpy.uint32)
        few = self.data.where((self.data.gpus == 2) & ~self.data.graph, drop=True)
        self.assertGreater(few.sizes["run"], 0)
        self.assertEqual(set(few.gpus.values), {2})

    def test_shorter_runs_and_fewer_ranks_leave_nan(self):
        steps = self.data.steps.values
        for run, gpus in enumerate(self.data.gpus.values):
            host = self.data.host_seconds.values[run]
            self.assertTrue(numpy.isnan(host[gpus:]).all() and numpy.isnan(host[:, steps[run]:]).all(), run)
            self.assertTrue((~numpy.isnan(host[:gpus, :steps[run]])).any(), run)

    def test_units_do_not_change_types(self):
        for name in "seconds", "host_seconds", "setup_seconds", "link_latency_seconds":
            self.assertEqual(self.data[name].dtype, numpy.float64, name)
            self.assertEqual(self.data[name].attrs["units"], "s", name)
        units = {variable.attrs.get("units") for variable in self.data.variables.values()}
        self.assertEqual(units, {None, "1", "1/s", "s", "B", "B/s", "Hz", "W", "J", "degC", "%"})

    def test_types(self):
        self.assertEqual(self.data.graph.dtype, bool)
        self.assertEqual(self.data.peer_access.dtype, bool)
        self.assertEqual(self.data.parameters.dtype, numpy.uint64)
        self.assertEqual(self.data.status.dtype, numpy.uint8)
        self.assertEqual(list(self.data.status.values), [2] * 13)

    def test_launches(self):
        self.assertEqual(self.data.host.values.tolist(),
                         [["knot0ä", "knot1ä", "knot2ä"], ["knot0ä", "knot1ä", ""]])
        self.assertEqual(json.loads(str(self.data.environment.values[1])), dict(SEED="2", RUNS="4", STEPS="8"))
        self.assertEqual(json.loads(str(self.data.versions.values[0]))["mpi"], 'Open MPI "4.1"\n2')
        self.assertIn("größe", str(self.data.command_line.values[0]))

    def test_messages(self):
        seconds = self.data.message_seconds
        self.assertEqual(seconds.dims, ("launch", "transport", "group", "operation", "message"))
        self.assertEqual(list(self.data.transport.values), ["mpi", "nccl"])
        self.assertEqual(list(self.data.group.values), [2, 3])
        self.assertEqual(list(self.data.operation.values), ["all-reduce", "reduce", "broadcast", "reduce-scatter",
                                                            "all-gather", "one-sided", "send"])
        self.assertEqual(list(self.data.message.values), [4 ** (place + 1) for place in range(14)])
        one = seconds.sel(transport="nccl", group=3, operation="send", message=64)
        numpy.testing.assert_array_equal(one, seconds[:, 1, 1, 6, 2])
        self.assertTrue(numpy.isnan(seconds.sel(launch=1, group=3)).all())

    def test_every_variable_says_what_it_is(self):
        for name, variable in self.data.variables.items():
            self.assertTrue(variable.attrs.get("long_name"), name)

    def test_lazily(self):
        with xarray.open_dataset(self.path, engine=self.engine) as data:
            xarray.testing.assert_identical(data.load(), self.data)


class LabelledByNetcdf4(Labelled):
    engine = "netcdf4"

    def test_same_as_the_other_engine(self):
        xarray.testing.assert_equal(self.data, shared_data("h5netcdf"))


if __name__ == "__main__":
    unittest.main()
