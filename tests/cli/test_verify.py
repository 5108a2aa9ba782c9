# SPDX-License-Identifier: Apache-2.0
"""Every strategy is what it claims to be: on 1 to 4 ranks, step by step and as a graph, in every precision."""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import program  # noqa: E402

MODEL = "medium-50"
IN_GRAPHS = ["ddp", "parameter-server", "zero1", "zero2", "fsdp", "tensor", "pipeline", "hybrid",
             "independent", "stale", "local-sgd:period=4", "local-sgd:period=4:outer=nesterov"]
FEWER_ACTIVATIONS = ["ddp:accumulate=4", "zero1:accumulate=2:checkpoint=activations",
                     "parameter-server:checkpoint=activations", "local-sgd:accumulate=2"]
ALL = [*IN_GRAPHS, "async-server"]  # what verify takes unless it is told otherwise
NOT_IN_GRAPHS = ["single", "async-server"]
PRECISIONS = ["tf32x3", "tf32", "bf16", "fp16"]  # beside fp32, which all else is checked in


def check(device: list[str], ranks: int, cases: int, *axes: str) -> None:
    done = program.run_well(
        ranks, "verify", *device, "--models", MODEL, "--batches", "48", "--gpus", "all", "--steps", "90", *axes
    )
    print(done.stdout)
    verdicts = [line for line in done.stdout.splitlines() if line.startswith(MODEL)]
    assert len(verdicts) == cases, done.stdout
    assert all(line.endswith(": ok") for line in verdicts), done.stdout


def main() -> None:
    on_gpus = os.environ.get("BREAKEVEN_TEST_DEVICE") == "cuda"
    for ranks in (1, 2) if on_gpus else (1, 2, 3, 4):
        device = program.device_options(ranks)
        # Ranks that share a GPU exchange over MPI, which no CUDA graph holds.
        graphs = ["off"] if "--share-gpus" in device else ["on", "off"]
        ways = ["--graph", ",".join(graphs), "--data", "resident,streamed"]
        if ranks == 2:
            check(device, ranks, len(ALL))
        check(device, ranks, len(NOT_IN_GRAPHS), "--strategies", ",".join(NOT_IN_GRAPHS))
        check(device, ranks, 2 * len(graphs) * len(IN_GRAPHS), *ways, "--strategies", ",".join(IN_GRAPHS))
        check(device, ranks, len(FEWER_ACTIVATIONS), "--strategies", ",".join(FEWER_ACTIVATIONS))
        if ranks <= 2:
            strategies = ["single", *ALL]
            cases = len(strategies) * len(PRECISIONS)
            check(device, ranks, cases, "--strategies", ",".join(strategies), "--precisions", ",".join(PRECISIONS))


if __name__ == "__main__":
    main()
