// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const runs = data.runs;
const root = document.documentElement;
const main = document.getElementById("main");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// ---------------------------------------------------------------- words and numbers

const grouped = (n) => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",");
// A tie goes away from zero, as everywhere in the program; binary fractions lie a little below some ties.
const tenths = (x) => (Math.sign(x) * Math.floor(Math.abs(x) * 10 + 0.5 + 1e-9) / 10).toFixed(1);
const perCent = (share) => tenths(100 * share);
const signed = (x) => (Number(tenths(x)) === 0 ? "±0.0" : (x < 0 ? "−" : "+") + tenths(Math.abs(x)));
const amount = (x) => (Math.abs(x) >= 100 ? grouped(Math.abs(x))
  : Math.abs(x) >= 0.05 || x === 0 ? tenths(Math.abs(x)) : Math.abs(x).toPrecision(1));
// A long list is no list of arguments: Math.max(...list) throws for some hundred thousand.
const highest = (list, least) => list.reduce((most, value) => (value > most ? value : most), least);

// ---------------------------------------------------------------- elements; text goes in as text alone

function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
function draw(parent, name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}
const rem = () => parseFloat(getComputedStyle(root).fontSize);
const colour = (element, name) => getComputedStyle(element).getPropertyValue(name).trim();

/// Width of a text in a plot, without asking the page for its layout.
const ruler = document.createElement("canvas").getContext("2d");
function textWidth(text, size) {
  ruler.font = size + "px " + getComputedStyle(document.body).fontFamily;
  return ruler.measureText(text).width;
}
function shortened(text, width, size) {
  if (textWidth(text, size) <= width) return text;
  const letters = Array.from(text);
  while (letters.length > 1 && textWidth(letters.join("") + "…", size) > width) letters.pop();
  return letters.join("") + "…";
}

// ---------------------------------------------------------------- what is said where the mouse rests

const tip = document.getElementById("tip");
let tipOwner = null;
function showTip(owner, parts, x, y) {
  tipOwner = owner;
  tip.replaceChildren(...parts);
  tip.hidden = false;
  const box = tip.getBoundingClientRect(), room = 12;
  tip.style.left = Math.max(room, Math.min(x + room, innerWidth - box.width - room)) + "px";
  tip.style.top = (y + 18 + box.height > innerHeight - room ? Math.max(room, y - box.height - 10) : y + 18) + "px";
}
function hideTip() {
  tip.hidden = true;
  if (tipOwner) tipOwner.removeAttribute("aria-describedby");
  tipOwner = null;
}
/// What stood in an element goes, and with it what is told of it.
function emptied(element) {
  if (tipOwner && element.contains(tipOwner)) hideTip();
  element.replaceChildren();
  return element;
}
const line = (text, tag = "div") => make(tag, {}, text);
function meaning(key, now) {
  const entry = data.meanings[key];
  const formula = make("div", { class: "formula" });
  entry.formula.forEach((piece, i) => formula.append(i % 2 ? make("sub", {}, piece) : piece));
  return [make("strong", {}, entry.title), formula, line(entry.meaning), ...(now ? [line(now)] : [])];
}
/// The element explains itself to the mouse and to the keyboard. `parts`: asked for when it is needed.
function explained(element, parts) {
  const show = () => {
    const box = element.getBoundingClientRect();
    showTip(element, parts(), box.left, box.bottom - 12);
    element.setAttribute("aria-describedby", "tip");
  };
  element.addEventListener("mouseenter", show);
  element.addEventListener("focus", show);
  element.addEventListener("mouseleave", hideTip);
  element.addEventListener("blur", hideTip);
  return element;
}
const term = (text, key) => explained(make("button", { type: "button", class: "term" }, text), () => meaning(key));
/// A plot tells what is under the mouse: `found(x, y)` gives sentences, or nothing.
function telling(plot, found) {
  plot.addEventListener("mousemove", (event) => {
    const box = plot.getBoundingClientRect();
    const sentences = found(event.clientX - box.left, event.clientY - box.top);
    if (sentences) showTip(plot, sentences.map((text) => line(text)), event.clientX, event.clientY);
    else hideTip();
  });
  plot.addEventListener("mouseleave", hideTip);
}

// ---------------------------------------------------------------- the runs

/// Index of the last entry that is not after `t`; -1: there is none.
function lastAt(list, t, at = (x) => x) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(list[middle]) <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
const atOf = (entry) => entry.at;

function unpacked(cells) {
  const all = [];
  for (let i = 0, place = 0; i < cells.length; i += 2) all.push([(place += cells[i]), cells[i + 1]]);
  return all;
}

/// A test at the end of a session may come right after another one, and few images were learned in between: their
/// pushes are told with those before them, so that bars do not shrink at every border.
function wholePushes(list) {
  const widest = highest(list.map((moment) => moment.at - moment.from), 0);
  return list.map((moment, i) => {
    const sum = { ...moment, push: [...moment.push] };
    for (let k = i - 1; k >= 0 && 2 * (sum.at - sum.from) < widest && list[k].at === sum.from; --k) {
      sum.from = list[k].from;
      list[k].push.forEach((value, row) => {
        if (value !== null) sum.push[row] = (sum.push[row] || 0) + value;
      });
    }
    return sum;
  });
}

/// A scale of shares that all runs share: up to a round number above the highest.
function shareScale(highest) {
  const step = highest > 0.6 ? 0.25 : highest > 0.3 ? 0.2 : 0.1;
  return { step, top: Math.min(1, Math.ceil(highest / step - 1e-6) * step) };
}
let total = 1;
let bestPoint = 0.15, bestSession = 0.15;
runs.forEach((run, index) => {
  run.own = "own-" + (index + 1);
  run.other = runs[1 - index];
  const { at: moments_, accuracy, classes, reference, mean, count } = run.anytime;
  run.measured = moments_.map((at, i) => ({ at, accuracy: accuracy[i], classes: classes[i], reference: reference[i],
    mean: mean[i], count: count[i], counts: true }));
  run.all = run.measured.concat(run.ends.at.map((at, i) => ({ at, accuracy: run.ends.accuracy[i], counts: false })))
    .sort((a, b) => a.at - b.at);
  for (const list of [run.retention, run.ended]) list.sort((a, b) => a.at - b.at);
  run.last = highest([...run.all.map(atOf), ...run.retention.map(atOf), ...run.batches.slice(-1)], 0);
  if (run.pictures === "first") run.pictures = runs[0].pictures;
  run.pictures = run.pictures || [];
  run.confusion.forEach((moment) => { moment.cells = unpacked(moment.cells); });
  run.presence = unpacked(run.stream.cells);
  total = Math.max(total, run.total, run.last);
  for (const point of run.all) bestPoint = Math.max(bestPoint, point.accuracy, point.reference || 0);
  for (const group of run.retention) bestSession = highest(group.accuracy, bestSession);
  run.pushes = wholePushes(run.pushes);
});
const accuracyScale = shareScale(bestPoint), retentionScale = shareScale(bestSession);
const moments = [...new Set([0, total, ...runs.flatMap((run) => [...run.all.map(atOf), ...run.confusion.map(atOf)])])]
  .sort((a, b) => a - b);
const batchEnds = [...new Set([...moments, ...runs.flatMap((run) => run.batches)])].sort((a, b) => a - b);

const sessionsOf = (run) => Math.max(1, run.sessions);
/// Session from 0; the last image of a session belongs to it.
const sessionAt = (run, t) => {
  const i = lastAt(run.borders, t - 1);
  return i < 0 ? 0 : run.numbers[i];
};
/// The sessions of all runs begin at the same moments, and the page knows each of them.
const timed = runs.reduce((far, run) => (run.borders.length > far.borders.length ? run : far));
const sameSessions = timed.sessions > 0 && runs.every((run) => run.borders.length === run.sessions &&
  (data.sameStream || run.sessions === timed.sessions) && run.borders.every((at, i) => at === timed.borders[i]));
const nameOf = (run, index) => (index < run.classes.length ? run.classes[index].name : "no class yet");

/// The three numbers as they stood then, from what had been measured by then.
function numbersAt(run, t) {
  const point = run.measured[lastAt(run.measured, t, atOf)], end = run.ended[lastAt(run.ended, t, atOf)];
  return {
    a_auc: point ? point.mean : null,
    points: point ? point.count : 0,
    a_last: end ? end.a_last : null,
    f_last: end ? end.f_last : null,
    after: end ? end.after : -1,
  };
}

// ---------------------------------------------------------------- plots

const figures = [];
let now = total;

function panel(kind, heading, sees, run) {
  const section = make("section", { class: kind + (run ? " " + run.own : "") });
  const head = make("div", { class: "heading" }, make("h2", {}, heading));
  section.append(head);
  if (sees) section.append(make("p", {}, ...[].concat(sees)));
  return { section, head };
}
function unknown(section, sentence) {
  section.append(make("p", { class: "unknown" }, sentence));
  return section;
}
/// An SVG that is laid out anew when its size changes. `layout(svg, width, height, em)`, then `show(t)`.
function plotIn(section, label, figure) {
  const box = make("div", { class: "plot", role: "img", "aria-label": label });
  const svg = draw(box, "svg", { "aria-hidden": "true" });
  section.append(box);
  figure.box = box;
  figure.svg = svg;
  figure.build = () => {
    const width = box.clientWidth, height = box.clientHeight;
    if (width < 40 || height < 40) return;
    svg.replaceChildren();
    figure.layout(svg, width, height, rem());
    figure.show(now);
  };
  new ResizeObserver(figure.build).observe(box);
  figures.push(figure);
  return box;
}
const pathOf = (points) => points.map(([x, y], i) => (i ? "L" : "M") + x.toFixed(1) + " " + y.toFixed(1)).join("");

/// Labels at one side keep their order and a distance: each moves as little as it must.
function spread(labels, distance, low, high) {
  labels.sort((a, b) => a.y - b.y);
  for (let i = 0, y = low; i < labels.length; ++i) y = (labels[i].y = Math.max(labels[i].y, y)) + distance;
  for (let i = labels.length - 1, y = high; i >= 0; --i) y = (labels[i].y = Math.min(labels[i].y, y)) - distance;
  return labels;
}

/// Places along the stream are the same in every plot over it, so that one cursor goes through them all.
const leftOf = (em) => 3 * em;
const rightOf = (em, width) => Math.min(9 * em, width * 0.22);

function overStream(svg, run, width, height, em, bottom, names) {
  const left = leftOf(em), right = width - rightOf(em, width);
  const x = (t) => left + (t / total) * (right - left);
  run.borders.forEach((at, i) => {
    const end = i + 1 < run.borders.length ? run.borders[i + 1] : run.last;
    if (i > 0) draw(svg, "line", { class: "border", x1: x(at), x2: x(at), y1: names ? em * 0.2 : 0, y2: bottom });
    if (!names) return;
    const room = x(end) - x(at) - em * 0.7, short = String(run.numbers[i] + 1), size = 0.78 * em;
    const text = ["session " + short, short, ""].find((each) => textWidth(each, size) <= room) || "";
    draw(svg, "text", { x: x(at) + em * 0.35, y: em * 0.85 }, text);
  });
  return { left, right, x };
}
function percentAxis(svg, left, right, y, em, { step, top }) {
  for (let value = 0; value <= top + 1e-9; value += step) {
    draw(svg, "line", { class: "grid", x1: left, x2: right, y1: y(value), y2: y(value) });
    draw(svg, "text", { x: left - 0.45 * em, y: y(value) + 0.28 * em, "text-anchor": "end" },
      Math.round(100 * value) + (value + step > top + 1e-9 ? " %" : ""));
  }
}

let clips = 0;
function accuracyFigure(run) {
  const { section, head } = panel("accuracy", "Anytime accuracy",
    ["Right answers on test images of all classes so far. It drops when new classes come. Shaded: ",
     term("A_AUC", "a_auc"), "."], run);
  const value = make("output", { "aria-live": "off" });
  head.append(value);
  const clip = "past-" + ++clips;
  plotIn(section, "Anytime accuracy over the images seen", {
    layout(svg, width, height, em) {
      this.em = em;
      const bottom = height - 1.5 * em, y = (share) => bottom - (share / accuracyScale.top) * (bottom - 1.5 * em);
      const { left, right, x } = overStream(svg, run, width, height, em, bottom, true);
      Object.assign(this, { x, y, bottom, left, right });
      percentAxis(svg, left, right, y, em, accuracyScale);
      const every = [250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000, 250000, 1000000]
        .find((n) => (right - left) * n / total > 4.2 * em) || total / 2;
      for (let t = 0; t <= total; t += every)
        draw(svg, "text", { x: x(t), y: bottom + 1.1 * em, "text-anchor": t ? "middle" : "start" }, grouped(t));
      draw(svg, "text", { x: right + 0.6 * em, y: bottom + 1.1 * em }, "images seen");
      draw(draw(svg, "clipPath", { id: clip }), "rect", { x: 0, y: 0, height, width: 0, class: "clip" });
      this.clip = svg.querySelector(".clip");
      const labels = [];
      const curve = (points, attributes, label, whole) => {
        const list = points.filter((point) => point[1] !== null && point[1] !== undefined)
          .map(([t, share]) => [x(t), y(share)]);
        if (!list.length) return list;
        draw(svg, "path", { fill: "none", d: pathOf(list), ...attributes,
          ...(whole ? {} : { "clip-path": `url(#${clip})` }) });
        if (label) labels.push({ y: list[list.length - 1][1], text: label[0], strong: label[1] });
        return list;
      };
      const known = run.measured.filter((point) => point.classes > 0);
      curve(known.map((point) => [point.at, 1 / point.classes]),
        { stroke: "var(--quiet)", "stroke-width": 0.08 * em, "stroke-dasharray": "1 3" }, ["guessing"], true);
      curve(run.measured.map((point) => [point.at, point.reference]),
        { stroke: "var(--quiet)", "stroke-width": 0.11 * em, "stroke-dasharray": "1 4", "stroke-linecap": "round" },
        ["nearest class mean"], true);
      if (run.other)
        curve(run.other.measured.map((point) => [point.at, point.accuracy]),
          { stroke: "var(--quiet)", "stroke-width": 0.12 * em, "stroke-dasharray": "6 4" }, [run.other.name], true);
      const points = run.measured.map((point) => [point.at, point.accuracy]);
      const list = curve(points, { stroke: "var(--own)", "stroke-width": 0.12 * em, opacity: 0.32 }, null, true);
      if (list.length)
        draw(svg, "path", { fill: "var(--own)", "fill-opacity": "var(--fill)", "clip-path": `url(#${clip})`,
          d: pathOf([[list[0][0], bottom], ...list, [list[list.length - 1][0], bottom]]) + "Z" });
      curve(points, { stroke: "var(--own)", "stroke-width": 0.2 * em, "stroke-linejoin": "round" },
        runs.length > 1 ? [run.name, true] : ["this run", true]);
      for (const point of run.all.filter((each) => !each.counts))
        draw(svg, "circle", { cx: x(point.at), cy: y(point.accuracy), r: 0.2 * em, fill: "var(--panel)",
          stroke: "var(--own)", "stroke-width": 1.4, opacity: 0.75 });
      for (const change of run.changes)
        draw(svg, "path", { fill: "var(--attention)",
          d: `M${x(change.at)} ${bottom - 0.6 * em}l${0.35 * em} ${0.6 * em}h${-0.7 * em}Z` });
      const size = 0.78 * em;
      spread(labels, 1.05 * em, 1.4 * em, bottom - 0.4 * em).forEach((label) =>
        draw(svg, "text", { x: right + 0.6 * em, y: label.y + 0.28 * em, ...(label.strong ? { class: "own" } : {}) },
          shortened(label.text, width - right - 0.7 * em, size)));
      this.cursor = draw(svg, "line", { class: "cursor", y1: 1.3 * em, y2: bottom });
      this.dot = draw(svg, "circle", { r: 0.34 * em, fill: "var(--own)", stroke: "var(--panel)",
        "stroke-width": 1.5 });
      this.value = draw(svg, "text", { class: "strong halo large" });
    },
    show(t) {
      const i = lastAt(run.all, t, atOf), point = run.all[i];
      value.textContent = point ? perCent(point.accuracy) + " % right after " + grouped(point.at) + " images"
                                : "not tested yet";
      this.box.setAttribute("aria-label", "Anytime accuracy: " + value.textContent);
      if (!this.x) return;
      const x = this.x(t);
      this.clip.setAttribute("width", Math.max(0, x));
      this.cursor.setAttribute("x1", x);
      this.cursor.setAttribute("x2", x);
      this.dot.setAttribute("visibility", point ? "visible" : "hidden");
      this.value.textContent = point ? perCent(point.accuracy) + " %" : "";
      if (!point) return;
      const px = this.x(point.at), py = this.y(point.accuracy), end = px > this.right - 5 * this.em;
      this.dot.setAttribute("cx", px);
      this.dot.setAttribute("cy", py);
      this.value.setAttribute("text-anchor", end ? "end" : "start");
      this.value.setAttribute("x", px + (end ? -0.6 : 0.6) * this.em);
      this.value.setAttribute("y", Math.max(2.3 * this.em, py - 0.55 * this.em));
    },
  });
  const figure = figures[figures.length - 1];
  telling(figure.box, (mouse) => {
    if (!figure.x || mouse < figure.left - 5 || mouse > figure.right + 5) return null;
    const t = ((mouse - figure.left) / (figure.right - figure.left)) * total;
    const near = run.all.reduce((best, point) => (Math.abs(point.at - t) < Math.abs(best.at - t) ? point : best),
      run.all[0]);
    if (!near) return null;
    const sentences = ["After " + grouped(near.at) + " images: " + perCent(near.accuracy) + " %" +
      (near.counts ? "" : " at the end of a session, which A_AUC does not count")];
    if (near.classes)
      sentences.push(near.classes + " classes so far: guessing gives " + perCent(1 / near.classes) + " %");
    if (near.reference !== null && near.reference !== undefined)
      sentences.push("Nearest class mean of the same features: " + perCent(near.reference) + " %");
    return sentences;
  });
  figure.box.addEventListener("click", (event) => {
    const mouse = event.clientX - figure.box.getBoundingClientRect().left;
    go(((mouse - figure.left) / (figure.right - figure.left)) * total);
  });
  return section;
}

function streamFigure(run, both) {
  const kinds = run.classes.some((each) => each.kind);
  const sees = run.stream.known === "images" ? "When each class is shown; darker: more of its images. "
             : run.stream.known === "pushes" ? "Between which tests each class was learned. "
             : "From when on each class was tested. ";
  const { section } = panel("stream", both ? "The stream, which both learn" : "The stream", [sees, ...(kinds
    ? [make("span", { class: "key disjoint" }), " comes in one session alone, ",
       make("span", { class: "key blurry" }), " keeps coming back."] : [])], both ? null : run);
  if (!run.classes.length) return unknown(section, "Not known: nothing was recorded of the single classes.");
  const parts = run.stream.edges.length - 1;
  const rows = run.classes.length;
  const counts = new Map(run.presence);
  plotIn(section, "The stream: " + rows + " classes over the images seen", {
    layout(svg, width, height, em) {
      const bottom = height - 0.3 * em;
      const { left, right, x } = overStream(svg, run, width, height, em, bottom, false);
      const row = (bottom - 2) / rows, size = 0.78 * em;
      Object.assign(this, { x, row, left, right, em, bottom, width });
      draw(svg, "text", { x: 0, y: 0.8 * em }, "first");
      draw(svg, "text", { x: 0, y: bottom - 0.1 * em }, "last");
      draw(svg, "text", { x: 0, y: bottom / 2 + 0.3 * em }, rows + "");
      draw(svg, "text", { x: 0, y: bottom / 2 + 1.2 * em }, "classes");
      let most = 1e-9;
      const rate = (place, count) =>
        count / (run.stream.edges[place % parts + 1] - run.stream.edges[place % parts]);
      if (run.stream.known === "images")
        for (const [place, count] of run.presence) most = Math.max(most, rate(place, count));
      // One path for each kind and strength: a few elements instead of thousands.
      const paths = new Map();
      const add = (kind, strength, part, from, to) => {
        const key = kind + " " + strength, wide = Math.max(1, x(to) - x(from));
        paths.set(key, (paths.get(key) || "") + `M${x(from).toFixed(1)} ${(part * row + 1).toFixed(2)}h` +
          `${wide.toFixed(1)}v${Math.max(1, row * 0.86).toFixed(2)}h${(-wide).toFixed(1)}Z`);
      };
      if (parts > 0)
        for (const [place, count] of run.presence) {
          const share = run.stream.known === "images" ? Math.sqrt(rate(place, count) / most) : 0.75;
          const part = place % parts, line_ = Math.floor(place / parts);
          add(run.classes[line_].kind, Math.max(0.25, Math.ceil(share * 6) / 6), line_, run.stream.edges[part],
            run.stream.edges[part + 1]);
        }
      else run.classes.forEach((each, i) => add(each.kind, 0.75, i, each.first, run.last));
      const future = draw(svg, "g", { opacity: 0.35 });
      const clip = "past-" + ++clips;
      this.clip = draw(draw(svg, "clipPath", { id: clip }), "rect", { x: 0, y: 0, height, width: 0 });
      const past = draw(svg, "g", { "clip-path": `url(#${clip})` });
      for (const [key, d] of paths) {
        const [kind, strength] = key.split(" ");
        const fill = kind === "disjoint" ? "var(--disjoint)" : kind === "blurry" ? "var(--blurry)" : "var(--accent)";
        for (const group of [future, past]) draw(group, "path", { d, fill, "fill-opacity": strength });
      }
      this.cursor = draw(svg, "line", { class: "cursor", y1: 0, y2: bottom });
      this.names = draw(svg, "g");
      this.size = size;
      this.shown = null;
    },
    show(t) {
      if (!this.x) return;
      const x = this.x(t);
      this.clip.setAttribute("width", Math.max(0, x));
      this.cursor.setAttribute("x1", x);
      this.cursor.setAttribute("x2", x);
      const part = parts > 0 ? Math.min(parts - 1, Math.max(0, lastAt(run.stream.edges, t - 1))) : -1;
      if (this.shown === part) return;
      this.shown = part;
      // Names of the classes that come now, the most frequent first, as many as there is room for.
      const here = [];
      for (let i = 0; i < rows && part >= 0; ++i)
        if (counts.has(i * parts + part)) here.push({ i, count: counts.get(i * parts + part) });
      here.sort((a, b) => b.count - a.count || a.i - b.i);
      const room = Math.max(1, Math.min(6, Math.floor(this.bottom / (1.02 * this.em))));
      const labels = here.slice(0, room).map(({ i }) => ({ i, from: (i + 0.5) * this.row, y: (i + 0.5) * this.row }));
      this.names.replaceChildren();
      for (const label of spread(labels, 1.02 * this.em, 0.6 * this.em, this.bottom - 0.4 * this.em)) {
        draw(this.names, "path", { d: `M${this.right + 2} ${label.from + 1}L${this.right + 0.5 * this.em} ${label.y}`,
          stroke: "var(--quiet)", opacity: 0.6, fill: "none" });
        draw(this.names, "text", { x: this.right + 0.6 * this.em, y: label.y + 0.28 * this.em },
          shortened(nameOf(run, label.i), this.width - this.right - 0.7 * this.em, this.size));
      }
    },
  });
  const figure = figures[figures.length - 1];
  telling(figure.box, (mx, my) => {
    if (!figure.x || mx < figure.left || mx > figure.right) return null;
    const i = Math.floor((my - 1) / figure.row), t = ((mx - figure.left) / (figure.right - figure.left)) * total;
    if (i < 0 || i >= rows) return null;
    const each = run.classes[i], part = parts > 0 ? lastAt(run.stream.edges, t - 1e-9) : -1;
    const sentences = [each.name + (each.kind === "disjoint" ? ": comes in one session alone"
      : each.kind === "blurry" ? ": keeps coming back" : "")];
    if (part >= 0 && part < parts) {
      const count = counts.get(i * parts + part) || 0;
      const where = "images " + grouped(run.stream.edges[part] + 1) + " to " + grouped(run.stream.edges[part + 1]);
      sentences.push(run.stream.known === "images" ? count + " of " + where
        : (count ? "Learned" : "Not learned") + " among " + where);
    }
    return sentences;
  });
  figure.box.addEventListener("click", (event) => {
    const mouse = event.clientX - figure.box.getBoundingClientRect().left;
    go(((mouse - figure.left) / (figure.right - figure.left)) * total);
  });
  return section;
}

/// Some of the images of the newest batch, cut from one picture.
function batchRow(section, run) {
  const heading = make("p", { class: "batch-words" });
  const row = make("div", { class: "batch" });
  section.append(heading, row);
  if (!run.pictures.length) {
    heading.textContent = run.imported ? ""
      : "The images are not in this page: their data set was not at hand when it was made, or they did not fit.";
    return;
  }
  const images = new Map();
  let shown = null, wanted = null;
  figures.push({
    build() {},
    show(t) {
      // Nobody has seen a picture before the first image of its batch came.
      let i = lastAt(run.pictures, t, atOf);
      const next = run.pictures[i + 1];
      if (next && next.at - next.of < t && (i < 0 || run.pictures[i].at < t)) ++i;
      const key = i < 0 && t > 0 ? -2 : i;
      if (shown === key) return;
      shown = key;
      wanted = null;
      emptied(row);
      if (i < 0) {
        heading.textContent = t > 0 ? "The images of this moment are not in this page." : "No image has come yet.";
        return;
      }
      const batch = run.pictures[i];
      const words = "Batch of images " + grouped(batch.at - batch.of + 1) + " to " + grouped(batch.at) +
        (batch.classes.length < batch.of ? ", the first " + batch.classes.length : "");
      heading.textContent = words;
      let image = images.get(i);
      if (!image) {
        image = new Image();
        image.src = batch.picture;
        images.set(i, image);
      }
      wanted = image;
      const paint = () => {
        if (wanted !== image) return;
        const side = image.naturalHeight;
        emptied(row).append(...batch.classes.map((label, k) => {
          const known = label >= 0 ? run.classes[label] : null;
          const canvas = make("canvas", { width: side, height: side, role: "img",
            "aria-label": known ? known.name : "image" });
          canvas.getContext("2d").drawImage(image, k * side, 0, side, side, 0, 0, side, side);
          const cell = make("span", { class: known ? known.kind : "" }, canvas);
          telling(cell, () => [known ? known.name : "a class that was never tested"]);
          return cell;
        }));
      };
      const broken = () => { if (wanted === image) heading.textContent = words + ": they cannot be shown"; };
      if (image.complete) (image.naturalHeight ? paint : broken)();
      else {
        image.addEventListener("load", paint, { once: true });
        image.addEventListener("error", broken, { once: true });
      }
    },
  });
}

function momentPanel(run, pictures) {
  const { section } = panel("moment", runs.length > 1 ? "What happened" : "What happened at this moment", null, run);
  const numbers = make("div", { class: "numbers", role: "group", "aria-label": "Numbers so far" });
  const chips = {};
  for (const [key, title] of [["a_auc", "A_AUC"], ["a_last", "A_Last by session"], ["f_last", "F_Last by session"]]) {
    const value = make("strong"), note = make("small");
    chips[key] = { value, note, now: "" };
    numbers.append(explained(make("button", { type: "button" }, title, value, note), () =>
      meaning(key, chips[key].now)));
  }
  const sentence = make("p", { class: "sentence" });
  const changed = make("p", { class: "changed", hidden: "" });
  section.append(numbers, sentence, changed);
  if (pictures) batchRow(section, run);
  figures.push({
    build() {},
    show(t) {
      const own = numbersAt(run, t), beside = run.other ? numbersAt(run.other, t) : null;
      for (const [key, chip] of Object.entries(chips)) {
        const known = own[key] !== null;
        chip.value.textContent = known ? perCent(own[key]) : "–";
        chip.note.textContent = !known || !beside || beside[key] === null ? ""
          : signed(100 * (own[key] - beside[key]));
        const sofar = key === "a_auc" ? "Here over the " + own.points + " tests so far"
                                      : "Here by session, after " + (own.after + 1) + " of " + sessionsOf(run);
        chip.now = (known ? sofar + ": " + perCent(own[key]) + " %." : "Not defined yet.") +
          (chip.note.textContent ?
            " The small number is the difference from the other run: one pair of runs, no evidence yet." : "");
      }
      const i = lastAt(run.stories, t, atOf);
      sentence.hidden = !data.told;
      sentence.textContent = !data.told ? "" : i >= 0 ? run.stories[i].text.replace(/(\d) %/g, "$1\u00a0%")
        : !run.recorded.stories ? "Nothing is known of the single classes, so nothing can be told."
        : lastAt(run.all, t, atOf) < 0 ? "The network has not been tested yet."
        : "What happened at this moment is not in this page.";
      const change = run.changes[lastAt(run.changes, t, atOf)];
      changed.hidden = !change;
      if (change) changed.textContent = "Changed after " + grouped(change.at) + " images: " + change.text;
    },
  });
  return section;
}

function retentionFigure(run) {
  const { section } = panel("retention", "Retention",
    [term("What is left", "retention"), " of each session. Thickest is session 1: a fall is forgetting."], run);
  if (!run.retention.length)
    return unknown(section, run.retained ? "Not in this page: it did not fit." : "Not known: no session has ended.");
  /// Points of each session, in order; `group` says with how many others they came.
  const lines = new Map();
  run.retention.forEach((each, group) => each.sessions.forEach((session, k) => {
    if (!lines.has(session)) lines.set(session, []);
    lines.get(session).push({ after: each.after, accuracy: each.accuracy[k], group });
  }));
  const groupOf = (point) => point.group;
  const sessions = [...lines.keys()].sort((a, b) => a - b);
  if (sessions.length < run.retained)
    section.append(make("p", {}, "Here are " + grouped(sessions.length) + " of " + grouped(run.retained) +
      " sessions."));
  const last = highest(run.retention.map((each) => each.after), sessionsOf(run) - 1);
  const kMostDotted = 40; // sessions; the dots of more lie over each other, and take long to draw
  const inks = ["var(--series-1)", "var(--series-2)", "var(--series-3)", "var(--series-4)", "var(--series-5)"];
  plotIn(section, "Retention of each session", {
    layout(svg, width, height, em) {
      const left = leftOf(em), right = width - 7.4 * em, bottom = height - 1.5 * em;
      const x = (after) => (last > 0 ? left + 0.6 * em + (after / last) * (right - left - 1.2 * em)
        : (left + right) / 2);
      const y = (share) => bottom - (share / retentionScale.top) * (bottom - 0.6 * em);
      percentAxis(svg, left, right, y, em, retentionScale);
      const each = Math.max(1, Math.ceil((last + 1) * 1.6 * em / (right - left)));
      for (let after = 0; after <= last; after += each)
        draw(svg, "text", { x: x(after), y: bottom + 1.1 * em, "text-anchor": "middle" }, after + 1 + "");
      draw(svg, "text", { x: right + 0.7 * em, y: bottom + 1.1 * em }, "after session");
      const future = draw(svg, "g", { opacity: 0.25 });
      this.past = draw(svg, "g");
      this.draw = (group, count, labels) => {
        for (const session of [...sessions].reverse()) {
          const line_ = lines.get(session);
          const points = line_.slice(0, lastAt(line_, count - 1, groupOf) + 1)
            .map((point) => [x(point.after), y(point.accuracy), point.accuracy]);
          if (!points.length) continue;
          const first = session === sessions[0], ink = inks[session % 5];
          draw(group, "path", { d: pathOf(points), fill: "none", stroke: ink,
            "stroke-width": (first ? 0.28 : 0.14) * em,
            "stroke-linejoin": "round", ...(session >= 5 ? { "stroke-dasharray": "6 4" } : {}) });
          for (const [px, py] of sessions.length > kMostDotted ? [] : points)
            draw(group, "circle", { cx: px, cy: py, r: (first ? 0.3 : 0.22) * em, fill: "var(--panel)", stroke: ink,
              "stroke-width": (first ? 0.17 : 0.12) * em });
          const end = points[points.length - 1];
          if (labels) labels.push({ x: end[0], y: end[1], session, share: end[2], first });
        }
      };
      this.draw(future, run.retention.length, null);
      Object.assign(this, { em, right, bottom, shown: null });
    },
    show(t) {
      if (!this.past) return;
      const count = lastAt(run.retention, t, atOf) + 1;
      if (count === this.shown) return;
      this.shown = count;
      this.past.replaceChildren();
      let labels = [];
      this.draw(this.past, count, labels);
      const room = Math.floor(this.bottom / (1.02 * this.em));
      if (labels.length > room) labels = labels.filter((label) => label.first).concat(
        labels.filter((label) => !label.first).reverse().slice(0, Math.max(0, room - 1)));
      for (const label of spread(labels, 1.02 * this.em, 0.5 * this.em, this.bottom - 0.4 * this.em))
        for (const [text, x, anchor] of [["session " + (label.session + 1), this.right + 0.7 * this.em, "start"],
                                         [Math.round(100 * label.share) + " %", this.right + 7 * this.em, "end"]])
          draw(this.past, "text", { x, y: label.y + 0.28 * this.em, "text-anchor": anchor,
            ...(label.first ? { class: "strong" } : {}) }, text);
      const own = numbersAt(run, t);
      this.box.setAttribute("aria-label", own.after < 0 ? "Retention: no session has ended yet"
        : "Retention after session " + (own.after + 1) + ": " +
          labels.map((label) => "session " + (label.session + 1) + " " + Math.round(100 * label.share) + " %")
            .join(", "));
    },
  });
  return section;
}

// One scale for all runs and moments. Lengths grow with the square root: one test beside the sum of many.
let mostUp = 1, mostDown = 1;
for (const run of runs)
  for (const moment of run.pushes)
    for (const value of [...moment.push, ...moment.since]) {
      mostUp = Math.max(mostUp, value || 0);
      mostDown = Math.max(mostDown, -(value || 0));
    }
function pushFigure(run) {
  const { section, head } = panel("pushes", "Pushes", [term("How far", "push"),
    " each class was pulled up or pushed down since the last test; " +
    "faint: since it was learned last; dot: hidden by the mask."], run);
  if (!run.pushes.length)
    return unknown(section, run.recorded.pushes ? "Not in this page: they did not fit."
      : run.imported ? "Not known: imported results hold accuracies alone."
      : "Not known: the method pushes no logits, or an older version made the run.");
  const words = make("output", { "aria-live": "off" });
  head.append(words);
  const rows = run.classes.length;
  plotIn(section, "Pushes on each class", {
    layout(svg, width, height, em) {
      const left = leftOf(em), right = width - 0.4 * em;
      const unit = (height - 2.6 * em) / (Math.sqrt(mostUp) + Math.sqrt(mostDown));
      const middle = 1.3 * em + unit * Math.sqrt(mostUp);
      this.length = (value) => Math.sqrt(Math.abs(value)) * unit;
      this.x = (i) => left + ((i + 0.5) / rows) * (right - left);
      Object.assign(this, { em, left, right, middle, width, each: (right - left) / rows, shown: null });
      draw(svg, "line", { class: "grid", x1: left, x2: right, y1: middle, y2: middle });
      draw(svg, "text", { x: 0, y: middle - 0.5 * em, class: "up" }, "up");
      draw(svg, "text", { x: 0, y: middle + 1.1 * em, class: "down" }, "down");
      this.bars = draw(svg, "g");
    },
    show(t) {
      if (!this.bars) return;
      const i = lastAt(run.pushes, t, atOf);
      if (i === this.shown) return;
      this.shown = i;
      this.bars.replaceChildren();
      const moment = run.pushes[i];
      words.textContent = "";
      this.box.setAttribute("aria-label", "Pushes: none yet");
      if (!moment) return;
      const wide = Math.max(1.5, this.each * 0.72), faint = Math.max(1, this.each * 0.92),
        paths = { up: "", down: "", faint: "" };
      const bar = (k, value, w) => {
        const length = Math.max(0.8, this.length(value)), x = this.x(k) - w / 2;
        const rise = value > 0 ? -length : length;
        return `M${x.toFixed(1)} ${this.middle}h${w.toFixed(1)}v${rise.toFixed(1)}h${(-w).toFixed(1)}Z`;
      };
      const dots = draw(this.bars, "g", { fill: "var(--quiet)", opacity: 0.8 });
      moment.since.forEach((value, k) => { if (value) paths.faint += bar(k, value, faint); });
      moment.push.forEach((value, k) => {
        if (value === null) draw(dots, "circle", { cx: this.x(k), cy: this.middle,
          r: Math.min(0.14 * this.em, this.each * 0.3) });
        else if (value) paths[value > 0 ? "up" : "down"] += bar(k, value, wide);
      });
      draw(this.bars, "path", { d: paths.faint, fill: "var(--quiet)", "fill-opacity": 0.28 });
      draw(this.bars, "path", { d: paths.up, fill: "var(--up)" });
      draw(this.bars, "path", { d: paths.down, fill: "var(--down)" });
      // Names of the strongest, as far as they do not lie over each other.
      const order = moment.push.map((value, k) => ({ k, value: value || 0 })).filter((each) => each.value)
        .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
      const size = 0.78 * this.em, taken = { true: [], false: [] };
      for (const { k, value } of order) {
        const up = value > 0;
        if (taken[up].length >= 4) continue;
        const text = nameOf(run, k), w = textWidth(text, size) + 0.8 * this.em;
        const from = Math.max(this.left, Math.min(this.x(k) - w / 2, this.right - w));
        if (taken[up].some((other) => from < other[1] && from + w > other[0])) continue;
        taken[up].push([from, from + w]);
        const y = up ? this.middle - this.length(value) - 0.35 * this.em
          : this.middle + this.length(value) + 0.95 * this.em;
        draw(this.bars, "text", { x: from + w / 2, y, "text-anchor": "middle", class: "halo" }, text);
      }
      const ups = moment.push.filter((value) => value > 0).length,
        downs = moment.push.filter((value) => value < 0).length;
      const hidden = moment.push.filter((value) => value === null).length;
      const told = ups + " up, " + downs + " down" + (hidden ? ", " + hidden + " hidden by the mask" : "");
      words.textContent = told;
      this.box.setAttribute("aria-label", "Pushes of images " + grouped(moment.from + 1) + " to " +
        grouped(moment.at) + ": " + told);
    },
  });
  const figure = figures[figures.length - 1];
  telling(figure.box, (mx) => {
    const moment = run.pushes[figure.shown];
    if (!moment || mx < figure.left) return null;
    const k = Math.floor((mx - figure.left) / figure.each);
    if (k < 0 || k >= moment.push.length) return null;
    const said = (value) => (value > 0 ? "pulled up by " : "pushed down by ") + amount(value), value = moment.push[k];
    return [nameOf(run, k) + ": " + (value === null ? "hidden by the mask" : value ? said(value) : "not pushed"),
      "Images " + grouped(moment.from + 1) + " to " + grouped(moment.at),
      ...(moment.since[k] ? ["Since it was last learned: " + said(moment.since[k])] : [])];
  });
  return section;
}

function confusionFigure(run) {
  const { section } = panel("confusion", "Confusion matrix", null, run);
  if (!run.confusion.length)
    return unknown(section, run.recorded.confusion ? "Not in this page: it did not fit."
      : run.imported ? "Not known: imported results hold accuracies alone."
      : "Not known: the run recorded no predictions, or none that can be read.");
  const grid = make("div", { class: "matrix" });
  const share = make("strong"), worst = make("span");
  const words = make("div", { class: "words" },
    make("span", {}, "Row: what it is. Column: the answer. Right answers lie on the diagonal; " +
      "a full column swallows other classes. Numbers: the session in which a class came first."),
    make("span", {}, share, " ", worst));
  const box = make("div", { class: "plot", role: "img" });
  const canvas = make("canvas");
  box.append(canvas);
  grid.append(words, box);
  section.append(grid);
  const rows = run.classes.length, columns = rows + 1;
  const sessions = run.classes.map((each) => sessionAt(run, each.first));
  const figure = {
    shown: null,
    build() { this.shown = null; this.show(now); },
    show(t) {
      const i = lastAt(run.confusion, t, atOf), tested = lastAt(run.all, t, atOf) >= 0;
      const state = i + " " + tested;
      if (state === this.shown) return;
      this.shown = state;
      const moment = run.confusion[i];
      const width = box.clientWidth, height = box.clientHeight, dots = devicePixelRatio || 1, em = rem();
      if (width < 20 || height < 20) return;
      canvas.width = width * dots;
      canvas.height = height * dots;
      const context = canvas.getContext("2d");
      context.scale(dots, dots);
      const margin = 1.15 * em, side = Math.min(width - margin - 1, height - margin - 1), cell = side / rows;
      const left = width - side - 1, upper = margin;
      Object.assign(this, { left, upper, cell });
      const quiet = colour(section, "--quiet"), ink = colour(section, "--text"), own = colour(section, "--own");
      context.fillStyle = colour(section, "--ground");
      context.fillRect(left, upper, side, side);
      context.font = 0.74 * em + "px " + getComputedStyle(document.body).fontFamily;
      context.textAlign = "center";
      const sums = new Map();
      let right = 0, all = 0, mixed = null;
      for (const [place, count] of moment ? moment.cells : []) {
        const row = Math.floor(place / columns), column = place % columns;
        sums.set(row, (sums.get(row) || 0) + count);
        all += count;
        if (row === column) right += count;
        else if (!mixed || count > mixed.count) mixed = { row, column, count };
      }
      for (const [place, count] of moment ? moment.cells : []) {
        const row = Math.floor(place / columns), column = place % columns;
        if (column === rows) continue;
        context.globalAlpha = 0.15 + 0.85 * Math.pow(count / sums.get(row), 0.8);
        context.fillStyle = row === column ? own : ink;
        const gap = cell > 5 ? 0.5 : 0;
        context.fillRect(left + column * cell, upper + row * cell, Math.max(1, cell - gap), Math.max(1, cell - gap));
      }
      context.globalAlpha = 1;
      context.strokeStyle = colour(section, "--line");
      context.fillStyle = quiet;
      for (let from = 0; from < rows;) {
        let to = from;
        while (to < rows && sessions[to] === sessions[from]) ++to;
        const at = (from + to) / 2 * cell, size = (to - from) * cell;
        context.strokeRect(left + from * cell, upper, size, side);
        context.strokeRect(left, upper + from * cell, side, size);
        if (size > 0.7 * em) {
          context.fillText(sessions[from] + 1, left + at, upper - 0.35 * em);
          context.fillText(sessions[from] + 1, left - 0.6 * em, upper + at + 0.27 * em);
        }
        from = to;
      }
      this.moment = moment;
      this.sums = sums;
      share.textContent = all ? "After " + grouped(moment.at) + " images, " + perCent(right / all) +
        " % lie on the diagonal." : tested ? "The answers of this moment are not in this page."
        : "Nothing was tested yet.";
      worst.textContent = mixed ? "Most often mixed up: " + nameOf(run, mixed.row) + " taken for " +
        nameOf(run, mixed.column) + ", " + mixed.count + " of " + sums.get(mixed.row) + " times." : "";
      box.setAttribute("aria-label", "Confusion matrix: " + share.textContent + " " + worst.textContent);
    },
  };
  new ResizeObserver(() => figure.build()).observe(box);
  figures.push(figure);
  telling(box, (mx, my) => {
    if (!figure.moment) return null;
    const column = Math.floor((mx - figure.left) / figure.cell), row = Math.floor((my - figure.upper) / figure.cell);
    if (column < 0 || row < 0 || column >= rows || row >= rows || !figure.sums.has(row)) return null;
    const found = figure.moment.cells.find(([place]) => place === row * columns + column);
    const count = found ? found[1] : 0;
    return [count + " of " + figure.sums.get(row) + " images of " + nameOf(run, row) +
      (row === column ? " are recognised" : " are taken for " + nameOf(run, column))];
  });
  return section;
}

// ---------------------------------------------------------------- the page

function laneHead(run) {
  return make("div", { class: "lane " + run.own }, ...(runs.length > 1 ?
    [make("h2", {}, make("bdi", {}, run.name))] : []),
    make("p", {}, run.facts + (run.imported || run.state === "finished" ? "" : " · " + run.state)));
}
if (runs.length === 1) {
  const run = runs[0];
  main.className = "one";
  document.querySelector(".title").append(laneHead(run));
  main.append(make("div", { class: "column" }, accuracyFigure(run), streamFigure(run, false), pushFigure(run)),
    make("div", { class: "column" }, momentPanel(run, true), retentionFigure(run), confusionFigure(run)));
} else {
  main.className = "two";
  // Row by row, so that what is compared stands side by side, at one height.
  const rows = [laneHead, accuracyFigure, (run) => momentPanel(run, false),
                (run) => make("div", { class: "pair" }, retentionFigure(run), confusionFigure(run)), pushFigure];
  for (const row of rows) main.append(...runs.map((run) => row(run)));
  if (data.sameStream) {
    // One of them may have stopped early: the other one knows more of the stream.
    const furthest = (list) => list.reduce((far, run) => (run.last > far.last ? run : far), list[0]);
    const section = streamFigure(furthest(runs), true), pictured = runs.filter((run) => run.pictures.length);
    section.classList.add("both");
    batchRow(section, furthest(pictured.length ? pictured : runs));
    main.append(section);
  } else {
    for (const run of runs) {
      const section = streamFigure(run, false);
      batchRow(section, run);
      main.append(section);
    }
  }
  const differ = data.differences.map(([title, one, other]) => title + ": " + one + " or " + other).join(" · ");
  document.querySelector(".lead").append(make("br"), (data.sameStream ? "Both learn the same stream. "
    : "The two streams differ, so a difference of the numbers says little. ") +
    (differ ? "What differs: " + differ + "." : ""));
}

const slider = document.getElementById("time"), where = document.getElementById("where"),
  play = document.getElementById("play");
const speed = document.getElementById("speed"), marks = document.getElementById("marks");
for (let n = 1; n <= 9; ++n) speed.append(make("option", { value: n }, n + "×"));
speed.value = "3";
slider.max = total;

function drawMarks() {
  const width = marks.clientWidth, height = marks.clientHeight, inset = 0.575 * rem();
  const x = (t) => inset + (t / total) * (width - 2 * inset);
  marks.replaceChildren();
  for (const t of moments)
    draw(marks, "line", { x1: x(t), x2: x(t), y1: height * 0.74, y2: height * 0.84, stroke: "var(--quiet)" });
  for (const t of sameSessions ? timed.borders.slice(1) : [])
    draw(marks, "line", { x1: x(t), x2: x(t), y1: height * 0.14, y2: height * 0.86, stroke: "var(--quiet)",
      "stroke-width": 1.4 });
}
new ResizeObserver(drawMarks).observe(marks);

let playing = false, before = 0, exact = total;
function show(t) {
  now = t;
  main.dataset.at = String(Math.round(t));
  slider.value = t;
  slider.style.setProperty("--done", (100 * t) / total + "%");
  const session = sameSessions ? "Session " + (sessionAt(timed, t) + 1) + " of " + sessionsOf(timed) + " · " : "";
  const text = session + grouped(t) + " of " + grouped(total) + " images";
  where.textContent = text;
  slider.setAttribute("aria-valuetext", text);
  for (const figure of figures) figure.show(t);
}
function go(t) {
  exact = Math.max(0, Math.min(total, Math.round(t)));
  show(exact);
}
/// Read aloud where the reader stopped; while it plays, nothing is.
const said = document.getElementById("said");
function announce() {
  const numbers = runs.map((run) => {
    const point = run.all[lastAt(run.all, exact, atOf)];
    return (runs.length > 1 ? run.name + ": " : "") +
      (point ? perCent(point.accuracy) + " % right after " + grouped(point.at) + " images" : "not tested yet");
  });
  said.textContent = where.textContent + ". " + numbers.join("; ") + ".";
}
let frame = 0;
function setPlaying(on) {
  // Whoever pauses and plays within a frame still has one clock.
  cancelAnimationFrame(frame);
  playing = on;
  play.textContent = on ? "Pause" : "Play";
  if (!on) return;
  if (exact >= total) go(0);
  said.textContent = "";
  before = performance.now();
  frame = requestAnimationFrame(tick);
}
function pause() {
  setPlaying(false);
  announce();
}
const kWholeRun = 60; // seconds at speed 1
let waited = 0;
function tick(time) {
  if (!playing) return;
  const seconds = Math.max(0, Math.min(0.25, (time - before) / 1000)) * Number(speed.value);
  before = time;
  if (calm.matches) {
    // Whoever asks for little motion sees one measurement after the other, and nothing in between.
    waited += seconds;
    if (waited >= kWholeRun / moments.length) {
      waited = 0;
      go(moments[Math.min(moments.length - 1, lastAt(moments, exact) + 1)]);
    }
  } else {
    exact = Math.min(total, exact + (seconds / kWholeRun) * total);
    show(exact);
  }
  if (exact >= total) pause();
  else frame = requestAnimationFrame(tick);
}
function stepIn(list, forward) {
  setPlaying(false);
  const t = Math.round(exact), i = lastAt(list, t);
  go(forward ? list[Math.min(list.length - 1, i + 1)] : list[Math.max(0, list[i] === t ? i - 1 : i)]);
  announce();
}
const playOrPause = () => (playing ? pause() : setPlaying(true));

play.addEventListener("click", playOrPause);
slider.addEventListener("input", () => { setPlaying(false); go(Number(slider.value)); });

const theme = document.getElementById("theme"), dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
function themeChanged() {
  theme.textContent = isDark() ? "Light" : "Dark";
  theme.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
  for (const figure of figures) figure.build();
}
function otherTheme() {
  root.dataset.theme = isDark() ? "light" : "dark";
  themeChanged();
}
theme.addEventListener("click", otherTheme);
dark.addEventListener("change", themeChanged);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const key = event.key;
  if (key === "Escape") hideTip();
  else if (document.activeElement === speed && key !== " ") return;
  else if (key === " ") { if (!event.repeat) playOrPause(); }
  else if (key === "ArrowLeft" || key === "ArrowRight")
    stepIn(event.shiftKey ? batchEnds : moments, key === "ArrowRight");
  else if (key === "Home" || key === "End") { setPlaying(false); go(key === "Home" ? 0 : total); announce(); }
  else if (key >= "1" && key <= "9") speed.value = key;
  else if (key === "d" || key === "D") otherTheme();
  else return;
  event.preventDefault();
});
// Space plays wherever the focus is; a button would be pressed when the key is let go. Return presses buttons.
document.addEventListener("keyup", (event) => { if (event.key === " ") event.preventDefault(); });

/// replay.html#at=1400 opens there; theme=dark or light may follow.
function fromAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (["dark", "light"].includes(wanted.get("theme"))) root.dataset.theme = wanted.get("theme");
  const at = Number(wanted.get("at") || NaN);
  go(Number.isFinite(at) ? at : Number.isFinite(data.open) ? data.open : total);
  themeChanged();
}
addEventListener("hashchange", fromAddress);
fromAddress();
})();
