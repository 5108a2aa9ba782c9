// SPDX-License-Identifier: Apache-2.0
// Phases as bars, one after another, hatched if two would look alike in grey print.
// Hatches are lines, not patterns: browsers print patterns as large images.
const HATCHED = { wait: ["rising"], collect: ["flat"], broadcast: ["rising", "falling"] };
const BETWEEN = 6;

function hatchPath(kind, { x, y, width, height }) {
  if (kind === "flat") return [0.25, 0.5, 0.75].map((share) => `M${x} ${y + share * height}h${width}`).join("");
  const lines = [];
  for (let from = -height + BETWEEN / 2; from < width; from += BETWEEN) {
    const [left, right] = [Math.max(0, from), Math.min(width, from + height)];
    const down = (at) => (kind === "rising" ? height - (at - from) : at - from);
    lines.push(`M${(x + left).toFixed(1)} ${(y + down(left)).toFixed(1)}L${(x + right).toFixed(1)} ${(y + down(right)).toFixed(1)}`);
  }
  return lines.join("");
}

function phaseRect(phase, x, y, width, height, tip) {
  const area = { x, y, width: Math.max(0, width), height };
  return svg("g", { tip },
    svg("rect", { ...area, fill: `var(--${phase})`, stroke: "var(--soft)", "stroke-width": 0.4 }),
    (HATCHED[phase] || []).map((kind) =>
      svg("path", { d: hatchPath(kind, area), stroke: "var(--soft)", "stroke-width": 0.8, fill: "none" })));
}

// The phases of one step from `x` on, `scale` pixels per second.
function phaseBar(values, x, y, height, scale, name) {
  let at = x;
  return PHASES.map((phase, number) => {
    const length = values[number];
    if (!isNumber(length) || length <= 0) return null;
    const rect = phaseRect(phase, at, y, length * scale, height, `${name}\n${PHASE_LABELS[phase]}: ${seconds(length)}`);
    at += length * scale;
    return rect;
  });
}

const phaseLegend = (shown) =>
  legend(PHASES.filter((phase) => shown.has(phase)).map((phase) => [phaseRect(phase, 0, 0, 18, 12, null), PHASE_LABELS[phase]]));

// A few steps of every rank, one after another; and the mean step of every batch, phase by phase.
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
  const index = chosenCase();
  const rows = timelineRows(index);
  if (!timelineOf(index)) {
    place("timeline-note").textContent = "";
    return show("timeline", el("p", {}, "The page has no steps of this case: it has no run with --timing phases, or the page is full."));
  }
  const { run, first, begins, ranks } = timelineOf(index);
  const clock = begins ? "all ranks on one clock" : "each rank on its own clock";
  const hidden = page.configurations[choice.configuration].gpus - ranks.length;
  place("timeline-note").textContent = `Steps ${first} to ${first + ranks[0].length - 1} of run "${run}", ${clock}` +
    `${hidden > 0 ? `; ${ranks.length} of ${ranks.length + hidden} ranks` : ""}. Each phase is drawn once per step, with its total time.`;
  const width = widthOf("timeline");
  const left = 62;
  const scale = (width - left - 2) / Math.max(...rows.map((row) => row.begin + lengthOf(row.steps)));
  const shown = new Set();
  const lines = rows.map((row, number) => timelineRow(row, left, 6 + number * 34, scale, shown));
  return show("timeline", picture(width, 6 + rows.length * 34, "Timeline of steps", lines), phaseLegend(shown));
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

const phaseValues = (index) => PHASES.map((phase) => value(`phases_${phase}_seconds`, index));
const hasPhases = (index) => isNumber(value("phases_step_seconds", index));

function drawPhases() {
  const indices = casesOf(choice.model, choice.configuration).filter(hasPhases);
  place("phases-note").textContent = "Means over ranks, steps and runs with phase timing. The two bars of a batch have the same scale.";
  if (!indices.length) return show("phases", el("p", {}, "Phases were not measured. To measure them, run with --timing steps,phases."));
  const width = widthOf("phases");
  const frame = { left: 62, name: width < 600 ? 0 : 150, width, longest: width - 62 - (width < 600 ? 66 : 222) };
  const shown = new Set();
  const pairs = indices.map((index, number) => phasePair(index, 4 + number * 50, frame, shown));
  return show("phases", picture(width, 4 + indices.length * 50, "Phases of a step by batch", pairs), phaseLegend(shown));
}

function phasePair(index, top, frame, shown) {
  const sides = [value("base", index), index].filter(hasPhases);
  const longest = Math.max(...sides.map((side) => lengthOf([phaseValues(side)])));
  const batch = svg("text", { x: 0, y: top + 24, "font-weight": value("batch", index) === choice.batch ? "700" : null }, count(value("batch", index)));
  return [batch, sides.map((side, number) => {
    const values = phaseValues(side);
    values.forEach((one, phase) => one > 0 && shown.add(PHASES[phase]));
    const y = top + number * 20;
    const name = `${nameOf(side)}, batch ${count(value("batch", side))}`;
    return [
      frame.name ? svg("text", { x: frame.left, y: y + 13, class: "soft" }, shortened(nameOf(side), frame.name - 8)) : null,
      phaseBar(values, frame.left + frame.name, y, 17, frame.longest / longest, name),
      svg("text", { x: frame.width, y: y + 13, "text-anchor": "end" }, seconds(value("phases_step_seconds", side))),
    ];
  })];
}

// The loss budget of the chosen case: from the step of perfect scaling, part by part, to the measured step.
function budgetRows(index) {
  const ideal = value("ideal_step_seconds", index);
  let at = ideal;
  const rows = [{ name: "perfect scaling", from: 0, to: ideal, seconds: ideal, colour: "--ideal" }];
  for (const [key, name] of Object.entries(labelsOf("loss_parts"))) {
    const part = value(`loss_${key}_seconds`, index);
    if (!isNumber(part)) continue;
    rows.push({ name, from: at, to: at + part, seconds: part, share: value(`loss_${key}_share`, index),
      colour: part < 0 ? "--gain" : "--does_not_pay" });
    at += part;
  }
  const step = value("step_seconds", index);
  return [...rows, { name: "measured step", from: 0, to: step, seconds: step, colour: "--configuration" }];
}

function drawBudget() {
  const index = chosenCase();
  place("budget-note").textContent = "";
  if (!isNumber(value("loss_seconds", index))) {
    return show("budget", el("p", {}, "No loss budget: it needs a single-GPU baseline and runs with --timing steps,phases."));
  }
  const half = value("loss_half_width_seconds", index);
  place("budget-note").textContent = `${choice.model}, batch ${count(choice.batch)}, ${chosenLabel()}: ` +
    `${seconds(value("loss_seconds", index))}${isNumber(half) ? ` ± ${seconds(half)}` : ""} of each step are lost against ` +
    "perfect scaling. Shares are of the step. Negative parts correct for time that other parts count twice.";
  const width = widthOf("budget");
  const rows = budgetRows(index);
  const [left, right] = [width < 600 ? 128 : 150, width < 600 ? 74 : 130];
  const ends = rows.flatMap((row) => [row.from, row.to]);
  const [low, high] = [Math.min(0, ...ends), Math.max(...ends)];
  const x = (one) => left + ((one - low) / (high - low)) * (width - left - right);
  return show("budget", picture(width, rows.length * 26, "Loss budget", rows.map((row, number) => budgetRow(row, number * 26, x, width))));
}

function budgetRow(row, top, x, width) {
  const [from, to] = [Math.min(row.from, row.to), Math.max(row.from, row.to)];
  const share = isNumber(row.share) ? ` (${percent(row.share)})` : "";
  const words = width < 600 ? seconds(row.seconds) : `${seconds(row.seconds)}${share}`;
  return svg("g", { tip: `${row.name}: ${seconds(row.seconds)}${share}` },
    svg("rect", { x: 0, y: top, width, height: 25, fill: "transparent" }),
    svg("text", { x: 0, y: top + 17 }, row.name),
    svg("line", { x1: x(row.to), x2: x(row.to), y1: top + 4, y2: top + 30, class: "axis" }),
    svg("rect", { x: x(from), y: top + 4, width: Math.max(1, x(to) - x(from)), height: 17, rx: 2, fill: `var(${row.colour})` }),
    svg("text", { x: width, y: top + 17, "text-anchor": "end" }, words));
}
