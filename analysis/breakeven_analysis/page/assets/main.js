// SPDX-License-Identifier: Apache-2.0
// Draws everything: at first, after each choice, and when the width of the window changes. The links are the same for
// every choice. What is compared with one GPU needs cases on several.
const DRAWINGS = [drawMap, drawSpeedup, drawConfigurations, drawTimeline, drawPhases, drawBudget];

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
  window.addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  window.addEventListener("keydown", (event) => event.key === "Escape" && hideTip());
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    drawLinks();
    if (onSeveral.length) for (const draw of DRAWINGS) draw();
  });
  drawLinks();
  if (!onSeveral.length) return;
  place("chosen").hidden = false;
  for (const id of ["timeline", "phases"]) place(id).closest("section").hidden = !page.cases.phases_step_seconds;
  choose(fromAddress());
  window.addEventListener("hashchange", () => choose(fromAddress()));
}

begin();
