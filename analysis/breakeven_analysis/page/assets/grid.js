// SPDX-License-Identifier: Apache-2.0
// A grid of speed-ups: a row a model or a way, a column a batch, the colour the speed-up, the mark the verdict.
const ROW = 30;
const HEAD = 20;

const verdictColour = (verdict) => `var(--${verdict in MARKS ? verdict : "undecided"})`;

// At most half of the verdict's side is mixed in, so that the text on it stays readable.
function cellColour(speedup) {
  if (!isNumber(speedup) || speedup <= 0) return "var(--raised)";
  const side = speedup >= 1 ? "--pays" : "--does_not_pay";
  const strength = Math.min(1, Math.abs(Math.log2(speedup)) / 2);
  return `color-mix(in srgb, var(${side}) ${Math.round(4 + 46 * strength)}%, var(--ground))`;
}

// rows: [{name, tip, cells: [{speedup, verdict, tip, chosen, choose} or null]}]; `below` draws what comes below a row:
// {height, draw(row, centre of a column, y)}.
function speedupGrid(id, label, batches, rows, below = { height: 0, draw: () => null }) {
  const width = widthOf(id);
  const longest = Math.max(...rows.map((row) => row.name.length));
  const side = Math.min(width * 0.34, 12 + 6.8 * longest);
  const column = (width - side) / batches.length;
  const centre = (place_) => side + column * (place_ + 0.5);
  const heads = batches.map((batch, place_) =>
    svg("text", { x: centre(place_), y: 13, "text-anchor": "middle", class: "soft" }, batchWords(batch, column)));
  const lines = rows.map((row, place_) => {
    const top = HEAD + place_ * (ROW + below.height);
    return [gridRow(row, top, side, column), below.draw(row, centre, top + ROW)];
  });
  return picture(width, HEAD + (ROW + below.height) * rows.length + 4, label, heads, lines);
}

function gridRow(row, top, side, column) {
  const name = svg("text", { x: 0, y: top + 19, tip: row.tip, "font-weight": row.chosen ? "700" : null },
    shortened(row.name, side - 10));
  return [name, row.cells.map((cell, place_) => (cell ? gridCell(cell, side + place_ * column, top, column) : null))];
}

function gridCell(cell, left, top, column) {
  const isNarrow = column < 62;
  const mark = markWords(cell.verdict);
  const middle = left + column / 2;
  const words = briefly(cell.speedup);
  return svg("g", { tip: cell.tip, choose: cell.choose },
    svg("rect", { class: "cell", x: left + 1.5, y: top + 1.5, width: column - 3, height: ROW - 3, rx: 4,
      fill: cellColour(cell.speedup), stroke: cell.chosen ? "var(--chosen)" : "none", "stroke-width": 2 }),
    svg("text", { x: isNarrow ? middle : middle - 6, y: top + 19, "text-anchor": "middle", "font-size": isNarrow ? 11 : 12 },
      words),
    isNarrow ? null : svg("text", { x: middle + 3.6 * words.length, y: top + 18.5, "font-size": 9, style: `fill:${verdictColour(cell.verdict)}` }, mark));
}

function gridLegend() {
  const sample = (key) => svg("text", { x: 4, y: 10, "font-size": 11, style: `fill:${verdictColour(key)}` }, MARKS[key]);
  return legend(Object.keys(VERDICT_LABELS).filter((key) => key in MARKS).map((key) => [sample(key), VERDICT_LABELS[key]]));
}
