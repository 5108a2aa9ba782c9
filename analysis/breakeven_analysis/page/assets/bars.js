// SPDX-License-Identifier: Apache-2.0
// Phases as bars, one behind another, with a hatch besides the colour where two would look alike in grey.
// Lines, not patterns: a browser that prints turns patterns into large images.
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

// The phases of one step from `x` on, `scale` pixels a second.
function phaseBar(values, x, y, height, scale, name) {
  let at = x;
  return PHASES.map((phase, place_) => {
    const length = values[place_];
    if (!isNumber(length) || length <= 0) return null;
    const rect = phaseRect(phase, at, y, length * scale, height, `${name}\n${PHASE_LABELS[phase]}: ${seconds(length)}`);
    at += length * scale;
    return rect;
  });
}

const phaseLegend = (shown) =>
  legend(PHASES.filter((phase) => shown.has(phase)).map((phase) => [phaseRect(phase, 0, 0, 18, 12, null), PHASE_LABELS[phase]]));
