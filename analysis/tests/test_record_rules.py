# SPDX-License-Identifier: Apache-2.0
"""What the recorder has in common with the program: settling, provenance; and the clocks of a GPU."""

import math
import re
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest
from conftest import AUTO
from loops import SHORT, FakeTimer, label, train

from breakeven_analysis import Recorder, RecorderError
from breakeven_analysis.record import recorder as module
from breakeven_analysis.record import steadiness
from breakeven_analysis.record.secret_words import command_line
from breakeven_analysis.record.steadiness import Window, are_steady, quarters_agree, t_quantile
from breakeven_analysis.wrap.times import FEWEST_MEASURED

ROOT = Path(__file__).resolve().parents[2]


# ---------------------------------------------------------------- settling

CONSTANTS = {
    "src/measure/steady_windows.cpp": {
        "clock_quantum_hz": steadiness.CLOCK_QUANTUM_HZ,
        "few_windows": steadiness.FEW_WINDOWS,
        "windows_near_limit": steadiness.WINDOWS_NEAR_LIMIT,
        "seconds_near_limit": steadiness.SECONDS_NEAR_LIMIT,
        "share_near_limit": steadiness.SHARE_NEAR_LIMIT,
    },
    "src/measure/steady_windows.h": {"window_seconds": steadiness.WINDOW_SECONDS},
    "src/measure/settling.cpp": {"margin": steadiness.MARGIN, "most_steps_a_window": steadiness.MOST_STEPS_A_WINDOW},
    "src/analysis/short_runs.h": {"fewest_steps_for_verdict": FEWEST_MEASURED},
    "src/statistics/steady_state.cpp": {"quarters_level": steadiness.QUARTERS_LEVEL},
    "src/statistics/steady_state.h": {
        "steady_tolerance": steadiness.LARGEST_DRIFT / 2,
        "fewest_for_quarters": steadiness.FEWEST_FOR_QUARTERS,
    },
}


@pytest.mark.parametrize("source", CONSTANTS)
def test_the_rules_have_the_programs_constants(source: str) -> None:
    text = (ROOT / source).read_text(encoding="utf-8")
    for name, value in CONSTANTS[source].items():
        found = re.search(rf"\b{name} = ([^;]+);", text)
        assert found and float(found[1].replace("'", "")) == value, name


def test_defaults_are_those_of_run() -> None:
    source = (ROOT / "src" / "measure" / "plan" / "options.h").read_text(encoding="utf-8")
    defaults = Recorder.__init__.__kwdefaults__ or {}
    for name in ("warmup", "steps", "seconds"):
        assert float(re.search(rf"\b{name} = ([\d.]+);", source)[1]) == defaults[name], name


def test_windows_near_the_power_limit_take_longer() -> None:
    window = Window(0.25, 0.01, clock_hz=1.5e9, power_share=0.2)
    assert not are_steady([window], 0.005) and are_steady([window, window], 0.005)
    assert not are_steady([window, Window(0.1, 0.01)], 0.005), "too short"
    assert not are_steady([window, Window(0.25, 0.0102)], 0.005), "another speed"
    assert are_steady([window, Window(0.25, 0.01, clock_hz=1.51e9)], 0.005), "within the clock's steps"
    assert not are_steady([window, Window(0.25, 0.01, clock_hz=1.6e9)], 0.005)
    near = Window(0.25, 0.01, power_share=0.6)
    assert not are_steady(5 * [near], 0.005), "1.25 s" and are_steady(6 * [near], 0.005)
    assert not are_steady([near, near, near, near, Window(0.25, 0.01), Window(0.25, math.nan)], 0.005)


def test_quarters() -> None:
    level = np.full(20, 0.01)
    assert quarters_agree(level, 0.02)
    assert not quarters_agree(level[:7], 0.02), "too few"
    assert not quarters_agree(np.append(level, math.nan), 0.02)
    drift = 0.01 * np.linspace(1, 1.05, 20)
    assert not quarters_agree(drift, 0.02) and quarters_agree(drift, 0.05)
    noise = 0.01 * (1 + 0.05 * np.random.default_rng(1).normal(size=20))
    assert quarters_agree(noise, 0.001), "no more than noise"


@pytest.mark.parametrize("degrees", [4, 5, 12, 30, 66, 1332])
@pytest.mark.parametrize("level", [0.95, 0.99, 1 - 0.01 / 6])
def test_students_t(degrees: int, level: float) -> None:
    """So much of its density lies within the quantile."""
    x = np.linspace(0, t_quantile(degrees, level), 20001)
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)
    within = 2 * scale * float(np.trapezoid((1 + x**2 / degrees) ** (-(degrees + 1) / 2), x))
    assert 1 - within == pytest.approx(1 - level, rel=1e-3)


# ---------------------------------------------------------------- provenance


def test_secrets_stay_out_of_the_command_line() -> None:
    words = ["train.py", "--api-key", "abc", "--wandb-token=def", "HF_TOKEN=ghi", "--lr", "0.1"]
    assert command_line(words) == "train.py --api-key '***' '--wandb-token=***' 'HF_TOKEN=***' --lr 0.1"


def test_starts_of_another_program_or_device_are_another_launch(
    timer: FakeTimer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "mine.h5"
    described = module.describe_start
    train(timer, output, lambda _: 0.01, **SHORT)
    train(timer, output, lambda _: 0.01, batch=128, **SHORT)
    train(timer, output, lambda _: 0.01, batch=256, **{**SHORT, "steps": 6})
    monkeypatch.setattr(module, "describe_start", lambda settings: described(settings) | {"git_revision": "other"})
    train(timer, output, lambda _: 0.01, batch=512, **SHORT)
    monkeypatch.setattr(module, "describe_device", lambda *_: {"host": "elsewhere", "backend": "host", "gpu_name": "x"})
    train(timer, output, lambda _: 0.01, batch=1024, **SHORT)
    assert [label(output, "launch_index", run) for run in range(5)] == [0, 0, 1, 2, 3]


# ---------------------------------------------------------------- files that are there already


@pytest.mark.parametrize("damage", ["older", "number", "no results", "text"])
def test_a_file_that_cannot_take_the_run_is_left_as_it_is(timer: FakeTimer, tmp_path: Path, damage: str) -> None:
    """Refused before anything is trained, or if it becomes so meanwhile, with the parts kept."""
    output, wrong = tmp_path / "mine.h5", tmp_path / "wrong.h5"
    if damage == "older":
        shutil.copy(AUTO, wrong)
    elif damage == "text":
        wrong.write_text("no HDF5")
    else:
        train(timer, wrong, lambda _: 0.01, **SHORT)
        with h5py.File(wrong, "r+") as file:
            if damage == "number":
                file["seconds"][0, 0, 1, 0] = 7
            else:
                file.attrs["Conventions"] = np.bytes_("CF-1.8")
    before = wrong.read_bytes()
    with pytest.raises(RecorderError, match=r"output .*(older breakeven|is damaged|not a results file)"):
        train(timer, wrong, lambda _: pytest.fail("it trains"), **SHORT)
    with pytest.raises(RecorderError, match=rf"the run is not in {output}: .* Its parts are kept in"):
        train(timer, output, lambda step: wrong.replace(output) and 0.01 if step == 0 else 0.01, **SHORT)
    assert output.read_bytes() == before
    output.unlink()
    train(timer, output, lambda _: 0.01, **SHORT)
    assert label(output, "run", 1).endswith("#1"), "the run that was kept, and the new one"
