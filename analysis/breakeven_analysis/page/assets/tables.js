// SPDX-License-Identifier: Apache-2.0
// The answer, and the tables of the chosen model and configuration, batch by batch.
function drawAnswer() {
  const answer = answerOf(choice.model, choice.configuration);
  place("answer").textContent = answer ? `${answer.sentence} ${answer.faster_single}`.trim() : "No speed-up: there is no single-GPU baseline.";
  place("loss").textContent = answer ? answer.loss : "";
  place("conditions").textContent = answer ? answer.conditions : "";
}

const markOf = (verdict) =>
  el("span", { class: "mark", style: `color: ${verdictColour(verdict)}`, "aria-hidden": "true" }, markWords(verdict));

function utilization(index) {
  const words = (which) => {
    const one = value("utilization_percent", which);
    return isNumber(one) ? one.toFixed(0) : DASH;
  };
  const both = [words(value("base", index)), words(index)];
  return both.every((one) => one === DASH) ? DASH : `${both[0]} → ${both[1]} ${page.units.utilization_percent}`;
}

// A row of a table; a click chooses its batch.
const batchRow = (index, cells) => {
  const batch = value("batch", index);
  return { cells, chosen: batch === choice.batch, choose: () => chooseAndRemember({ batch }) };
};

const TITLES = [
  ["Batch", "number"], ["Speed-up", "whole"], ["Verdict", "verdict"], ["Single GPU samples/s", "number"],
  ["Multi-GPU samples/s", "number"], ["Efficiency", "number"], ["Memory", "number"], ["GPU utilization", "number"],
];

function speedCells(index) {
  return [
    count(value("batch", index)), speedupWords(index), [markOf(value("verdict", index)), verdictWordsOf(index)],
    rate(value("speedup_base_samples_per_second", index)), rate(value("speedup_samples_per_second", index)),
    percent(value("efficiency", index)), bytes(value("peak_memory_bytes", index)), utilization(index),
  ];
}

function drawVerdicts() {
  const { model, configuration } = choice;
  const { label, precision, gemm } = page.configurations[configuration];
  const indices = casesByBatch(model, configuration);
  place("verdicts-note").textContent = `${model}: ${label} (${precision}, ${gemm} kernels) against one GPU. ` +
    `95 % intervals${coversWords(indices)}; verdicts corrected for multiple comparisons.`;
  show("verdicts", table(TITLES, indices.map((index) => batchRow(index, speedCells(index)))));
}

// Time to quality: how long training takes to reach the loss or accuracy that the launch asked for.
const QUALITY_TITLES = [
  ["Batch", "number"], ["One GPU", "number"], ["This configuration", "number"], ["Speed-up", "whole"], ["Verdict", "verdict"],
];

function qualityRow(index) {
  const ends = ["", "_low", "_high"].map((end) => value(`quality_speedup${end}`, index));
  const verdict = value("quality_verdict", index);
  return batchRow(index, [count(value("batch", index)), seconds(value("seconds_to_quality", value("base", index))),
    seconds(value("seconds_to_quality", index)), interval(...ends), [markOf(verdict), verdictWords(verdict)]]);
}

// Hidden unless the launch trained to a quality.
function drawQuality() {
  const indices = casesByBatch(choice.model, choice.configuration);
  const quality = unique(indices.map((index) => value("quality", index)).filter((one) => one))[0];
  place("quality-section").hidden = !quality;
  if (!quality) return;
  place("quality-note").textContent = `${choice.model}: ${chosenLabel()} against one GPU, trained until ${quality}. ` +
    `Means over runs with 95 % intervals${coversWords(indices, "interval_covers")}. A dash means that a run did not reach it.`;
  show("quality", table(QUALITY_TITLES, indices.map(qualityRow)));
}

// The cost of samples: GPU time, money if a price was given, energy if it was measured.

// Name, column, printer, and the columns of gain and verdict. Money has those of GPU time: all GPUs cost the same.
const COSTS = [
  ["GPU time per sample", "gpu_seconds_per_sample", seconds, "gpu_hours"],
  ["money per million samples", "cost_per_million_samples", (value) => significant(value, 3), "gpu_hours"],
  ["energy per sample", "joules_per_sample", joules, "energy"],
];

function costRow(index, [name, column, words, gain], isFirst) {
  const ends = ["", "_low", "_high"].map((end) => value(`${gain}_gain${end}`, index));
  const verdict = value(`${gain}_verdict`, index);
  return batchRow(index, [isFirst ? count(value("batch", index)) : "", name, words(value(column, value("base", index))),
    words(value(column, index)), interval(...ends), [markOf(verdict), verdictWords(verdict)]]);
}

function drawCosts() {
  const indices = casesByBatch(choice.model, choice.configuration);
  const shown = COSTS.filter(([, column]) => indices.some((index) => isNumber(value(column, index))));
  const titles = [["Batch", "number"], ["Cost", "words"], ["One GPU", "number"], ["This configuration", "number"],
    ["Ratio (above 1: cheaper)", "whole"], ["Verdict", "verdict"]];
  const price = isNumber(page.price_an_hour) ? `One GPU-hour costs ${significant(page.price_an_hour, 3)}.`
    : "For money, give a price: breakeven-report --price X.";
  const hasCounter = indices.some((index) => isNumber(value("power_watts", index)));
  const energy = shown.some(([, column]) => column === "joules_per_sample") ? ""
    : ` Energy was not measured: ${hasCounter ? "it needs runs of a second or more" : "no energy counter was read"}.`;
  place("costs-note").textContent = `${choice.model}: ${chosenLabel()} against one GPU. 95 % intervals${coversWords(indices)}; ` +
    `verdicts not corrected for multiple comparisons. ${price}${energy}`;
  show("costs", table(titles, indices.flatMap((index) => shown.map((cost, number) => costRow(index, cost, number === 0)))));
}

// GPU readings at each batch: one GPU above the chosen configuration, without unmeasured columns.
// Title, column, and a printer if it is not a plain number.
const READINGS = [
  ["Step", "step_seconds", seconds],
  ["Memory", "peak_memory_bytes", bytes],
  ["GPU utilization", "utilization_percent"],
  ["SM clock", "sm_clock_hz", (one) => withUnit(one, "frequency")],
  ["Temperature", "temperature_celsius"],
  ["Power per GPU", "power_watts"],
  ["Energy per sample", "joules_per_sample", joules],
];

function drawDevices() {
  const pairs = casesOf(choice.model, choice.configuration).map((index) => [value("base", index), index].filter(isCase));
  const shown = READINGS.filter(([, column]) => pairs.flat().some((index) => isNumber(value(column, index))));
  const titles = [["Batch", "number"], ["Configuration", "whole"], ...shown.map(([title]) => [title, "number"])];
  const rows = pairs.flatMap((pair) => pair.map((index, number) => ({
    cells: [number === 0 ? count(value("batch", pair[pair.length - 1])) : "", nameOf(index),
      ...shown.map(([, column, words = plain]) => words(value(column, index), column))],
    chosen: value("batch", pair[pair.length - 1]) === choice.batch && number === pair.length - 1,
  })));
  show("devices", table(titles, rows));
}
