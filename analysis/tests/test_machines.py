# SPDX-License-Identifier: Apache-2.0
"""Files of several machines: the program's comparison as a table, and as a page."""

import json
import subprocess
from html import unescape
from pathlib import Path

import pandas as pd
import pytest
from conftest import RESULTS

from breakeven_analysis import MachinesAdvice, MachinesReport, find_program, read_advice, read_report
from breakeven_analysis.page.command import main
from breakeven_analysis.page.remedies import docs_address, linked

FILES = [RESULTS / "h100-2" / "transports.h5", RESULTS / "h200-2" / "map.h5"]
PRICES = ("--price", "H100=2.5,H200=3.5")


@pytest.fixture(scope="module")
def report() -> MachinesReport:
    said = read_report(FILES, *PRICES)
    assert isinstance(said, MachinesReport)
    return said


def test_a_report_on_several_machines_is_a_table(report: MachinesReport) -> None:
    line = [str(find_program()), "report", *map(str, FILES), *PRICES, "--format", "json"]
    said = json.loads(subprocess.run(line, capture_output=True, check=True, text=True).stdout)
    assert report.headline == said["headline"] and report.warnings == said["warnings"]
    frame = report.machines
    assert isinstance(frame, pd.DataFrame) and list(frame["model"]) == [row["model"] for row in said["machines"]]
    assert frame["machine"].nunique() == 2 and frame["cost_per_million_samples"].notna().all()
    assert report.table("to_quality").empty and "machine" in report.table("to_quality")


def test_advice_for_several_machines_names_one() -> None:
    advice = read_advice(FILES, "xl", 8192, "--samples", "1e10", *PRICES)
    assert isinstance(advice, MachinesAdvice)
    assert advice.answer and set(advice.machines["machine"]) == {"NVIDIA H100 80GB HBM3", "NVIDIA H200"}


def test_the_page_has_a_row_for_each_machine(report: MachinesReport, tmp_path: Path) -> None:
    output = tmp_path / "both.html"
    assert main([*map(str, FILES), *PRICES, "-o", str(output)]) == 0
    page = unescape(output.read_text(encoding="utf-8"))
    rows = page.partition('<section id="machines">')[2].partition("</table>")[0]
    assert rows.count("<tr>") == 1 + len(report.machines)
    for row in report.machines.to_dict("records"):
        assert f"<td>{row['machine']}</td>" in rows and f"<td>{row['sentence']}</td>" in rows
    assert all(sentence in page for sentence in report.headline)
    pages = report.said["warning_pages"]
    assert len(pages) == len(report.warnings) > 0 and all(page.startswith("troubleshooting.md#") for page in pages)
    for sentence, place in zip(report.warnings, pages, strict=True):
        item = linked(sentence, place, docs_address(output))
        assert f"<li>{unescape(item)}</li>" in page and f'/{place}">' in item
    assert f"breakeven-report {' '.join(map(str, FILES))} --price H100=2.5,H200=3.5 -o" in page
    assert "<script" not in page and "{{" not in page


@pytest.mark.parametrize("price", ["H100", "H100=", "H100=0", "H100=1,2", "nan"])
def test_a_wrong_price_is_refused(price: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*map(str, FILES), "--price", price, "-o", str(tmp_path / "page.html")])
    assert ended.value.code == 1 and capsys.readouterr().err.count("\n") == 1


def test_machines_without_a_common_batch_have_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main([str(RESULTS / "h200-2-2026-11-22" / "energy.h5"), str(FILES[0]), "-o", str(page)]) == 0
    assert "None" not in page.read_text(encoding="utf-8")
