// What a statement asks, in plain words: as nl2sql explain prints it.

import { el, visible } from "./dom.js";

const labels = [
  ["row", "A row is"],
  ["from", "From"],
  ["where", "Only where"],
  ["having", "Groups where"],
  ["shows", "Shows"],
  ["order", "Sorted by"],
  ["limit", "Keeps"],
];

// explanation is the words of a query, and of those within it.
export function explanation(e) {
  const said = labels.filter(([key]) => e[key]?.length);
  return [
    el(
      "dl",
      {},
      said.flatMap(([key, label]) => [
        el("dt", {}, label),
        ...[e[key]].flat().map((text) => el("dd", {}, visible(text))),
      ]),
    ),
    ...(e.queries ?? []).map((q) =>
      el("div", { class: "within" }, el("strong", {}, visible(q.name)), ...explanation(q)),
    ),
  ];
}
