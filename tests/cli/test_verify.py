# SPDX-License-Identifier: Apache-2.0
"""Every strategy computes what it claims to: on 1 to 4 ranks, with and without a graph, in every precision."""
import os

import program
import pytest

IN_GRAPHS = ["ddp", "parameter-server", "zero1", "zero2", "fsdp", "tensor", "pipeline", "hybrid",
             "independent", "stale", "local-sgd:period=4", "local-sgd:period=4:outer=nesterov"]
FEWER_ACTIVATIONS = ["ddp:accumulate=4", "zero1:accumulate=2:checkpoint=activations",
                     "parameter-server:checkpoint=activations", "local-sgd:accumulate=2"]
ALL = [*IN_GRAPHS, "async-server"]  # the default of verify
NOT_IN_GRAPHS = ["single", "async-server"]
ON_GPUS = os.environ.get("BREAKEVEN_TEST_DEVICE") == "cuda"
MODEL = "medium-50" if ON_GPUS else "50-128-64-32-3"  # half as wide, because processor cores take minutes otherwise


@pytest.fixture(scope="module", params=(1, 2) if ON_GPUS else (1, 2, 3, 4), ids=lambda ranks: f"{ranks} ranks")
def ranks(request: pytest.FixtureRequest) -> int:
    return request.param


@pytest.fixture(scope="module")
def device(ranks: int) -> list[str]:
    return program.device_options(ranks)


def check(device: list[str], ranks: int, cases: int, *axes: str) -> None:
    done = program.run_well(
        ranks, "verify", *device, "--models", MODEL, "--batches", "48", "--gpus", "all", "--steps", "90", *axes
    )
    verdicts = [line for line in done.stdout.splitlines() if line.startswith(MODEL)]
    assert len(verdicts) == cases, done.stdout
    assert all(line.endswith(": ok") for line in verdicts), done.stdout


def test_with_and_without_graphs(device: list[str], ranks: int) -> None:
    # Ranks that share a GPU communicate over MPI, which a CUDA graph cannot contain.
    graphs = ["off"] if "--share-gpus" in device else ["on", "off"]
    check(device, ranks, 2 * len(graphs) * len(IN_GRAPHS), "--graph", ",".join(graphs), "--data", "resident,streamed",
          "--strategies", ",".join(IN_GRAPHS))


def test_strategies_without_graphs(device: list[str], ranks: int) -> None:
    check(device, ranks, len(NOT_IN_GRAPHS), "--strategies", ",".join(NOT_IN_GRAPHS))


def test_fewer_activations(device: list[str], ranks: int) -> None:
    check(device, ranks, len(FEWER_ACTIVATIONS), "--strategies", ",".join(FEWER_ACTIVATIONS))


@pytest.mark.parametrize("ranks", (1, 2), indirect=True, ids=lambda ranks: f"{ranks} ranks")
def test_precisions(device: list[str], ranks: int) -> None:
    strategies = ["single", *ALL]
    precisions = [name for name in program.words_of("--precisions") if name != "fp32"]  # in which all other tests run
    check(device, ranks, len(strategies) * len(precisions), "--strategies", ",".join(strategies),
          "--precisions", ",".join(precisions))


def test_no_strategy_is_left_out() -> None:
    assert {name.split(":")[0] for name in ["single", *ALL]} == set(program.words_of("--strategies"))


@pytest.mark.parametrize("ranks", (2,), indirect=True, ids=lambda ranks: f"{ranks} ranks")
def test_default_strategies(device: list[str], ranks: int) -> None:
    check(device, ranks, len(ALL))
