# SPDX-License-Identifier: Apache-2.0
"""What a program has answered, as values that can be compared: JSON as it is, CSV as rows, markdown as tables and lines."""
import csv
import hashlib
import io
import json
import pathlib
import re
import subprocess

from questions import ROOT, Question

RULE = re.compile(r"\|[-:| ]+\|")


def cell(text: str):
    """A cell of CSV: a number where it is one, for 1e3 and 1000 are equal."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def rows_of(text: str) -> list[dict]:
    lines = list(csv.reader(io.StringIO(text)))
    assert lines, "the CSV has no line"
    for number, line in enumerate(lines):
        assert len(line) == len(lines[0]), f"line {number + 1} of the CSV has {len(line)} columns, its first {len(lines[0])}"
    assert len(set(lines[0])) == len(lines[0]), "the CSV has two columns of one name"
    return [dict(zip(lines[0], map(cell, line))) for line in lines[1:]]


def parts_of(text: str) -> list[dict]:
    """Markdown: each heading, with its lines, and each table, with its columns and rows."""
    parts = [{"title": "", "lines": [], "columns": [], "rows": []}]
    for line in text.splitlines():
        if line.startswith(("#", "**")):
            parts.append({"title": line.strip("#* "), "lines": [], "columns": [], "rows": []})
        elif RULE.fullmatch(line):
            parts[-1]["columns"] = parts[-1]["rows"].pop()
        elif line.startswith("|"):
            parts[-1]["rows"].append([part.strip() for part in line.strip("|").split(" | ")])
        elif line.strip():
            parts[-1]["lines"].append(line.strip())
    return parts


def value_of(text: str, kind: str):
    if kind == "json":
        return json.loads(text)
    if kind == "csv":
        return rows_of(text)
    return parts_of(text) if kind == "markdown" else text.splitlines()


def ask(program: pathlib.Path, question: Question, arguments=None) -> dict:
    """The answer as it was printed: exit code and both outputs."""
    done = subprocess.run([program, *(arguments or question.arguments)], cwd=ROOT, capture_output=True, text=True,
                          encoding="utf-8", timeout=300, check=False)
    return {"exit code": done.returncode, "errors": done.stderr, "output": done.stdout}


def read(answer: dict, kind: str) -> dict:
    """The printed answer as values. A refusal has no output, and a program that succeeds must have one."""
    output = answer["output"]
    assert output or answer["exit code"] != 0, "exit code 0, but nothing was printed"
    return {"exit code": answer["exit code"], "errors": answer["errors"].splitlines(),
            "answer": value_of(output, kind) if output else None}


def digest(path: pathlib.Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Cache:
    """The reference's answers in a folder, by program, command and the content of the files that the command names."""

    def __init__(self, program: pathlib.Path, folder: pathlib.Path | None):
        self.program, self.folder = program, folder
        self.digests = {}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def digest_of(self, path: pathlib.Path) -> str:
        if path not in self.digests:
            self.digests[path] = digest(path)
        return self.digests[path]

    def place_of(self, question: Question) -> pathlib.Path:
        files = [ROOT / argument for argument in question.arguments if (ROOT / argument).is_file()]
        named = [self.digest_of(self.program), *question.arguments, *map(self.digest_of, files)]
        return self.folder / (hashlib.sha256("\0".join(named).encode()).hexdigest() + ".json")

    def answer(self, question: Question) -> dict:
        if self.folder is None:
            return ask(self.program, question)
        place = self.place_of(question)
        if not place.exists():
            unfinished = place.with_suffix(".part")
            unfinished.write_text(json.dumps(ask(self.program, question)), encoding="utf-8")
            unfinished.rename(place)
        return json.loads(place.read_text(encoding="utf-8"))
