# SPDX-License-Identifier: Apache-2.0
"""8, 16 and 32 ranks on few cores: every strategy and every mesh of eight computes what it claims to."""
import program
import pytest

DEEP = "-".join(["256"] * 10)  # a layer at least for each stage of eight
MESHES_OF_EIGHT = ["hybrid:data=4:tensor=2", "hybrid:data=2:tensor=4", "hybrid:data=2:pipeline=4"]
OF_EIGHT = ["ddp", "ddp:compress=int8", "parameter-server", "zero1", "zero2", "fsdp", "tensor", "pipeline",
            "local-sgd:period=3", "stale", *MESHES_OF_EIGHT]
OF_MORE = ["ddp", "zero1", "fsdp", "tensor", "hybrid:data=4"]


@pytest.mark.parametrize("ranks, model, strategies", [
    (8, DEEP, OF_EIGHT), (16, "256-256-256-256", OF_MORE), (32, "256-256-256-256", OF_MORE)])
def test_every_strategy_is_right(ranks: int, model: str, strategies: list[str]) -> None:
    done = program.run_well(ranks, "verify", "--backend", "host", "--models", model, "--batches", "64", "--gpus", "all",
                            "--strategies", ",".join(strategies), "--warmup", "2", "--steps", "5")
    verdicts = [line for line in done.stdout.splitlines() if line.startswith(model)]
    assert [line.split()[3] for line in verdicts] == strategies, done.stdout
    assert all(f" {ranks}x " in line and line.endswith(": ok") for line in verdicts), done.stdout
