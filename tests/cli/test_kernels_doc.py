# SPDX-License-Identifier: Apache-2.0
"""results/update-kernels-doc writes the measured ladder between its markers, from what `breakeven kernels` wrote."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

UPDATE = pathlib.Path(__file__).resolve().parents[2] / "results" / "update-kernels-doc"
PAGE = "# Kernels\n\n<!-- ladder:begin -->\nold\n<!-- ladder:end -->\n\nafter\n"


def recorded(folder: pathlib.Path) -> dict:
    """Measured here, on the host, which has no cuBLAS: what it would say of that is added by hand."""
    path = folder / "kernels.json"
    command = [os.environ["BREAKEVEN"], "kernels", "--backend", "host", "--models", "33-17-5", "--batches", "12",
               "--squares", "32,64", "--precisions", "fp32,bf16", "--rounds", "2", "--output", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(path.read_text(encoding="utf-8"))


def summary(gemm: str, precision: str, speedup: float | None) -> dict:
    return {"precision": precision, "gemm": gemm, "epilogue": "none", "reference": "cublas", "products": 5,
            "speedup": speedup}


class Place:
    def __init__(self, folder: pathlib.Path):
        self.page = folder / "page.md"
        self.file = folder / "kernels.json"
        self.page.write_text(PAGE, encoding="utf-8")

    def record(self, kernels: dict) -> None:
        self.file.write_text(json.dumps(kernels), encoding="utf-8")

    def update(self, *flags: str) -> subprocess.CompletedProcess:
        command = [sys.executable, UPDATE, *flags, "--page", self.page, self.file]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def text(self) -> str:
        return self.page.read_text(encoding="utf-8")


def check_writing(place: Place, kernels: dict) -> None:
    kernels["summary"] = [
        summary("hopper", "bf16", 1.2345), summary("naive", "fp32", 0.0123), summary("naive", "bf16", None),
        summary("naive", "fp32", 9.0) | {"epilogue": "bias_relu", "reference": "cublaslt"},
    ]
    place.record(kernels)
    assert place.update("--check").returncode == 1 and place.text() == PAGE
    done = place.update()
    assert done.returncode == 0, done.stderr
    text = place.text()
    assert text.startswith("# Kernels\n\n<!-- ladder:begin -->\nTimes as fast as cuBLAS"), text
    assert text.endswith("`results/update-kernels-doc`.\n<!-- ladder:end -->\n\nafter\n"), text
    assert "mean over 5 products" in text and "old" not in text
    naive, hopper = "| naive | 0.0123 | – | – | – | – |", "| hopper | – | – | – | 1.23 | – |"  # null: no speed
    assert text.index(naive) < text.index(hopper), text
    fastest = next(row for row in kernels["rows"]
                   if row["m"] == 64 and row["gemm"] == "openblas" and row["precision"] == "fp32")
    assert "square product of 64 (layout nt)" in text
    assert f"| openblas | {fastest['flops_per_second'] / 1e12:.3g} |" in text, text
    assert place.update("--check").returncode == 0
    place.update()
    assert place.text() == text
    kernels["summary"][0]["speedup"] = 1.3
    place.record(kernels)
    assert place.update("--check").returncode == 1, "a number that has changed is found"


def check_refusals(place: Place, kernels: dict) -> None:
    before = place.text()
    for broken in (kernels | {"version": 2}, kernels | {"format": "other"}, kernels | {"summary": [], "rows": []}, []):
        place.record(broken)
        refused = place.update()
        assert refused.returncode == 1 and refused.stderr.startswith("update-kernels-doc: "), refused.stderr
        assert place.text() == before
    place.file.write_text("{", encoding="utf-8")
    assert "is not JSON" in place.update().stderr
    place.file.unlink()
    assert "cannot be read" in place.update().stderr
    place.record(kernels)
    place.page.write_text("no markers", encoding="utf-8")
    assert "exactly one" in place.update().stderr and place.text() == "no markers"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        kernels = recorded(folder)
        place = Place(folder)
        check_writing(place, kernels)
        check_refusals(place, kernels)


if __name__ == "__main__":
    main()
