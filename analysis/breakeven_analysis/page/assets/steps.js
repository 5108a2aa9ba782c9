// SPDX-License-Identifier: Apache-2.0
// Steps as they were: a few of every rank, one behind another; and the mean step of every batch, phase by phase.
const timelineOf = (index) => page.timelines[value("timeline", index)];
const lengthOf = (steps) => steps.flat().filter(isNumber).reduce((sum, one) => sum + one, 0);

function timelineRows(index) {
  const one = timelineOf(value("base", index));
  const more = timelineOf(index);
  const rows = (timeline, name) => (timeline ? timeline.ranks.map((steps, rank) =>
    ({ steps, first: timeline.first, begin: timeline.begins ? timeline.begins[rank] : 0, name: name(rank) })) : []);
  return [...rows(one, () => "one GPU"), ...rows(more, (rank) => `rank ${rank}`)];
}

function drawTimeline() {
  const index = caseOf(choice.model, choice.way, choice.batch);
  const rows = timelineRows(index);
  if (!timelineOf(index)) {
    place("timeline-note").textContent = "";
    return show("timeline", el("p", {}, "No steps of this case are on the page: it has no run with --timing phases, or other cases have filled the page."));
  }
  const { run, first, begins, ranks } = timelineOf(index);
  const clock = begins ? "by the clock that the ranks share" : "each rank by its own clock";
  const hidden = page.ways[choice.way].gpus - ranks.length;
  place("timeline-note").textContent = `Steps ${first} to ${first + ranks[0].length - 1} of the run "${run}", ${clock}` +
    `${hidden > 0 ? `; ${ranks.length} ranks of ${ranks.length + hidden}` : ""}. A phase is as long as it was in all in its step.`;
  const width = widthOf("timeline");
  const left = 62;
  const scale = (width - left - 2) / Math.max(...rows.map((row) => row.begin + lengthOf(row.steps)));
  const shown = new Set();
  const lines = rows.map((row, place_) => timelineRow(row, left, 6 + place_ * 34, scale, shown));
  return show("timeline", picture(width, 6 + rows.length * 34, "Timeline of steps", lines), phaseLegend(shown));
}

function timelineRow(row, left, top, scale, shown) {
  let at = left + row.begin * scale;
  const parts = [svg("text", { x: 0, y: top + 17, class: "soft" }, row.name)];
  row.steps.forEach((values, step) => {
    values.forEach((one, place_) => one > 0 && shown.add(PHASES[place_]));
    parts.push(phaseBar(values, at, top, 24, scale, `${row.name}, step ${row.first + step}`));
    at += lengthOf([values]) * scale;
    parts.push(svg("line", { x1: at, x2: at, y1: top - 4, y2: top + 28, class: "one" }));
  });
  return parts;
}

const phaseValues = (index) => PHASES.map((phase) => value(`phases_${phase}_seconds`, index));
const hasPhases = (index) => isNumber(value("phases_step_seconds", index));

function drawPhases() {
  const indices = casesOf(choice.model, choice.way).filter(hasPhases);
  place("phases-note").textContent = "Means over ranks, steps and runs with events at the phase borders; the two bars of a batch have one scale.";
  if (!indices.length) return show("phases", el("p", {}, "Phases were not measured: breakeven run --timing steps,phases."));
  const width = widthOf("phases");
  const frame = { left: 62, name: width < 600 ? 0 : 150, width, longest: width - 62 - (width < 600 ? 66 : 222) };
  const shown = new Set();
  const pairs = indices.map((index, place_) => phasePair(index, 4 + place_ * 50, frame, shown));
  return show("phases", picture(width, 4 + indices.length * 50, "Phases of a step by batch", pairs), phaseLegend(shown));
}

function phasePair(index, top, frame, shown) {
  const sides = [value("base", index), index].filter(hasPhases);
  const longest = Math.max(...sides.map((side) => lengthOf([phaseValues(side)])));
  const batch = svg("text", { x: 0, y: top + 24, "font-weight": value("batch", index) === choice.batch ? "700" : null }, count(value("batch", index)));
  return [batch, sides.map((side, place_) => {
    const values = phaseValues(side);
    values.forEach((one, phase) => one > 0 && shown.add(PHASES[phase]));
    const y = top + place_ * 20;
    const name = `${nameOf(side)}, batch ${count(value("batch", side))}`;
    return [
      frame.name ? svg("text", { x: frame.left, y: y + 13, class: "soft" }, shortened(nameOf(side), frame.name - 8)) : null,
      phaseBar(values, frame.left + frame.name, y, 17, frame.longest / longest, name),
      svg("text", { x: frame.width, y: y + 13, "text-anchor": "end" }, seconds(value("phases_step_seconds", side))),
    ];
  })];
}
