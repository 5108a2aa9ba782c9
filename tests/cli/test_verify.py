# SPDX-License-Identifier: Apache-2.0
"""Every strategy is the single device's run, on 1 to 4 ranks, launched step by step and as a graph."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import program  # noqa: E402


def main() -> None:
    for ranks in (1, 2, 3, 4):
        done = program.run_well(
            ranks, "verify", "--backend", "host", "--models", "medium-50", "--batches", "48", "--gpus", "all",
            "--graph", "on,off", "--data", "resident,streamed", "--steps", "90",
        )
        verdicts = [line for line in done.stdout.splitlines() if line.startswith("medium-50")]
        assert len(verdicts) == 4, done.stdout
        assert all(line.endswith(": ok") for line in verdicts), done.stdout


if __name__ == "__main__":
    main()
