# SPDX-License-Identifier: Apache-2.0
"""What the program prints as JSON is as docs/schemas/ says; undeclared keys, types and versions are found."""

import copy
import functools
import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import h5py
import pytest
from conftest import AUTO, ENERGY, LINKS, MAP, RESULTS, SCALING, STRATEGIES
from jsonschema import Draft202012Validator

from breakeven_analysis import find_program

SCHEMAS = RESULTS.parent / "docs" / "schemas"
QUALITY = RESULTS / "h200-2-2026-11-22" / "quality.h5"
HELD_OUT = RESULTS / "h200-4-2026-11-22" / "scaling.h5"
QUESTION = ["--model", "xl", "--batch", "4096"]
COSTS = ["--samples", "1e9", "--price", "2", "--hour-value", "3", "--deadline", "1h", "--hardware-cost", "800,1600"]
GOODPUT = ["--gpus", "4..8", "--price", "2", "--mtbf", "1000", "--checkpoint-seconds", "60"]
HOST = ["--backend", "host"]
TINY = ["--models", "33-17-5", "--batches", "12"]
STEPS = ["--warmup", "2", "--samples", "240", "--settle", "0", "--steps", "20", "--timing", "steps,phases"]


MEASURED = "measured.h5"  # a file that the test measures
OTHER = "other.h5"  # QUALITY as another machine's
JSON = ["--format", "json"]
# Calls by the schema of what they print.
CALLS: dict[str, list[list[str | Path]]] = {
    "columns": [["report", "--columns", *JSON]],
    "report": [
        *(["report", path, *JSON] for path in (MAP, STRATEGIES, AUTO, SCALING, MEASURED)),
        ["report", *LINKS, *JSON],
        ["report", QUALITY, "--memory-limit", "1GB", *JSON],
        ["report", ENERGY, "--price", "2", *JSON],
    ],
    "advice": [
        ["advise", HELD_OUT, *QUESTION, *COSTS, "--jobs-per-month", "20", "--map", *JSON],
        ["advise", MAP, *QUESTION, *JSON],
    ],
    "advice-by-machine": [["advise", QUALITY, OTHER, "--model", "xl", "--batch", "64", *COSTS[:8], *JSON]],
    "report-by-machine": [["report", QUALITY, OTHER, "--price", "2", *JSON]],
    "prediction": [
        ["predict", HELD_OUT, *QUESTION, *GOODPUT, *JSON],
        ["predict", MAP, *QUESTION, "--gpus", "2..64", *JSON],
    ],
    "held-out-prediction": [["predict", HELD_OUT, "--hold-out-gpus", "4", *JSON]],
    "comparison": [["compare", MAP, AUTO, *JSON], ["compare", MAP, AUTO, "--gate", "5%", *JSON]],
    "trace": [["trace", MEASURED, "--run", run, "--steps", "0-1"] for run in ("0", "3")],
    "topology": [["topology", *HOST, *JSON]],
    "collectives": [["collectives", *HOST, "--largest", "64B", *JSON]],
    "matmul": [["matmul", *HOST, "--sizes", "32,64", "--repeats", "3", *JSON]],
    "kernels": [["kernels", *HOST, *TINY, "--squares", "32", "--precisions", "fp32", "--rounds", "2", *JSON]],
}
ON_GPUS = ("kernel-trace",)  # what only a GPU prints: recorded files are held against these
TOGETHER = ("run", "topology", "collectives", "matmul")  # ranks do them
GATES = (0, 3, 7, 8)
SELDOM = {"regressions", "inconclusive", "warnings", "remarks"}  # lists of sentences


def started(*call: str | Path) -> str:
    launcher = [*shlex.split(os.environ["BREAKEVEN_MPIRUN"]), "-np", "2"] if call[0] in TOGETHER else []
    line = [*launcher, str(find_program()), *map(str, call)]
    done = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode in (GATES if call[0] == "compare" else (0,)), f"{line}: {done.stdout}{done.stderr}"
    return done.stdout


@functools.cache
def schema_of(name: str) -> dict[str, Any]:
    return json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))


def faults_of(said: Any, schema: dict[str, Any]) -> list[str]:
    return [f"{fault.json_path}: {fault.message}" for fault in Draft202012Validator(schema).iter_errors(said)]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with both timings and both scalings on one and two ranks."""
    path = tmp_path_factory.mktemp("measured") / MEASURED
    axes = ["--strategies", "single,ddp", "--scaling", "strong,weak"]
    started("run", *HOST, *TINY, *STEPS, *axes, "--repeats", "2", "--output", path)
    return path


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("other") / OTHER
    shutil.copy(QUALITY, path)
    with h5py.File(path, "a") as file:
        file["gpu_name"][...] = b"NVIDIA H100"
    return path


@pytest.fixture(scope="module")
def said(measured: Path, other: Path) -> Callable[[str], list[Any]]:
    """All that was printed for a schema; each command is started once."""

    @functools.cache
    def answers(name: str) -> list[Any]:
        files = {MEASURED: measured, OTHER: other}
        return [json.loads(started(*(files.get(str(word), word) for word in call))) for call in CALLS[name]]

    return answers


def objects_of(value: Any, schema: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Every object with its schema; of a list the first."""
    if isinstance(value, list) and value:
        yield from objects_of(value[0], schema["items"])
    if isinstance(value, dict):
        yield value, schema
        for key, child in value.items():
            yield from objects_of(child, schema.get("properties", {}).get(key, {}))


def test_every_schema_has_an_answer_and_every_answer_a_schema() -> None:
    assert sorted([*CALLS, *ON_GPUS]) == sorted(path.stem for path in SCHEMAS.glob("*.json"))


@pytest.mark.parametrize("name", ON_GPUS)
def test_recorded_files_are_as_the_schema_says(name: str) -> None:
    Draft202012Validator.check_schema(schema_of(name))
    for path in RESULTS.glob(f"*/{name}*.json"):
        faults = faults_of(json.loads(path.read_text(encoding="utf-8")), schema_of(name))
        assert not faults, f"{path}: {faults[:20]}"


@pytest.mark.parametrize("name", CALLS)
def test_a_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(schema_of(name))
    assert all(
        isinstance(one.get("additionalProperties"), bool | dict) for one in schemas_of_objects(schema_of(name))
    ), "an object that is not closed"


def schemas_of_objects(schema: Any) -> Iterator[dict[str, Any]]:
    for child in schema.values() if isinstance(schema, dict) else []:
        yield from schemas_of_objects(child)
    if isinstance(schema, dict) and schema.get("type") == "object":
        yield schema


@pytest.mark.parametrize("name", CALLS)
def test_what_is_printed_is_as_the_schema_says(said: Callable[[str], list[Any]], name: str) -> None:
    faults = [fault for one in said(name) for fault in faults_of(one, schema_of(name))]
    assert not faults, "\n".join(dict.fromkeys(faults[:20]))


@pytest.mark.parametrize("name", CALLS)
def test_every_list_of_the_schema_is_printed_with_rows(said: Callable[[str], list[Any]], name: str) -> None:
    lists = [key for key, about in schema_of(name)["properties"].items() if about.get("type") == "array"]
    empty = [key for key in lists if not any(one.get(key) for one in said(name))]
    assert not set(empty) - SELDOM, f"nothing that was printed shows that {', '.join(empty)} are right"


@pytest.mark.parametrize("name", CALLS)
def test_a_planted_key_is_found_in_every_object(said: Callable[[str], list[Any]], name: str) -> None:
    planted = copy.deepcopy(said(name)[0])
    found = list(objects_of(planted, schema_of(name)))
    closed = [one for one, schema in found if schema.get("additionalProperties") is False]
    for one in closed:
        one["planted"] = 1
    assert closed
    assert sum("'planted' was unexpected" in fault for fault in faults_of(planted, schema_of(name))) == len(closed)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda report: report["cases"][0].pop("speedup"), "$.cases[0]: 'speedup' is a required property"),
        (lambda report: report["cases"][0].update(batch="16"), "$.cases[0].batch: '16' is not of type"),
        (lambda report: report["cases"][0].update(runs_done=None), "$.cases[0].runs_done: None is not of type"),
        (lambda report: report.update(version=0), "$.version: "),
        (
            lambda report: report["launches"][0]["settings"].update(seed=42),
            "$.launches[0].settings.seed: 42 is not of type",
        ),
    ],
)
def test_a_planted_fault_is_found(
    said: Callable[[str], list[Any]], change: Callable[[dict[str, Any]], None], fault: str
) -> None:
    report = copy.deepcopy(said("report")[-1])
    assert not faults_of(report, schema_of("report"))
    change(report)
    assert [one for one in faults_of(report, schema_of("report")) if one.startswith(fault)]
