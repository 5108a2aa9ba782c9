# SPDX-License-Identifier: Apache-2.0
"""Our side: `breakeven run` for one case, read back from its results file (docs/results-file.md)."""
import json
import math
import pathlib
import subprocess
import tempfile

from side_by_side.quantiles import quantiles

CONVENTIONS = "breakeven-results-1"
VERIFIED = 2  # the status of a run whose numbers were read back and found equal by checksum


def _text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def read_results(path):
    """The only run of a results file: a measurement, or a sentence under "refused"."""
    import h5py
    with h5py.File(path) as file:
        if _text(file.attrs["Conventions"]) != CONVENTIONS:
            return {"refused": f"the results file is not of the format {CONVENTIONS}"}
        if file["status"].shape != (1,) or file["status"][0] != VERIFIED:
            return {"refused": "the run was not finished and verified"}
        steps = int(file["steps"][0])
        whole_step = [_text(phase) for phase in file["phase"][:]].index("step")
        loss = float(file["loss"][0, 0, steps - 1])
        if not math.isfinite(loss):
            return {"refused": f"the loss after training is {loss}"}
        seconds = [float(value) for value in file["seconds"][0, 0, :steps, whole_step]]
        return {
            "gemm": _text(file["gemm"][0]), "graph": bool(file["graph"][0]),
            "parameters": int(file["parameters"][0]), "seconds": quantiles(seconds),
            "host_seconds_per_step": float(file["steps_host_seconds"][0, 0]) / steps,
            "setup_seconds": float(file["setup_seconds"][0, 0]), "loss": loss,
            "gpu_name": _text(file["gpu_name"][0, 0]), "gpu_uuid": _text(file["gpu_uuid"][0, 0]),
            "git_revision": _text(file["git_revision"][0]), "command_line": _text(file["command_line"][0]),
            "versions": json.loads(_text(file["versions"][0])),
        }


class BreakevenSide:
    def __init__(self, program, launcher, backend, warmup, steps, timeout_seconds):
        self._start = [*launcher, program, "run", "--backend", backend, "--gpus", "1", "--strategies", "single",
                       "--timing", "steps", "--repeats", "1", "--warmup", str(warmup), "--steps", str(steps)]
        self._timeout_seconds = timeout_seconds

    def measure(self, case):
        """A measurement, or the program's own sentence if it refuses or does not finish."""
        with tempfile.TemporaryDirectory(prefix="breakeven-side-") as folder:
            output = str(pathlib.Path(folder) / "run.h5")
            command = [*self._start, "--cases", f"{case.model}:{case.batch}", "--precisions", case.precision,
                       "--gemm", case.variant, "--output", output]
            try:
                done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                                      timeout=self._timeout_seconds)
            except subprocess.TimeoutExpired:
                return {"refused": f"not done within {self._timeout_seconds:g} s"}
            if done.returncode != 0:
                sentences = [line for line in done.stderr.splitlines() if line.startswith("breakeven: ")]
                sentence = (sentences or done.stderr.strip().splitlines() or ["no message"])[-1]
                return {"refused": f"{sentence} (exit code {done.returncode})"}
            return read_results(output)
