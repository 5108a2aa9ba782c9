// SPDX-License-Identifier: Apache-2.0
// Grids of speed-ups: a row per model or configuration, a column per batch. Colours show speed-ups, marks verdicts.
const ROW = 30;
const HEAD = 20;

// As in the picture of the map: orange is slower than one GPU, green faster. At most half of the colour, so that the text
// on it stays readable.
function cellColour(speedup) {
  if (!isNumber(speedup) || speedup <= 0) return "var(--raised)";
  const side = speedup >= 1 ? "--faster" : "--slower";
  const strength = Math.min(1, Math.abs(Math.log2(speedup)) / 2);
  return `color-mix(in srgb, var(${side}) ${Math.round(4 + 46 * strength)}%, var(--ground))`;
}

// rows: [{name, tip, cells: [{speedup, verdict, tip, chosen, choose} or null]}]; `below` draws a strip below each row:
// {height, draw(row, centre of a column, y)}.
function speedupGrid(id, label, batches, rows, below = { height: 0, draw: () => null }) {
  const width = widthOf(id);
  const longest = Math.max(...rows.map((row) => row.name.length));
  const side = Math.min(width * 0.34, 12 + 7.6 * longest);
  const column = (width - side) / batches.length;
  const centre = (number) => side + column * (number + 0.5);
  const heads = batches.map((batch, number) =>
    svg("text", { x: centre(number), y: 13, "text-anchor": "middle", class: "soft" }, batchWords(batch, column)));
  const lines = rows.map((row, number) => {
    const top = HEAD + number * (ROW + below.height);
    return [gridRow(row, top, side, column), below.draw(row, centre, top + ROW)];
  });
  return picture(width, HEAD + (ROW + below.height) * rows.length + 4, label, heads, lines);
}

function gridRow(row, top, side, column) {
  const name = svg("text", { x: 0, y: top + 19, tip: row.tip, "font-weight": row.chosen ? "700" : null },
    shortened(row.name, side - 10));
  return [name, row.cells.map((cell, number) => (cell ? gridCell(cell, side + number * column, top, column) : null))];
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
    isNarrow ? null : svg("text", { x: middle + 3.6 * words.length, y: top + 18.5, "font-size": 9 }, mark));
}

function gridLegend(rows, more = []) {
  const verdicts = rows.flatMap((row) => row.cells.filter((cell) => cell).map((cell) => cell.verdict));
  const sample = (key) => svg("text", { x: 4, y: 10, "font-size": 11 }, markWords(key));
  const area = (speedup) => svg("rect", { width: 18, height: 12, rx: 2, fill: cellColour(speedup) });
  const marks = Object.keys(VERDICT_LABELS).filter((key) => verdicts.includes(key)).map((key) => [sample(key), VERDICT_LABELS[key]]);
  return legend([[area(0.25), `slower than ${ONE}`], [area(4), "faster"], ...marks, ...more]);
}

// The break-even map: models by batches, for the chosen configuration or for the fastest.
const cellOf = (index, choose) => ({
  speedup: value("speedup", index), verdict: value("verdict", index), tip: caseTip(index), choose,
});

function fastestCell(row) {
  return {
    speedup: row.speedup,
    verdict: row.verdict_key,
    tip: `${row.model}, batch ${count(row.batch)}\nfastest: ${row.strategy} (${ratio(row.lead)} times the next)\n` +
      `speed-up over ${ONE}: ${ratio(row.speedup)}\n${row.verdict}`,
  };
}

function mapCell(model, batch) {
  const chosen = model === choice.model && batch === choice.batch;
  const act = () => chooseAndRemember({ model, batch });
  if (choice.map === "fastest") {
    const row = fastestOf(model, choice.configuration, batch);
    return row ? { ...fastestCell(row), chosen, choose: act } : null;
  }
  const index = caseOf(model, choice.configuration, batch);
  return index === undefined ? null : { ...cellOf(index, act), chosen };
}

// The place of a batch between the columns, by its logarithm.
function columnOf(batch, batches) {
  const above = batches.findIndex((one) => one >= batch);
  if (above <= 0) return above === 0 ? 0 : batches.length - 1;
  const [low, high] = [batches[above - 1], batches[above]];
  return above - 1 + Math.log(batch / low) / Math.log(high / low);
}

// The interval of a break-even, not beyond the batches that a verdict decides, as in the sentence; null: no bound is known.
function intervalOf(band) {
  const { low, break_even_low: least, break_even_high: most, high } = band;
  if (!isNumber(least) || (least <= 0 && !isNumber(most))) return null;
  const ends = [Math.max(least, isNumber(low) ? low : 0), Math.min(isNumber(most) ? most : Infinity, isNumber(high) ? high : Infinity)];
  return { ends, isOpen: [ends[0] <= 0, ends[1] === Infinity] };
}

const STRIP = 12;
const diamond = (x, y) => svg("path", { class: "estimate", d: `M${x - 5.5} ${y}L${x} ${y - 5.5}L${x + 5.5} ${y}L${x} ${y + 5.5}Z` });
const bar = (left, right, y) => svg("rect", { class: "interval", x: left, y: y - 2, width: Math.max(2, right - left), height: 4, rx: 2 });
const arrow = (x, y, back) => svg("path", { class: "open", d: `M${x + back} ${y - 4}L${x} ${y}L${x + back} ${y + 4}` });

function bandMark(band, batches, centre, top) {
  const at = (batch) => centre(columnOf(batch, batches));
  const interval = intervalOf(band);
  const x = isNumber(band.break_even) ? at(band.break_even) : null;
  if (!interval && x === null) return null;
  const { ends, isOpen } = interval || { ends: [band.break_even, band.break_even], isOpen: [false, false] };
  const left = isOpen[0] ? centre(-0.5) : at(ends[0]);
  const right = isOpen[1] ? centre(batches.length - 0.5) : at(ends[1]);
  const own = cases.filter((index) => value("model", index) === band.model && band.configurations.includes(value("configuration", index)));
  const tip = `${band.configuration}: ${band.sentence}\n95 % intervals${coversWords(own)}`;
  const y = top + 4;
  return svg("g", { stop: tip },
    svg("rect", { x: left - 6, y: y - 6, width: right - left + 12, height: 12, fill: "transparent" }),
    interval && bar(left, right, y), isOpen[0] && arrow(left, y, 5), isOpen[1] && arrow(right, y, -5), x !== null && diamond(x, y));
}

function bandLegend(bands) {
  const intervals = bands.map(intervalOf).filter((one) => one);
  return [
    bands.some((band) => isNumber(band.break_even)) && [diamond(9, 6), "break-even batch"],
    intervals.length > 0 && [bar(0, 18, 6), "its 95 % interval"],
    intervals.some(({ isOpen }) => isOpen.includes(true)) && [[bar(0, 18, 6), arrow(18, 6, -5)], "open"],
  ].filter((entry) => entry);
}

function drawMap() {
  const isFastest = choice.map === "fastest";
  const models = [...modelsMeasured].reverse();
  const batches = rising(models.flatMap(({ name }) => batchesOf(name, choice.configuration)));
  const rows = models
    .map(({ name, parameters }) => ({
      name: modelWords({ name, parameters }), model: name,
      tip: `${name}\n${parameters > 0 ? count(parameters) : "unknown number of"} parameters`, chosen: name === choice.model, cells: batches.map((batch) => mapCell(name, batch)),
    }))
    .filter((row) => row.cells.some((cell) => cell));
  const bands = (row) => bandsOf(row.model, choice.configuration, isFastest);
  const draw = (row, centre, top) => bands(row).map((band) => bandMark(band, batches, centre, top));
  const drawn = bandLegend(rows.flatMap(bands));
  const below = drawn.length ? { height: STRIP, draw } : undefined;
  show("map", mapChooser(), speedupGrid("map", "Break-even map", batches, rows, below), gridLegend(rows, drawn));
}

// With several configurations, the fastest one has a map too.
function mapChooser() {
  if (!page.fastest.some((row) => row.among.includes(choice.configuration))) return null;
  const options = [["configuration", chosenLabel()], ["fastest", "the fastest configuration at each batch"]];
  const radio = ([key, words]) => {
    const input = el("input", { type: "radio", name: "map", value: key });
    input.checked = choice.map === key;
    input.addEventListener("change", () => choose({ map: key }));
    return el("label", {}, input, ` ${words}`);
  };
  return el("p", { class: "note" }, options.map((option) => [radio(option), "  "]));
}

function drawConfigurations() {
  const configurations = configurationsOf(choice.model);
  const batches = rising(configurations.flatMap((configuration) => batchesOf(choice.model, configuration)));
  const rows = configurations.map((configuration) => ({
    name: labelOf(configuration), tip: labelOf(configuration), chosen: configuration === choice.configuration,
    cells: batches.map((batch) => {
      const index = caseOf(choice.model, configuration, batch);
      const chosen = configuration === choice.configuration && batch === choice.batch;
      return index === undefined ? null : { ...cellOf(index, () => chooseAndRemember({ configuration, batch })), chosen };
    }),
  }));
  show("configurations", speedupGrid("configurations", "All configurations", batches, rows), gridLegend(rows));
}
