# SPDX-License-Identifier: Apache-2.0
"""results/update-step-parts writes where recorded steps spend their time, from the JSON of `breakeven trace --kernels`."""
import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "results"))
from step_limits import part_limits  # noqa: E402

UPDATE = pathlib.Path(__file__).resolve().parents[2] / "results" / "update-step-parts"
PAGE = "# Kernels\n\n<!-- steps:begin -->\nold\n<!-- steps:end -->\n\nafter\n"


def part(kind: str, adds: float, rank: int = 0) -> dict:
    return {"rank": rank, "kind": kind, "count": 1, "total_seconds": 1.0, "adds_seconds": adds}


def trace(**changed: object) -> dict:
    return {
        "format": "breakeven kernel trace", "version": 1, "machine": "1x GPU", "revision": "abc",
        "label": "large b128 1x single bf16 tuned none graph total",
        "ranks": [{"rank": 0, "untraced_seconds": 123.4e-6, "traced_seconds": 125e-6, "problem": ""}],
        "sums": [part("load_batch fp32,bf16", 4e-6), part("gemm_hopper_update bf16", 30e-6),
                 part("gemm_async weight gradient bf16", 40e-6), part("gemm_hopper_split forward bf16", 33e-6),
                 part("gemm_async data gradient bf16", 12.5e-6), part("advance_step", 1e-6),
                 part("load_batch fp32,bf16", 1.0, rank=1)],
    } | changed


# A byte takes a microsecond, an operation nearly nothing, and the other way round.
SLOW_MEMORY = {"copy_bytes_per_second": 1e6, "bf16_flops_per_second": 1e30}
SLOW_PRODUCTS = {"copy_bytes_per_second": 1e30, "bf16_flops_per_second": 1e6}


class Place:
    def __init__(self, folder: pathlib.Path):
        self.kernels = folder / "kernels.json"
        self.page = folder / "page.md"
        self.file = folder / "kernel-trace-large-b128-bf16.json"
        self.page.write_text(PAGE, encoding="utf-8")

    def update(self, recorded: object, *flags: str, roofline: dict = SLOW_MEMORY) -> subprocess.CompletedProcess:
        kernels = {"format": "breakeven kernels", "version": 1, "roofline": roofline}
        self.kernels.write_text(json.dumps(kernels), encoding="utf-8")
        self.file.write_text(json.dumps(recorded), encoding="utf-8")
        command = [sys.executable, UPDATE, *flags, "--page", self.page, "--roofline", self.kernels, self.file]
        return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def place(tmp_path: pathlib.Path) -> Place:
    return Place(tmp_path)


def test_parts_are_added_and_ordered(place: Place) -> None:
    done = place.update(trace())
    assert done.returncode == 0, done.stderr
    assert ("| [large, 128, bf16](kernel-trace-large-b128-bf16.txt) | 123 | "
            "updates 70, forward 33, data gradients 12.5, batch 4, rest 5.5 | ") in place.page.read_text(encoding="utf-8")


@pytest.mark.parametrize("roofline, limits", [
    # 2 bytes a value, 3 samples, widths 4-5-6: inputs, outputs and weights once each; 26 bytes of a weight's state.
    (SLOW_MEMORY, {"batch": 3 * (6 * 4 + 8 * 6), "forward": 2 * (3 * 9 + 20 + 3 * 11 + 30), "data gradients": 2 * (3 * 11 + 30),
                   "updates": 2 * 3 * (9 + 11) + 26 * (20 + 30), "first layer": 2 * (3 * 9 + 20),
                   "later layers": 2 * 2 * (3 * 11 + 30)}),
    (SLOW_PRODUCTS, {"forward": 2 * 3 * 50, "data gradients": 2 * 3 * 30, "updates": 2 * 3 * 50, "first layer": 2 * 3 * 20,
                     "later layers": 2 * 2 * 3 * 30, "batch": 0}),
])
def test_limits_by_hand(roofline: dict, limits: dict) -> None:
    found = part_limits("4-5-6", 3, "bf16", roofline)
    assert found == pytest.approx({part: count * 1e-6 for part, count in limits.items()}, rel=1e-9, abs=1e-20)


def test_a_limit_stands_beside_each_part(place: Place) -> None:
    assert place.update(trace(label="4-5-6 b3 1x single bf16 tuned none graph total")).returncode == 0
    assert "| updates 1,420, forward 220, data gradients 126, batch 216 |" in place.page.read_text(encoding="utf-8")


def test_a_stale_page_is_found(place: Place) -> None:
    assert place.update(trace()).returncode == 0
    assert place.update(trace(), "--check").returncode == 0
    stale = place.update(trace(revision="abd"), "--check")
    assert stale.returncode == 1
    assert "is stale: run results/update-step-parts" in stale.stderr


@pytest.mark.parametrize("recorded, said", [
    (trace(format="breakeven trace"), "is not the JSON of `breakeven trace --kernels`, version 1"),
    (trace(version=2), "is not the JSON of `breakeven trace --kernels`, version 1"),
    ([], "is not the JSON of `breakeven trace --kernels`, version 1"),
    (trace(sums=[]), "has no step: "),
])
def test_what_is_no_trace_is_refused(place: Place, recorded: object, said: str) -> None:
    done = place.update(recorded)
    assert done.returncode == 1
    assert said in done.stderr
    assert place.page.read_text(encoding="utf-8") == PAGE
