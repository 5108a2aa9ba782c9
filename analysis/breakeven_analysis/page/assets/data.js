// SPDX-License-Identifier: Apache-2.0
// The numbers of the page: the report's, and a few steps of the file. No figure is computed here.
const page = JSON.parse(place("data").textContent);
const labelsOf = (list) => Object.fromEntries(page.vocabulary[list].map(({ key, label }) => [key, label]));
const PHASE_LABELS = labelsOf("phases");
const PHASES = Object.keys(PHASE_LABELS);
const VERDICT_LABELS = labelsOf("verdicts");

const isCase = (index) => index !== null && index !== undefined && index >= 0;
const value = (column, index) => (isCase(index) && page.cases[column] ? page.cases[column][index] : null);
const cases = page.cases.model.map((_, index) => index);

const onSeveral = cases.filter((index) => value("way", index) >= 0);
const casesOf = (model, way) =>
  onSeveral.filter((index) => value("model", index) === model && value("way", index) === way);
const caseOf = (model, way, batch) => casesOf(model, way).find((index) => value("batch", index) === batch);

const unique = (values) => [...new Set(values)];
const rising = (values) => unique(values).sort((one, other) => one - other);
const modelsMeasured = page.models.filter((model) => onSeveral.some((index) => value("model", index) === model.name));
const waysOf = (model) => {
  const there = new Set(onSeveral.filter((index) => value("model", index) === model).map((index) => value("way", index)));
  return page.ways.map((_, way) => way).filter((way) => there.has(way));
};
const batchesOf = (model, way) => rising(casesOf(model, way).map((index) => value("batch", index)));

const answerOf = (model, way) => page.answers.find((answer) => answer.model === model && answer.way === way);
const bandsOf = (model, way, fastest) =>
  page.bands.filter((band) => band.model === model && band.fastest === fastest && band.ways.includes(way));
const fastestOf = (model, way, batch) =>
  page.fastest.find((row) => row.model === model && row.batch === batch && row.among.includes(way));

const speedupWords = (index) =>
  interval(value("speedup", index), value("speedup_low", index), value("speedup_high", index));
const verdictWordsOf = (index) =>
  verdictWords(value("verdict", index), value("more_units", index), value("speedup_unit", index));
const nameOf = (index) => (value("way", index) >= 0 ? page.ways[value("way", index)].label : "one GPU");

function caseTip(index) {
  return [
    `${value("model", index)}, batch ${count(value("batch", index))}, ${nameOf(index)}`,
    `${speedupWords(index)} times as fast as one GPU`,
    `${verdictWordsOf(index)}`,
    `${rate(value("samples_per_second", index))} samples/s; one GPU ${rate(value("base_samples_per_second", index))}`,
  ].join("\n");
}
