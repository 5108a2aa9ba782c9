# SPDX-License-Identifier: Apache-2.0
"""The HTML report: its numbers are the report's, it is one file, and text from a results file stays text."""

import json
import re
from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest
import xarray as xr
from conftest import AUTO, ENERGY, MAP, RESULTS, SCALING, STRATEGIES

from breakeven_analysis import Report, open_results, read_report
from breakeven_analysis.page import document, page_data, page_of
from breakeven_analysis.page.cases import key_of
from breakeven_analysis.page.command import main
from breakeven_analysis.page.remedies import docs_address, linked
from breakeven_analysis.page.timelines import STEPS

PLANTED = '</script><script>alert("planted")</script><img src=x onerror=alert(1)>'


def data_of(page: str) -> dict[str, Any]:
    """The page's data as a browser reads it."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found.group(1))


def rows_of(data: dict[str, Any]) -> list[dict[str, Any]]:
    """One row per case, with the axes of its configuration; cases on one GPU have none."""
    columns = data["cases"]
    rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    return [
        row | (data["configurations"][row["configuration"]] if row["configuration"] >= 0 else {"gpus": 1})
        for row in rows
    ]


def test_every_number_of_a_case_is_the_reports(map_report: Report, map_page: str) -> None:
    axes = map_report.vocabulary.case_axes
    said = {
        (row["timing"], *key_of(row, axes)): row
        for row in map_report.said["cases"]
        if row["gpus"] > 1 and row["runs_done"] > 0
    }
    rows = [row for row in rows_of(data_of(map_page)) if row["gpus"] > 1]
    assert 2 * len(rows) == len(said), "each with both timings"
    for row in rows:
        key = key_of(row, axes)
        total, phases = said[("total", *key)], said[("phases", *key)]
        shared = [name for name in total if name in row and not name.endswith("_share")]
        assert len(shared) > 40
        assert all(row[name] == total[name] for name in shared)
        assert all(
            row[f"phases_{phase}_seconds"] == phases[f"{phase}_seconds"]
            for phase in (*map_report.vocabulary.phases, "step")
        )


def test_baseline_and_loss_budget_are_the_reports(map_report: Report, map_page: str) -> None:
    rows = rows_of(data_of(map_page))
    axes = map_report.vocabulary.case_axes
    budgets = {key_of(row, axes): row for row in map_report.said["loss_budgets"]}
    for row in (row for row in rows if row["gpus"] > 1 and row["speedup"] is not None):
        base = rows[row["base"]]
        assert base["gpus"] == 1 and base["model"] == row["model"] and base["batch"] == row["batch"]
        ratio = row["speedup_samples_per_second"] / row["speedup_base_samples_per_second"]
        assert abs(ratio / row["speedup"] - 1) < 1e-9
        budget = budgets[key_of(row, axes)]
        assert all(row.get(name) == value for name, value in budget.items() if name.startswith("loss_"))


def test_sentences_and_bands_belong_to_their_configurations(
    map_report: Report, map_page: str, strategies_report: Report
) -> None:
    data = data_of(map_page)
    assert [answer["sentence"] for answer in data["answers"]] == map_report.answers
    for answer in data["answers"]:
        own = data["configurations"][answer["configuration"]]
        assert answer["sentence"].startswith(f"{answer['model']} (")
        assert f"{own['strategy']} on 2 GPUs" in answer["sentence"]
    along_batches = [row for row in map_report.said["break_evens"] if row["along"] == "batch"]
    assert [band["low"] for band in data["bands"]] == [row["low"] for row in along_batches], "no band is lost"
    strategies = page_data(strategies_report, open_results(STRATEGIES))
    bands = [band for band in strategies["bands"] if not band["fastest"]]
    assert bands and all(len(band["configurations"]) == 1 for band in bands), (
        "'graph' and 'nccl' in a name are settings"
    )


def test_the_headline_and_the_break_evens_come_first(map_report: Report, map_page: str) -> None:
    body = map_page[map_page.index("<body>") :]
    words = [text for text in unescape(re.sub(r"<[^>]*>", "\n", body)).splitlines() if text.strip()]
    assert words[: len(map_report.said["headline"])] == map_report.said["headline"]
    rows = [row for row in map_report.said["break_evens"] if row["leads"]]
    sentences = list(dict.fromkeys((row["of"], row["sentence"]) for row in rows))
    assert len(sentences) == len({model for model, _ in sentences}) == 9
    table = words[words.index("More GPUs are") + 1 :]
    assert list(zip(table[::3], table[2::3], strict=False))[: len(sentences)] == sentences
    verdicts = [escape(row["sentence"]) for row in map_report.said["verdicts"]]
    assert all(map_page.count(f"<li>{sentence}</li>") == 1 for sentence in verdicts), "the headline only counts them"
    assert "the fastest on 2" in " ".join(words[: words.index("More GPUs are")]), "what all rows share is said once"


def test_a_verdict_is_said_once(strategies_report: Report, strategies: xr.Dataset) -> None:
    headline = strategies_report.said["headline"]
    assert headline == [row["sentence"] for row in strategies_report.said["verdicts"]]
    page = page_of(page_data(strategies_report, strategies))
    html = re.sub(r'<script type="application/json".*?</script>', "", page, flags=re.DOTALL)
    assert all(html.count(escape(sentence)) == 1 for sentence in headline)


def test_files_are_named_by_the_shortest_end_that_tells_them_apart(map_report: Report) -> None:
    assert document.short_names(["/data/today/map.h5"]) == ["map.h5"]
    assert document.short_names(["/a/b/map.h5", "/a/c/map.h5", "seed.h5"]) == ["b/map.h5", "c/map.h5", "seed.h5"]
    assert document.short_names(["map.h5", "/a/map.h5", "/map.h5"]) == ["map.h5", "a/map.h5", "/map.h5"]
    page = page_of(page_data(map_report, open_results(MAP.absolute())))
    assert "<title>breakeven: map.h5 on 2x NVIDIA H200</title>" in page
    assert "report of <b>map.h5</b> on" in page


def test_configurations_are_told_apart_by_their_settings(scaling_report: Report) -> None:
    cases = [row | {"precision": precision} for row in scaling_report.said["cases"] for precision in ("fp32", "bf16")]
    data = page_data(Report(scaling_report.said | {"cases": cases, "loss_budgets": []}), open_results(SCALING))
    assert [own["label"] for own in data["configurations"]] == [
        f"ddp on {gpus}, {precision}" for gpus in (2, 4) for precision in ("fp32", "bf16")
    ]
    assert all(set(scaling_report.vocabulary.settings) <= set(own) for own in data["configurations"])


def test_nccl_settings_make_separate_cases(strategies_report: Report, strategies: xr.Dataset) -> None:
    said, without_peers = strategies_report.said, "NCCL_P2P_DISABLE=1"
    twice = [
        row | {"nccl_settings": settings}
        for row in said["cases"]
        for settings in (("", without_peers) if row["strategy"] == "zero2" else ("",))
    ]
    report = Report(said | {"cases": twice, "loss_budgets": []})
    settings = xr.where(strategies["strategy"] == "zero2", without_peers, "").to_numpy()
    for told, dataset in (("", strategies), (without_peers, strategies.assign_coords(nccl_settings=("run", settings)))):
        rows = [row for row in rows_of(page_data(report, dataset)) if row.get("strategy") == "zero2"]
        assert {row["label"] for row in rows} == {"zero2 on 2, NCCL defaults", f"zero2 on 2, {without_peers}"}
        assert all((row["timeline"] is not None) == (row["nccl_settings"] == told) for row in rows)


def test_timelines_come_from_the_file(strategies: xr.Dataset, strategies_report: Report) -> None:
    data = page_data(strategies_report, strategies)
    row = next(row for row in rows_of(data) if row.get("strategy") == "zero1" and row["batch"] == 8192)
    timeline = data["timelines"][row["timeline"]]
    run = strategies.sel(run=timeline["run"])
    assert run["instrument"] == "phases" and run["strategy"] == "zero1" and len(timeline["ranks"]) == 2
    for rank, steps in enumerate(timeline["ranks"]):
        assert len(steps) == STEPS
        seconds = (
            run["seconds"]
            .isel(rank=rank, step=timeline["first"])
            .sel(phase=list(strategies_report.vocabulary.phases))
            .to_numpy()
        )
        assert steps[0] == pytest.approx(seconds.tolist(), rel=1e-3)
    starts = run["start_seconds"].isel(rank=slice(2), step=timeline["first"]).to_numpy()
    assert timeline["begins"] == pytest.approx((starts - starts.min()).tolist(), rel=1e-3)
    older = page_data(strategies_report, strategies.drop_vars("start_seconds"))
    assert {one["begins"] for one in older["timelines"]} == {None}


def test_the_page_is_one_file_without_network(map_page: str) -> None:
    assert len(map_page) < 1_000_000
    without_data = re.sub(r'<script type="application/json".*?</script>', "", map_page, flags=re.DOTALL)
    addresses = re.findall(r"https?://[^\s\"'<]+", without_data)
    assert set(addresses) == {"http://www.w3.org/2000/svg"}, "the name of SVG, not an address"
    assert not re.search(r"<link|<iframe|@import|\bsrc=|\bfetch\(|XMLHttpRequest|url\((?!#)", without_data)
    assert "default-src 'none'" in map_page and "{{" not in without_data


def test_nothing_in_a_file_becomes_html(scaling_report: Report) -> None:
    planted = json.dumps(PLANTED)[1:-1]
    said = json.loads(json.dumps(scaling_report.said).replace('"xl"', f'"{planted}"').replace("NVIDIA H200", planted))
    said["warnings"].append(PLANTED)
    said["launches"][0]["settings"][PLANTED] = PLANTED
    said["launches"][0]["ranks"][0]["host"] = PLANTED
    page = page_of(page_data(Report(said), open_results(SCALING)))
    assert page.count("<script") == 2 and page.count("</script") == 2 and "<img" not in page
    data = data_of(page)
    assert data["machine"].endswith(PLANTED) and PLANTED in [model["name"] for model in data["models"]]
    assert PLANTED in unescape(page.split("Read before trusting these numbers")[1])


def test_the_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "report.html"
    assert main([str(SCALING), "-o", str(output)]) == 0
    assert capsys.readouterr().out == f"{output}\n"
    assert data_of(output.read_text(encoding="utf-8"))["machine"] == read_report(SCALING).machine


def test_warnings_lead_to_their_remedies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Relative within the sources, so that both can move; a file's address elsewhere."""
    docs = RESULTS.parent / "docs"
    for folder, address in ((RESULTS / "anywhere", "../../docs"), (tmp_path, docs.as_uri())):
        assert docs_address(folder / "page.html") == address
    assert main([str(SCALING), "-o", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    report = read_report(SCALING)
    rows = dict(zip(report.warnings, report.said["warning_pages"], strict=True))
    assert len(rows) > 0
    anchors = set(re.findall(r'<a id="([^"]+)">', (docs / "troubleshooting.md").read_text(encoding="utf-8")))
    for sentence, place in rows.items():
        words, rest = sentence.split(": ", 1)
        assert f'<li><a href="{docs.as_uri()}/{place}">{words}</a>: {escape(rest)}</li>' in page
        assert place.split("#")[1] in anchors
    both = [str(ENERGY), str(RESULTS / "h200-4" / "gpt2.h5")]
    assert main([*both, "-o", str(tmp_path / "both.html")]) == 0
    assert f'href="{docs.as_uri()}/troubleshooting.md#warnings"' in (tmp_path / "both.html").read_text(encoding="utf-8")


def test_without_docs_remedies_are_named(map_page: str) -> None:
    assert "(remedies: docs/troubleshooting.md)" in map_page and "<a href" not in map_page


def test_a_symptom_may_stand_behind_a_machine() -> None:
    sentence, page = "H<1>: Few launches: All of one: launch", "troubleshooting.md#few-launches"
    link = '<a href="../docs/troubleshooting.md#few-launches">Few launches</a>'
    assert linked(sentence, page, "../docs") == f"H&lt;1&gt;: {link}: All of one: launch"
    assert linked(sentence, page, "") == linked(sentence, "troubleshooting.md#warnings", "../docs") == escape(sentence)


def test_several_files_are_one_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(ENERGY), str(AUTO)]
    assert main(files) == 1 and "-o PAGE.html" in capsys.readouterr().err
    assert main([*files, "-o", str(tmp_path / "both.html")]) == 0
    page = (tmp_path / "both.html").read_text(encoding="utf-8")
    data = data_of(page)
    assert data["files"] == files and len(data["launches"]) == 2
    assert f"breakeven-report {' '.join(files)} -o report.html" in unescape(page)
    report = read_report(files)
    assert [answer["sentence"] for answer in data["answers"]] == report.answers
    assert {row["label"] for row in rows_of(data) if row["gpus"] > 1} >= {"zero1 on 2", "auto on 2"}


def test_a_price_adds_money(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "priced.html"
    assert main([str(ENERGY), "--price", "2.5", "-o", str(output)]) == 0
    page = output.read_text(encoding="utf-8")
    assert f"breakeven-report {ENERGY} --price 2.5 -o" in unescape(page)
    rows = [row for row in rows_of(data_of(page)) if row["gpus"] > 1]
    for row in rows:
        hours = row["step_seconds"] * row["gpus"] / row["batch"] / 3600
        assert row["cost_per_million_samples"] == pytest.approx(2.5e6 * hours)
        assert row["gpu_hours_gain"] == pytest.approx(row["speedup"] / 2) and row["energy_gain"] is not None
    without = page_data(read_report(ENERGY), open_results(ENERGY))
    assert without["price_an_hour"] is None and "cost_per_million_samples" not in without["cases"]
    with pytest.raises(SystemExit, match="1"):
        main([str(ENERGY), "--price", "nan"])
    assert "--price" in capsys.readouterr().err


def test_refusals(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main([str(tmp_path / "none.h5")]) == 5
    assert main([str(SCALING), "-o", str(tmp_path / "no-such-folder" / "page.html")]) == 5
    with pytest.raises(SystemExit, match="1"):
        main([])
    monkeypatch.setenv("BREAKEVEN", str(tmp_path / "none"))
    assert main([str(SCALING)]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 4 and all(line.startswith("breakeven-report: ") for line in said)


def test_claims_that_no_case_decides_are_left_out(map_report: Report, map_page: str) -> None:
    rows = map_report.said["claims"]
    decided = [row for row in rows if row["verdict"] != "not_decided"]
    assert 0 < len(decided) < len(rows)
    table = unescape(map_page).split("<summary>The articles' claims")[1].split("<summary>")[0]
    assert table.count("<tr>") == 1 + len(decided)
    assert all(f"<td>{row['statement']}</td>" in table for row in decided)
    undecided = {row["statement"] for row in rows} - {row["statement"] for row in decided}
    overheads = re.findall(r"<td>([^<]* %)</td></tr>", table)
    assert overheads == ["43 %", "21 %", "11 %", "4.4 %", "1.7 %"], "as many digits as in the report"
    assert undecided and not any(statement in table for statement in undecided)


def test_a_faster_single_gpu_stands_beside_its_answer(map_report: Report, map_page: str) -> None:
    data = data_of(map_page)
    said = "With other settings one GPU is faster at batch 16."
    assert said not in document.details(data)
    data["answers"][0]["faster_single"] = said
    assert f"{escape(data['answers'][0]['sentence'])} {said}" in document.details(data)
