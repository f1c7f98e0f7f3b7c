// The tour: the questions of the schema at hand, a key each, for a room.

import { $, el, visible } from "./dom.js";

// tour asks each question when a key says so; ended is called when it is over. Keys are those of presenters' clickers
// too.
export function tour(questions, ask, ended) {
  let at = -1;
  const bar = $("tour");
  const end = () => {
    document.removeEventListener("keydown", keys);
    bar.hidden = true;
    ended();
  };
  const go = (to) => {
    if (to < 0) return;
    if (to >= questions.length) return end();
    at = to;
    bar.replaceChildren(
      el("span", { class: "mute" }, `Question ${at + 1} of ${questions.length}`),
      el("strong", {}, visible(questions[at])),
      el("span", { class: "mute" }, "→ next  ← back  Esc ends"),
    );
    ask(questions[at]);
  };
  const keys = (e) => {
    if (e.target.closest("input, textarea, select, dialog") || e.ctrlKey || e.metaKey || e.altKey) return;
    const steps = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
    if (e.key in steps) {
      e.preventDefault();
      go(at + steps[e.key]);
    } else if (e.key === "Escape") end();
  };
  document.addEventListener("keydown", keys);
  bar.hidden = false;
  bar.focus();
  go(0);
}
