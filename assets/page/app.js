// The page: what is asked, what happens, and what was found.

import { $, el, visible } from "./dom.js";
import { call, parse, stream } from "./api.js";
import { Steps } from "./steps.js";
import { highlight } from "./sql.js";
import { table } from "./result.js";
import { chart } from "./chart.js";
import { tour } from "./tour.js";
import { explanation } from "./explain.js";
import { diagram, examples, list } from "./schema.js";

let schema = { tables: [] };
let running = null; // what is being asked, to be stopped
let last = null; // the answer before, from which a question may go on

// behind says which answer that is; null lets the next question stand alone.
const behind = (turn) => {
  last = turn;
  $("new").hidden = !last;
};

const say = (text) => {
  $("status").textContent = text;
};
const database = () => $("database").value;
const failed = (e) => {
  if (e.name !== "AbortError") say(`It did not work: ${visible(e.message)}`);
};

// A token may come behind the #, which is not sent anywhere.
const brought = /^#token=(.+)$/.exec(location.hash);
if (brought) {
  sessionStorage.setItem("token", decodeURIComponent(brought[1]));
  history.replaceState(null, "", location.pathname);
}

// Settings stay in the browser.
const root = document.documentElement;
const setting = (name, value) => {
  if (value === undefined) return localStorage.getItem("nl2sql." + name);
  localStorage.setItem("nl2sql." + name, value);
};
const dress = () => {
  const theme = setting("theme");
  if (theme) root.dataset.theme = theme;
  root.classList.toggle("large", setting("large") === "true");
  $("large").setAttribute("aria-pressed", setting("large") === "true");
};
$("large").addEventListener("click", () => {
  setting("large", String(setting("large") !== "true"));
  dress();
});
$("theme").addEventListener("click", () => {
  const dark =
    (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  setting("theme", dark ? "light" : "dark");
  dress();
});
dress();

// What was asked before, in this browser.
const asked = () => JSON.parse(setting("asked") ?? "[]");
const remember = (question, instead) => {
  const others = asked().filter((q) => q !== question && q !== instead);
  setting("asked", JSON.stringify([question, ...others].slice(0, 30)));
  showAsked();
};
const again = (question, ...more) =>
  el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        onclick: () => {
          $("question").value = question;
          behind(null);
          ask(question);
        },
      },
      visible(question),
    ),
    ...more,
  );
const showAsked = () => {
  $("asked").replaceChildren(...asked().map((q) => el("option", { value: q })));
  $("before").querySelector("ol").replaceChildren(...asked().map((q) => again(q)));
  $("before").hidden = asked().length === 0;
};
$("forget").addEventListener("click", () => {
  setting("asked", "[]");
  showAsked();
  $("question").focus();
});

// What was asked of the server, by this or other browsers, where it keeps that. It is read when somebody looks.
async function kept() {
  if ($("kept").hidden || !$("kept").open) return;
  const { questions } = await call("/api/history?database=" + encodeURIComponent(database()));
  const became = (q) => (q.outcome === "answered" ? `${q.rows} ${q.rows == 1 ? "row" : "rows"}` : q.outcome);
  const when = (q) => new Date(q.time).toLocaleString();
  $("kept")
    .querySelector("ol")
    .replaceChildren(
      ...questions
        .slice(0, 100)
        .map((q) =>
          again(
            q.question,
            el("span", { class: "mute", title: visible(q.sql ?? "") }, visible(` ${became(q)}, ${when(q)}`)),
          ),
        ),
    );
}
$("kept").addEventListener("toggle", () => kept().catch(failed));

// The database that is asked.
async function choose() {
  schema = await call("/api/schema?database=" + encodeURIComponent(database()));
  $("examples").replaceChildren(...examples(schema).map((q) => again(q)));
  search();
  await kept();
}
const search = () => $("tables").replaceChildren(...list(schema, $("search").value));
$("search").addEventListener("input", search);
$("database").addEventListener("change", () => {
  // what was found in another one goes
  stop();
  say("");
  behind(null);
  $("found").hidden = $("working").hidden = true;
  setSQL("");
  choose().catch(failed);
});
$("draw").addEventListener("click", () => {
  $("diagram").querySelector(".drawing").replaceChildren(diagram(schema));
  $("diagram").showModal();
});

// One thing at a time: what is started stops what runs.
async function start(work) {
  running?.abort();
  const mine = (running = new AbortController());
  $("stop").hidden = false;
  try {
    await work(mine.signal);
  } catch (e) {
    failed(e);
  } finally {
    if (running === mine) {
      $("statement").hidden = false;
      running = null;
      $("stop").hidden = true;
    }
  }
}
const stop = () => {
  if (!running) return;
  running.abort();
  document.querySelector("#steps .now")?.remove();
  say("Stopped");
};
$("stop").addEventListener("click", stop);

// found shows rows below what is said of them.
function found(said, result, drawn) {
  $("found").hidden = false;
  $("verdict").replaceChildren(...said);
  $("chart").replaceChildren(...(drawn ? [chart(result, drawn, $("chart").clientWidth)] : []));
  $("rows").replaceChildren(...(result ? [table(result, say)] : []));
}

const notes = (kind, texts) =>
  texts?.length
    ? [
        el(
          "ul",
          { class: kind },
          texts.map((t) => el("li", {}, visible(t))),
        ),
      ]
    : [];

// judge lets a person say whether an answer is right, where the server keeps that.
let judges = false;
function judge({ question, sql, pair }) {
  const about = database();
  const button = (text, right) =>
    el(
      "button",
      {
        type: "button",
        onclick: () =>
          call("/api/pairs", { question, sql, database: about, right })
            .then(() => say(right ? "Kept: it answers this question from now on" : "Taken back"))
            .catch(failed),
      },
      text,
    );
  return el(
    "p",
    { class: "line" },
    button("This is right", true),
    button("This is wrong", false),
    pair ? el("span", { class: "mute" }, `As verified${pair.date ? " on " + visible(pair.date) : ""}: ${visible(pair.question)}`) : "",
  );
}

// startOver lets the next question stand alone.
function startOver() {
  stop();
  behind(null);
  $("question").value = "";
  $("found").hidden = true;
  $("suggested").open = true;
  say("");
  $("question").focus();
}
$("new").addEventListener("click", startOver);

// choices are what else a question may ask: each runs when it is chosen.
function choices({ question, asks, readings }) {
  if (!readings?.length) return [];
  const rows = (first) => first.rows.map((r) => r.map((v) => v ?? "NULL").join(", ")).join("; ") + (first.truncated ? "; …" : "");
  const choose = (r) => {
    behind({ question, sql: r.sql });
    setSQL(r.sql);
    run();
  };
  return [
    el("p", { class: "asks" }, asks ? visible(asks) : "Other possible readings:"),
    el(
      "ul",
      { class: "asks" },
      readings.map((r) =>
        el("li", {}, el("button", { type: "button", onclick: () => choose(r) }, visible(r.words)), visible(` → ${rows(r.first)}`)),
      ),
    ),
  ];
}

function answered(a) {
  const p = Number(a.confidence);
  const said = [];
  if (a.asked) remember(a.question, a.asked);
  if (a.result) behind({ question: a.question, sql: a.sql, confidence: p });
  if (a.taken_as) said.push(el("p", { class: "mute" }, "Taken as: ", visible(a.taken_as)));
  const unsure = a.result && /low/.test(a.confidence_word);
  // the table says how many rows there are
  if (a.sentence && !/^\d+ rows?\.$/.test(a.sentence)) said.push(el("p", { class: unsure ? "sentence unsure" : "sentence" }, visible(a.sentence)));
  if (a.result) {
    said[unsure ? "unshift" : "push"](
      el(
        "p",
        { class: "confidence" },
        "Confidence: ",
        el("strong", { class: "word-" + a.confidence_word.replace(" ", "-") }, a.confidence_word),
        p > 0 ? ` (${Math.round(100 * p)} %)` : "",
      ),
    );
  } else {
    const why = a.refused ?? a.why ?? (a.how === "not_run" ? "it was checked, and not run" : "nothing was found");
    if (a.reply) {
      $("steps").replaceChildren();
      said.push(...a.reply.split("\n").map((line) => el("p", {}, visible(line))));
    } else said.push(el("p", { class: "none" }, el("strong", {}, "No answer: "), visible(why)));
  }
  said.push(
    ...notes(
      "mended",
      a.mended?.map((m) => `Mended: ${m}`),
    ),
    ...notes(
      "doubts",
      a.warnings?.slice(a.asks ? 1 : 0).map((d) => d.text),
    ),
    ...choices(a),
  );
  if (a.result && judges) said.push(judge(a));
  found(said, a.result, a.chart);
  setSQL(a.sql || a.last_candidate || "");
  $("statement").hidden = false;
  grow();
  say(a.result || a.reply ? "Answered" : "No answer");
}

function ask(question) {
  remember(question);
  $("suggested").open = false; // the answer comes first
  $("found").hidden = $("statement").hidden = true; // the steps are what there is to see
  const steps = new Steps();
  say("Asking");
  return start(async (signal) => {
    let ended = false;
    await stream({ question, database: database(), behind: last ?? undefined }, signal, (name, text) => {
      const event = parse(text);
      say(steps.told(name, event, text) ?? $("status").textContent);
      if (name === "answer") answered(event);
      if (name === "failed") say(`It did not work: ${visible(event.error.message)}`);
      ended ||= name === "answer" || name === "failed";
    });
    if (!ended) say("The server went away before it had answered");
    await kept();
  });
}
$("ask").addEventListener("submit", (e) => {
  e.preventDefault();
  const question = $("question").value.trim();
  if (question) ask(question);
});

// A tour is in large type, and shows nothing that is not about its question.
function begin() {
  if (root.classList.contains("touring")) return;
  root.classList.add("touring", "large");
  const question = (q) => {
    $("question").value = q;
    behind(null);
    ask(q);
  };
  tour(examples(schema), question, () => {
    stop();
    root.classList.remove("touring");
    dress();
    $("question").focus();
  });
}
$("begin").addEventListener("click", begin);

// The statement, checked while it is typed.
function setSQL(sql) {
  $("sql").value = sql;
  $("checked").replaceChildren(); // of the statement before
  $("explained").hidden = true;
  typed();
}
const grow = () => {
  $("sql").style.height = "auto";
  $("sql").style.height = $("sql").scrollHeight + 2 + "px";
};
let wide = 0;
new ResizeObserver(() => {
  // lines break elsewhere
  if ($("sql").clientWidth !== wide) {
    wide = $("sql").clientWidth;
    grow();
  }
}).observe($("sql"));
const typed = () => {
  $("shown").replaceChildren(...highlight($("sql").value), "\n");
  grow();
  clearTimeout(typed.later);
  typed.later = setTimeout(() => check().catch(failed), 250);
};
$("sql").addEventListener("input", typed);

const verdict = (v) => v.hint || [v.reason, v.detail].filter(Boolean).join(": ");

async function check() {
  const sql = $("sql").value;
  if (sql.trim() === "") {
    $("checked").replaceChildren();
    $("explained").hidden = true;
    return;
  }
  const asked = { sql, database: database() };
  const [checked, words] = await Promise.all([call("/api/check", asked), call("/api/explain", asked)]);
  if (sql !== $("sql").value) return; // typed on since
  $("explained").hidden = !words.explanation;
  if (words.explanation) $("words").replaceChildren(...explanation(words.explanation));
  const warnings = (checked.report?.issues ?? []).filter((i) => i.type === "warning").map((i) => i.message);
  $("checked").replaceChildren(
    checked.ok
      ? el("p", { class: "good" }, "Checked: safe to run")
      : el("p", { class: "bad" }, "Refused: ", visible(verdict(checked))),
    ...notes("doubts", warnings),
  );
}

function run() {
  const sql = $("sql").value;
  if (sql.trim() === "") return;
  say("Running");
  $("working").hidden = true;
  return start(async (signal) => {
    const done = await call("/api/query", { sql, database: database() }, signal);
    found(
      done.result ? [] : [el("p", { class: "none" }, el("strong", {}, "It did not run: "), visible(verdict(done)))],
      done.result,
      done.chart,
    );
    if (done.result && last) behind({ question: last.question, sql });
    say(done.result ? "Ran" : "It did not run");
  });
}
$("run").addEventListener("click", run);
$("sql").addEventListener("keydown", (e) => {
  if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) run();
});
document.addEventListener("keydown", (e) => {
  if (e.key === "Escape" && !document.querySelector("dialog[open]")) stop();
  if (e.target.closest("input, textarea, select, dialog") || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === "/") {
    e.preventDefault();
    $("question").focus();
  }
  if (e.key === "t") begin();
  if (e.key === "n") {
    e.preventDefault();
    startOver();
  }
});

async function open() {
  const known = await call("/api/databases");
  $("database").replaceChildren(
    ...known.databases.map((d) => el("option", { value: d.name }, `${visible(d.name)} (${d.tables} tables)`)),
  );
  $("model").textContent = visible(known.model);
  const fresh = known.databases.flatMap((d) => (d.doubts ?? []).map((text) => `${d.name}: ${text}`));
  $("fresh").append(...notes("doubts", fresh));
  $("fresh").hidden = fresh.length === 0;
  $("kept").hidden = !known.history;
  judges = known.pairs;
  showAsked();
  await choose();
  $("question").focus();
}
open().catch(failed);
