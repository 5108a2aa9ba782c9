# SPDX-License-Identifier: Apache-2.0
"""report and advise on files of several machines: each machine's row is what its own file alone says, prices go by name, and
differences beside the machine are named. The second machine is a copy of a recorded file with another device."""
import json
import pathlib

import other_machine
import program
import pytest

RECORDED = pathlib.Path(__file__).parents[2] / "results" / "h200-2-2026-11-22"
MAP = str(RECORDED / "map.h5")
QUALITY = str(RECORDED / "quality.h5")
ENERGY = str(RECORDED / "energy.h5")
QUESTION = ("--model", "xl", "--batch", "16384")
JOB = (*QUESTION, "--samples", "1e11")
PRICES = ("--price", "h200=3.5,H100=2.2")
NAMES = ["NVIDIA H200", "NVIDIA H100"]


def found(command: str, *arguments: str) -> dict:
    return json.loads(program.said(command, *arguments, "--format", "json"))


@pytest.fixture(scope="module")
def other(folder: pathlib.Path):
    """A recorded file as another machine's."""

    def copy(name: str, **others: str) -> str:
        target = folder / f"{len(list(folder.iterdir()))}-{name}"
        return other_machine.rename(RECORDED / name, target, **others)

    return copy


@pytest.fixture(scope="module")
def h100(other) -> str:
    return other("map.h5")


def row(rows: list[dict], machine: str, choice: str) -> dict:
    return next(one for one in rows if one["machine"] == machine and choice in one["choice"])


def test_each_machine_is_answered_from_its_own_files(h100: str) -> None:
    rows = found("advise", MAP, h100, *JOB, *PRICES)["machines"]
    for machine, path, price in zip(NAMES, (MAP, h100), (3.5, 2.2), strict=True):
        alone = found("advise", path, *JOB, "--price", str(price))
        jobs = alone["jobs"]
        fastest, cheapest = row(rows, machine, "fastest"), row(rows, machine, "cheapest")
        assert fastest["job_seconds"] == min(job["job_seconds"] for job in jobs), (fastest, jobs)
        assert cheapest["cost"] == pytest.approx(min(job["cost"] for job in jobs)), (cheapest, jobs)
        assert cheapest["cost_low"] < cheapest["cost"] < cheapest["cost_high"], cheapest
        assert {fastest["file"], fastest["price_an_hour"]} == {path, price}, fastest
        band = next(one for one in alone["break_evens"] if one["configuration"] == "the fastest" and one["direction"] == "batch")
        assert fastest["sentence"] == band["sentence"] and fastest["break_even_batch"] == band["break_even"], (fastest, band)


@pytest.mark.parametrize("prices, cheapest", [("H200=3.5,H100=2.2", "NVIDIA H100"), ("H200=2.2,H100=3.5", "NVIDIA H200")])
def test_prices_decide_the_cheapest(h100: str, prices: str, cheapest: str) -> None:
    said = found("advise", MAP, h100, *JOB, "--price", prices)
    assert said["answer"].startswith("The cheapest machine that trains") and f" is {cheapest}, single on one GPU" in said["answer"], said
    assert "may be as cheap" not in said["answer"], said["answer"]


def test_one_price_for_all_leaves_it_open_which_is_cheaper(h100: str) -> None:
    answer = found("advise", MAP, h100, *JOB, "--price", "3")["answer"]
    assert "As far as the 95 % intervals tell, NVIDIA H100 may be as cheap." in answer, answer


@pytest.mark.parametrize("factor, in_time, words", [
    (1.001, "undecided", "undecided whether any machine trains"),
    (1.2, "in time", "The cheapest machine"),
    (0.5, "too late", "No machine trains"),
])
def test_deadline(h100: str, factor: float, in_time: str, words: str) -> None:
    """A multiple of the fastest job: of it the interval ends before, holds, or begins after the deadline."""
    rows = found("advise", MAP, h100, *JOB, *PRICES)["machines"]
    fastest = min(one["job_seconds"] for one in rows)
    said = found("advise", MAP, h100, *JOB, *PRICES, "--deadline", f"{factor * fastest}s")
    assert words in said["answer"], said["answer"]
    assert row(said["machines"], "NVIDIA H100", "fastest")["in_time"] == in_time, said["machines"]
    assert "on 2 GPUs" in said["answer"], said["answer"]


def test_energy_is_that_of_the_job(other) -> None:
    path = other("energy.h5")
    question = ("--model", "large", "--batch", "16384", "--samples", "1e9")
    rows = found("advise", ENERGY, path, *question)["machines"]
    costs = {one["by"]: one for one in found("advise", ENERGY, *question)["costs"]}
    case = next(one for one in found("report", ENERGY)["cases"] if (one["model"], one["gpus"], one["strategy"]) == ("large", 1, "single"))
    single = next(one for one in rows if one["gpus"] == 1)
    assert costs and single["joules"] == pytest.approx(1e9 * case["joules_per_sample"]), (single, case)


def test_one_machine_in_several_files_is_answered_as_before(folder: pathlib.Path) -> None:
    files = (MAP, str(RECORDED / "strategies.h5"))
    one = found("advise", *files, *QUESTION)
    assert one["format"] == "breakeven advice" and "machines" not in one
    assert found("report", *files)["format"] == "breakeven report"


def test_what_differs_beside_the_machine_is_a_warning(other, h100: str) -> None:
    path = other("map.h5", git_revision="0123abc")
    for call in (("advise", MAP, path, *JOB), ("report", MAP, path)):
        builds = [one for one in found(*call)["warnings"] if "were not measured alike" in one]
        assert len(builds) == 1 and "against 0123abc" in builds[0], builds
    assert not any("were not measured alike" in one for one in found("report", MAP, h100)["warnings"])
    kernels = found("report", str(RECORDED / "strategies.h5"), h100)["warnings"]
    assert any("setting" in one for one in kernels if "were not measured alike" in one), kernels


def test_the_report_has_each_machines_cases(h100: str) -> None:
    side = found("report", MAP, h100, *PRICES)
    for machine, path, price in zip(NAMES, (MAP, h100), ("3.5", "2.2"), strict=True):
        cases = {(one["model"], one["batch"], one["gpus"], one["strategy"]): one
                 for one in found("report", path, "--price", price)["cases"] if one["timing"] == "total"}
        mine = [one for one in side["machines"] if one["machine"] == machine]
        assert {one["model"] for one in mine} == {model for model, *_ in cases}, mine
        for one in mine:
            case = cases[one["model"], one["batch"], one["gpus"], one["strategy"]]
            assert one["samples_per_second"] == case["samples_per_second"] and one["verdict"] == case["verdict"], (one, case)
            assert one["cost_per_million_samples"] == pytest.approx(case["cost_per_million_samples"]), (one, case)
    assert "the cheapest machine is NVIDIA H200 for 0, NVIDIA H100 for 9" in side["headline"][1], side["headline"]


def test_time_and_money_to_the_same_quality(other) -> None:
    path = other("quality.h5")
    side = found("report", QUALITY, path, *PRICES)
    cases = [one for one in found("report", path)["cases"] if one["seconds_to_quality"] is not None]
    fastest = row(side["to_quality"], "NVIDIA H100", "fastest")
    least = min(cases, key=lambda one: one["seconds_to_quality"])
    for end in ("", "_low", "_high"):
        assert fastest[f"seconds_to_quality{end}"] == least[f"seconds_to_quality{end}"], (fastest, least)
        assert fastest[f"cost_to_quality{end}"] == pytest.approx(
            fastest[f"seconds_to_quality{end}"] * fastest["gpus"] * 2.2 / 3600), fastest
    cheapest = row(side["to_quality"], "NVIDIA H100", "cheapest")
    assert cheapest["cost_to_quality"] == pytest.approx(
        min(one["seconds_to_quality"] * one["gpus"] for one in cases) * 2.2 / 3600), cheapest


def test_no_time_to_different_qualities(other) -> None:
    settings = json.loads(other_machine.text_of(QUALITY, "settings"))
    side = found("report", QUALITY, other("quality.h5", settings=json.dumps({**settings, "until": "loss=0.2"})))
    assert side["to_quality"] == [], side["to_quality"]
    assert any("did not train until the same quality" in one for one in side["warnings"]), side["warnings"]


@pytest.mark.parametrize("price, words", [
    ("H200=1", "lacks a price of NVIDIA H100"),
    ("NVIDIA=1,H200=2", "a part of several names. Name one of NVIDIA H200, NVIDIA H100"),
    ("A100=1,H200=2", "'A100', which no file was measured on. Name NVIDIA H200, NVIDIA H100"),
    ("H200=1,nvidia h200=2", "two prices of NVIDIA H200"),
    ("H200=0,H100=1", "positive price"),
    ("H200=1,H10=1", "'H10', which no file was measured on. Name NVIDIA H200, NVIDIA H100"),
    ("H200=1,H100", "H200=3.5,H100=2.2"),
])
def test_prices_that_fit_no_machine_are_refused(h100: str, price: str, words: str) -> None:
    for call in (("advise", MAP, h100, *JOB), ("report", MAP, h100)):
        program.check_refusal(program.alone(*call, f"--price={price}"), 1, words)


def test_a_whole_name_fits_though_it_is_a_part_of_another(other) -> None:
    path = other("map.h5", device="NVIDIA H200 NVL")
    rows = found("advise", MAP, path, *JOB, "--price", "NVIDIA H200=3,nvl=2")["machines"]
    assert {one["machine"]: one["price_an_hour"] for one in rows} == {"NVIDIA H200": 3, "NVIDIA H200 NVL": 2}, rows


@pytest.mark.parametrize("call, code, words", [
    (("advise", *QUESTION), 1, "--samples is missing"),
    (("advise", *JOB, "--map"), 1, "--map is of one machine"),
    (("advise", *JOB, "--gpus", "4"), 1, "--gpus 4 is more than the 2"),
    (("advise", *JOB, "--precisions", "fp32"), 5, "fp32"),
    (("report", "--sections", "speed"), 1, "--sections is of one machine"),
    (("report", "--memory-limit", "1GB"), 1, "--memory-limit is of one machine"),
    (("predict", *QUESTION), 1, "must come from one machine"),
])
def test_what_several_machines_are_refused(h100: str, call: tuple, code: int, words: str) -> None:
    program.check_refusal(program.alone(call[0], MAP, h100, *call[1:]), code, words)


def test_files_without_a_common_model_are_refused(other) -> None:
    program.check_refusal(program.alone("report", MAP, other("quality.h5")), 5, "no model was measured on every machine")


def test_a_machine_that_cannot_answer_has_a_row_without_numbers(other) -> None:
    side = found("advise", MAP, other("seed.h5"), *JOB, "--precisions", "bf16")
    rows = [one for one in side["machines"] if one["machine"] == "NVIDIA H100"]
    assert [(one["choice"], one["job_seconds"]) for one in rows] == [(None, None)], rows
    assert any(one.startswith("NVIDIA H100: ") for one in side["warnings"]), side["warnings"]


def test_text_names_the_answer_first(h100: str) -> None:
    text = program.said("advise", MAP, h100, *JOB, *PRICES, "--deadline", "20h")
    assert text.split("\n- ")[1].startswith("The cheapest machine that trains"), text
    assert "Machines side by side" in text
