# SPDX-License-Identifier: Apache-2.0
"""results/update-schemas: schemas hold what the program declares, and refuse what it leaves open. analysis/tests/test_schemas.py
holds printed JSON against them."""
import importlib.machinery
import importlib.util
import json
import pathlib
import sys

import program
import pytest

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "results"


@pytest.fixture(scope="module")
def script():
    sys.path.insert(0, str(RESULTS))
    loader = importlib.machinery.SourceFileLoader("update_schemas", str(RESULTS / "update-schemas"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("update_schemas", loader))
    loader.exec_module(module)
    return module


@pytest.fixture
def dictionary() -> dict:
    return json.loads(program.said("report", "--columns", "--format", "json"))


def table(dictionary: dict, command: str, json_path: str) -> dict:
    return next(table for table in dictionary["tables"] if (table["command"], table["json"]) == (command, json_path))


def test_a_new_column_is_in_its_schema(script, dictionary: dict) -> None:
    before = script.schemas_of(dictionary)["report.json"]
    table(dictionary, "report", "cases")["columns"].append(
        {"key": "new_seconds", "unit": "s", "meaning": "planted", "type": "number", "has_interval": True,
         "is_elsewhere": False, "is_always_known": False})
    after = script.schemas_of(dictionary)["report.json"]
    rows = after["properties"]["cases"]["items"]
    assert rows["properties"]["new_seconds"] == {"description": "planted", "unit": "s", "type": ["number", "null"]}
    assert set(rows["required"]) - set(before["properties"]["cases"]["items"]["required"]) == {
        "new_seconds", "new_seconds_low", "new_seconds_high"}


def test_a_column_without_type_is_refused(script, dictionary: dict) -> None:
    table(dictionary, "report", "cases")["columns"][0]["type"] = "other"
    with pytest.raises(script.Refusal, match="no type of 'cases.model'"):
        script.schemas_of(dictionary)


def test_a_table_that_stands_nowhere_is_refused(script, dictionary: dict) -> None:
    table(dictionary, "report", "launches.links")["json"] = "launches.lanes"
    with pytest.raises(script.Refusal, match="no type of 'launches.links'"):
        script.schemas_of(dictionary)
    table(dictionary, "advise", "configurations")["json"] = "paths"
    with pytest.raises(script.Refusal):
        script.schemas_of(dictionary)


def test_a_table_that_no_json_has_is_refused(script, dictionary: dict) -> None:
    columns = table(dictionary, "advise", "jobs")["columns"]
    dictionary["tables"].append({**table(dictionary, "advise", "jobs"), "json": "nowhere", "columns": columns})
    with pytest.raises(script.Refusal, match="no JSON of 'breakeven advise' has the declared nowhere"):
        script.schemas_of(dictionary)
