// SPDX-License-Identifier: Apache-2.0
// The links of every launch, rank by rank; launches with equal links appear once.
const isLinkMeasured = (link) => isNumber(link.bytes_per_second) || isNumber(link.latency_seconds);
const isLinkWrong = (link) => isLinkMeasured(link) && !link.data_right;

function linkColour(link, fastest) {
  if (isLinkWrong(link)) return "var(--does_not_pay)";
  if (!isNumber(link.bytes_per_second)) return "var(--raised)";
  return `color-mix(in srgb, var(--configuration) ${Math.round(8 + 40 * (link.bytes_per_second / fastest))}%, var(--ground))`;
}

function linkTip(link) {
  if (link.from === link.to) return `rank ${link.from}`;
  return [
    `rank ${link.from} to rank ${link.to}: ${link.kind}${link.peer_access ? "" : ", no peer access"}`,
    isLinkMeasured(link) ? `${bandwidth(link.bytes_per_second)}, latency ${seconds(link.latency_seconds)}` : "not measured",
    isLinkWrong(link) ? "WRONG DATA" : "",
  ].filter((one) => one).join("\n");
}

function linkMatrix(links, width) {
  const ranks = 1 + Math.max(...links.map((link) => link.from));
  const left = 52;
  const column = Math.min(120, (width - left) / ranks);
  const row = Math.min(44, column);
  const fastest = Math.max(...links.map((link) => link.bytes_per_second || 0));
  const names = Array.from({ length: ranks }, (_, rank) => [
    svg("text", { x: left + column * (rank + 0.5), y: 13, "text-anchor": "middle", class: "soft" }, column > 46 ? `to ${rank}` : `${rank}`),
    svg("text", { x: 0, y: HEAD + row * (rank + 0.5) + 4, class: "soft" }, `from ${rank}`)]);
  const cells = links.map((link) => linkCell(link, left + column * link.to, HEAD + row * link.from, column, row, fastest));
  return picture(width, HEAD + row * ranks + 2, "Links between ranks", names, cells);
}

function linkCell(link, x, y, column, row, fastest) {
  const isSelf = link.from === link.to;
  const line = (words, down) =>
    svg("text", { x: x + column / 2, y: y + row / 2 + down, "text-anchor": "middle", "font-size": 11.5 }, words);
  const hasRoom = column >= 84 && row >= 36 && !isSelf;
  return svg("g", isSelf ? { tip: linkTip(link) } : { stop: linkTip(link) },
    svg("rect", { x: x + 1, y: y + 1, width: column - 2, height: row - 2, rx: 4, fill: isSelf ? "none" : linkColour(link, fastest),
      stroke: isSelf ? "var(--line)" : "none" }),
    hasRoom && !isLinkMeasured(link) ? [line("not measured", -2), line(link.kind, 13)] : null,
    hasRoom && isLinkMeasured(link)
      ? [line(bandwidth(link.bytes_per_second), -2), line(`${link.kind}, ${seconds(link.latency_seconds)}`, 13)] : null,
    !hasRoom && !isSelf && column >= 34 && !isLinkMeasured(link) ? line(DASH, 4) : null,
    !hasRoom && !isSelf && column >= 34 && isNumber(link.bytes_per_second) ? line((link.bytes_per_second / 1e9).toFixed(0), 4) : null);
}

function drawLinks() {
  place("links-section").hidden = !page.launches.some((launch) => launch.links.length > 1);
  const width = widthOf("links");
  const seen = new Set();
  const parts = page.launches.flatMap((launch, number) => {
    const key = JSON.stringify(launch.links);
    if (launch.links.length < 2 || seen.has(key)) return [];
    seen.add(key);
    return [page.launches.length > 1 ? el("h3", {}, `Launch ${number + 1}, ${launch.started}`) : null, linkMatrix(launch.links, width)];
  });
  show("links", parts);
}
