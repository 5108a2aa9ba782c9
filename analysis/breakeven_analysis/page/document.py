# SPDX-License-Identifier: Apache-2.0
"""The page: one HTML file with its style, script and data, which loads nothing from a network."""

import base64
import hashlib
import json
import shlex
from collections.abc import Iterable
from html import escape
from importlib.resources import files
from pathlib import PurePath
from typing import Any

from breakeven_analysis.answers import Vocabulary
from breakeven_analysis.page.looks import colours
from breakeven_analysis.page.remedies import with_links

# Each script needs those before it.
SCRIPTS = ("words", "elements", "data", "choice", "grid", "tables", "speedup", "steps", "timeline", "links", "main")

# Of an answer, in this order.
SAID = ("sentence", "faster_single", "loss")

Row = dict[str, Any]


def page_of(data: Row, docs: str = "") -> str:
    """All data is text: escaped in the HTML, and never part of the script, which the page allows by its digest.

    `docs` is the address of the docs, for links; "" if there are none.
    """
    script = "".join(asset(f"{name}.js") for name in SCRIPTS)
    names = escape(", ".join(short_names(data["files"])))
    parts = {
        "policy": policy_of(script),
        "headline": "".join(f"<span>{escape(line)}</span>" for line in data["headline"]),
        "files": names,
        "machine": escape(data["machine"]),
        "style": style(),
        "break_evens": break_evens(data["break_evens"], data["devices"]["several"]),
        "one": escape(f"one {data['devices']['one']}"),
        "warnings": warnings(data["warnings"], data["warning_pages"], docs),
        "details": details(data),
        "data": as_json(data),
        "script": script,
    }
    return filled("page.html", parts)


def filled(name: str, parts: dict[str, str]) -> str:
    """The asset with a part in place of each "{{name}}". Braces in a part stay."""
    pieces = asset(name).split("{{")
    return pieces[0] + "".join(parts[name] + rest for name, rest in (piece.split("}}", 1) for piece in pieces[1:]))


def asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


def style() -> str:
    """The colours of the pictures, then the page's own style."""
    return colours() + asset("page.css")


def policy_of(script: str) -> str:
    """No network, and no script but the page's own."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'"


def as_json(data: Row) -> str:
    """Without "<", because the first "</script" would end the script element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def short_names(files: list[str]) -> list[str]:
    """The shortest end of each path that no other path has: the file's name, if no other has it."""
    paths = [PurePath(file).parts for file in files]

    def name_of(own: tuple[str, ...]) -> str:
        ends = (length for length in range(1, len(own)) if sum(one[-length:] == own[-length:] for one in paths) == 1)
        return PurePath(*own[-next(ends, len(own)) :]).as_posix()

    return [name_of(own) for own in paths]


def break_evens(rows: list[Row], devices: str) -> str:
    """One row per model and number of GPUs. What was compared is said once, above them, if it is the same for all."""
    if not rows:
        return ""
    columns = {
        "Model": [row["of"] for row in rows],
        "Configuration": [row["configuration"] for row in rows],
        "Batches tested": [f"{row['from']:,.0f}–{row['to']:,.0f}" for row in rows],
        f"More {devices} are": [row["sentence"] for row in rows],
    }
    common = [title for title in ("Configuration", "Batches tested") if len(set(columns[title])) == 1]
    note = "; ".join(f"{title}: {columns[title][0]}" for title in common)
    shown = [title for title in columns if title not in common]
    cells = [list(row) for row in zip(*(columns[title] for title in shown), strict=True)]
    head = f"<h2>Break-even: where more {devices} begin to pay</h2>"
    return f'<section id="break-evens">{head}{noted(note)}{table(shown, cells)}</section>'


def warnings(sentences: list[str], pages: list[str], docs: str) -> str:
    """`pages` are the places of their remedies in the docs."""
    warned = f"{len(sentences)} warning{'s' * (len(sentences) != 1)}"
    title = f"Read before trusting these numbers: {warned}" + ("" if docs else " (remedies: docs/troubleshooting.md)")
    return folded(title, with_links(sentences, pages, docs), "warnings") if sentences else ""


def details(data: Row) -> str:
    """The parts that are folded at first."""
    answers = (" ".join(filter(None, (answer[key] for key in SAID))) for answer in data["answers"])
    verdicts = [] if data["verdicts"] == data["headline"] else data["verdicts"]
    return (
        folded(f"The verdicts by model and number of {data['devices']['several']}", listed(verdicts), "verdict-lines")
        + folded("The answer of each model and configuration", listed(answers), "answers")
        + folded("The articles' claims", claims(data), "claims")
        + folded("Environment and commands", environment(data), "environment")
    )


def folded(title: str, body: str, name: str) -> str:
    """Readers unfold it by a click, which needs no JavaScript."""
    return f'<details id="{name}"><summary>{escape(title)}</summary>{body}</details>' if body else ""


def noted(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>' if text else ""


def claims(data: Row) -> str:
    """The articles' claims that some case decides."""
    vocabulary = Vocabulary(data["vocabulary"])
    rows = [
        [
            row["statement"],
            row["settings"],
            vocabulary.claim_verdicts[row["verdict"]],
            f"{row['agreeing']} of {row['cases']}",
            row["decided_by"],
            "" if row["timing_overhead"] is None else vocabulary.percent(row["timing_overhead"]),
        ]
        for row in data["claims"]
        if row["verdict"] != "not_decided"
    ]
    titles = ["The articles' claim", "Settings", "Here", "Cases that agree", "Decided by", "Timing overhead of phases"]
    note = noted("What the articles behind this suite claim, checked against this file.")
    return note + table(titles, rows) if rows else ""


def environment(data: Row) -> str:
    """Machine, versions and settings of every launch, and the commands that make the report and the page again."""
    runs = data["runs"]
    head = f"{runs['done']} of {runs['planned']} planned runs done; {runs['verified']} read back and verified."
    parts = [f"<p>{escape(head)}</p>"]
    for number, launch in enumerate(data["launches"]):
        title = f"Launch {number + 1} of {len(data['launches'])}, started {launch['started']}"
        parts.append(f"<details><summary>{escape(title)}</summary>{facts(launch)}</details>")
    names = shlex.join(data["files"])
    if data["price_an_hour"] is not None:
        names += f" --price {data['price_an_hour']:g}"
    again = f"breakeven report {names}\nbreakeven-report {names} -o report.html"
    return "".join(parts) + f"<p>To make this report and this page again:</p><pre>{escape(again)}</pre>"


def facts(launch: Row) -> str:
    devices = [
        [str(rank), one["name"], one["backend"], one["host"], one["pci_address"]]
        for rank, one in enumerate(launch["ranks"])
    ]
    named = {
        key: "; ".join(f"{name} {value}" for name, value in launch[key].items())
        for key in ("versions", "settings", "environment")
    }
    rows = [["revision", launch["revision"]], *([key, text] for key, text in named.items() if text)]
    return (
        f"<pre>{escape(launch['command_line'])}</pre>"
        + table(["Rank", "Device", "Backend", "Host", "PCI address"], devices)
        + table([], rows)
    )


def listed(sentences: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f"<ul>{items}</ul>" if items else ""


def table(titles: list[str], rows: list[list[str]]) -> str:
    """Without titles, the first column names the facts of the rows."""
    head = "".join(f"<th scope=col>{escape(title)}</th>" for title in titles)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    kind = "text" if titles else "text facts"
    return f'<div class="wide"><table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
