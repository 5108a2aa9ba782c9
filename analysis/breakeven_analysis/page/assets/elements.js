// SPDX-License-Identifier: Apache-2.0
// Elements of HTML and SVG. All text is set as text, so that nothing in a results file becomes HTML.
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "tip") attachTip(node, value);
    else if (name === "stop") attachStop(node, value);
    else if (name === "choose") makeChoosable(node, value);
    else if (typeof value === "number") node.setAttribute(name, Math.round(value * 100) / 100);
    else node.setAttribute(name, value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const place = (id) => document.getElementById(id);
const show = (id, ...nodes) => place(id).replaceChildren(...nodes.flat(Infinity).filter((node) => node));

// A picture is as wide as its place, so that its text is as large as all other text.
const widthOf = (id) => Math.max(280, place(id).clientWidth || 280);

function picture(width, height, label, ...children) {
  const attributes = { viewBox: `0 0 ${Math.round(width)} ${Math.round(height)}`, role: "group", "aria-label": label };
  return svg("svg", attributes, ...children);
}

// Ends with "…" if the text is wider than `width`; a letter of 12 px is about 6.6 px wide.
function shortened(text, width) {
  const letters = Math.max(3, Math.floor(width / 6.6));
  return text.length <= letters ? text : `${text.slice(0, letters - 1)}…`;
}

function makeChoosable(node, action) {
  node.classList.add("choosable");
  node.setAttribute("tabindex", "0");
  node.setAttribute("role", "button");
  node.addEventListener("click", action);
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      action();
    }
  });
}

function attachTip(node, text) {
  const move = (event) => showTip(text, event.clientX, event.clientY);
  node.addEventListener("pointerenter", move);
  node.addEventListener("pointermove", move);
  node.addEventListener("pointerleave", hideTip);
  node.addEventListener("focus", () => {
    const { left, bottom } = node.getBoundingClientRect();
    if (node.matches(":focus-visible")) showTip(text, left, bottom - 12);
  });
  node.addEventListener("blur", hideTip);
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", text);
}

// A tip that the keyboard reaches too: one for a bar, not for each of its parts.
function attachStop(node, text) {
  attachTip(node, text);
  node.setAttribute("tabindex", "0");
}

function showTip(text, x, y) {
  const tip = place("tip");
  tip.textContent = text;
  tip.hidden = false;
  const left = Math.min(x + 14, window.innerWidth - tip.offsetWidth - 8);
  const top = y + tip.offsetHeight + 24 > window.innerHeight ? y - tip.offsetHeight - 12 : y + 16;
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${Math.max(8, top)}px`;
}

function hideTip() {
  place("tip").hidden = true;
}

// entries: [sample, words]; a sample is 18 by 12.
function legend(entries) {
  const entry = ([sample, words]) =>
    el("span", {}, svg("svg", { width: "18", height: "12", viewBox: "0 0 18 12", "aria-hidden": "true" }, sample), words);
  return el("div", { class: "legend" }, entries.map(entry));
}

// titles: [words, class]; rows: {cells: [text or node], chosen, choose}
function table(titles, rows) {
  const head = titles.map(([words, kind]) => el("th", { class: kind, scope: "col" }, words));
  return el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows.map((row) => tableRow(titles, row))));
}

// A click anywhere in the row chooses; the keyboard has a button in the first cell.
function tableRow(titles, { cells, chosen, choose }) {
  const cell = (words, column) =>
    el("td", { class: titles[column][1] }, choose && column === 0 && words ? el("button", { type: "button" }, words) : words);
  const row = el("tr", { class: [chosen ? "chosen" : "", choose ? "choosable" : ""].join(" ").trim() || null }, cells.map(cell));
  if (choose) row.addEventListener("click", choose);
  return row;
}
