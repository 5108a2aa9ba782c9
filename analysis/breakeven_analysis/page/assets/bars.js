// SPDX-License-Identifier: Apache-2.0
// Phases as bars, one behind another, with a hatch besides the colour where two would look alike in grey.
const HATCHES = {
  wait: "M-1 7L7 -1M-1 1L1 -1M5 7L7 5",
  collect: "M1.5 1.5h1.4v1.4h-1.4zM4.5 4.5h1.4v1.4h-1.4z",
  broadcast: "M0 0L6 6M6 0L0 6",
};

// Patterns are shared by all pictures of the page.
const hatchPatterns = () =>
  svg("svg", { width: "0", height: "0", style: "position:absolute", "aria-hidden": "true" }, svg("defs", {},
    Object.entries(HATCHES).map(([phase, path]) =>
      svg("pattern", { id: `hatch-${phase}`, width: "6", height: "6", patternUnits: "userSpaceOnUse" },
        svg("path", { d: path, stroke: "var(--soft)", "stroke-width": 0.8, fill: "none" })))));

function phaseRect(phase, x, y, width, height, tip) {
  const area = { x, y, width: Math.max(0, width), height };
  return svg("g", { tip },
    svg("rect", { ...area, fill: `var(--${phase})`, stroke: "var(--soft)", "stroke-width": 0.4 }),
    HATCHES[phase] ? svg("rect", { ...area, fill: `url(#hatch-${phase})` }) : null);
}

// The phases of one step from `x` on, `scale` pixels a second.
function phaseBar(values, x, y, height, scale, name) {
  let at = x;
  return PHASES.map((phase, place_) => {
    const length = values[place_];
    if (!isNumber(length) || length <= 0) return null;
    const rect = phaseRect(phase, at, y, length * scale, height, `${name}\n${phase}: ${seconds(length)}`);
    at += length * scale;
    return rect;
  });
}

const phaseLegend = (shown) =>
  legend(PHASES.filter((phase) => shown.has(phase)).map((phase) => [phaseRect(phase, 0, 0, 18, 12, null), phase]));
