# SPDX-License-Identifier: Apache-2.0
"""The recorder recovers known durations exactly, and settles by the program's rules."""

import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
from loops import SETTINGS, SHORT, STEP, FakeTimer, label, numbers, train, use_fake_clock

from breakeven_analysis import Recorder, open_results, read_report
from breakeven_analysis.program_tables import PHASES
from breakeven_analysis.record import recorder as module
from breakeven_analysis.record.timers import HostTimer

# ---------------------------------------------------------------- known durations


def test_durations_are_recovered_exactly(timer: FakeTimer, output: Path) -> None:
    durations = [0.5, 0.25, 0.125, 0.25, 0.0625, 0.5, 0.03125]  # sums of them are exact
    assert train(timer, output, durations.__getitem__, **SHORT) == 7
    assert numbers(output, "seconds")[:, STEP].tolist() == durations[2:]
    assert numbers(output, "host_seconds").tolist() == durations[2:]
    assert numbers(output, "start_seconds").tolist() == [0.75, 0.875, 1.125, 1.1875, 1.6875]
    assert numbers(output, "first_step_seconds") == 0.5 and numbers(output, "warmup_seconds") == 0.25
    assert numbers(output, "steps_device_seconds") == numbers(output, "steps_host_seconds") == sum(durations[2:])
    assert numbers(output, "settle_end") == 0 and numbers(output, "steps_apart") == 1
    assert np.isnan(numbers(output, "seconds")[:, :STEP]).all(), "no phase was marked"


def test_time_between_steps_belongs_to_the_next_step(timer: FakeTimer, output: Path) -> None:
    recorder = Recorder(**SETTINGS, **SHORT, output=output)
    for _ in range(7):
        timer.time += 0.25  # the loader
        with recorder.step(loss=lambda: 1.0):
            timer.time += 0.5
    recorder.close()
    assert numbers(output, "seconds")[:, STEP].tolist() == 5 * [0.75]


def test_phases_are_recovered_exactly(timer: FakeTimer, output: Path) -> None:
    recorder = Recorder(**SETTINGS, **SHORT, output=output)
    for step in range(7):
        with recorder.step(loss=lambda: 1.0):
            for part in (1, 2):  # micro-batches
                with recorder.phase("forward"):
                    timer.time += 0.25 * step * part
                with recorder.phase("backward"):
                    timer.time += 0.5 * part
            timer.time += 0.125
    recorder.close()
    seconds = dict(zip(PHASES, numbers(output, "seconds").T.tolist(), strict=True))
    assert seconds["forward"] == [0.75 * step for step in range(2, 7)]
    assert seconds["backward"] == 5 * [1.5] and seconds["overhead"] == 5 * [0.125]
    assert seconds["optimizer"] == seconds["wait"] == 5 * [0]
    assert seconds["step"] == [0.75 * step + 1.625 for step in range(2, 7)]
    assert label(output, "instrument") == "phases"


def test_of_spaced_steps_the_mean_counts_with_the_phases_of_one_of_them(timer: FakeTimer, output: Path) -> None:
    """Of four successive steps; the times within each four are 1, 2, 3, 4 units."""
    unit = 2.0**-10

    def seconds_of(step: int) -> float:
        return unit * (1 + step % 4)

    settings = {"warmup": 0, "settle": 1, "steps": 16, "seconds": 0.15, "settle_tolerance": 0.5}
    train(timer, output, seconds_of, **settings)
    assert numbers(output, "steps_apart") == 4
    assert numbers(output, "seconds")[:, STEP].tolist() == 16 * [2.5 * unit]
    recorder = Recorder(**SETTINGS, **settings, output=output)
    step = 0
    while not recorder.done:
        with recorder.step(loss=lambda: 1.0):
            with recorder.phase("forward"):
                timer.time += seconds_of(step) - unit / 2
            with recorder.phase("optimizer"):
                timer.time += unit / 2
        step += 1
    recorder.close()
    seconds = numbers(output, "seconds")
    assert seconds[:, STEP].tolist() == 16 * [2.5 * unit], "what is not marked counts too"
    shares = seconds[:, PHASES.index("optimizer")] / seconds[:, STEP]
    sampled = {round(0.5 / share) for share in shares}
    assert sampled == {1, 2, 3, 4}, "steps at random places"
    assert seconds[:, :STEP].sum(axis=1) == pytest.approx(seconds[:, STEP], rel=1e-12)


def test_marks_of_phases_are_no_time_of_a_step(timer: FakeTimer, output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark takes the host 2^-14 s. A step of 2^-10 s has 4 phases, and 40 steps have one border."""
    cost = 2.0**-14

    def mark() -> float:
        timer.time += cost
        return timer.time

    monkeypatch.setattr(timer, "mark", mark)
    recorder = Recorder(**SETTINGS, output=output, steps=20, seconds=20 * 40 * 2.0**-10, settle=1, warmup=2)
    while not recorder.done:
        with recorder.step(loss=lambda: 1.0):
            for name in ("input", "forward", "backward", "optimizer"):
                with recorder.phase(name):
                    timer.time += 2.0**-12
    recorder.close()
    apart, own = numbers(output, "steps_apart"), numbers(output, "recorder_seconds")
    assert apart >= 40 and own == pytest.approx(11 * cost / apart, rel=0.1)
    assert numbers(output, "seconds")[:, STEP].mean() == pytest.approx(2.0**-10 + own, rel=1e-3)


@pytest.mark.parametrize("jump", [-86400.0, 86400.0])
def test_a_clock_that_is_set_changes_no_duration(monkeypatch: pytest.MonkeyPatch, output: Path, jump: float) -> None:
    """The wall clock jumps at every step."""
    timer = use_fake_clock(monkeypatch)
    wall = [1e9]
    monkeypatch.setattr(module, "make_timer", HostTimer)
    monkeypatch.setattr("time.time", lambda: wall[0])
    monkeypatch.setattr("time.monotonic", timer.now)

    def seconds_of(step: int) -> float:
        wall[0] += jump
        return 0.25 * 2 ** (step % 3)

    train(timer, output, seconds_of, **SHORT)
    assert numbers(output, "seconds")[:, STEP].tolist() == [1, 0.25, 0.5, 1, 0.25]
    assert numbers(output, "first_step_seconds") == 0.25 and numbers(output, "warmup_seconds") == 0.5


def test_what_follows_the_last_step_is_no_time_of_it(timer: FakeTimer, output: Path) -> None:
    """A loop that ends early, and evaluates before it closes."""
    recorder = Recorder(**SETTINGS, **{**SHORT, "steps": 50}, output=output)
    for _ in range(32):
        with recorder.step(loss=lambda: 1.0):
            timer.time += 0.25
    timer.time += 60
    recorder.close()
    assert numbers(output, "steps_host_seconds") == numbers(output, "steps_device_seconds") == 30 * 0.25


# ---------------------------------------------------------------- settling


def test_steady_steps_settle_in_two_windows(timer: FakeTimer, output: Path) -> None:
    made = train(timer, output, lambda _: 0.01, steps=20)
    window = 24  # 1.2 * 0.2 s
    assert numbers(output, "settle_steps") == 2 * window and numbers(output, "settle_end") == 1
    assert numbers(output, "settle_seconds") == pytest.approx(2 * window * 0.01)
    assert numbers(output, "steps_apart") == 3, "20 steps of 10 ms do not last 0.5 s"
    assert made == 10 + 20 + 2 * window + 20 * 3


def test_short_steps_have_few_marks_where_a_mark_takes_long(timer: FakeTimer, output: Path) -> None:
    timer.seconds_between_marks = 0.03
    train(timer, output, lambda _: 2.0**-7, steps=100)
    assert numbers(output, "steps_apart") == 4, "3.84 steps of 7.8 ms last 0.03 s"
    train(timer, output, lambda _: 2.0**-4, steps=100)
    assert numbers(output, "steps_apart") == 1, "one step lasts longer"


def test_drifting_steps_end_at_the_time_limit(timer: FakeTimer, output: Path) -> None:
    train(timer, output, lambda step: 0.01 * 1.002**step, most=2000, steps=20, settle=2.0)
    assert numbers(output, "settle_end") == 2 and 2 <= numbers(output, "settle_seconds") < 2.6


def test_measured_steps_that_drift_are_measured_again(timer: FakeTimer, output: Path) -> None:
    """The first stretch is steady for two windows and slows down within the measured steps."""
    settled = 10 + 20 + 2 * 24
    train(timer, output, lambda step: 0.01 if step < settled + 30 else 0.013, steps=20)
    assert numbers(output, "settle_end") == 1
    assert numbers(output, "settle_steps") == 2 * 24 + 20 * 3, "the first stretch counts as settling"
    assert numbers(output, "seconds")[:, STEP] == pytest.approx(20 * [0.013])


# ---------------------------------------------------------------- losses


class Tensor:
    """Waits for the device when it is read."""

    reads = 0

    def __init__(self, value: float) -> None:
        self.value = value
        self.shape = ()

    def detach(self) -> "Tensor":
        return self

    def clone(self) -> "Tensor":
        return Tensor(self.value)

    def __float__(self) -> float:
        Tensor.reads += 1
        return self.value


def test_losses_are_those_of_the_first_steps_and_the_last(timer: FakeTimer, output: Path) -> None:
    overwritten = Tensor(0.0)  # as by each replay of a CUDA graph

    def loss() -> Tensor:
        overwritten.value += 1
        return overwritten

    Tensor.reads = 0
    train(timer, output, lambda _: 0.01, loss=loss, steps=20)
    assert numbers(output, "loss").tolist() == list(range(2, 22)), "the first one is only looked at"
    assert numbers(output, "last_loss") == 22, "none was asked for within the measured steps"
    assert Tensor.reads == 21


def test_without_losses_a_run_counts_nevertheless(timer: FakeTimer, output: Path) -> None:
    train(timer, output, lambda _: 0.01, loss=None, **SHORT)
    assert len(read_report(output).cases) == 1 and read_report(output).cases["step_seconds"][0] == pytest.approx(0.01)


def test_a_last_loss_that_is_not_a_number_leaves_the_case_without_a_speed(timer: FakeTimer, output: Path) -> None:
    train(timer, output, lambda _: 0.01, loss=lambda: float("nan"), **SHORT)
    assert np.isnan(read_report(output).cases["step_seconds"].astype(float)[0])


# ---------------------------------------------------------------- the file


def test_the_program_reads_the_file_as_verified(timer: FakeTimer, output: Path) -> None:
    for _ in range(3):
        for batch in (64, 128):
            train(timer, output, lambda _: 0.01, batch=batch, **SHORT)
    report = read_report(output)
    assert report.said["runs"]["verified"] == report.said["runs"]["planned"] == 6
    assert [len(report.said["launches"]), label(output, "launch_index", 5)] == [3, 2], "each case once in a launch"
    assert open_results(output).sizes["run"] == 6
    with h5py.File(output, "r+") as file:
        file["seconds"][1, 0, 2, STEP] += 1e-9
    with pytest.raises(Exception, match="run 1"):
        read_report(output)


def test_the_recorders_own_time_is_in_the_file(output: Path) -> None:
    recorder = Recorder(**SETTINGS, **SHORT, output=output)
    while not recorder.done:
        with recorder.step():
            pass
    recorder.close()
    own = float(numbers(output, "recorder_seconds"))
    assert 0 < own < 5e-4 and own <= numbers(output, "seconds")[:, STEP].mean() * 1.001


def test_only_numpy_and_h5py_are_imported() -> None:
    code = "import sys; from breakeven_analysis import Recorder; print(*sys.modules)"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert {"numpy", "h5py"} < loaded and not {"matplotlib", "xarray", "pandas", "dask"} & loaded
