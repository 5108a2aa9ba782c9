# SPDX-License-Identifier: Apache-2.0
"""Our side: `breakeven run` for one case, or for those of one launch on several GPUs, read back from its results file
(docs/results-file.md)."""
import json
import math
import pathlib
import subprocess
import tempfile

from side_by_side.cases import BREAKEVEN
from side_by_side.quantiles import quantiles
from side_by_side.several_cases import SINGLE, check_losses

CONVENTIONS = "breakeven-results-1"
VERIFIED = 2  # the status of a run whose numbers were read back and found equal by checksum
COMPARED_LOSSES = 10

# Unlike a signal of Python's subprocess, it lets mpirun end its ranks.
TIMEOUT = ("timeout", "--kill-after=10")
TIMED_OUT = (124, 137)


def _text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


class ResultsFile:
    """The runs of a results file of one launch; ValueError if it is of another format."""

    def __init__(self, file):
        self._file = file
        if _text(file.attrs["Conventions"]) != CONVENTIONS:
            raise ValueError(f"the results file is not of the format {CONVENTIONS}")
        self._step = [_text(phase) for phase in file["phase"][:]].index("step")

    def runs(self):
        """(model, batch, precision, strategy, transport) and index of each."""
        names = (self._file[name][:] for name in ("model", "batch", "precision", "strategy", "collective"))
        return {(_text(model), int(batch), *map(_text, words)): index
                for index, (model, batch, *words) in enumerate(zip(*names))}

    def losses(self, run):
        """Of the whole batch in each recorded step: every rank has its share."""
        return self._file["loss"][run, :self._ranks(run), :int(self._file["steps"][run])].sum(axis=0)

    def measurement(self, run):
        """Of the rank with the longest mean step, or a sentence under "refused"."""
        file = self._file
        if file["status"][run] != VERIFIED:
            return {"refused": "the run was not finished and verified"}
        steps, ranks = int(file["steps"][run]), self._ranks(run)
        loss = float(self.losses(run)[-1])
        if not math.isfinite(loss):
            return {"refused": f"the loss after training is {loss}"}
        means = file["seconds"][run, :ranks, :steps, self._step].mean(axis=1)
        slowest = int(means.argmax())
        uuids = [_text(uuid) for uuid in file["gpu_uuid"][0, :ranks]]
        return {
            "gemm": _text(file["gemm"][run]), "graph": bool(file["graph"][run]),
            "parameters": int(file["parameters"][run]), "mean_seconds": float(means[slowest]),
            "seconds": quantiles([float(value) for value in file["seconds"][run, slowest, :steps, self._step]]),
            "host_seconds_per_step": float(file["steps_host_seconds"][run, slowest]) / steps,
            "setup_seconds": float(file["setup_seconds"][run, slowest]), "loss": loss,
            "gpu_name": _text(file["gpu_name"][0, 0]), "gpu_uuid": uuids[0],
            "git_revision": _text(file["git_revision"][0]), "command_line": _text(file["command_line"][0]),
            "versions": json.loads(_text(file["versions"][0])),
        } | ({"gpu_uuids": uuids} if ranks > 1 else {})

    def _ranks(self, run):
        return int(self._file["gpus"][run])


def read_one(file):
    """The only run of a file."""
    if file["status"].shape != (1,):
        return {"refused": "the run was not finished and verified"}
    return ResultsFile(file).measurement(0)


def measured_beside(results, run, single, precision):
    """A strategy whose losses are not those of the single GPU is "refused"."""
    if run is None or single is None:
        return {"refused": "breakeven left this case, or its single GPU, out"}
    found = results.measurement(run)
    try:
        check_losses(results.losses(run)[:COMPARED_LOSSES], results.losses(single)[:COMPARED_LOSSES], precision)
    except RuntimeError as error:
        return {"refused": f"{error}"}
    return found


def read_launch(file, cases):
    """{case: measurement} of a launch on several GPUs."""
    results = ResultsFile(file)
    runs = results.runs()
    found = {}
    for case in cases:
        strategy, _, transport = case.variant.partition(" ")
        run, single = (runs.get((case.model, case.batch, case.precision, *names))
                       for names in ((strategy, transport or "none"), (SINGLE, "none")))
        found[case] = measured_beside(results, run, single, case.precision)
    return found


class BreakevenSide:
    """`launcher` starts the program on one GPU, `mpirun` on several."""

    def __init__(self, program, launcher, mpirun, protocol):
        self._program, self._launcher, self._mpirun = program, launcher, mpirun
        self._protocol = protocol
        self._options = ["--backend", protocol.backend, "--timing", "steps", "--repeats", "1",
                         "--warmup", str(protocol.warmup), "--settle", f"{protocol.settle:g}s" if protocol.settle else "0",
                         "--steps", str(protocol.steps)]

    def measure(self, cases):
        """(case, measurement) of all cases of one start, or the program's own sentence if it refuses a case or does not
        finish."""
        if cases[0].gpus == 1:
            return [(case, self._run(self._launcher, [case], self._of_one(case), read_one)) for case in cases]
        together = self._launch(cases)
        if "refused" not in together:
            return list(together.items())
        if len(cases) == 1 or together == self._late(cases):  # each alone could take as long again
            return [(case, together) for case in cases]
        half = len(cases) // 2  # one case that cannot be run ends the launch of all
        return self.measure(cases[:half]) + self.measure(cases[half:])

    def _launch(self, cases):
        """{case: measurement}, or {"refused": sentence} for the whole launch."""
        mpirun = [*self._mpirun, "-np", str(cases[0].gpus)]
        return self._run(mpirun, cases, self._of_several(cases), lambda file: read_launch(file, cases))

    def _seconds_for(self, cases):
        return self._protocol.timeout * len(cases)

    def _late(self, cases):
        return {"refused": f"not done within {self._seconds_for(cases):g} s"}

    def _of_one(self, case):
        return ["--gpus", "1", "--strategies", SINGLE, "--gemm", case.variant, *self._axes([case])]

    def _of_several(self, cases):
        variants = [case.variant.split(" ") for case in cases if case.variant != SINGLE]
        strategies = [SINGLE, *dict.fromkeys(strategy for strategy, _ in variants)]
        transports = dict.fromkeys(transport for _, transport in variants)
        return ["--gpus", str(cases[0].gpus), "--strategies", ",".join(strategies),
                *(["--transports", ",".join(transports)] if transports else []),
                *self._axes(cases)]

    def _axes(self, cases):
        batches = {}
        for case in cases:
            batches.setdefault(case.model, {})[str(case.batch)] = None
        models = [word for model, each in batches.items() for word in ("--cases", f"{model}:{','.join(each)}")]
        return [*models, "--precisions", ",".join(dict.fromkeys(case.precision for case in cases))]

    def _run(self, launcher, cases, options, read):
        import h5py
        with tempfile.TemporaryDirectory(prefix=f"{BREAKEVEN}-side-") as folder:
            output = str(pathlib.Path(folder) / "run.h5")
            command = [*TIMEOUT, f"{self._seconds_for(cases):g}", *launcher, self._program, "run", *self._options, *options,
                       "--output", output]
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
            if done.returncode in TIMED_OUT:
                return self._late(cases)
            if done.returncode != 0:
                sentences = [line for line in done.stderr.splitlines() if line.startswith("breakeven: ")]
                sentence = (sentences or done.stderr.strip().splitlines() or ["no message"])[-1]
                return {"refused": f"{sentence} (exit code {done.returncode})"}
            try:
                with h5py.File(output) as file:
                    return read(file)
            except ValueError as error:
                return {"refused": f"{error}"}
