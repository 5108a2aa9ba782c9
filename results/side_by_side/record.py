# SPDX-License-Identifier: Apache-2.0
"""The file of a comparison: every measurement of both sides, and what you need to judge and repeat them.

{"format": ..., "command", "started", "protocol": {...}, "workloads": [...], "gemm": [...],
 "several": {"one": whether one GPU was compared too, "gpus": [2, ...], "modes", "strategies", "transports"},
 "measurements": [{"round", "place", "side", "model", "batch", "precision", "variant", "gpus", "seconds": {"0.5": ...} or
 "refused": sentence, ...}]}. A number that was not measured is null. Files of older programs are of one GPU and have
neither "several" nor "gpus".
"""
import json
import math

from side_by_side.cases import Case, Workload

FORMAT = "breakeven-comparison-1"
CASE_FIELDS = ("side", "model", "batch", "precision", "variant")  # and "gpus"


def measurement_of(number, place, case, found):
    """A side's result with its case and its place in time."""
    return {"round": number, "place": place} | vars(case) | {
        name: value for name, value in found.items() if name not in ("mode", "warmup", "settle", "steps")}


def case_of(measurement):
    return Case(*(measurement[field] for field in CASE_FIELDS), measurement.get("gpus", 1))


def compares_one_gpu(record):
    return "several" not in record or record["several"]["one"]


def several_of(record):
    """What was measured on several GPUs, if anything was."""
    return record.get("several", {"gpus": []})


def workloads_of(record):
    return [Workload(**workload | {"modes": tuple(workload["modes"])}) for workload in record["workloads"]]


def without_nan(value):
    """JSON has no NaN."""
    if isinstance(value, dict):
        return {name: without_nan(part) for name, part in value.items()}
    if isinstance(value, list):
        return [without_nan(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def save(record, path):
    """One measurement per line, so that `diff` can compare two files."""
    head = without_nan(record)
    lines = ",\n".join(json.dumps(one, allow_nan=False) for one in head.pop("measurements"))
    text = json.dumps(head, indent=1, allow_nan=False).removesuffix("\n}")
    path.write_text(f'{text},\n "measurements": [\n{lines}\n ]\n}}\n', encoding="utf-8")


def load(path):
    """ValueError if the file is not a comparison."""
    record = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ValueError(f"{path} is not of the format {FORMAT}")
    return record


def check_same_work(record):
    """ValueError if the two sides trained different models or used different GPUs."""
    parameters, gpus = {}, {}
    for one in record["measurements"]:
        if "refused" in one:
            continue
        parameters.setdefault(one["model"], {}).setdefault(one["parameters"], case_of(one))
        used = " ".join(sorted(one.get("gpu_uuids", [])) or [one["gpu_uuid"]])
        if used.strip():  # the host device has none
            gpus.setdefault(len(used.split()), {}).setdefault(used, case_of(one))
    for model, counts in parameters.items():
        if len(counts) != 1:
            told = " and ".join(f"{count} in {case}" for count, case in counts.items())
            raise ValueError(f"the sides do not train the same {model}: its parameters are {told}")
    for number, used in gpus.items():
        if len(used) > 1:
            told = " and ".join(f"{uuids} in {case}" for uuids, case in used.items())
            raise ValueError(f"the sides were not measured on the same {'GPU: it is' if number == 1 else 'GPUs:'} {told}")
