// The rows of an answer: sorted, in pages, copied and saved.

import { el, visible } from "./dom.js";
import { Num } from "./api.js";

const perPage = 25;

const text = (v) => (v === null ? "NULL" : String(v));

// compare sorts numbers as numbers, NULL first, as MySQL does.
function compare(a, b) {
  if (a === null || b === null) return (a !== null) - (b !== null);
  if (a instanceof Num && b instanceof Num) return a - b || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0);
  return String(a).localeCompare(String(b));
}

// csv is RFC 4180's; NULL is nothing, and the empty text is quoted.
function csv({ columns, rows }) {
  const field = (v) => {
    if (v === null) return columns.length > 1 ? "" : '""';
    const s = String(v);
    return s === "" || /[",\r\n]/.test(s) || s !== s.trim() ? `"${s.replaceAll('"', '""')}"` : s;
  };
  return [columns, ...rows].map((r) => r.map(field).join(",") + "\n").join("");
}

// json is one object a row, as the server wrote the values.
function json({ columns, rows }) {
  const seen = new Map();
  const keys = columns.map((c) => {
    const n = (seen.get(c) ?? 0) + 1;
    seen.set(c, n);
    return JSON.stringify(n > 1 ? `${c}_${n}` : c);
  });
  const value = (v) => (v instanceof Num ? v.text : JSON.stringify(v));
  return "[" + rows.map((r) => "\n{" + r.map((v, i) => keys[i] + ":" + value(v)).join(",") + "}").join(",") + "\n]\n";
}

function save(name, kind, content) {
  const url = URL.createObjectURL(new Blob([content], { type: kind }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// copy puts a text on the clipboard; where the page came over plain HTTP from another machine, the old way.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = el("textarea", { value: text });
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("this browser does not let a page copy");
}

// table shows a result; say tells what a button did.
export function table(result, say) {
  const { columns, truncated } = result;
  let rows = result.rows,
    page = 0,
    by = -1,
    down = false;
  const numbers = columns.map((_, i) => rows.some((r) => r[i] instanceof Num));
  const head = el("tr"),
    body = el("tbody"),
    place = el("span", { class: "mute" });
  const turn = (n) => () => {
    page += n;
    draw();
  };
  const back = el("button", { type: "button", onclick: turn(-1) }, "Previous"),
    on = el("button", { type: "button", onclick: turn(1) }, "Next");
  const sort = (i) => () => {
    down = by === i && !down;
    by = i;
    rows = [...result.rows].sort((a, b) => (down ? -1 : 1) * compare(a[i], b[i]));
    page = 0;
    draw();
  };
  const heads = columns.map((c, i) =>
    el(
      "th",
      { scope: "col", class: numbers[i] ? "number" : undefined },
      el("button", { type: "button", title: "Sort", onclick: sort(i) }, visible(c) || "(no name)"),
    ),
  );
  head.append(...heads);
  function draw() {
    heads.forEach((h, i) => h.setAttribute("aria-sort", i !== by ? "none" : down ? "descending" : "ascending"));
    body.replaceChildren(
      ...rows.slice(page * perPage, (page + 1) * perPage).map((r) =>
        el(
          "tr",
          {},
          r.map((v, i) => {
            const whole = visible(text(v));
            const shown = whole.length > 400 ? whole.slice(0, 400) + "…" : whole;
            return el(
              "td",
              {
                class: [numbers[i] ? "number" : "", v === null ? "null" : ""].join(" ").trim() || undefined,
                title: shown === whole ? "" : `${whole.length} characters`,
              },
              shown,
            );
          }),
        ),
      ),
    );
    const last = Math.min(rows.length, (page + 1) * perPage);
    place.textContent = rows.length > perPage ? `${page * perPage + 1}–${last} of ${rows.length}` : "";
    back.disabled = page === 0;
    on.disabled = last === rows.length;
    back.hidden = on.hidden = place.hidden = rows.length <= perPage;
  }
  draw();
  const now = () => ({ columns, rows });
  const copied = async () => {
    const clean = (v) => text(v).replace(/[\t\r\n]+/g, " ");
    await copy([columns, ...rows].map((r) => r.map(clean).join("\t")).join("\n"));
    say("Copied, for a spreadsheet");
  };
  const count = rows.length === 1 ? "1 row" : rows.length === 0 ? "no rows" : `${rows.length} rows`;
  return el(
    "div",
    {},
    el(
      "div",
      { class: "wide", tabIndex: 0, role: "region", "aria-label": "Rows" },
      el(
        "table",
        {},
        el("caption", {}, count + (truncated ? " shown, there are more" : "")),
        el("thead", {}, head),
        body,
      ),
    ),
    el(
      "div",
      { class: "line" },
      back,
      on,
      place,
      el("button", { type: "button", onclick: () => copied().catch((e) => say(`Not copied: ${e.message}`)) }, "Copy"),
      el("button", { type: "button", onclick: () => save("answer.csv", "text/csv", csv(now())) }, "CSV"),
      el("button", { type: "button", onclick: () => save("answer.json", "application/json", json(now())) }, "JSON"),
    ),
  );
}
