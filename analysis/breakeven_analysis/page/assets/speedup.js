// SPDX-License-Identifier: Apache-2.0
// Speed-up against batch: the chosen configuration with intervals and bounds, the others as thin lines.
const FRAME = { right: 14, top: 12, bottom: 36, height: 330 };
const SAME = page.vocabulary.same_within;
const LEAST = 0.2; // slower points of other configurations are cut off

function speedupScales(width, indices, all) {
  const batches = rising(all.map((index) => value("batch", index)));
  const numbers = [...all.map((index) => Math.max(LEAST, value("speedup", index))), 1,
    ...indices.flatMap((index) => ["speedup", "speedup_low", "speedup_high", "ideal_speedup"].map((name) => value(name, index)))]
    .filter((one) => isNumber(one) && one > 0);
  const low = Math.log2(Math.min(...numbers)) - 0.15;
  const high = Math.log2(Math.max(...numbers)) + 0.15;
  const [first, last] = [Math.log2(batches[0]), Math.log2(batches[batches.length - 1])];
  const every = high - low > 6 ? Math.ceil((high - low) / 6) : 1;
  const powers = [];
  for (let power = Math.ceil(low / every) * every; power <= high; power += every) powers.push(2 ** power);
  const left = Math.max(54, 14 + 7 * Math.max(...powers.map((power) => timesWords(power).length)));
  const inner = width - left - FRAME.right - 40;
  const tall = FRAME.height - FRAME.top - FRAME.bottom;
  return {
    batches, low, high, left, powers,
    x: (batch) => left + 20 + (last > first ? ((Math.log2(batch) - first) / (last - first)) * inner : inner / 2),
    y: (speedup) => FRAME.top + ((high - Math.log2(speedup)) / (high - low)) * tall,
  };
}

function speedupAxes(scales, width) {
  const { x, y, left, powers, batches } = scales;
  const right = width - FRAME.right;
  const gap = Math.min(...batches.slice(1).map((batch, number) => x(batch) - x(batches[number])));
  const across = (speedup, attributes) => svg("line", { x1: left, x2: right, y1: y(speedup), y2: y(speedup), ...attributes });
  return [
    svg("rect", { x: left, width: right - left, y: y(1 + SAME), height: y(1 - SAME) - y(1 + SAME), fill: "var(--line)" }),
    powers.map((power) => [across(power, { class: "axis" }),
      svg("text", { x: left - 8, y: y(power) + 4, "text-anchor": "end", class: "soft" }, timesWords(power))]),
    across(1, { class: "one" }),
    batches.map((batch) => svg("text", { x: x(batch), y: FRAME.height - 16, "text-anchor": "middle", class: "soft" }, batchWords(batch, gap))),
    svg("text", { x: (left + right) / 2, y: FRAME.height - 1, "text-anchor": "middle", class: "soft" }, "global batch"),
  ];
}

// An unmeasured batch breaks the line.
function pathOf(indices, scales) {
  let isOpen = false;
  return scales.batches.map((batch) => {
    const index = indices.find((one) => value("batch", one) === batch);
    if (!isNumber(value("speedup", index))) {
      isOpen = false;
      return "";
    }
    const step = `${isOpen ? "L" : "M"}${scales.x(batch).toFixed(1)} ${scales.y(value("speedup", index)).toFixed(1)}`;
    isOpen = true;
    return step;
  }).join("");
}

function speedupPoint(index, scales) {
  const x = scales.x(value("batch", index));
  const [low, high] = [value("speedup_low", index), value("speedup_high", index)];
  const bound = (column, colour) => {
    const one = value(column, index);
    if (!isNumber(one) || Math.log2(one) > scales.high || Math.log2(one) < scales.low) return null;
    return svg("line", { x1: x - 10, x2: x + 10, y1: scales.y(one), y2: scales.y(one), stroke: `var(${colour})`, "stroke-width": 3 });
  };
  const bar = isNumber(low) && isNumber(high)
    ? svg("line", { x1: x, x2: x, y1: scales.y(low), y2: scales.y(high), stroke: "var(--configuration)", "stroke-width": 3 }) : null;
  const bounds = `bounds: Amdahl ${ratio(value("amdahl_speedup", index))}, link ${ratio(value("link_speedup", index))}`;
  const y = scales.y(value("speedup", index));
  return svg("g", { tip: `${caseTip(index)}\n${bounds}`, choose: () => chooseAndRemember({ batch: value("batch", index) }) },
    svg("rect", { x: x - 16, width: 32, y: FRAME.top, height: FRAME.height - FRAME.top - FRAME.bottom, fill: "transparent" }),
    bound("amdahl_speedup", "--amdahl"), bound("link_speedup", "--link"), bar,
    svg("circle", { class: "cell", cx: x, cy: y, r: value("batch", index) === choice.batch ? 7 : 5, fill: "var(--configuration)" }));
}

function drawSpeedup() {
  const { model, configuration } = choice;
  const width = widthOf("speedup");
  const measured = (which) => casesOf(model, which).filter((index) => value("speedup", index) > 0);
  const indices = measured(configuration);
  place("speedup-note").textContent = `${model}: ${labelOf(configuration)}. In the grey band, within ${percent(SAME)} of ${ONE}, speeds count as the same.`;
  if (!indices.length) return show("speedup", el("p", {}, NO_BASELINE));
  const others = configurationsOf(model).filter((other) => other !== configuration);
  const scales = speedupScales(width, indices, [...indices, ...others.flatMap(measured)]);
  const clip = svg("clipPath", { id: "speedup-frame" },
    svg("rect", { x: 0, y: 0, width, height: FRAME.height - FRAME.bottom + 4 }));
  const thin = others.map((other) =>
    svg("path", { "clip-path": "url(#speedup-frame)", d: pathOf(measured(other), scales), fill: "none", stroke: "var(--undecided)", "stroke-width": 1.2, opacity: 0.6,
      tip: labelOf(other), choose: () => chooseAndRemember({ configuration: other }) }));
  const ideals = unique(indices.map((index) => value("ideal_speedup", index)).filter(isNumber));
  const dashes = { stroke: "var(--soft)", "stroke-width": 1.2, "stroke-dasharray": "5 4" };
  const ideal = ideals.map((one) => svg("line", { x1: scales.left, x2: width - FRAME.right, y1: scales.y(one), y2: scales.y(one), ...dashes }));
  const line = svg("path", { d: pathOf(indices, scales), fill: "none", stroke: "var(--configuration)", "stroke-width": 2 });
  const points = indices.map((index) => speedupPoint(index, scales));
  const stroke = (attributes) => svg("line", { x1: 0, x2: 18, y1: 6, y2: 6, ...attributes });
  return show("speedup", picture(width, FRAME.height, "Speed-up against batch", clip, speedupAxes(scales, width), ideal, thin, line, points),
    legend([
      [stroke({ stroke: "var(--configuration)", "stroke-width": 3 }), `${labelOf(configuration)}, with 95 % intervals${coversWords(indices)}`],
      others.length ? [stroke({ stroke: "var(--undecided)", "stroke-width": 1.2 }), "other configurations"] : null,
      ideals.length ? [stroke(dashes), "perfect scaling"] : null,
      page.cases.amdahl_speedup ? [stroke({ stroke: "var(--amdahl)", "stroke-width": 3 }), "Amdahl bound"] : null,
      page.cases.link_speedup ? [stroke({ stroke: "var(--link)", "stroke-width": 3 }), "link bound"] : null,
    ].filter((entry) => entry)));
}
