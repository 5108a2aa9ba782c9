# SPDX-License-Identifier: Apache-2.0
"""Commands and options as their --help prints them."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

PAGE = "breakeven-report"  # writes the HTML page
LACKS_PACKAGE = 2  # exit code of a command that is part of the Python package, where that is missing
HEAD = re.compile(r"(?:(-\w)(?: [^ ,\[]+)?(?: \[ |, ))?(--[\w-]+)(?: \])?(?: ([^ (]\S*))?(?: \(=(.*)\))?")
SOURCES = {"BREAKEVEN_PYTHON": sys.executable, "PYTHONPATH": str(Path(__file__).resolve().parents[1] / "analysis")}


@dataclass
class Option:
    long: str  # "--models"
    short: str  # "-h", or ""
    value: str  # "LIST"; "" of a switch
    preset: str
    meaning: str

    @property
    def words(self) -> list[str]:
        """The values, where the meaning is their list: "how: a, b or c"."""
        if self.value.startswith("{"):
            return self.value.strip("{}").split(",")
        meaning = re.sub(r" *\([^()]*\)|; default: .*", "", self.meaning)  # a value may be explained in parentheses
        listed = re.search(r"(?:^|: )((?:[a-z0-9-]+, )*[a-z0-9-]+(?:, or | or |, )[a-z0-9-]+)$", meaning)
        return re.split(r", or | or |, ", listed[1]) if listed else []


@dataclass
class Command:
    name: str
    summary: str
    usage: str = ""
    groups: list[tuple[str, list[Option]]] = field(default_factory=list)

    @property
    def options(self) -> list[Option]:
        return [option for _, options in self.groups for option in options]


def output_of(program: str, *words: str, may_lack_package: bool = False) -> str:
    done = subprocess.run([program, *words], capture_output=True, text=True, env={**SOURCES, **os.environ, "COLUMNS": "80"})
    if may_lack_package and done.returncode == LACKS_PACKAGE:
        return ""
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(words)} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def read_options(lines: list[str]) -> list[Option]:
    """Names stand in the left column, meanings in the right one; a name that reaches into it has a line of its own."""
    gaps = [found.end() for line in lines if (found := re.match(r"  (?:\S.*?\S)? {2,}", line))]
    column = min(gaps, default=0)
    options: list[Option] = []
    for line in lines:
        name, meaning = line[:column].strip(), line[column:].strip()
        reaches_over = bool(line[column - 1 : column].strip())
        if name and (reaches_over or not (head := HEAD.fullmatch(name))):
            name, meaning = line.strip(), ""
            head = HEAD.fullmatch(name)
        if name and head:
            short, long, value, preset = (part or "" for part in head.groups())
            options.append(Option(long, short, value, preset, meaning))
        elif name:
            sys.exit(f"--help has a line that cannot be read: {line}")
        elif options and meaning:
            options[-1].meaning = f"{options[-1].meaning} {meaning}".strip()
    return options


def read_command(program: str, name: str, summary: str) -> Command:
    text = output_of(program, name, "--help", may_lack_package=True)
    return read_help(f"{program} {name}", Command(name, summary), text) if text else Command(name, summary, f"breakeven {name}")


def read_page_command() -> Command | None:
    """Of `breakeven-report`, which is part of the Python package; None where that cannot be imported."""
    python = os.environ.get("BREAKEVEN_PYTHON", sys.executable)
    line = [python, "-m", "breakeven_analysis.page.command", "--help"]
    try:
        done = subprocess.run(line, capture_output=True, text=True, env={**SOURCES, **os.environ, "COLUMNS": "100"})
    except OSError:
        return None
    if done.returncode != 0:
        return None
    usage, _, rest = done.stdout.partition("\n\n")
    summary, _, rest = rest.partition("\n\n")
    options = rest.partition("options:\n")[2]
    return read_help(PAGE, Command(PAGE, summary.strip().rstrip(".")), f"{' '.join(usage.split())}\noptions:\n{options}")


def read_help(program: str, command: Command, text: str) -> Command:
    title, lines = "Options", []
    for line in [*text.splitlines(), "end:"]:
        if not line.startswith(" ") and line.strip():
            if options := read_options(lines):
                command.groups.append((title, options))
            if not command.usage:
                command.usage = line.removeprefix("usage: ").rstrip(":")
            else:
                title = line.rstrip(":")
            lines = []
        else:
            lines.append(line)
    if not command.options:
        sys.exit(f"{program} --help lists no option that can be read")
    return command


def read_commands(program: str) -> list[Command]:
    listed = re.findall(r"^  ([a-z]+) +(\S.*)$", output_of(program, "--help"), re.MULTILINE)
    if not listed:
        sys.exit(f"{program} --help lists no command that can be read")
    return [read_command(program, name, summary) for name, summary in listed]
