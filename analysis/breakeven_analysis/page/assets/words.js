"use strict";
// SPDX-License-Identifier: Apache-2.0
// Numbers in words, as the report writes them (src/report/numbers.cpp). What was not measured is a dash.
const DASH = "–";

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

function thousands(digits) {
  const [whole, part] = digits.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return part === undefined ? grouped : `${grouped}.${part}`;
}

function significant(value, digits) {
  if (!isNumber(value)) return DASH;
  if (value === 0) return "0";
  const rounded = Number(value.toPrecision(digits));
  const magnitude = Math.floor(Math.log10(Math.abs(rounded)) + 1e-12);
  return thousands(rounded.toFixed(Math.max(0, digits - 1 - magnitude)));
}

// The largest unit of which there is at least one, after rounding.
function withUnit(value, units, digits = 3) {
  if (!isNumber(value)) return DASH;
  if (value === 0) return `0 ${units.find(([size]) => size === 1)[1]}`;
  const least = 1 - 0.5 * 10 ** -digits;
  const fitting = units.filter(([size]) => Math.abs(value) >= size * least);
  const [size, name] = fitting.length ? fitting[fitting.length - 1] : units[0];
  return `${significant(value / size, digits)} ${name}`;
}

const count = (value) => (isNumber(value) ? thousands(String(Math.round(value))) : DASH);
// A batch over a column of so many px: "16k" where "16,384" would touch its neighbour.
const batchWords = (batch, width) => (width < 46 && batch >= 1024 && batch % 1024 === 0 ? `${count(batch / 1024)}k` : count(batch));
const rate = (value) => significant(value, 4);
const seconds = (value) => withUnit(value, [[1e-9, "ns"], [1e-6, "µs"], [1e-3, "ms"], [1, "s"]]);
const bytes = (value) => withUnit(value, [[1, "B"], [2 ** 10, "KiB"], [2 ** 20, "MiB"], [2 ** 30, "GiB"]]);
const bandwidth = (value) => withUnit(value, [[1, "B/s"], [1e3, "kB/s"], [1e6, "MB/s"], [1e9, "GB/s"]]);
const joules = (value) => withUnit(value, [[1e-6, "µJ"], [1e-3, "mJ"], [1, "J"]]);
const parametersShort = (value) => withUnit(value, [[1, ""], [1e3, "k"], [1e6, "M"], [1e9, "G"]]).trim();
const plain = (value, unit) => (isNumber(value) ? `${thousands(value.toFixed(0))} ${unit}` : DASH);

function percent(share) {
  if (!isNumber(share)) return DASH;
  const value = 100 * share;
  return Math.abs(value) < 10 ? `${significant(value, 2)} %` : `${value.toFixed(0)} %`;
}

function ratio(value) {
  if (!isNumber(value)) return DASH;
  return value < 10 ? value.toFixed(2) : significant(value, 3);
}

// Two digits of what is small, where there is no interval to say how many count.
const briefly = (value) => (isNumber(value) && value < 0.095 ? significant(value, 2) : ratio(value));

function interval(middle, low, high) {
  if (!isNumber(low) || !isNumber(high)) return ratio(middle);
  const decimals = high - low < 0.02 ? 3 : middle < 10 ? 2 : 1;
  return `${middle.toFixed(decimals)} (${low.toFixed(decimals)}–${high.toFixed(decimals)})`;
}

const VERDICTS = {
  pays: { mark: "▲", words: "pays" },
  does_not_pay: { mark: "▼", words: "does not pay" },
  same: { mark: "■", words: "same within 2 %" },
  undecided: { mark: "○", words: "undecided" },
  not_measured: { mark: "×", words: "not measured" },
};

function verdictWords(verdict, moreUnits, unit) {
  const words = (VERDICTS[verdict] || VERDICTS.not_measured).words;
  if (verdict !== "undecided" || !moreUnits) return words;
  const several = unit === "launch" ? "launches" : "repeats";
  const one = unit === "launch" ? "launch" : "repeat";
  return `${words}, ${moreUnits} more ${moreUnits === 1 ? one : several}`;
}

// The verdict that begins a text of the report such as "undecided, 2 more repeats".
function verdictOf(words) {
  return Object.keys(VERDICTS).find((key) => words.startsWith(VERDICTS[key].words.split(" within")[0])) || "not_measured";
}
