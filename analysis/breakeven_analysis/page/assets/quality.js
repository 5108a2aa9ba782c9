// SPDX-License-Identifier: Apache-2.0
// What the steps are worth: the time to the quality that the launch trained until, batch by batch.
const QUALITY_TITLES = [
  ["Batch", "number"], ["One GPU", "number"], ["This way", "number"], ["Times as fast", "whole"], ["Verdict", "whole"],
];

function qualityRow(index) {
  const ends = ["", "_low", "_high"].map((end) => value(`quality_speedup${end}`, index));
  const verdict = value("quality_verdict", index);
  const batch = value("batch", index);
  return {
    cells: [count(batch), seconds(value("seconds_to_quality", value("base", index))),
      seconds(value("seconds_to_quality", index)), interval(...ends), [markOf(verdict), verdictWords(verdict)]],
    chosen: batch === choice.batch,
    choose: () => chooseAndRemember({ batch }),
  };
}

// The section is there only where the launch trained until a quality.
function drawQuality() {
  const indices = batchesOf(choice.model, choice.way).map((batch) => caseOf(choice.model, choice.way, batch));
  const quality = unique(indices.map((index) => value("quality", index)).filter((one) => one))[0];
  place("quality-section").hidden = !quality;
  if (!quality) return;
  place("quality-note").textContent = `${choice.model}, ${page.ways[choice.way].label} beside one GPU, trained until ${quality}; ` +
    "means over runs, 95 % intervals. A dash: one of the runs has not reached it.";
  show("quality", table(QUALITY_TITLES, indices.map(qualityRow)));
}
