# SPDX-License-Identifier: Apache-2.0
"""The program is found, started once per question, and its refusals are sentences."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from conftest import MAP, SCALING

from breakeven_analysis import ProgramError, find_program, read_advice, read_report
from breakeven_analysis import program as module
from breakeven_analysis.page.command import main as page


def stand_in(folder: Path, says: str, code: int = 0) -> Path:
    """A program that counts its starts."""
    path = folder / "breakeven"
    path.write_text(f"#!/bin/sh\necho >>{folder}/asked\necho '{says}'\necho 'a sentence' >&2\nexit {code}\n")
    path.chmod(0o755)
    return path


def test_environment_comes_before_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = stand_in(tmp_path, "{}")
    monkeypatch.setenv(module.VARIABLE, str(program))
    assert find_program() == program
    monkeypatch.setenv(module.VARIABLE, str(tmp_path / "none"))
    with pytest.raises(ProgramError, match="not an executable file"):
        find_program()
    monkeypatch.delenv(module.VARIABLE)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(module, "OWN", tmp_path / "none")
    assert find_program() == program


def test_the_packages_program_comes_before_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    programs = {}
    for name in ("own", "path", "named"):
        (tmp_path / name).mkdir()
        programs[name] = stand_in(tmp_path / name, "{}")
    monkeypatch.setattr(module, "OWN", programs["own"])
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.delenv(module.VARIABLE, raising=False)
    assert find_program() == programs["own"]
    monkeypatch.setenv(module.VARIABLE, str(programs["named"]))
    assert find_program() == programs["named"]


def test_the_former_variable_works_and_warns(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = stand_in(tmp_path, "{}")
    monkeypatch.delenv(module.VARIABLE, raising=False)
    monkeypatch.setenv(module.FORMER_VARIABLE, str(program))
    with pytest.warns(FutureWarning, match="BREAKEVEN_PROGRAM is now called BREAKEVEN"):
        assert find_program() == program
    monkeypatch.setenv(module.VARIABLE, str(program))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert find_program() == program


@pytest.mark.parametrize("folder", [".", "./", "here", "../{name}", ""])
def test_a_relative_folder_of_path_is_not_searched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str
) -> None:
    (tmp_path / "here").mkdir()
    stand_in(tmp_path, "{}")
    stand_in(tmp_path / "here", "{}")
    monkeypatch.delenv(module.VARIABLE, raising=False)
    monkeypatch.setattr(module, "OWN", tmp_path / "none")
    monkeypatch.setattr(module, "newest_built", lambda: None)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", folder.format(name=tmp_path.name))
    with pytest.raises(ProgramError, match="not found"):
        find_program()


def test_the_packages_own_command_is_not_the_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stand_in(tmp_path, "{}")
    monkeypatch.delenv(module.VARIABLE, raising=False)
    monkeypatch.setattr(module, "OWN", tmp_path / "none")
    monkeypatch.setattr(module.sysconfig, "get_path", lambda _: str(tmp_path))
    monkeypatch.setattr(module, "newest_built", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ProgramError, match="not found"):
        find_program()


def test_the_command_runs_the_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "breakeven"
    program.write_text('#!/bin/sh\necho "$@"\nexit 5\n')
    program.chmod(0o755)
    call = [sys.executable, "-c", "from breakeven_analysis.program import main; main()", "report", "a file.h5"]
    done = subprocess.run(call, env={**os.environ, module.VARIABLE: str(program)}, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (5, "report a file.h5\n")


@pytest.mark.parametrize(
    ("words", "code", "said"), [(["wrap"], 1, "stands behind '--'"), (["help", "wrap"], 0, "--gpus")]
)
def test_the_command_wraps_by_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, words: list[str], code: int, said: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["breakeven", *words])
    monkeypatch.setattr(module, "find_program", lambda: pytest.fail("the program has no part in it"))
    with pytest.raises(SystemExit) as ended:
        module.main()
    assert ended.value.code == code and said in "".join(capsys.readouterr())


def test_only_a_program_built_from_the_packages_sources_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "build" / "release" / "bin"
    folder.mkdir(parents=True)
    (tmp_path / "analysis").mkdir()
    (tmp_path / "analysis" / "pyproject.toml").touch()
    program = stand_in(folder, "{}")
    monkeypatch.delenv(module.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(module, "OWN", tmp_path / "none")
    monkeypatch.chdir(folder.parent)
    for elsewhere in (tmp_path / "none", folder):
        monkeypatch.setattr(module, "SOURCES", elsewhere)
        with pytest.raises(ProgramError, match="not found"):
            find_program()
    monkeypatch.setattr(module, "SOURCES", tmp_path)
    assert find_program() == program


@pytest.mark.parametrize("printed", ["", "[]", "{", "[" * 100_000])
def test_what_is_not_json_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, printed: str) -> None:
    monkeypatch.setenv(module.VARIABLE, str(stand_in(tmp_path, printed)))
    with pytest.raises(ProgramError, match="did not print one JSON object"):
        module.read_json("report", tmp_path / "results.h5")


@pytest.mark.parametrize(
    ("is_of_sources", "how"),
    [
        (True, "Build it with: make build, put"),
        (False, "install it again, without --config-settings=wheel.cmake=false"),
    ],
)
def test_a_missing_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, tmp_path: Path, is_of_sources: bool, how: str
) -> None:
    monkeypatch.delenv(module.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(module, "OWN", tmp_path / "none")
    monkeypatch.setattr(module, "newest_built", lambda: None)
    monkeypatch.setattr(module, "runs_from_sources", lambda: is_of_sources)
    with pytest.raises(ProgramError, match=rf"{how}.* name it in BREAKEVEN"):
        read_report(MAP)
    monkeypatch.setattr(sys, "argv", ["breakeven", "report", str(MAP)])
    with pytest.raises(SystemExit) as ended:
        module.main()
    said = capsys.readouterr().err
    assert ended.value.code == page([str(MAP), "-o", str(tmp_path / "page.html")]) == 2
    assert capsys.readouterr().err == said.replace("breakeven: ", "breakeven-report: ", 1)


def test_a_refusal_is_the_programs_sentence() -> None:
    sentence = r"^breakeven report ended with exit code 5: no-file\.h5: No such file or directory$"
    with pytest.raises(ProgramError, match=sentence):
        read_report("no-file.h5")


def test_another_version_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = stand_in(tmp_path, '{"format": "breakeven report", "version": 1}')
    monkeypatch.setenv(module.VARIABLE, str(program))
    with pytest.raises(ProgramError, match="version 1"):
        read_report(MAP)
    with pytest.raises(ProgramError, match="advice version 1"):
        read_advice(MAP, "xl", 64)
    with pytest.raises(ProgramError, match="version 1"):
        read_report(MAP)
    assert len((tmp_path / "asked").read_text().splitlines()) == 2, "started once per question"


def test_a_changed_file_is_read_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(module.VARIABLE, str(stand_in(tmp_path, "{}")))
    file = tmp_path / "results.h5"
    for text in ("once", "and again"):
        file.write_text(text)
        module.read_json("report", file)
        file.touch()
    assert len((tmp_path / "asked").read_text().splitlines()) == 2


def test_tables_are_the_programs(map_report: object) -> None:
    report = read_report(SCALING)
    assert report.machine == "4x NVIDIA H200" and len(report.answers) == 6
    cases = report.timed()
    assert (cases["timing"] == "total").all() and len(cases) == len(report.cases)
    assert cases["joules_per_sample"].dtype == float, "null is NaN"
    with pytest.raises(KeyError, match="loss_budgets"):
        report.table("no such")
