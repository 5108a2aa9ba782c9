// SPDX-License-Identifier: Apache-2.0
// The break-even map, models by batches, for the chosen way or the fastest; and all ways of the chosen model.
const cellOf = (index, choose) => ({
  speedup: value("speedup", index), verdict: value("verdict", index), tip: caseTip(index), choose,
});

function fastestCell(row) {
  const agreed = row.is_agreed ? "both halves of the runs choose it" : "the halves of the runs choose differently";
  return {
    speedup: row.speedup,
    verdict: row.verdict_key,
    tip: `${row.model}, batch ${count(row.batch)}\nthe fastest: ${row.strategy}, ${agreed}\n` +
      `${ratio(row.speedup)} times as fast as one GPU\n${row.verdict}`,
  };
}

function mapCell(model, batch) {
  const chosen = model === choice.model && batch === choice.batch;
  const act = () => chooseAndRemember({ model, batch });
  if (choice.map === "fastest") {
    const row = fastestOf(model, choice.way, batch);
    return row ? { ...fastestCell(row), chosen, choose: act } : null;
  }
  const index = caseOf(model, choice.way, batch);
  return index === undefined ? null : { ...cellOf(index, act), chosen };
}

// Where a batch lies between the columns: evenly by its logarithm between the two measured around it.
function columnOf(batch, batches) {
  const above = batches.findIndex((one) => one >= batch);
  if (above <= 0) return above === 0 ? 0 : batches.length - 1;
  const [low, high] = [batches[above - 1], batches[above]];
  return above - 1 + Math.log(batch / low) / Math.log(high / low);
}

// A bar from one end of the band to the other, and a diamond at the break-even.
const STRIP = 12;

function bandMark(band, batches, centre, top) {
  const at = (batch) => centre(columnOf(batch, batches));
  if (!isNumber(band.low) && !isNumber(band.high)) return null;
  const left = isNumber(band.low) ? at(band.low) : centre(-0.5);
  const right = isNumber(band.high) ? at(band.high) : centre(batches.length - 0.5);
  const words = [
    "Break-even by batch, 95 % band",
    isNumber(band.low) ? `${VERDICT_LABELS[band.below]} up to ${count(band.low)}` : "undecided below",
    isNumber(band.high) ? `${VERDICT_LABELS[band.above]} from ${count(band.high)} on` : "undecided from there on",
    isNumber(band.break_even) ? `break-even near ${significant(band.break_even, 3)}` : "",
  ];
  const y = top + 4;
  const x = isNumber(band.break_even) ? at(band.break_even) : null;
  const diamond = x && svg("path", { d: `M${x - 5.5} ${y}L${x} ${y - 5.5}L${x + 5.5} ${y}L${x} ${y + 5.5}Z`, fill: "var(--ink)" });
  return svg("g", { tip: words.filter((one) => one).join("\n") },
    svg("rect", { x: left, y: y - 6, width: Math.max(2, right - left), height: 12, fill: "transparent" }),
    svg("rect", { x: left, y: y - 2, width: Math.max(2, right - left), height: 4, rx: 2, fill: "var(--ink)", opacity: 0.35 }), diamond);
}

function drawMap() {
  const isFastest = choice.map === "fastest";
  const models = [...modelsMeasured].reverse();
  const batches = rising(models.flatMap(({ name }) => batchesOf(name, choice.way)));
  const rows = models
    .map(({ name, parameters }) => ({
      name: `${name} (${parametersShort(parameters)})`, model: name, tip: `${name}\n${count(parameters)} parameters`,
      chosen: name === choice.model, cells: batches.map((batch) => mapCell(name, batch)),
    }))
    .filter((row) => row.cells.some((cell) => cell));
  const draw = (row, centre, top) =>
    bandsOf(row.model, choice.way, isFastest).map((band) => bandMark(band, batches, centre, top));
  const hasBands = rows.some((row) => draw(row, () => 0, 0).some((mark) => mark));
  const below = hasBands ? { height: STRIP, draw } : undefined;
  show("map", mapChooser(), speedupGrid("map", "Break-even map", batches, rows, below), gridLegend());
}

// Of several ways the fastest has a map of its own.
function mapChooser() {
  if (!page.fastest.some((row) => row.among.includes(choice.way))) return null;
  const options = [["way", page.ways[choice.way].label], ["fastest", "the fastest way at each place"]];
  const radio = ([key, words]) => {
    const input = el("input", { type: "radio", name: "map", value: key });
    input.checked = choice.map === key;
    input.addEventListener("change", () => choose({ map: key }));
    return el("label", {}, input, ` ${words}`);
  };
  return el("p", { class: "note" }, options.map((option) => [radio(option), "  "]));
}

function drawWays() {
  const ways = waysOf(choice.model);
  const batches = rising(ways.flatMap((way) => batchesOf(choice.model, way)));
  const rows = ways.map((way) => ({
    name: page.ways[way].label, tip: page.ways[way].label, chosen: way === choice.way,
    cells: batches.map((batch) => {
      const index = caseOf(choice.model, way, batch);
      const chosen = way === choice.way && batch === choice.batch;
      return index === undefined ? null : { ...cellOf(index, () => chooseAndRemember({ way, batch })), chosen };
    }),
  }));
  show("ways", speedupGrid("ways", "All ways", batches, rows), gridLegend());
}
