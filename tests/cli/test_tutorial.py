# SPDX-License-Identifier: Apache-2.0
"""Every command of docs/tutorial.md runs as it stands there, on the host device with what the page names for that, and
the page's own words hold: its plan is what `--dry-run` prints, its conclusions have no figure that no excerpt has."""
import itertools
import json
import os
import pathlib
import re
import runpy
import subprocess

import program
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCED = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
GATE_NOT_MET, GATE_INCONCLUSIVE = 7, 8
PREPARING = ("make ", "export ")  # the machine that runs this has been made ready by them


def commands() -> list[str]:
    """The indented blocks of the page, one command each; the lines of a here-document belong to their command."""
    blocks = re.findall(r"(?:^    .*\n)+", FENCED.sub("", PAGE), re.MULTILINE)
    lines = re.sub(r"^    ", "", "".join(blocks), flags=re.MULTILINE)
    found = re.findall(r"^(?:.*<<END\n(?:.*\n)*?END|.+)$", lines, re.MULTILINE)
    return [command for command in found if not command.startswith(PREPARING)]


COMMANDS = commands()


def without_gpu(text: str) -> str:
    """With the settings that the page gives to a reader who has none."""
    advice = re.search(r"^Without a GPU take (?:.+\n)+", PAGE, re.MULTILINE)[0]
    settings = re.findall(r"`(\w+) = (\S+)`", advice)
    assert [name for name, _ in settings] == ["models", "batches", "precisions", "settle"], advice
    added = "".join(f"{name} = {value}\n" for name, value in settings
                    if not re.search(f"^{name} = ", text, re.MULTILINE))
    text = re.sub(r"^END$", f"{added}END", text, flags=re.MULTILINE)
    for name, value in settings:
        text = re.sub(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.MULTILINE)
    text = re.sub(r"--model \S+", f"--model {dict(settings)['models']}", text)
    batch = re.search(r"batch (\d+)", advice)[1]
    return re.sub(r"--(batch|batches) \d+", rf"--\1 {batch}", text)


class Reader:
    """Somebody who types what the page says, in a folder of their own, on a machine whose GPUs are hidden."""

    def __init__(self, folder: pathlib.Path):
        python = pathlib.Path(os.environ.get("BREAKEVEN_PYTHON", "/nonexistent/python"))
        self.has_package = (python.parent / "breakeven-report").exists()
        programs = [os.path.dirname(os.environ["BREAKEVEN"]), str(python.parent)]
        self.folder = folder
        self.environment = {**os.environ, "PATH": os.pathsep.join([*programs, os.environ["PATH"]]),
                            "BREAKEVEN": os.environ["BREAKEVEN"], "CUDA_VISIBLE_DEVICES": "", "MPLBACKEND": "agg"}

    def types(self, command: str, codes: tuple = (0,)) -> str:
        command = re.sub(r"\bmpirun(?= )", os.environ["BREAKEVEN_MPIRUN"], command)
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, timeout=100, check=False)
        assert done.returncode in codes, f"{command}\nended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
        return done.stdout


@pytest.fixture(scope="module")
def reader(folder: pathlib.Path) -> Reader:
    """Types all commands in one folder, in the order of the page: the later ones read what the earlier ones wrote."""
    return Reader(folder)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.splitlines()[0])
def test_command(reader: Reader, command: str) -> None:
    if not reader.has_package and re.match("breakeven-report|python3", command):
        pytest.skip("the package of analysis/ is not installed here")
    # Cores that others use are slower by turns.
    codes = (0, GATE_NOT_MET, GATE_INCONCLUSIVE) if "--gate" in command else (0,)
    reader.types(without_gpu(command), codes)


def test_all_commands_are_found() -> None:
    assert len(COMMANDS) == 17, COMMANDS


def test_the_plan_is_what_dry_run_prints(tmp_path: pathlib.Path) -> None:
    """As the page's reader with GPUs plans it: nothing is allocated."""
    reader = Reader(tmp_path)
    for command in COMMANDS:
        if command.startswith("cat ") or "--dry-run" in command:
            plan = reader.types(command)
    first = plan.splitlines()[0]
    assert f"```\n{first}\n```" in PAGE, f"the page has another plan than\n{first}"


def test_excerpts_are_of_runs_like_the_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The recorded file in place of mine.h5 has the cases and the protocol of mine.ini, and settled as that does."""
    monkeypatch.syspath_prepend(str(ROOT / "results"))
    recorded = runpy.run_path(str(ROOT / "results" / "update-tutorial"))["RECORDED"]["mine.h5"]
    said = json.loads(program.ended_well(program.alone("report", str(recorded), "--format", "json")).stdout)
    asked = dict(re.findall(r"^    (\w+) = (\S+)$", PAGE, re.MULTILINE))
    for launch in said["launches"]:
        told = launch["settings"]
        assert {key: told[key] for key in ("steps", "repeats")} == {key: asked[key] for key in ("steps", "repeats")}
        assert "settle" not in asked and told.get("settle", "0") == "5s", "the default"
    cases = {(case["model"], case["batch"], case["strategy"]) for case in said["cases"]
             if (case["precision"], case["timing"]) == (asked["precisions"], "total")}
    wanted = itertools.product(*(asked[key].split(",") for key in ("models", "batches", "strategies")))
    assert {(model, int(batch), strategy) for model, batch, strategy in wanted} <= cases
    assert "in bursts" not in " ".join(FENCED.findall(PAGE))


CONCLUSIONS = re.findall(r"^\*\*Conclude\*\*(?:.+\n)+", PAGE, re.MULTILINE)


def test_all_conclusions_are_found() -> None:
    assert len(CONCLUSIONS) == 5, CONCLUSIONS


@pytest.mark.parametrize("conclusion", CONCLUSIONS, ids=lambda text: " ".join(text.split()[1:7]))
def test_conclusions_have_no_figure_that_no_excerpt_has(conclusion: str) -> None:
    excerpts = " ".join(FENCED.findall(PAGE)).replace(",", "")
    known = set(re.findall(r"\d+(?:\.\d+)?", excerpts))
    figures = set(re.findall(r"\d+(?:\.\d+)?", re.sub(r"zero1|2 %", "", conclusion)))
    assert figures <= known, f"{figures - known} of no excerpt: {conclusion}"


def test_paths_are_files_of_the_project() -> None:
    for path in re.findall(r"\bjobs/[\w./]+\w", PAGE):
        assert (ROOT / path).is_file(), path
