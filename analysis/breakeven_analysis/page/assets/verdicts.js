// SPDX-License-Identifier: Apache-2.0
// The answer, and the table of verdicts of the chosen model and way, batch by batch.
function drawAnswer() {
  const answer = answerOf(choice.model, choice.way);
  place("answer").textContent = answer ? answer.sentence : "No speed-up was measured beside a single GPU.";
  place("loss").textContent = answer ? answer.loss : "";
}

const markOf = (verdict) =>
  el("span", { class: `mark ${verdict}`, "aria-hidden": "true" }, markWords(verdict));

function utilization(index) {
  const words = (which) => {
    const one = value("utilization_percent", which);
    return isNumber(one) ? one.toFixed(0) : DASH;
  };
  const both = [words(value("base", index)), words(index)];
  return both.every((one) => one === DASH) ? DASH : `${both[0]} → ${both[1]} %`;
}

const TITLES = [
  ["Batch", "number"], ["Speed-up", "whole"], ["Verdict", "whole"], ["Single GPU samples/s", "number"],
  ["Multi-GPU samples/s", "number"], ["Efficiency", "number"], ["Memory", "number"], ["GPU utilization", "number"],
];

function speedCells(index) {
  return [
    count(value("batch", index)), speedupWords(index), [markOf(value("verdict", index)), verdictWordsOf(index)],
    rate(value("base_samples_per_second", index)), rate(value("samples_per_second", index)),
    percent(value("efficiency", index)), bytes(value("peak_memory_bytes", index)), utilization(index),
  ];
}

function drawVerdicts() {
  const { model, way } = choice;
  const rows = batchesOf(model, way).map((batch) => {
    const index = caseOf(model, way, batch);
    return {
      cells: speedCells(index),
      chosen: batch === choice.batch,
      choose: () => chooseAndRemember({ batch }),
    };
  });
  place("verdicts-note").textContent =
    `${model}, ${page.ways[way].label} (${page.ways[way].precision}, ${page.ways[way].gemm} kernels) against one GPU; ` +
    "95 % intervals, and verdicts that hold together over the report's table.";
  show("verdicts", table(TITLES, rows));
}
