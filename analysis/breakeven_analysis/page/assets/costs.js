// SPDX-License-Identifier: Apache-2.0
// What a sample costs at each batch by the chosen way and on one GPU: GPU time, money where a price was given, and
// energy where it was measured.

// name, column, words of a number, and the columns of the gain and the verdict: by money it is that of GPU time,
// since all GPUs cost the same.
const COSTS = [
  ["GPU time a sample", "gpu_seconds_per_sample", seconds, "gpu_hours"],
  ["money a million samples", "cost_per_million_samples", (value) => significant(value, 3), "gpu_hours"],
  ["energy a sample", "joules_per_sample", joules, "energy"],
];

function costRow(index, [name, column, words, gain], isFirst) {
  const batch = value("batch", index);
  const [middle, low, high] = ["", "_low", "_high"].map((end) => value(`${gain}_gain${end}`, index));
  const verdict = value(`${gain}_verdict`, index);
  return {
    cells: [isFirst ? count(batch) : "", name, words(value(column, value("base", index))), words(value(column, index)),
      interval(middle, low, high), [markOf(verdict), verdictWords(verdict)]],
    chosen: batch === choice.batch,
    choose: () => chooseAndRemember({ batch }),
  };
}

function drawCosts() {
  const indices = batchesOf(choice.model, choice.way).map((batch) => caseOf(choice.model, choice.way, batch));
  const shown = COSTS.filter(([, column]) => indices.some((index) => isNumber(value(column, index))));
  const titles = [["Batch", "number"], ["What it takes", "whole"], ["One GPU", "number"], ["This way", "number"],
    ["Times as thrifty", "whole"], ["Verdict", "whole"]];
  const price = isNumber(page.price_an_hour) ? `A GPU costs ${significant(page.price_an_hour, 3)} an hour.`
    : "Money is shown where a price was given: breakeven-report --price X.";
  const energy = shown.some(([, column]) => column === "joules_per_sample") ? ""
    : " Energy was not measured: that takes runs of a second or more.";
  place("costs-note").textContent = `${choice.model}, ${page.ways[choice.way].label} beside one GPU; 95 % intervals, ` +
    `each verdict by its own. ${price}${energy}`;
  show("costs", table(titles, indices.flatMap((index) => shown.map((cost, place_) => costRow(index, cost, place_ === 0)))));
}
