// Charts of results that are one: bars of a name and a number, lines over time, points of two numbers. Which results
// are, and of which columns, the server says (chart of an answer).

import { svg, visible } from "./dom.js";

const widest = 640,
  height = 280,
  left = 70,
  above = 12,
  right = 12;
// when is a time in milliseconds since 1970; 2003, 2003-01 and 2003-01-06 10:00 are times.
const when = (v) =>
  Date.parse(
    String(v)
      .replace(" ", "T")
      .replace(/^(\d{4}-\d{2}-\d{2}T[\d:.]+)$/, "$1Z"),
  );

// ticks are round numbers, the first not above least, the last not below most.
function ticks(least, most, whole) {
  const step = 10 ** Math.floor(Math.log10((most - least) / 4 || 1));
  const found = [1, 2, 5, 10].map((n) => n * step).find((s) => (most - least) / s <= 5) ?? step;
  const by = whole ? Math.max(1, found) : found;
  const out = [];
  const begin = Math.floor(least / by) * by; // more than eight are of numbers that no sum tells apart
  for (let i = 0; i < 8 && !(out.at(-1) >= most); i++) out.push(Number((begin + i * by).toPrecision(12)));
  return out;
}

const short = (v) => (Math.abs(v) >= 1e6 ? v.toExponential(1).replace("e+", "e") : v.toLocaleString("en"));

// title is a column's name in words: AVG(order_total) is average of order total.
const functions = { count: "number", sum: "sum", avg: "average", min: "lowest", max: "highest", year: "year", month: "month" };
function title(name) {
  const [, f, of] = /^(count|sum|avg|min|max|year|month)\((?:distinct\s+)?(.*)\)$/i.exec(name) ?? [null, "", name];
  const words = of
    .replace(/^\*$|`|\b\w+\./g, "")
    .replace(/([a-z])([A-Z][a-z])/g, (_, end, begin) => `${end} ${begin.toLowerCase()}`)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/_+/g, " ")
    .trim();
  return f ? functions[f.toLowerCase()] + (words && ` of ${words.toLowerCase()}`) : words || name;
}

// next says that two times of a line follow each other: years and months without a row are gaps, other times are
// joined.
function next(a, b) {
  const [year, month] = [/^\d{4}$/, /^(\d{4})-(\d{2})$/];
  if (year.test(a) && year.test(b)) return b - a <= 1;
  const [from, to] = [month.exec(a), month.exec(b)];
  return !from || !to || (to[1] - from[1]) * 12 + (to[2] - from[2]) <= 1;
}

const cut = (text, n) => (text.length > n ? text.slice(0, n - 1) + "…" : text);

// chart draws a result in so many pixels: kind along the column x, with the numbers of the column y.
export function chart({ columns, rows }, { kind, x, y, series }, room) {
  const width = Math.max(300, Math.min(widest, room || widest));
  rows = rows.filter((r) => r[y] !== null && r[x] !== null);
  if (kind !== "bars")
    rows = [...rows].sort((a, b) => (kind === "points" ? a[x] - b[x] : String(a[x]) < String(b[x]) ? -1 : 1));
  const ys = rows.map((r) => Number(r[y]));
  const marks = ticks(
    kind === "points" ? Math.min(...ys) : Math.min(0, ...ys),
    Math.max(0, ...ys),
    ys.every(Number.isInteger),
  );
  // groups are what the series are of, in the order of the rows; a colour each, of which there are six.
  const groups = series === undefined ? [] : [...new Set(rows.map((r) => String(r[series])))];
  const legend = groups.length > 0 && groups.length <= 6;
  const of = (r) => (legend ? ` of-${groups.indexOf(String(r[series]))}` : "");
  const name = (r) => (series === undefined ? String(r[x]) : `${r[x]} · ${r[series]}`);
  const [low, high] = [marks[0], marks.at(-1)];
  const across = width - left - right,
    step = across / rows.length;
  const slanted = step < 34 && kind === "bars";
  const bottom = slanted ? 80 : 56; // names that slant need room above the title
  const perLine = Math.max(1, Math.min(groups.length, Math.floor((width - left - right) / 92)));
  const top = legend ? above + 18 * Math.ceil(groups.length / perLine) : above;
  const atY = (v) => top + (height - top - bottom) * (1 - (v - low) / (high - low || 1));
  const drawn = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    class: "chart",
    "aria-label": visible(
      `${title(columns[y])} by ${title(columns[x])}${series === undefined ? "" : ` and ${title(columns[series])}`}: ` +
        `${kind}, ${rows.length} values; the table below has the numbers`,
    ),
  });
  for (const v of marks) {
    drawn.append(
      svg("line", { class: "grid", x1: left, x2: width - right, y1: atY(v), y2: atY(v) }),
      svg("text", { class: "tick end", x: left - 6, y: atY(v) + 4 }, short(v)),
    );
  }
  const label = (at, text) =>
    drawn.append(
      slanted
        ? svg(
            "text",
            { class: "tick end", transform: `translate(${at + 4} ${height - bottom + 12}) rotate(-45)` },
            cut(visible(text), 11),
          )
        : svg(
            "text",
            { class: "tick middle", x: at, y: height - bottom + 16 },
            cut(visible(text), Math.max(4, Math.floor((kind === "bars" ? step : 90) / 6.5))),
          ),
    );
  if (kind === "bars") {
    rows.forEach((r, i) => {
      const v = Number(r[y]),
        at = left + i * step;
      drawn.append(
        svg(
          "rect",
          {
            class: "mark" + of(r),
            x: at + step * 0.12,
            width: step * 0.76,
            y: Math.min(atY(v), atY(0)),
            height: Math.abs(atY(v) - atY(0)),
          },
          svg("title", {}, visible(`${name(r)}: ${r[y]}`)),
        ),
      );
      label(at + step / 2, legend ? String(r[x]) : name(r));
    });
  } else {
    const number = kind === "points";
    const xs = rows.map((r, i) => (number ? Number(r[x]) : when(r[x]) || i));
    const [from, to] = [Math.min(...xs), Math.max(...xs)];
    const atX = (v) => left + 8 + (across - 16) * ((v - from) / (to - from || 1));
    // A line a group, in pieces that do not bridge a step without a row.
    for (const group of number ? [] : groups.length ? groups : [undefined]) {
      const mine = rows
        .map((r, i) => ({ r, at: xs[i] }))
        .filter(({ r }) => !groups.length || String(r[series]) === group);
      const pieces = [];
      mine.forEach((m, i) => {
        if (i === 0 || !next(String(mine[i - 1].r[x]), String(m.r[x]))) pieces.push([]);
        pieces.at(-1).push(`${atX(m.at)},${atY(Number(m.r[y]))}`);
      });
      for (const points of pieces)
        drawn.append(svg("polyline", { class: "trend" + of(mine[0].r), points: points.join(" ") }));
    }
    rows.forEach((r, i) =>
      drawn.append(
        svg(
          "circle",
          { class: "mark" + of(r), cx: atX(xs[i]), cy: atY(Number(r[y])), r: number || rows.length < 60 ? 3.5 : 1.5 },
          svg("title", {}, visible(`${name(r)}: ${r[y]}`)),
        ),
      ),
    );
    if (number) for (const v of ticks(from, to)) if (v >= from && v <= to) label(atX(v), short(v));
    let free = -Infinity; // where the last label ends
    if (!number) {
      rows.forEach((r, i) => {
        if (atX(xs[i]) < free) return;
        label(atX(xs[i]), String(r[x]));
        free = atX(xs[i]) + 84;
      });
    }
  }
  if (legend)
    groups.forEach((g, i) => {
      const at = left + (across / perLine) * (i % perLine);
      const down = above + 18 * Math.floor(i / perLine);
      drawn.append(
        svg("rect", { class: `mark of-${i}`, x: at, y: down - 6, width: 10, height: 10 }),
        svg(
          "text",
          { class: "tick", x: at + 14, y: down + 3 },
          cut(visible(g), Math.floor((across / perLine - 18) / 6)),
        ),
      );
    });
  drawn.append(
    svg("text", { class: "tick middle", x: left + across / 2, y: height - 6 }, cut(visible(title(columns[x])), 60)),
    svg(
      "text",
      { class: "tick middle", transform: `translate(12 ${top + (height - top - bottom) / 2}) rotate(-90)` },
      cut(visible(title(columns[y])), 34),
    ),
  );
  return drawn;
}
