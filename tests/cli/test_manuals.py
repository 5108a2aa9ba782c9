# SPDX-License-Identifier: Apache-2.0
"""setup/manuals: manual pages, and what the shells complete. A shell that is not installed is left out."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

LACKS_PACKAGE = 2
PROGRAM = os.environ["BREAKEVEN"]
GENERATOR = pathlib.Path("setup/manuals").resolve()
BASH = "bash-completion/completions/breakeven"
PAGE_BASH = "bash-completion/completions/breakeven-report"
ZSH = "zsh/site-functions/_breakeven"
FISH = "fish/vendor_completions.d/breakeven.fish"


def output_of(*words: str | pathlib.Path, **more) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("share")
    output_of(GENERATOR, PROGRAM, folder)
    return folder


def commands() -> list[str]:
    return re.findall(r"^  ([a-z]+) ", output_of(PROGRAM, "--help"), re.MULTILINE)


def options_of(command: str) -> set[str]:
    done = subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True, check=False)
    if command == "wrap" and done.returncode == LACKS_PACKAGE:
        pytest.skip("wrap is in the Python package, which is not installed")
    return set(re.findall(r"^  (?:-\w(?: \[ |, ))?(--[\w-]+)", done.stdout, re.MULTILINE))


@pytest.mark.parametrize("command", commands())
def test_a_page_has_every_option(share: pathlib.Path, command: str) -> None:
    page = (share / f"man/man1/breakeven-{command}.1").read_text().replace("\\-", "-")
    entries = set(re.findall(r"\.TP\n\\fB(?:-\w, )?(--[\w-]+)", page))
    own = entries if command != "report" else entries & options_of(command)  # its page has breakeven-report's too
    assert own == options_of(command) and entries


def test_the_page_of_wrap_needs_no_installed_packages(tmp_path: pathlib.Path) -> None:
    """`make install` may have only the system's Python, without numpy and h5py."""
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    bare.chmod(0o755)
    output_of(GENERATOR, PROGRAM, tmp_path, env={**os.environ, "BREAKEVEN_PYTHON": str(bare)})
    for place in ("man/man1/breakeven-wrap.1", BASH):
        assert "--step-seconds" in (tmp_path / place).read_text().replace("\\-", "-"), place


@pytest.mark.parametrize("command", commands())
def test_a_value_says_what_it_is(command: str) -> None:
    """Boost writes "arg" where an option names no kind of value."""
    done = subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True, check=False)
    assert not re.findall(r"^  .*--[\w-]+ arg\b.*", done.stdout, re.MULTILINE)


def test_the_pages_name_each_other(share: pathlib.Path) -> None:
    page = (share / "man/man1/breakeven.1").read_text()
    assert all(f"\\fB{command}\\fR" in page for command in commands())


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_the_pages_are_sound(share: pathlib.Path) -> None:
    for page in (share / "man/man1").iterdir():
        done = subprocess.run(["groff", "-man", "-ww", "-z", page], check=True, capture_output=True, text=True)
        assert done.stderr == "", page.name


def in_bash(share: pathlib.Path, *words: str, folder: pathlib.Path) -> list[str]:
    script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _breakeven; printf "%s\\n" "${COMPREPLY[@]}"'
    return output_of("bash", "-c", script, "bash", share / BASH, "breakeven", *words, cwd=folder).split()


def in_fish(share: pathlib.Path, *words: str, folder: pathlib.Path) -> list[str]:
    line = " ".join(["breakeven", *words])
    printed = output_of("fish", "--private", "-c", f"source {share / FISH}; complete -C '{line}'", cwd=folder,
                        env={**os.environ, "HOME": str(folder)})
    return sorted(entry.split("\t")[0] for entry in printed.splitlines())


SHELLS = [pytest.param(in_bash, id="bash"),
          pytest.param(in_fish, id="fish", marks=pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed"))]


@pytest.mark.parametrize("complete", SHELLS)
def test_what_a_shell_offers(share: pathlib.Path, tmp_path: pathlib.Path, complete) -> None:
    (tmp_path / "mine.h5").touch()
    assert complete(share, "tr", folder=tmp_path) == ["trace"]
    assert complete(share, "run", "--prec", folder=tmp_path) == ["--precisions"]
    assert complete(share, "run", "--precisions", "b", folder=tmp_path) == ["bf16"]
    assert complete(share, "run", "--strategies", "zer", folder=tmp_path) == ["zero1", "zero2"]
    assert complete(share, "report", "mi", folder=tmp_path) == ["mine.h5"]
    assert complete(share, "report", "--sections", "tim", folder=tmp_path) == ["time-to-quality", "timelines"]
    assert complete(share, "run", "--gemm-table", "mi", folder=tmp_path) == ["mine.h5"]


@pytest.fixture
def has_package(share: pathlib.Path) -> None:
    if not (share / PAGE_BASH).exists():
        pytest.skip("breakeven-report is in the Python package, which is not installed")


@pytest.mark.usefixtures("has_package")
def test_the_page_of_report_is_of_both_commands(share: pathlib.Path) -> None:
    page = (share / "man/man1/breakeven-report.1").read_text().replace("\\-", "-")
    synopsis = page.partition(".SH SYNOPSIS")[2].partition(".SH")[0]
    assert "breakeven report " in synopsis and "breakeven-report [-h]" in synopsis
    own = page.partition(".SH OPTIONS OF BREAKEVEN-REPORT")[2]
    assert {"--output", "--price"} <= set(re.findall(r"\.TP\n\\fB(?:-\w, )?(--[\w-]+)", own))


@pytest.mark.usefixtures("has_package")
def test_the_page_command_is_completed(share: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "mine.h5").touch()
    script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _breakeven_page; printf "%s\\n" "${COMPREPLY[@]}"'
    for word, offered in (("--out", "--output"), ("mi", "mine.h5")):
        told = output_of("bash", "-c", script, "bash", share / PAGE_BASH, "breakeven-report", word, cwd=tmp_path)
        assert told.split() == [offered]
    for place in ("zsh/site-functions/_breakeven-report", "fish/vendor_completions.d/breakeven-report.fish"):
        assert "output" in (share / place).read_text()


def test_bash_goes_on_behind_a_comma(share: pathlib.Path, tmp_path: pathlib.Path) -> None:
    assert in_bash(share, "run", "--precisions", "fp32,b", folder=tmp_path) == ["fp32,bf16"]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_what_zsh_is_told(share: pathlib.Path) -> None:
    script = 'words=(breakeven run x); CURRENT=3; _arguments() { print -rl -- "$@" }; source "$1"'
    told = output_of("zsh", "-f", "-c", script, "zsh", share / ZSH)
    assert set(re.findall(r"^\*(--[\w-]+)\[", told, re.MULTILINE)) == options_of("run")
    assert re.search(r"^\*--precisions\[.*:_values -s , LIST .*\bbf16\b", told, re.MULTILINE)


def test_a_wrong_program_is_refused(tmp_path: pathlib.Path) -> None:
    done = subprocess.run([GENERATOR, "/bin/false", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "/bin/false --version ended with 1" in done.stderr
    done = subprocess.run([GENERATOR, "/bin/true", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "lists no command" in done.stderr
