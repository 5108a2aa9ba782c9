// SPDX-License-Identifier: Apache-2.0
// What the devices did at each batch: one GPU above the chosen way. A column in which nothing was measured is left out.
const READINGS = [
  ["Step", "step_seconds", seconds],
  ["Memory", "peak_memory_bytes", bytes],
  ["GPU utilization", "utilization_percent", (one) => plain(one, "%")],
  ["SM clock", "sm_clock_hz", (one) => withUnit(one, "frequency")],
  ["Temperature", "temperature_celsius", (one) => plain(one, "°C")],
  ["Power of a GPU", "power_watts", (one) => plain(one, "W")],
  ["Energy a sample", "joules_per_sample", joules],
];

function drawDevices() {
  const pairs = casesOf(choice.model, choice.way).map((index) => [value("base", index), index].filter(isCase));
  const shown = READINGS.filter(([, column]) => pairs.flat().some((index) => isNumber(value(column, index))));
  const titles = [["Batch", "number"], ["", "whole"], ...shown.map(([title]) => [title, "number"])];
  const rows = pairs.flatMap((pair) => pair.map((index, place_) => ({
    cells: [place_ === 0 ? count(value("batch", pair[pair.length - 1])) : "", nameOf(index),
      ...shown.map(([, column, words]) => words(value(column, index)))],
    chosen: value("batch", pair[pair.length - 1]) === choice.batch && place_ === pair.length - 1,
  })));
  show("devices", table(titles, rows));
}
