// SPDX-License-Identifier: Apache-2.0
// The chosen model, configuration and batch. The address has them too, so that a link leads to the same choice.
const choice = { model: null, configuration: null, batch: null, map: "configuration" };
const chosenLabel = () => labelOf(choice.configuration);
const chosenCase = () => caseOf(choice.model, choice.configuration, choice.batch);
const AXES = ["model", "configuration", "batch"];

// Changes the choice; what was not measured is replaced by the nearest that was.
function choose(changes) {
  Object.assign(choice, changes);
  if (!modelsMeasured.some((model) => model.name === choice.model)) Object.assign(choice, page.start || { model: modelsMeasured[0].name });
  const configurations = configurationsOf(choice.model);
  if (!configurations.includes(choice.configuration)) choice.configuration = configurations[0];
  const batches = batchesOf(choice.model, choice.configuration);
  const distance = (batch) => Math.abs(Math.log2(batch) - Math.log2(choice.batch || batches[batches.length - 1]));
  choice.batch = batches.reduce((best, batch) => (distance(batch) < distance(best) ? batch : best));
  drawChoice();
  drawAll();
}

function chooseAndRemember(changes) {
  choose(changes);
  const words = { ...choice, configuration: chosenLabel() };
  const parts = AXES.map((axis) => `${axis}=${encodeURIComponent(words[axis])}`);
  history.replaceState(null, "", `#${parts.join("&")}`);
}

function fromAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const found = page.configurations.findIndex((one) => one.label === asked.get("configuration"));
  const configuration = found < 0 ? null : found;
  return { model: asked.get("model"), configuration, batch: Number(asked.get("batch")) || null };
}

function drawChoice() {
  const options = {
    model: modelsMeasured.map((model) => [model.name, modelWords(model)]),
    configuration: configurationsOf(choice.model).map((one) => [one, labelOf(one)]),
    batch: batchesOf(choice.model, choice.configuration).map((batch) => [batch, count(batch)]),
  };
  show("choice", AXES.map((axis) => chooser(axis, options[axis])));
}

function chooser(axis, options) {
  const select = el("select", { id: `choose-${axis}` },
    options.map(([option, words]) => el("option", { value: String(option) }, words)));
  select.value = String(choice[axis]);
  select.addEventListener("change", () => {
    const [option] = options[select.selectedIndex];
    chooseAndRemember({ [axis]: option });
    place(`choose-${axis}`).focus();
  });
  return el("label", {}, axis, select);
}
