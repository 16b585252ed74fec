// The camera's page: a live picture, what it lacks, and four corners that can be dragged or moved by key.
import "./home.js";
import { byId } from "./dom.js";

const STEP = 0.5;

const handles = [...document.querySelectorAll("[data-corner]")];
const field = (axis, number) => byId(`${axis}${number}`);
const held = (value) => Math.min(100, Math.max(0, Math.round(value * 10) / 10));

function paintCorners() {
  for (const { style, dataset: { corner } } of handles) Object.assign(style, { left: `${field("x", corner).value}%`, top: `${field("y", corner).value}%` });
  byId("outline").setAttribute("points", handles.map(({ dataset: { corner } }) => `${field("x", corner).value},${field("y", corner).value}`).join(" "));
}

function move(number, x, y) {
  field("x", number).value = held(x);
  field("y", number).value = held(y);
  paintCorners();
}

const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
for (const handle of handles) {
  const { corner } = handle.dataset;
  handle.hidden = false;
  handle.addEventListener("pointerdown", (event) => { handle.setPointerCapture(event.pointerId); event.preventDefault(); handle.focus(); });
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const box = byId("corners").getBoundingClientRect();
    move(corner, (100 * (event.clientX - box.left)) / box.width, (100 * (event.clientY - box.top)) / box.height);
  });
  handle.addEventListener("keydown", (event) => {
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 * STEP : STEP;
    move(corner, Number(field("x", corner).value) + way[0] * far, Number(field("y", corner).value) + way[1] * far);
  });
  for (const axis of ["x", "y"]) field(axis, corner).addEventListener("input", paintCorners);
}

if (handles.length) paintCorners();
