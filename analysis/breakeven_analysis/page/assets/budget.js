// SPDX-License-Identifier: Apache-2.0
// The loss budget of the chosen case: from the ideal step, part by part, to the step that was measured.
function budgetRows(index) {
  const ideal = value("ideal_step_seconds", index);
  let at = ideal;
  const rows = [{ name: "ideal step", from: 0, to: ideal, seconds: ideal, colour: "--ideal" }];
  for (const [key, name] of Object.entries(labelsOf("loss_parts"))) {
    const part = value(`loss_${key}_seconds`, index);
    if (!isNumber(part)) continue;
    rows.push({ name, from: at, to: at + part, seconds: part, share: value(`loss_${key}_share`, index),
      colour: part < 0 ? "--gain" : "--does_not_pay" });
    at += part;
  }
  const step = value("step_seconds", index);
  return [...rows, { name: "measured step", from: 0, to: step, seconds: step, colour: "--way" }];
}

function drawBudget() {
  const index = caseOf(choice.model, choice.way, choice.batch);
  place("budget-note").textContent = "";
  if (!isNumber(value("loss_seconds", index))) {
    return show("budget", el("p", {}, "No loss budget: it needs a single GPU beside it, and phases for its parts."));
  }
  const half = value("loss_half_width_seconds", index);
  place("budget-note").textContent = `${choice.model}, batch ${count(choice.batch)}, ${page.ways[choice.way].label}: ` +
    `${seconds(value("loss_seconds", index))}${isNumber(half) ? ` ± ${seconds(half)}` : ""} of a step are above the ideal. ` +
    "Shares are of the step; parts below zero take off what others have too much.";
  const width = widthOf("budget");
  const rows = budgetRows(index);
  const [left, right] = [width < 600 ? 128 : 150, width < 600 ? 74 : 130];
  const ends = rows.flatMap((row) => [row.from, row.to]);
  const [low, high] = [Math.min(0, ...ends), Math.max(...ends)];
  const x = (one) => left + ((one - low) / (high - low)) * (width - left - right);
  return show("budget", picture(width, rows.length * 26, "Loss budget", rows.map((row, place_) => budgetRow(row, place_ * 26, x, width))));
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
