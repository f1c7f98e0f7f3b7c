// How SQL is shown: coloured, and as what changed.

import { el, visible } from "./dom.js";

const words = new Set(
  (
    "SELECT DISTINCT ALL FROM WHERE GROUP BY HAVING ORDER ASC DESC LIMIT OFFSET AS ON USING JOIN INNER LEFT RIGHT OUTER " +
    "CROSS NATURAL UNION INTERSECT EXCEPT WITH RECURSIVE ROLLUP AND OR XOR NOT IN IS NULL TRUE FALSE LIKE REGEXP RLIKE " +
    "BETWEEN EXISTS ANY CASE WHEN THEN ELSE END INTERVAL DIV MOD CAST CONVERT COLLATE SEPARATOR OVER PARTITION WINDOW ROWS RANGE"
  ).split(" "),
);

const token =
  /('(?:[^'\\]|\\.|'')*'?|"(?:[^"\\]|\\.|"")*"?)|(`[^`]*`?)|(\d+(?:\.\d+)?)|([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)|(\s+)|([^])/g;

const pieces = (sql) => [...sql.matchAll(token)].map((m) => m[0]);

// apart are pieces without the blanks between them, each with the one before it.
function apart(sql) {
  const out = [];
  let blank = "";
  for (const text of pieces(sql.trim())) {
    if (/^\s/.test(text)) blank = text;
    else {
      out.push({ text, blank });
      blank = "";
    }
  }
  return out;
}

function kindOf(piece) {
  if (/^['"]/.test(piece)) return "text";
  if (/^\d/.test(piece)) return "number";
  return words.has(piece.toUpperCase()) ? "word" : "";
}

// highlight is the statement in colours.
export function highlight(sql) {
  return pieces(sql).map((p) => (kindOf(p) ? el("span", { class: "sql-" + kindOf(p) }, visible(p)) : visible(p)));
}

// diff is the second statement with what it lost and gained, blanks aside. Long ones are shown without.
export function diff(before, after) {
  const a = apart(before),
    b = apart(after);
  if (a.length * b.length > 250000) return highlight(after);
  const same = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--)
      same[i][j] = a[i].text === b[j].text ? same[i + 1][j + 1] + 1 : Math.max(same[i + 1][j], same[i][j + 1]);
  }
  const out = [];
  const add = (kind, piece) => {
    const last = out.at(-1);
    if (last && last.kind === kind) last.text += piece.blank + piece.text;
    else {
      if (last) last.after = piece.blank;
      out.push({ kind, text: piece.text });
    }
  };
  let i = 0,
    j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i].text === b[j].text) {
      add("", b[j]);
      i++;
      j++;
    } else if (j === b.length || (i < a.length && same[i + 1][j] >= same[i][j + 1])) add("del", a[i++]);
    else add("ins", b[j++]);
  }
  return out.flatMap(({ kind, text, after }) => [
    kind ? el(kind, {}, visible(text)) : visible(text),
    after || (kind ? " " : ""),
  ]);
}
