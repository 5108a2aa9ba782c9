// SPDX-License-Identifier: Apache-2.0
// The page's numbers: the report's, and a few steps of the file. The page computes none.
const page = JSON.parse(place("data").textContent);
const { one: DEVICE, several: DEVICES, no_energy: NO_ENERGY } = page.devices;
const ONE = `one ${DEVICE}`;
const NO_BASELINE = `No speed-up: there is no baseline on ${ONE}.`;
const labelsOf = (list) => Object.fromEntries(page.vocabulary[list].map(({ key, label }) => [key, label]));
const PHASE_LABELS = labelsOf("phases");
const PHASES = Object.keys(PHASE_LABELS);
const VERDICT_LABELS = labelsOf("verdicts");

const isCase = (index) => index !== null && index !== undefined && index >= 0;
const value = (column, index) => (isCase(index) && page.cases[column] ? page.cases[column][index] : null);
const cases = page.cases.model.map((_, index) => index);

const onSeveral = cases.filter((index) => value("configuration", index) >= 0);
const casesOf = (model, configuration) =>
  onSeveral.filter((index) => value("model", index) === model && value("configuration", index) === configuration);
const caseOf = (model, configuration, batch) =>
  casesOf(model, configuration).find((index) => value("batch", index) === batch);

const unique = (values) => [...new Set(values)];
const rising = (values) => unique(values).sort((one, other) => one - other);
const modelsMeasured = page.models.filter((model) => onSeveral.some((index) => value("model", index) === model.name));
const configurationsOf = (model) =>
  rising(onSeveral.filter((index) => value("model", index) === model).map((index) => value("configuration", index)));
const batchesOf = (model, configuration) => rising(casesOf(model, configuration).map((index) => value("batch", index)));

// By batch, from the smallest.
const casesByBatch = (model, configuration) =>
  batchesOf(model, configuration).map((batch) => caseOf(model, configuration, batch));

const answerOf = (model, configuration) =>
  page.answers.find((answer) => answer.model === model && answer.configuration === configuration);
const bandsOf = (model, configuration, fastest) =>
  page.bands.filter((band) => band.model === model && band.fastest === fastest && band.configurations.includes(configuration));
const fastestOf = (model, configuration, batch) =>
  page.fastest.find((row) => row.model === model && row.batch === batch && row.among.includes(configuration));

const speedupWords = (index) =>
  interval(value("speedup", index), value("speedup_low", index), value("speedup_high", index));
const verdictWordsOf = (index) =>
  verdictWords(value("verdict", index), value("more_units", index), value("speedup_unit", index));
// What the 95 % intervals of these cases cover, in brackets: " (within one launch)".
function coversWords(indices, column = "speedup_covers") {
  const scopes = unique(indices.map((index) => value(column, index)).filter((one) => one));
  return scopes.length ? ` (${scopes.join("; ")})` : "";
}
const labelOf = (configuration) => page.configurations[configuration].label;
const nameOf = (index) => (value("configuration", index) >= 0 ? labelOf(value("configuration", index)) : ONE);

function caseTip(index) {
  return [
    `${value("model", index)}, batch ${count(value("batch", index))}, ${nameOf(index)}`,
    `speed-up over ${ONE}: ${speedupWords(index)}`,
    verdictWordsOf(index),
    `${rate(value("speedup_samples_per_second", index))} samples/s; ${ONE} ` +
      rate(value("speedup_base_samples_per_second", index)),
  ].join("\n");
}
