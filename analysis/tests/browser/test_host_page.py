# SPDX-License-Identifier: Apache-2.0
"""The page of a file that was measured on processor cores: in the program's words, "host devices", and not GPUs."""

import re
from collections.abc import Callable
from pathlib import Path

from reader import read_in_browser

from breakeven_analysis import open_results, read_report
from breakeven_analysis.page import page_data, page_of


def test_host_devices_are_no_gpus(own_file: Callable[[str], Path], tmp_path: Path) -> None:
    path = own_file("host")
    report = read_report(path)
    page = page_of(page_data(report, open_results(path)))
    lines = """
      const own = ["answer", "loss", "conditions", "warnings", "verdict-lines", "answers", "claims", "environment"];
      for (const id of own) place(id)?.remove();
      const labels = [...document.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label"));
      const box = (what) => [...document.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
      const names = box("#timeline > svg > text[x='0']"), bars = box("#timeline > svg > g");
      const room = Math.min(...bars.map(({ left }) => left)) - Math.max(...names.map(({ right }) => right));
      return [document.querySelector("main").innerText, labels.join("\\n"), place("costs-note").textContent, room];
    """
    words, labels, costs, room = read_in_browser(page, tmp_path, lines).answer
    assert not re.findall(".*GPU.*", f"{words}\n{labels}")
    assert "Speed-up over one host device" in words and "speed-up over one host device: " in labels
    assert 0 < room < 30, "the names of the timeline's rows end before its bars"
    assert costs.endswith("Energy was not measured: host devices have no energy counter.")
