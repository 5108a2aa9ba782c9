# SPDX-License-Identifier: Apache-2.0
"""The comparison with PyTorch, without PyTorch: its numbers from recorded lines, its loop with a stand-in for the
peer and our own host device, and what it says where something is missing or wrong."""
import json
import math
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
STAND_IN = ROOT / "tests" / "support" / "stand_in_peer.py"
sys.path.insert(0, str(ROOT / "results"))
from side_by_side import gemm_targets, models, record, table, targets  # noqa: E402
from side_by_side.cases import MOST_OPERATIONS, Case, Workload, parse_workloads, plan_rounds, random_workloads  # noqa: E402
from side_by_side.comparison import Comparison  # noqa: E402
from side_by_side.quantiles import median, quantiles  # noqa: E402


def line(number, side, precision, variant, microseconds, **more):
    """One recorded measurement of the workload that the tests use, as JSON brings it back."""
    value = None if microseconds is None else microseconds * 1e-6
    return json.loads(json.dumps({
        "round": number, "side": side, "model": "medium", "batch": 16, "precision": precision, "variant": variant,
        "parameters": 258432, "seconds": {"0.5": value}, "gpu_name": "a GPU", "gpu_uuid": "GPU-1", "versions": {},
    } | more))


def recorded(*measurements):
    return {"format": record.FORMAT, "command": "a command", "started": "2000-01-01T00:00:00Z", "protocol": {},
            "workloads": [{"model": "medium", "batch": 16, "precision": "fp32", "modes": ["eager", "graph"]}],
            "gemm": ["auto"], "measurements": list(measurements)}


def three_rounds(our_seconds):
    """eager 1000, graph 120, 100, 110; ours as given."""
    rounds = []
    for number, (graph, ours) in enumerate(zip((120, 100, 110), our_seconds)):
        rounds += [line(number, "pytorch", "fp32", "eager", 1000), line(number, "pytorch", "fp32", "graph", graph),
                   line(number, "breakeven", "fp32", "auto", ours)]
    return rounds


def first_outcome(comparison):
    outcome = targets.step_outcomes(comparison)[0]
    assert outcome.target.workload == Workload("medium", 16, "fp32")
    return outcome


@pytest.fixture(scope="module")
def comparison():
    return Comparison(recorded(*three_rounds((12.0, 8.0, 10.0))))


def test_ratios_are_of_the_same_round(comparison):
    outcome = first_outcome(comparison)
    assert outcome.peer_mode == "graph" and outcome.our_precision == "fp32"
    assert abs(outcome.ours.median - 10e-6) <= 1e-12 and abs(outcome.peer.median - 110e-6) <= 1e-12
    for value, expected in ((outcome.ratio.median, 11), (outcome.ratio.low, 10), (outcome.ratio.high, 12.5)):
        assert abs(value - expected) <= 1e-9, outcome.ratio  # within rounds: 120/12, 100/8, 110/10
    assert outcome.met == "yes", outcome.met  # 10 us: within 11, not within 9


def test_table(comparison):
    text = table.markdown(comparison)
    row = "| 110 (100–120) graph | 10.0 (8.00–12.0) fp32 | 11.00 (10.00–12.50) | 11.0 | 9.00 | yes |"
    assert row in text, text
    assert "medium, 16, fp32 | 1,000 (1,000–1,000) | 110 (100–120) | fp32 | 10.0" in text, text


@pytest.mark.parametrize("graph, met", [(120, "no"), (125, "yes"), (140, "yes, and the stretch"), (None, "not measured")])
def test_a_target_that_is_a_ratio(graph, met):
    model, batch = "1000-1000-1000-1000", 4096
    made = recorded(line(0, "pytorch", "bf16", "graph", graph, model=model, batch=batch),
                    line(0, "breakeven", "bf16", "auto", 100, model=model, batch=batch))
    made["workloads"] = [{"model": model, "batch": batch, "precision": "bf16", "modes": ["graph"]}]
    assert f"| 1.25× | 1.40× | {met} |" in table.markdown(Comparison(made))


def refused_round():
    return {name: value for name, value in line(3, "breakeven", "fp32", "auto", 1).items()
            if name != "seconds"} | {"refused": "it failed"}


@pytest.mark.parametrize("measurements", [
    [], three_rounds((5.0, None, 5.0)), [*three_rounds((5.0, 5.0, 5.0)), refused_round()],
], ids=["nothing measured", "not a number", "a round refused"])
def test_nothing_unknown_is_met(measurements):
    comparison = Comparison(recorded(*measurements))
    outcomes = targets.step_outcomes(comparison)
    assert outcomes
    for outcome in outcomes:
        assert outcome.met == targets.NOT_MEASURED, outcome
        assert not outcome.ratio.known and math.isnan(outcome.ours.median), outcome
    assert "| yes" not in table.markdown(comparison)


def test_a_refusal_is_told():
    text = table.markdown(Comparison(recorded(*three_rounds((5.0, 5.0, 5.0)), refused_round())))
    assert "- breakeven medium b16 fp32 auto: it failed" in text


@pytest.mark.parametrize("value, target, stretch, more_is_better, verdict", [
    (12.1, 12, 7, False, "no"), (12, 12, 7, False, "yes"), (7, 12, 7, False, "yes, and the stretch"),
    (1.1, 1.15, 1.5, True, "no"), (1.5, 1.15, 1.5, True, "yes, and the stretch"),
    (math.nan, 2, 1, False, "not measured"), (math.nan, 1, 2, True, "not measured"),
])
def test_verdicts(value, target, stretch, more_is_better, verdict):
    assert targets.verdict(value, target, stretch, more_is_better=more_is_better) == verdict


def test_quantiles():
    found = quantiles([3.0, 1.0, 2.0, 4.0])
    assert (found["0"], found["0.5"], found["1"]) == (1.0, 2.5, 4.0), found
    assert math.isnan(median([])) and math.isnan(median([1.0, math.nan]))


def product_rows(speedup, **more):
    return [{"precision": "bf16", "gemm": "tuned", "layout": layout, "m": m, "n": n, "k": k, "seconds": 1e-6,
             "cublas_seconds": 1e-6, "speedup_vs_cublas": speedup, "cold_speedup_vs_cublas": speedup,
             "error": 1e-3} | more
            for layout, m, n, k in gemm_targets.products_of_models()]


def met_by_products(rows, ratio="speedup_vs_cublas"):
    kernels = {"rows": rows, "fused_rows": []} if ratio.endswith("cublas") else {"rows": [], "fused_rows": rows}
    outcome = next(one for one in gemm_targets.gemm_outcomes(kernels)
                   if one.target.precision == "bf16" and one.target.ratio == ratio)
    return outcome.met, outcome.speedup.median


def test_products_meet_their_target():
    met, mean = met_by_products(product_rows(1.4) + product_rows(9, gemm="naive"))
    assert met == "yes" and abs(mean - 1.4) <= 1e-9, (met, mean)
    assert met_by_products(product_rows(1.4, cold_speedup_vs_cublas=1.0), "cold_speedup_vs_cublas")[0] == "no"
    assert met_by_products(product_rows(1.0))[0] == "no"
    assert gemm_targets.gemm_outcomes(None) == []


@pytest.mark.parametrize("rows", [
    product_rows(1.2)[1:], product_rows(1.2, error=None), product_rows(1.2, error=0.5), product_rows(None),
    product_rows(math.nan), [],
], ids=["one is missing", "error unknown", "wrong", "no speedup", "not a number", "none"])
def test_products_that_are_not_all_right_meet_nothing(rows):
    assert met_by_products(rows)[0] == targets.NOT_MEASURED


def test_fused_products():
    fused = [row | {"speedup_vs_cublaslt": row["speedup_vs_cublas"]} for row in product_rows(1.1)]
    assert met_by_products(fused, "speedup_vs_cublaslt")[0] == "yes"
    assert met_by_products(fused[:5], "speedup_vs_cublaslt")[0] != "yes"


def test_the_peers_models_are_the_programs():
    source = (ROOT / "src" / "core" / "model" / "model_shape.cpp").read_text(encoding="utf-8")
    stated = re.findall(r'ModelShape\{"(\S+)", \{([\d, ]+)\}, ([\d.]+)f\}', source)
    assert {name: models.Model(tuple(map(int, widths.split(", "))), float(dropout))
            for name, widths, dropout in stated} == models.NAMED
    assert models.NAMED["medium"].parameters == 258432 and models.NAMED["large"].parameters == 6885376


def test_plan():
    """The same cases in every round, in another order, and the same plan each time."""
    workloads = parse_workloads(["medium:16,32:fp32", "large:128:bf16:eager"], ["eager", "graph"])
    assert len(workloads) == 3, workloads
    plan = list(plan_rounds(workloads, ["auto"], 4, 1))
    assert plan == list(plan_rounds(workloads, ["auto"], 4, 1))
    rounds = [[case for number, [case] in plan if number == wanted] for wanted in range(4)]
    assert all(len(cases) == len(set(cases)) == 4 + 4 + 2 for cases in rounds), plan
    assert all(set(cases) == set(rounds[0]) for cases in rounds) and rounds[0] != rounds[1]
    assert Case("breakeven", "medium", 16, "tf32x3", "auto") in rounds[0]


@pytest.mark.parametrize("text", ["medium:16", "medum:16:fp32", "medium:0:fp32", "medium:16:fp8", "medium:16:fp32:lazy",
                                  "medium:16,16:fp32"])
def test_workloads_that_are_none(text):
    with pytest.raises(ValueError):
        parse_workloads([text])


def test_two_gpus_are_not_compared():
    ours = line(0, "breakeven", "fp32", "auto", 10, gpu_uuid="GPU-2")
    with pytest.raises(ValueError, match="GPU-1 in") as error:
        record.check_same_work(recorded(line(0, "pytorch", "fp32", "graph", 100), ours))
    assert "GPU-2 in" in str(error.value)


def compare(*arguments):
    command = [sys.executable, str(ROOT / "results" / "compare-with-pytorch"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)


def said_in_one_line(code, words, *arguments):
    done = compare(*arguments)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    assert len(done.stderr.splitlines()) == 1 and words in done.stderr, done.stderr


@pytest.fixture
def bare(tmp_path):
    """A Python without any packages stands for one without torch."""
    python = tmp_path / "bare-python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    return python


def test_without_torch(bare, tmp_path):
    said_in_one_line(2, f"torch in {bare}", "--program", os.environ["BREAKEVEN"], "--python", bare, "--no-plot",
                     "--output", tmp_path / "none")
    assert not list(tmp_path.glob("none*"))


def test_the_peer_without_torch(bare):
    peer = subprocess.run([bare, ROOT / "results" / "pytorch_peer.py"], capture_output=True, text=True, check=False)
    assert peer.returncode == 1 and "needs the Python module torch" in peer.stderr, peer.stderr


def test_without_the_program(tmp_path):
    said_in_one_line(2, "build breakeven first", "--program", tmp_path / "nothing", "--python", STAND_IN, "--no-plot",
                     "--output", tmp_path / "none")


LOOP = ["--program", os.environ["BREAKEVEN"], "--backend", "host", "--python", STAND_IN, "--no-plot",
        "--gemm", "naive,nonesuch", "--warmup", 2, "--settle", 0, "--steps", 6, "--rounds", 2]


@pytest.fixture(scope="module")
def output(folder):
    """The path of the comparison's file and table, without their endings."""
    path = folder / "comparison"
    done = compare(*LOOP, "--workloads", "33-17-5:12:fp32", "--output", path)
    assert done.returncode == 0, (done.stdout, done.stderr)
    return path


def test_every_case_is_measured_once_a_round(output):
    made = record.load(output.with_suffix(".json"))
    seen = [(one["round"], one["variant"]) for one in made["measurements"]
            if one["precision"] == "fp32" and "refused" not in one]
    assert sorted(seen) == [(number, variant) for number in (0, 1) for variant in ("eager", "graph", "naive")], seen


def test_our_measurements_say_what_they_are(output):
    made = record.load(output.with_suffix(".json"))
    ours = next(one for one in made["measurements"] if one["variant"] == "naive" and "refused" not in one)
    assert ours["parameters"] == 668 and ours["gemm"] == "naive" and ours["seconds"]["0.5"] > 0, ours
    assert ours["command_line"].startswith("breakeven run") and ours["git_revision"] and ours["versions"], ours


def test_the_table_has_what_was_refused(output):
    text = output.with_suffix(".md").read_text(encoding="utf-8")
    assert "PyTorch graph" in text and "RuntimeError: no compiler" in text and "'nonesuch' is not a kernel for" in text, text


def test_the_table_is_made_again_from_the_file(output, tmp_path):
    again = compare("--from", output.with_suffix(".json"), "--no-plot", "--output", tmp_path / "again")
    assert again.returncode == 0, again.stderr
    text = output.with_suffix(".md").read_text(encoding="utf-8")
    assert (tmp_path / "again.md").read_text(encoding="utf-8") == text


def test_random_workloads_are_of_the_seed():
    drawn = random_workloads(200, 1)
    assert drawn == random_workloads(200, 1) and drawn != random_workloads(200, 2) and len(set(drawn)) == 200
    assert {workload.precision for workload in drawn} == {"fp32", "tf32", "bf16", "fp16"}
    assert all(6 * one.batch * models.model_of(one.model).parameters <= MOST_OPERATIONS for one in drawn)


def of_random(*microseconds):
    """Two workloads; the peer takes 100 us in each."""
    measurements = [line(0, "pytorch", "bf16", "graph", 100, model=model) for model in ("3-3", "4-4")]
    measurements += [line(0, "breakeven", "bf16", "auto", ours, model=model)
                     for model, ours in zip(("3-3", "4-4"), microseconds)]
    workloads = [{"model": model, "batch": 16, "precision": "bf16", "modes": ["graph"]} for model in ("3-3", "4-4")]
    return Comparison(recorded(*measurements) | {"protocol": {"random": 2}, "workloads": workloads})


def test_the_mean_and_the_worst_of_random_workloads():
    text = table.markdown(of_random(25, 100))
    assert "geometric mean\n2.00 (target 2), worst 1.00 (target 1.15): 4-4, batch 16, bf16." in text, text
    assert "Targets on" not in text and "Random" not in table.markdown(Comparison(recorded(*three_rounds((9, 9, 9)))))


def test_a_random_workload_that_is_missing_leaves_no_mean():
    text = table.markdown(of_random(25, None))
    assert "No ratio for 1 of 2: 4-4, batch 16, bf16." in text and "geometric" not in text, text


def test_random_takes_the_place_of_workloads(tmp_path):
    both = compare(*LOOP, "--random", 2, "--workloads", "33-17-5:12:fp32", "--output", tmp_path / "none")
    assert both.returncode == 2 and "takes the place of --workloads" in both.stderr, both.stderr


def test_another_model_is_refused(tmp_path):
    wrong = compare(*LOOP, "--workloads", "33-17-6:12:fp32", "--output", tmp_path / "wrong")
    assert wrong.returncode == 3 and "do not train the same 33-17-6" in wrong.stderr, wrong.stderr
