// SPDX-License-Identifier: Apache-2.0
// Phases as bars, one after another, hatched if two would look alike in grey print.
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

function phaseRect(phase, x, y, width, height) {
  const area = { x, y, width: Math.max(0, width), height };
  return svg("g", {},
    svg("rect", { ...area, fill: `var(--${phase}, var(--other_phase))`, stroke: "var(--soft)", "stroke-width": 0.4 }),
    (page.looks.hatches[phase] || page.looks.other_hatch).map((kind) =>
      svg("path", { d: hatchPath(kind, area), stroke: "var(--soft)", "stroke-width": 0.8, fill: "none" })));
}

const lengthOf = (steps) => steps.flat().filter(isNumber).reduce((sum, one) => sum + one, 0);

// The phases of one step, for a tip.
const phaseWords = (values, name) => [name, ...PHASES.map((phase, number) =>
  (values[number] > 0 ? `${PHASE_LABELS[phase]}: ${seconds(values[number])}` : null)).filter((one) => one)].join("\n");

// The phases of one step from `x` on, `scale` pixels per second.
function phaseBar(values, x, y, height, scale, name) {
  let at = x;
  const parts = PHASES.map((phase, number) => {
    const length = values[number];
    if (!isNumber(length) || length <= 0) return null;
    const rect = phaseRect(phase, at, y, length * scale, height);
    at += length * scale;
    return rect;
  });
  return svg("g", { stop: phaseWords(values, name) }, parts);
}

const phaseLegend = (shown) =>
  legend(PHASES.filter((phase) => shown.has(phase)).map((phase) => [phaseRect(phase, 0, 0, 18, 12), PHASE_LABELS[phase]]));

const phaseValues = (index) => PHASES.map((phase) => value(`phases_${phase}_seconds`, index));
// Phases of steps that phase timing changed by more say nothing about steps without it.
const MOST_OVERHEAD = page.vocabulary.timing_overhead_tolerance;
const overheadOf = (index) => value("timing_overhead", index);
const isClose = (index) => !(Math.abs(overheadOf(index) || 0) > MOST_OVERHEAD);
const signed = (share) => `${share < 0 ? "−" : "+"}${percent(Math.abs(share))}`;
const overheadWords = (index) => (isNumber(overheadOf(index)) ? ` (${signed(overheadOf(index))})` : "");
function withheld(index, width) {
  const words = `withheld: phase timing changed this step by ${signed(overheadOf(index))}`;
  return shortened(words, width) === words ? words : `withheld${overheadWords(index)}`;
}
const hasPhases = (index) => isNumber(value("phases_step_seconds", index));

function drawPhases() {
  const indices = casesOf(choice.model, choice.configuration).filter(hasPhases);
  place("phases-note").textContent = "Means over ranks, steps and runs with phase timing, and how much longer than without it these " +
    `steps took. They are withheld over ${percent(MOST_OVERHEAD)}. The two bars of a batch have the same scale.`;
  if (!indices.length) return show("phases", el("p", {}, NO_PHASES));
  const width = widthOf("phases");
  const isNarrow = width < 600;
  const frame = { left: isNarrow ? 46 : 62, name: isNarrow ? 0 : 150, width, longest: width - (isNarrow ? 162 : 334) };
  const shown = new Set();
  const pairs = indices.map((index, number) => phasePair(index, 4 + number * 50, frame, shown));
  return show("phases", picture(width, 4 + indices.length * 50, "Phases of a step by batch", pairs), phaseLegend(shown));
}

function phasePair(index, top, frame, shown) {
  const sides = [value("base", index), index].filter(hasPhases);
  const longest = Math.max(...sides.filter(isClose).map((side) => lengthOf([phaseValues(side)])));
  const batch = svg("text", { x: 0, y: top + 24, "font-weight": value("batch", index) === choice.batch ? "700" : null }, count(value("batch", index)));
  return [batch, sides.map((side, number) => {
    const y = top + number * 20;
    const name = frame.name ? svg("text", { x: frame.left, y: y + 13, class: "soft" }, shortened(nameOf(side), frame.name - 8)) : null;
    const left = frame.left + frame.name;
    if (!isClose(side)) return [name, svg("text", { x: left, y: y + 13, class: "soft" }, withheld(side, frame.width - left))];
    const values = phaseValues(side);
    values.forEach((one, phase) => one > 0 && shown.add(PHASES[phase]));
    const step = `${seconds(value("phases_step_seconds", side))}${overheadWords(side)}`;
    return [
      name,
      phaseBar(values, left, y, 17, frame.longest / longest, `${nameOf(side)}, batch ${count(value("batch", side))}`),
      svg("text", { x: frame.width, y: y + 13, "text-anchor": "end" }, step),
    ];
  })];
}

const NO_PHASES = page.vocabulary.phases_not_recorded;
const DOUBLE_COUNTED = "Negative parts correct for time that other parts count twice.";

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
    return show("budget", el("p", {}, hasPhases(index) ? NO_BASELINE : NO_PHASES));
  }
  const half = value("loss_half_width_seconds", index);
  place("budget-note").textContent = `${choice.model}, batch ${count(choice.batch)}, ${chosenLabel()}: ` +
    `${seconds(value("loss_seconds", index))}${isNumber(half) ? ` ± ${seconds(half)}` : ""} of each step are lost against ` +
    `perfect scaling. Shares are of the step. ${value("by_phases", index) ? DOUBLE_COUNTED : NO_PHASES}`;
  const width = widthOf("budget");
  const rows = budgetRows(index);
  const frame = width < 600 ? { width, left: 0, right: 74, row: 40, bar: 18 } : { width, left: 156, right: 130, row: 26, bar: 4 };
  const ends = rows.flatMap((row) => [row.from, row.to]);
  const [low, high] = [Math.min(0, ...ends), Math.max(...ends)];
  const x = (one) => frame.left + ((one - low) / (high - low)) * (width - frame.left - frame.right);
  const lines = rows.map((row, number) => budgetRow(row, number * frame.row, x, frame));
  return show("budget", picture(width, rows.length * frame.row, "Loss budget", lines));
}

// The name is beside its bar, or above it in a narrow window.
function budgetRow(row, top, x, frame) {
  const { width } = frame;
  const y = top + frame.bar;
  const [from, to] = [Math.min(row.from, row.to), Math.max(row.from, row.to)];
  const share = isNumber(row.share) ? ` (${percent(row.share)})` : "";
  const words = width < 600 ? seconds(row.seconds) : `${seconds(row.seconds)}${share}`;
  return svg("g", { stop: `${row.name}: ${seconds(row.seconds)}${share}` },
    svg("rect", { x: 0, y: top, width, height: frame.row - 1, fill: "transparent" }),
    svg("text", { x: 0, y: frame.left ? y + 13 : top + 13 }, row.name),
    svg("line", { x1: x(row.to), x2: x(row.to), y1: y, y2: y + frame.row, class: "axis" }),
    svg("rect", { x: x(from), y, width: Math.max(1, x(to) - x(from)), height: 17, rx: 2, fill: `var(${row.colour})` }),
    svg("text", { x: width, y: y + 13, "text-anchor": "end" }, words));
}
