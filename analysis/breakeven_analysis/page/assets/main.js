// SPDX-License-Identifier: Apache-2.0
// Draws everything for what is chosen, at first, after a choice, and where the window has another width.
const DRAWINGS = [drawMap, drawSpeedup, drawWays, drawTimeline, drawPhases, drawBudget, drawLinks];

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
    place("answer").textContent = "No case on more than one GPU was measured, so there is nothing to compare.";
    for (const id of ["choice", "verdicts", "map", "speedup", "ways", "timeline", "phases", "budget", "costs", "devices"]) show(id);
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
