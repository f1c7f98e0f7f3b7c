// The schema: as a list, as a diagram, and as questions to begin with.

import { el, svg, visible } from "./dom.js";

// said is a name as people say it: orderDetails and order_details are order details.
const said = (name) =>
  name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_\s]+/g, " ")
    .trim()
    .toLowerCase();
const one = (table) => said(table).replace(/ies$/, "y").replace(/(ss|x|ch|sh)es$/, "$1").replace(/([^su])s$/, "$1");
const many = (table) =>
  one(table)
    .replace(/([^aeiou])y$/, "$1ie")
    .replace(/(s|x|z|ch|sh)$/, "$1e") + "s";

const isText = (c) => /char|text|enum/.test(c.type),
  isNumber = (c) => /int|decimal|float|double/.test(c.type);
const isKey = (t, c) =>
  c.key ||
  /(code|number|no|nr|year|zip|phone|id)$/i.test(c.name) ||
  (t.foreign_keys ?? []).some((k) => k.columns.includes(c.name));

// examples are questions about the largest tables.
export function examples(schema) {
  const things = schema.tables.filter((t) => t.columns.filter((c) => c.key === "PRI").length === 1); // not links
  const rows = (t) => Number(t.rows ?? 0);
  const tables = (things.length ? things : [...schema.tables]).sort((a, b) => rows(b) - rows(a));
  const out = [];
  const add = (q) => {
    if (q && !out.includes(q)) out.push(q);
  };
  const first = (make) => {
    for (const t of tables) {
      const q = make(t);
      if (q) return q;
    }
  };
  add(
    first((t) => {
      const c = t.columns.find((c) => isText(c) && c.values?.length > 1 && c.values.length <= 12 && !isKey(t, c));
      return c && `How many ${many(t.name)} have ${said(c.name)} “${c.values[0]}”?`;
    }),
  );
  add(
    first(
      (t) =>
        t.foreign_keys?.length &&
        `How many ${many(t.name)} are there for each ${one(t.foreign_keys[0].ref_table)}?`,
    ),
  );
  add(
    first((t) => {
      const c = t.columns.find((c) => isNumber(c) && !isKey(t, c));
      return c && `What is the average ${said(c.name)} of ${many(t.name)}?`;
    }),
  );
  add(
    first((t) => {
      const c = t.columns.find((c) => /date|time/.test(c.type));
      return c && `How many ${many(t.name)} are there by year of ${said(c.name)}?`;
    }),
  );
  add(tables[0] && `How many ${many(tables[0].name)} are there?`);
  return out;
}

// list shows tables, those first whose name or columns hold the words.
export function list(schema, words) {
  const find = words.trim().toLowerCase();
  const holds = (text) => find !== "" && text?.toLowerCase().includes(find);
  const tables = schema.tables.filter(
    (t) =>
      find === "" || holds(t.name) || holds(t.comment) || t.columns.some((c) => holds(c.name) || holds(c.comment)),
  );
  if (tables.length === 0) return [el("p", { class: "mute" }, "No table or column holds that.")];
  return tables.map((t) => {
    const keys = new Map(
      (t.foreign_keys ?? []).flatMap((k) => k.columns.map((c, i) => [c, `${k.ref_table}.${k.ref_columns[i]}`])),
    );
    return el(
      "details",
      { id: "table-" + t.name, open: find !== "" && tables.length <= 8 },
      el(
        "summary",
        {},
        el("strong", {}, visible(t.name)),
        t.rows ? el("span", { class: "mute" }, ` ${t.rows} rows`) : "",
      ),
      t.comment ? el("p", { class: "mute" }, visible(t.comment)) : "",
      el(
        "ul",
        {},
        t.columns.map((c) =>
          el(
            "li",
            { class: holds(c.name) || holds(c.comment) ? "hit" : undefined },
            visible(c.name),
            " ",
            el(
              "span",
              { class: "mute" },
              visible(c.type),
              t.primary_key?.includes(c.name) ? " · key" : "",
              keys.has(c.name) ? ` → ${visible(keys.get(c.name))}` : "",
              c.comment ? ` · ${visible(c.comment)}` : "",
            ),
          ),
        ),
      ),
    );
  });
}

const boxWidth = 150,
  boxHeight = 40,
  gapX = 70,
  gapY = 44;

// diagram draws tables as boxes and foreign keys as lines. Tables that refer to each other come near each other: places
// on a grid are swapped as long as that makes the lines shorter.
export function diagram(schema) {
  const tables = schema.tables,
    n = tables.length;
  const index = new Map(tables.map((t, i) => [t.name.toLowerCase(), i]));
  const edges = [];
  tables.forEach((t, i) =>
    (t.foreign_keys ?? []).forEach((k) => {
      const j = index.get(k.ref_table.toLowerCase());
      if (j !== undefined && j !== i) edges.push([i, j]);
    }),
  );
  const across = Math.max(1, Math.ceil(Math.sqrt(n * 0.9))),
    slots = Math.ceil(n / across) * across;
  const at = Array.from({ length: slots }, (_, i) => i),
    placed = at.slice(0, n); // the slot of each table
  const distance = (a, b) =>
    Math.hypot((a % across) - (b % across), Math.floor(a / across) - Math.floor(b / across)) ** 1.5;
  const near = tables.map(() => []);
  edges.forEach(([a, b]) => {
    near[a].push(b);
    near[b].push(a);
  });
  const holder = Array.from({ length: slots }, (_, s) => (s < n ? s : -1));
  const cost = (i, slot, other, otherSlot) =>
    i < 0 ? 0 : near[i].reduce((sum, j) => sum + distance(slot, j === other ? otherSlot : placed[j]), 0);
  for (let pass = 0, moved = true; moved && pass < 40; pass++) {
    moved = false;
    for (let a = 0; a < slots; a++) {
      for (let b = a + 1; b < slots; b++) {
        const i = holder[a],
          j = holder[b];
        if (i < 0 && j < 0) continue;
        const before = cost(i, a, j, b) + cost(j, b, i, a),
          after = cost(i, b, j, a) + cost(j, a, i, b);
        if (after < before - 1e-9) {
          [holder[a], holder[b]] = [j, i];
          if (i >= 0) placed[i] = b;
          if (j >= 0) placed[j] = a;
          moved = true;
        }
      }
    }
  }
  const x = (i) => 10 + (placed[i] % across) * (boxWidth + gapX),
    y = (i) => 10 + Math.floor(placed[i] / across) * (boxHeight + gapY);
  const width = across * (boxWidth + gapX) - gapX + 20,
    height = Math.ceil(n / across) * (boxHeight + gapY) - gapY + 20;
  const drawn = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": `${n} tables and ${edges.length} foreign keys; the list has the same`,
  });
  drawn.append(
    svg(
      "defs",
      {},
      svg(
        "marker",
        { id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
        svg("path", { d: "M0 0L8 4L0 8z", class: "arrow" }),
      ),
    ),
  );
  const edge = (i, j) => {
    // where the line from i to j meets the box of j
    const dx = x(i) - x(j),
      dy = y(i) - y(j);
    const scale = 1 / Math.max(Math.abs(dx) / (boxWidth / 2), Math.abs(dy) / (boxHeight / 2));
    return [x(j) + boxWidth / 2 + dx * scale, y(j) + boxHeight / 2 + dy * scale];
  };
  const lines = edges.map(([i, j]) => {
    const [x1, y1] = edge(j, i),
      [x2, y2] = edge(i, j);
    const bend = (x2 - x1) * 0.12,
      lift = (y2 - y1) * 0.12;
    const line = svg(
      "path",
      {
        class: "key",
        d: `M${x1} ${y1}Q${(x1 + x2) / 2 - lift} ${(y1 + y2) / 2 + bend} ${x2} ${y2}`,
        "marker-end": "url(#arrow)",
      },
      svg("title", {}, visible(`${tables[i].name} → ${tables[j].name}`)),
    );
    drawn.append(line);
    return line;
  });
  tables.forEach((t, i) => {
    const name = visible(t.name);
    const box = svg(
      "g",
      { class: "table" },
      svg("rect", { x: x(i), y: y(i), width: boxWidth, height: boxHeight, rx: 5 }),
      svg("text", { x: x(i) + 8, y: y(i) + 17, class: "name" }, name.length > 19 ? name.slice(0, 18) + "…" : name),
      svg(
        "text",
        { x: x(i) + 8, y: y(i) + 32, class: "tick" },
        `${t.columns.length} columns` + (t.rows ? `, ${t.rows} rows` : ""),
      ),
      svg("title", {}, visible([t.name, ...t.columns.map((c) => `${c.name} ${c.type}`)].join("\n"))),
    );
    const show = (on) => () =>
      edges.forEach(([a, b], k) => {
        if (a === i || b === i) lines[k].classList.toggle("lit", on);
      });
    box.addEventListener("mouseenter", show(true));
    box.addEventListener("mouseleave", show(false));
    drawn.append(box);
  });
  return drawn;
}
