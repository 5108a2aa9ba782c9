"use strict";
// SPDX-License-Identifier: Apache-2.0
// Numbers as the report prints them, by the rules in its vocabulary. An unmeasured number is a dash.
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

// By a format of the report: in the largest unit that gives at least 1 after rounding.
function withUnit(value, name) {
  if (!isNumber(value)) return DASH;
  const { digits, units } = page.vocabulary.formats[name];
  if (value === 0) return `0 ${units.find((unit) => unit.size === 1).name}`;
  const least = 1 - 0.5 * 10 ** -digits;
  const fitting = units.filter((unit) => Math.abs(value) >= unit.size * least);
  const unit = fitting.length ? fitting[fitting.length - 1] : units[0];
  return `${significant(value / unit.size, digits)} ${unit.name}`;
}

const count = (value) => (isNumber(value) ? thousands(String(Math.round(value))) : DASH);
// A batch above a column of so many px: "16k" if "16,384" would touch its neighbour.
const batchWords = (batch, width) => (width < 46 && batch >= 1024 && batch % 1024 === 0 ? `${count(batch / 1024)}k` : count(batch));
const rate = (value) => significant(value, page.vocabulary.formats.rate.digits);
const seconds = (value) => withUnit(value, "seconds");
const bytes = (value) => withUnit(value, "bytes");
const bandwidth = (value) => withUnit(value, "bandwidth");
const joules = (value) => withUnit(value, "joules");
// A model with its size, if that is known.
const modelWords = ({ name, parameters }) => (parameters > 0 ? `${name} (${withUnit(parameters, "parameters").trim()})` : name);
// In the unit of the column.
const plain = (value, column) => (isNumber(value) ? `${thousands(value.toFixed(0))} ${page.units[column]}` : DASH);

function percent(share) {
  if (!isNumber(share)) return DASH;
  const { digits, whole_from: whole } = page.vocabulary.percent;
  const value = 100 * share;
  return `${Math.abs(value) < whole ? significant(value, digits) : value.toFixed(0)} %`;
}

function ratio(value) {
  if (!isNumber(value)) return DASH;
  const rule = page.vocabulary.ratio;
  return value < rule.large ? value.toFixed(rule.decimals) : significant(value, rule.large_digits);
}

// A ratio without an interval: two digits if it is small.
const briefly = (value) => (isNumber(value) && value < 0.095 ? significant(value, 2) : ratio(value));

function interval(middle, low, high) {
  if (!isNumber(low) || !isNumber(high)) return ratio(middle);
  const rule = page.vocabulary.ratio;
  const isWide = low > 0 && high >= rule.wide_factor * low;
  const usual = middle < rule.large ? rule.decimals : rule.large_decimals;
  const decimals = high - low < rule.narrow_width ? rule.narrow_decimals : usual;
  const words = (one) => (isWide ? significant(one, rule.wide_digits) : one.toFixed(decimals));
  return `${words(middle)} (${words(low)}–${words(high)})`;
}

// A tick of a speed-up: below 0.0001 as a power of ten.
function timesWords(speedup) {
  if (speedup >= 0.0001) return `${Number(speedup.toPrecision(speedup < 0.1 ? 2 : 3))}×`;
  const [base, power] = speedup.toExponential(1).split("e");
  return `${base}·10${[...power].map((sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)]).join("")}×`;
}

// For readers who cannot tell the colours of verdicts apart.
const markWords = (verdict) => page.looks.marks[verdict] || page.looks.other_mark;
const verdictColour = (verdict) => `var(--${verdict in page.looks.marks ? verdict : "other_mark"})`;

function verdictWords(verdict, moreUnits, unit) {
  const words = VERDICT_LABELS[verdict] || VERDICT_LABELS.not_measured;
  if (verdict !== "undecided" || !moreUnits) return words;
  const [one, several] = unit === "launch" ? ["launch", "launches"] : ["repeat", "repeats"];
  return `${words}, ${moreUnits} more ${moreUnits === 1 ? one : several}`;
}
