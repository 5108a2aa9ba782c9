# SPDX-License-Identifier: Apache-2.0
"""jobs/nccl-study starts one launch for each setting and round, in another order each round, continues where it was stopped,
and names the settings that NCCL refuses. A stand-in takes the program's place: it writes down how it is called."""
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]
STAND_IN = """#!/usr/bin/env bash
echo "$*" >>"$CALLS"
[[ $1 == report ]] && { echo 'the table'; exit 0; }
[[ $* == *NCCL_PROTO=refused* ]] && exit 2
while [ $# -gt 0 ]; do [ "$1" = --output ] && : >"$2"; shift; done
"""
SETTINGS = "# comment\n\nNCCL_ALGO=allreduce:ring\nNCCL_P2P_DISABLE=1 NCCL_SHM_DISABLE=1\n"


class Study:
    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.calls = folder / "calls"
        program = folder / "breakeven"
        program.write_text(STAND_IN)
        program.chmod(0o755)

    def run(self, *options: str, settings: str = SETTINGS) -> subprocess.CompletedProcess:
        self.calls.write_text("")
        (self.folder / "settings.txt").write_text(settings)
        return subprocess.run(
            [ROOT / "jobs" / "nccl-study", *options, "--settings", self.folder / "settings.txt", self.folder / "all",
             self.folder / "breakeven", "env", f"CALLS={self.calls}"],
            env={"PATH": "/usr/bin:/bin", "CALLS": str(self.calls)}, capture_output=True, text=True, timeout=60, check=False,
            cwd=ROOT)

    def said(self, command: str) -> list[str]:
        return [line for line in self.calls.read_text().splitlines() if line.startswith(command)]


@pytest.fixture()
def study(tmp_path: pathlib.Path) -> Study:
    return Study(tmp_path)


def settings_of(call: str) -> str:
    words = call.split()
    return " ".join(words[place + 1] for place, word in enumerate(words) if word == "--nccl")


def test_every_setting_and_the_defaults_are_launched_in_every_round(study: Study) -> None:
    done = study.run("--launches", "3")
    assert done.returncode == 0, done.stdout + done.stderr
    launches = [settings_of(call) for call in study.said("run")]
    assert sorted(launches) == sorted(["", "NCCL_ALGO=allreduce:ring", "NCCL_P2P_DISABLE=1 NCCL_SHM_DISABLE=1"] * 3)
    orders = {tuple(launches[3 * round_:3 * round_ + 3]) for round_ in range(3)}
    assert len(orders) > 1, "every round had the same order"
    merged = study.said("merge")
    assert len(merged) == 1 and merged[0].count(".launches/") == 9 and merged[0].endswith(f"--output {study.folder}/all.h5")
    assert done.stdout.splitlines()[-1] == "the table"


def test_a_repeated_study_takes_the_same_files(study: Study) -> None:
    study.run("--launches", "2")
    first = study.said("run")
    study.run("--launches", "2")
    assert study.said("run") == first
    assert all("--resume" in call for call in first)


def test_refused_settings_are_named_and_the_rest_goes_on(study: Study) -> None:
    done = study.run("--launches", "1", settings="NCCL_PROTO=refused\nNCCL_PROTO=LL\n")
    assert done.returncode == 2
    assert done.stdout.splitlines()[-1] == "Not measured: NCCL_PROTO=refused (launch 1): exit code 2"
    assert study.said("merge")[0].count(".launches/") == 2


@pytest.mark.parametrize("options", [("--rounds", "3"), ()])
def test_wrong_use_is_one_sentence(options: tuple[str, ...]) -> None:
    done = subprocess.run([ROOT / "jobs" / "nccl-study", *options, "name"], capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1


def test_every_recorded_setting_is_one_that_the_option_takes() -> None:
    lines = [line for line in (ROOT / "jobs" / "nccl-settings.txt").read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == len(set(lines)) > 10
    for line in lines:
        for setting in line.split():
            name, value = setting.split("=", 1)
            assert name.startswith("NCCL_") and value
