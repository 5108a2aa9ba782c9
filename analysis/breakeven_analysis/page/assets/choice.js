// SPDX-License-Identifier: Apache-2.0
// What is chosen: a model, a way and a batch. It stands in the address too, so that a link leads to it.
const choice = { model: null, way: null, batch: null, map: "way" };
const AXES = ["model", "way", "batch"];

// Changes some of it; what then was not measured gives way to the nearest that was.
function choose(changes) {
  Object.assign(choice, changes);
  if (!modelsMeasured.some((model) => model.name === choice.model)) choice.model = firstModel();
  const ways = waysOf(choice.model);
  if (!ways.includes(choice.way)) choice.way = ways[0];
  const batches = batchesOf(choice.model, choice.way);
  const distance = (batch) => Math.abs(Math.log2(batch) - Math.log2(choice.batch || batches[batches.length - 1]));
  choice.batch = batches.reduce((best, batch) => (distance(batch) < distance(best) ? batch : best));
  drawChoice();
  drawAll();
}

function chooseAndRemember(changes) {
  choose(changes);
  const parts = AXES.map((axis) => `${axis}=${encodeURIComponent(axis === "way" ? page.ways[choice.way].label : choice[axis])}`);
  history.replaceState(null, "", `#${parts.join("&")}`);
}

// The first of the report's answers.
const firstModel = () => (page.answers.find((answer) => answer.way >= 0) || { model: modelsMeasured[0].name }).model;

function fromAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const way = page.ways.findIndex((one) => one.label === asked.get("way"));
  return { model: asked.get("model"), way: way < 0 ? null : way, batch: Number(asked.get("batch")) || null };
}

function drawChoice() {
  const options = {
    model: modelsMeasured.map(({ name, parameters }) => [name, `${name} (${parametersShort(parameters)})`]),
    way: waysOf(choice.model).map((way) => [way, page.ways[way].label]),
    batch: batchesOf(choice.model, choice.way).map((batch) => [batch, count(batch)]),
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
