// SPDX-License-Identifier: Apache-2.0
// Draws everything: at first, after each choice, and when the width of the window changes.
const DRAWINGS = [drawMap, drawSpeedup, drawConfigurations, drawTimeline, drawPhases, drawBudget, drawLinks];

function drawAll() {
  hideTip();
  drawAnswer();
  drawVerdicts();
  drawQuality();
  drawCosts();
  drawDevices();
  for (const draw of DRAWINGS) draw();
}

function begin() {
  if (!onSeveral.length) {
    place("answer").textContent = "Only one GPU was measured: there is nothing to compare.";
    for (const id of ["choice", "verdicts", "map", "speedup", "configurations", "timeline", "phases", "budget", "costs", "devices"]) show(id);
    drawLinks();
    return;
  }
  choose(fromAddress());
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth !== width) for (const draw of DRAWINGS) draw();
    width = window.innerWidth;
  });
  window.addEventListener("hashchange", () => choose(fromAddress()));
  window.addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
}

begin();
