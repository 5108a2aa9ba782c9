# SPDX-License-Identifier: Apache-2.0
"""What commands of this package say. A measurement goes on where nobody can read it."""

import argparse
import os
import shlex
import sys
from typing import Any, TextIO

problems: list[str] = []  # why standard output could not be written

CLOSED_PIPE = ""  # nobody is left to read it, and a sentence would say so to nobody


class Parser(argparse.ArgumentParser):
    def print_help(self, file: Any = None) -> None:
        show(self.format_help(), file or sys.stdout)


def say(line: str) -> None:
    """To standard output."""
    show(printable(line) + "\n", sys.stdout)


def warn(sentence: str, command: str = "breakeven wrap") -> None:
    show(printable(f"{command}: {sentence}") + "\n", sys.stderr)


def printable(line: str) -> str:
    """What the user or a program wrote commands no terminal."""
    shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in line)
    return shown.encode("utf-8", "replace").decode()


def shell_line(words: list[str]) -> str:
    """A line of printable letters that bash, zsh and ksh read as these words."""
    return " ".join(shlex.quote(word) if word.isprintable() else f"$'{escaped(word)}'" for word in words)


def escaped(word: str) -> str:
    shown = word.replace("\\", r"\\").replace("'", r"\'")
    return "".join(letter if letter.isprintable() else octal(letter) for letter in shown)


def octal(letter: str) -> str:
    """As three digits a byte, so that no digit behind it belongs to it."""
    return {"\n": r"\n", "\t": r"\t"}.get(letter) or "".join(rf"\{byte:03o}" for byte in os.fsencode(letter))


def show(text: str, stream: TextIO | None) -> None:
    if stream is None:  # it is closed
        return
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        if stream is sys.stdout:
            problems.append(CLOSED_PIPE if isinstance(error, BrokenPipeError) else error.strerror or str(error))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # also for what is left in its buffer
        os.close(nowhere)
