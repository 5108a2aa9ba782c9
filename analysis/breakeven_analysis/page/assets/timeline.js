// SPDX-License-Identifier: Apache-2.0
// A few steps of every rank, one after another, above an axis of time.
const MOST_TICKS = 7;
const STEPS = 3; // of page.timelines, at most

// The smallest of 1, 2 and 5 times a power of ten that gives at most so many ticks.
function tickStep(length, most) {
  const power = 10 ** Math.floor(Math.log10(length / most));
  return power * [1, 2, 5, 10].find((one) => one * power * most >= length);
}

function timeAxis(length, left, scale, top, width) {
  const step = tickStep(length, width < 600 ? 4 : MOST_TICKS);
  const ticks = Array.from({ length: Math.floor(length / step) + 1 }, (_, number) => number * step);
  return ticks.map((tick) => {
    const x = left + tick * scale;
    const anchor = x > width - 24 ? "end" : "middle";
    return [svg("line", { x1: x, x2: x, y1: 2, y2: top, class: "axis" }),
      svg("text", { x, y: top + 13, "text-anchor": anchor, class: "soft" }, tick ? seconds(tick) : "0")];
  });
}

const timelineOf = (index) => page.timelines[value("timeline", index)];

// A narrow window has room for one step.
function timelineRows(index, most) {
  const one = timelineOf(value("base", index));
  const more = timelineOf(index);
  const rows = (timeline, name) => (timeline ? timeline.ranks.map((steps, rank) =>
    ({ steps: steps.slice(0, most), first: timeline.first, begin: timeline.begins ? timeline.begins[rank] : 0, name: name(rank) })) : []);
  return [...rows(one, () => ONE), ...rows(more, (rank) => `rank ${rank}`)];
}

function drawTimeline() {
  const index = chosenCase();
  const width = widthOf("timeline");
  const rows = timelineRows(index, width < 600 ? 1 : STEPS);
  if (!timelineOf(index)) {
    place("timeline-note").textContent = "";
    return show("timeline", el("p", {}, "The page has no steps of this case: it has no run with --timing phases, or the page is full."));
  }
  const { run, first, begins, ranks } = timelineOf(index);
  const clock = begins ? "all ranks on one clock" : "each rank on its own clock";
  const hidden = page.configurations[choice.configuration].gpus - ranks.length;
  const last = first + rows[rows.length - 1].steps.length - 1;
  place("timeline-note").textContent = `${last > first ? `Steps ${first} to ${last}` : `Step ${first}`} of run "${run}", ${clock}` +
    `${hidden > 0 ? `; ${ranks.length} of ${ranks.length + hidden} ranks` : ""}. Each phase is drawn once per step, with its total time.` +
    timelineOverhead(index);
  const left = Math.max(62, 8 + 6.6 * Math.max(...rows.map((row) => row.name.length)));
  const length = Math.max(...rows.map((row) => row.begin + lengthOf(row.steps)));
  const scale = (width - left - 2) / length;
  const shown = new Set();
  const lines = rows.map((row, number) => timelineRow(row, left, 6 + number * 34, scale, shown));
  const bottom = 6 + rows.length * 34;
  return show("timeline", picture(width, bottom + 18, "Timeline of steps", timeAxis(length, left, scale, bottom, width), lines), phaseLegend(shown));
}

function timelineRow(row, left, top, scale, shown) {
  let at = left + row.begin * scale;
  const parts = [svg("text", { x: 0, y: top + 17, class: "soft" }, row.name)];
  row.steps.forEach((values, step) => {
    values.forEach((one, number) => one > 0 && shown.add(PHASES[number]));
    parts.push(phaseBar(values, at, top, 24, scale, `${row.name}, step ${row.first + step}`));
    at += lengthOf([values]) * scale;
    parts.push(svg("line", { x1: at, x2: at, y1: top - 4, y2: top + 28, class: "one" }));
  });
  return parts;
}

function timelineOverhead(index) {
  const own = [value("base", index), index].filter((one) => isNumber(overheadOf(one)));
  const words = own.map((one) => `${nameOf(one)} ${signed(overheadOf(one))}`).join(", ");
  return words ? ` Phase timing changed the length of a step: ${words}.` : "";
}
