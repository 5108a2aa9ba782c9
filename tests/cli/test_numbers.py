# SPDX-License-Identifier: Apache-2.0
"""Every column of every table that a command prints, every column of its CSV and every key of its JSON is declared; nothing
is declared that nothing prints; docs/numbers.md is made of the declarations. Recorded files are reported, and tiny ones
measured, to see what is printed."""
import csv
import functools
import json
import pathlib
import re
import subprocess
from dataclasses import dataclass, field

import h5py
import number_index
import other_machine
import program
import pytest

RECORDED = number_index.ROOT / "results" / "h200-2-2026-11-22"
PLANNED = number_index.ROOT / "results" / "h200-2"
LINKS = (PLANNED / "seed.h5", PLANNED / "host-bridge.h5")
SCALING = number_index.ROOT / "results" / "h200-4-2026-11-22" / "scaling.h5"
TOPOLOGY = number_index.ROOT / "jobs" / "topologies" / "ethernet-100g.ini"
NAMED_ITEMS = ("Provenance", "Whether it pays")  # lists of which each item begins with its name
FREE_KEYS = {"versions", "settings", "environment"}  # what stands in them is named by others
HOST = ["--backend", "host"]
TINY = [*HOST, "--models", "33-17-5", "--batches", "12", "--warmup", "4", "--samples", "240"]


@dataclass
class Printed:
    """What one command has printed, of all its calls."""
    tables: dict = field(default_factory=dict)  # title: columns
    keys: set = field(default_factory=set)
    text: str = ""


def add_tables(printed: Printed, markdown: str) -> None:
    title, before = "", ""
    for line in markdown.splitlines():
        if line.startswith(("#", "**")):
            title = line.strip("#* ")
        if re.fullmatch(r"\|[-:| ]+\|", line):
            columns = [re.sub(r"^(Batch )?\d+$", r"\1N", name.strip()) for name in before.strip("|").split(" | ")]
            printed.tables.setdefault(title, set()).update(columns)
        if title.startswith(NAMED_ITEMS) and (item := re.match(r"- ([A-Z][^:.,]*)[:,] ", line)):
            printed.tables.setdefault(title, set()).add(item[1])
        before = line
    printed.text += markdown


def add_keys(printed: Printed, value) -> None:
    assert value != "–", "not measured is null in JSON"
    for child in value if isinstance(value, list) else []:
        add_keys(printed, child)
    for key, child in value.items() if isinstance(value, dict) else []:
        printed.keys.add(key)
        if key not in FREE_KEYS:
            add_keys(printed, child)


def started(ranks: int, *call: str) -> subprocess.CompletedProcess:
    """One rank needs no launcher, which takes longer to start than most of these calls."""
    return program.run(ranks, *call) if ranks > 1 else program.alone(*call)


def ask(printed: Printed, ranks: int, *call: str, formats=("markdown", "csv", "json"), codes=(0,)) -> None:
    for kind in formats:
        done = started(ranks, *map(str, call), "--format", kind)
        assert done.returncode in codes, f"{done.args}:\n{done.stdout}\n{done.stderr}"
        if kind == "markdown":
            add_tables(printed, done.stdout)
        elif kind == "csv":
            printed.keys.update(next(csv.reader([done.stdout.splitlines()[0]])))
        else:
            said = json.loads(done.stdout)
            assert said["format"].startswith("breakeven ") and said["version"] >= 1, done.args
            add_keys(printed, said)


def plain(*calls: list) -> Printed:
    """Of a command that has one form alone."""
    printed = Printed()
    for call in calls:
        done = program.run_well(2, *map(str, call))
        printed.text += done.stdout + done.stderr
    return printed


def reports(measured: pathlib.Path) -> Printed:
    printed = Printed()
    other = other_machine.rename(RECORDED / "quality.h5", measured.with_name("other-quality.h5"))
    ask(printed, 1, "report", RECORDED / "quality.h5", other, "--price", "2")
    ask(printed, 1, "report", RECORDED / "strategies.h5", formats=["json"])
    ask(printed, 1, "report", RECORDED / "auto.h5", formats=["markdown", "csv"])
    ask(printed, 1, "report", RECORDED / "strategies.h5", formats=["markdown"])
    ask(printed, 1, "report", RECORDED / "quality.h5", formats=["markdown"])
    ask(printed, 1, "report", RECORDED / "strategies.h5", "--sections", "all", formats=["markdown"])
    ask(printed, 1, "report", RECORDED / "energy.h5", "--sections", "costs", "--price", "2", formats=["markdown"])
    ask(printed, 1, "report", RECORDED / "auto.h5", "--sections", "autotuning", formats=["markdown"])
    ask(printed, 1, "report", RECORDED / "auto.h5", formats=["json"])
    ask(printed, 1, "report", *LINKS, "--sections", "nccl", formats=["markdown"])
    ask(printed, 1, "report", PLANNED / "frameworks.h5", "--sections", "settings", formats=["markdown"])
    ask(printed, 1, "report", *LINKS, formats=["json"])
    ask(printed, 1, "report", measured, "--sections", "all", "--memory-limit", "1GB", formats=["markdown"])
    ask(printed, 1, "report", measured, formats=["json"])
    ask(printed, 1, "report", "--columns", formats=["json"])
    return printed


def advice(folder: pathlib.Path) -> Printed:
    printed = Printed()
    other = other_machine.rename(SCALING, folder / "other-scaling.h5")
    job = ["--samples", "1e9", "--price", "2", "--hour-value", "3", "--deadline", "1h", "--hardware-cost", "800,1600",
           "--jobs-per-month", "20"]
    question = ["advise", SCALING, "--model", "xl", "--batch", "4096"]
    ask(printed, 1, *question, *job, "--sections", "all", formats=["markdown"])
    ask(printed, 1, *question, *job, "--map", formats=["csv", "json"])
    ask(printed, 1, "advise", SCALING, other, *question[2:], *job[:8])
    return printed


def predictions() -> Printed:
    printed = Printed()
    question = ["predict", SCALING, "--model", "xl", "--batch", "4096", "--gpus", "4..8"]
    ask(printed, 1, *question, "--price", "2", "--topology", TOPOLOGY, "--mtbf", "1000", "--checkpoint-seconds", "60")
    ask(printed, 1, "predict", SCALING, "--hold-out-gpus", "4")
    return printed


def asked(ranks: int, *call, codes=(0,)) -> Printed:
    printed = Printed()
    ask(printed, ranks, *call, codes=codes)
    return printed


def traced(measured: pathlib.Path) -> Printed:
    printed = Printed()
    printed.text += program.said("trace", str(measured))
    add_keys(printed, json.loads(program.said("trace", str(measured), "--run", "0", "--steps", "0-1")))
    return printed


def running(folder: pathlib.Path) -> Printed:
    """Also measures what others report, measured.h5, in which a run is then missing."""
    run = ["run", *TINY, "--strategies", "single,ddp", "--steps", "20", "--eval-every", "10", "--until", "loss=1000",
           "--repeats", "5", "--target-ci", "99%", "--scaling", "strong,weak"]
    printed = plain([*run, "--settle", "1s", "--dry-run"], [*run, "--output", folder / "measured.h5"])
    with h5py.File(folder / "measured.h5", "a") as file:
        file["status"][1] = 0
        for name in ("label_checksum", "label_checksum_next", "launch_checksum"):  # as in older files
            del file[name]
    return printed


def kernels() -> Printed:
    printed = asked(1, "kernels", *TINY[:6], "--squares", "32", "--precisions", "fp32", "--rounds", "2")
    recorded = RECORDED.parent / "h200-1-2026-11-24" / "kernels.json"
    add_keys(printed, json.loads(recorded.read_text(encoding="utf-8")))
    return printed


def verified() -> Printed:
    printed = plain(["verify", *TINY, "--gpus", "2", "--strategies", "async-server", "--steps", "90"])
    printed.text += "".join((RECORDED / name).read_text() for name in ("verify.txt", "verify-4-ranks.txt"))
    return printed


def missing_columns(command: str, printed: Printed, tables: list) -> list[str]:
    missing = []
    for title, columns in printed.tables.items():
        declared = [table for table in tables if table.command == command and table.is_of(title)]
        known = {name for table in declared for name in table.printed + table.elsewhere}
        if "STRATEGY" in known:  # a column named after the strategy that it shows
            known |= {name for name in columns if re.fullmatch(r"[a-z]+\d?(:\S+)?", name)}
        if not declared:
            missing.append(f"{command}: no declaration of the table '{title}'")
        missing += [f"{command}, '{title}': the column '{name}' is not declared" for name in columns - known]
    return missing


def missing_keys(command: str, printed: Printed, tables: list) -> list[str]:
    known = {key for table in tables if table.command == command for key in table.keys}
    known |= {column["key"] for table in tables if table.command == command for column in table.columns
              if column["is_elsewhere"]}
    known |= {table.json for table in tables if table.command == command}  # a list of the whole JSON
    return [f"{command}: the key '{key}' is not declared" for key in sorted(printed.keys - known)]


def needless_entries(table: number_index.Section, printed: Printed) -> list[str]:
    """Columns and keys that nothing has printed."""
    columns = set().union(*(names for title, names in printed.tables.items() if table.is_of(title)))
    lines = "" if printed.tables else printed.text
    needless = [name for name in table.printed if name not in columns | {"STRATEGY"}
                and not (lines and re.search(number_index.pattern_of(name), lines))]
    needless += [key for key in table.keys if key not in printed.keys]
    return [f"{table.name()}: nothing prints '{name}'" for name in needless]


def unknown_to_sources(table: number_index.Section, sources: str) -> list[str]:
    """Of what this machine cannot print: the words stand in the program's sources, beside the declaration."""
    names = [column["header"] for column in table.columns if column["is_elsewhere"] and not column["key"]]
    return [f"{table.name()}: '{name}' stands in no source" for name in names
            if not all(sources.count(words) > 1 for words in number_index.fixed_words(name))]


TABLES = number_index.sections()
COMMANDS = ["run", "report", "advise", "predict", "compare", "verify", "topology", "kernels", "trace", "collectives", "matmul"]
by_table = pytest.mark.parametrize("table", TABLES, ids=number_index.Section.name)


@pytest.fixture(scope="module")
def printed(folder: pathlib.Path):
    """What a command prints; each is asked once, and one that fails leaves the others."""
    def measured() -> pathlib.Path:
        said("run")
        return folder / "measured.h5"

    ask_for = {
        "run": lambda: running(folder), "report": lambda: reports(measured()), "trace": lambda: traced(measured()),
        "advise": lambda: advice(folder), "predict": predictions, "verify": verified, "kernels": kernels,
        "compare": lambda: asked(1, "compare", RECORDED / "map.h5", RECORDED / "auto.h5", "--gate", "5%", codes=(0, 3, 7, 8)),
        "topology": lambda: asked(2, "topology", *HOST),
        "collectives": lambda: asked(2, "collectives", *HOST, "--largest", "64B"),
        "matmul": lambda: asked(2, "matmul", *HOST, "--sizes", "32,64", "--repeats", "3")}
    assert list(sorted(ask_for)) == sorted(COMMANDS)
    said = functools.cache(lambda command: ask_for[command]())
    return said


@pytest.fixture(scope="module")
def sources() -> str:
    files = sorted((number_index.ROOT / "src").rglob("*.cpp"))
    return "".join(file.read_text(encoding="utf-8") for file in files).replace("\\n", " ")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_column_has_an_entry(printed, command: str) -> None:
    missing = missing_columns(command, printed(command), TABLES)
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_key_has_an_entry(printed, command: str) -> None:
    missing = missing_keys(command, printed(command), TABLES)
    assert not missing, "\n".join(missing)


@by_table
def test_every_entry_is_printed(printed, table: number_index.Section) -> None:
    needless = needless_entries(table, printed(table.command))
    assert not needless, "\n".join(needless)


@by_table
def test_entries_of_other_machines_stand_in_the_sources(sources: str, table: number_index.Section) -> None:
    unknown = unknown_to_sources(table, sources)
    assert not unknown, "\n".join(unknown)


@by_table
def test_every_column_says_what_it_is(table: number_index.Section) -> None:
    assert number_index.is_in_docs(table.page), f"{table.name()}: no page or heading '{table.page}' in docs/"
    assert table.columns, table.name()
    silent = [column for column in table.columns if not column["meaning"]]
    assert not silent, silent


def test_page_is_fresh() -> None:
    made = program.said("report", "--columns", "--format", "markdown").strip()
    assert made in number_index.PAGE.read_text(encoding="utf-8"), "run results/update-numbers PROGRAM"


def test_finds_a_page_or_heading_that_does_not_exist() -> None:
    assert number_index.is_in_docs("report.md") and number_index.is_in_docs("report.md#speed")
    assert not number_index.is_in_docs("reports.md") and not number_index.is_in_docs("report.md#spee")
    assert not number_index.is_in_docs("")


def test_finds_what_is_not_declared() -> None:
    table = number_index.Section("report", "Speed: {} GPUs", "", "report.md", printed=["Batch"], keys=["batch"])
    printed = Printed({"Speed: 2 GPUs": {"Batch", "Heat"}, "Other": {"Batch"}}, {"batch", "heat"})
    assert missing_columns("report", printed, [table]) == [
        "report, 'Speed: 2 GPUs': the column 'Heat' is not declared", "report: no declaration of the table 'Other'",
        "report, 'Other': the column 'Batch' is not declared"]
    assert missing_keys("report", printed, [table]) == ["report: the key 'heat' is not declared"]
    assert needless_entries(table, Printed({"Speed: 2 GPUs": {"Heat"}}, {"heat"})) == [
        "report: Speed: {} GPUs: nothing prints 'Batch'", "report: Speed: {} GPUs: nothing prints 'batch'"]
