# SPDX-License-Identifier: Apache-2.0
"""The parts of the page that are the same whatever is chosen. Every text goes through escape()."""

import shlex
from html import escape
from typing import Any

Row = dict[str, Any]


def answers(data: Row) -> str:
    """All sentences of the report; the chosen one stands above by itself."""
    sentences = (f"{answer['sentence']} {answer['loss']}".strip() for answer in data["answers"])
    return listed(sentences) or "<p>No case was measured beside a base.</p>"


def doubts(data: Row) -> str:
    return listed(data["doubts"]) or "<p>Nothing.</p>"


def claims(data: Row) -> str:
    rows = []
    labels = {verdict["key"]: verdict["label"] for verdict in data["vocabulary"]["claim_verdicts"]}
    for claim in data["claims"]:
        rows.append(
            [
                claim["statement"],
                labels[claim["verdict"]],
                f"{claim['agreeing']} of {claim['cases']}",
                claim["decided_by"],
            ]
        )
    return table(["What the articles say", "Here", "Cases as claimed", "What decides"], rows)


def environment(data: Row) -> str:
    """Machine, versions and settings of every launch, and the commands that made file and page."""
    runs = data["runs"]
    head = f"{runs['done']} runs done of {runs['planned']} planned, {runs['verified']} read back and verified."
    parts = [f"<p>{escape(head)}</p>"]
    for place, launch in enumerate(data["launches"]):
        title = f"Launch {place + 1} of {len(data['launches'])}, started {launch['started']}"
        parts.append(f"<details{'' if place else ' open'}><summary>{escape(title)}</summary>{facts(launch)}</details>")
    files = shlex.join(data["files"])
    if data["price_an_hour"] is not None:
        files += f" --price {data['price_an_hour']:g}"
    again = f"breakeven report {files}\nbreakeven-report {files} -o report.html"
    return "".join(parts) + f"<p>These figures again:</p><pre>{escape(again)}</pre>"


def facts(launch: Row) -> str:
    devices = [
        [str(rank), one["name"], one["backend"], one["host"], one["pci_address"]]
        for rank, one in enumerate(launch["ranks"])
    ]
    named = {key: pairs(launch[key]) for key in ("versions", "settings", "environment")}
    rows = [["revision", launch["revision"]], *([key, text] for key, text in named.items() if text)]
    return (
        f"<pre>{escape(launch['command_line'])}</pre>"
        + table(["Rank", "Device", "Backend", "Host", "PCI address"], devices)
        + table([], rows)
    )


def pairs(values: Row) -> str:
    return "; ".join(f"{key} {value}" for key, value in values.items())


def listed(sentences: Any) -> str:
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f"<ul>{items}</ul>" if items else ""


def table(titles: list[str], rows: list[list[str]]) -> str:
    """Without titles the first column has the names of the facts."""
    head = "".join(f"<th scope=col>{escape(title)}</th>" for title in titles)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    kind = "text" if titles else "text facts"
    return f'<div class="wide"><table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
