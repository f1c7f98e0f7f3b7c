// The steps of an answer as they happen. An event is a line of the trace; loop/trace.go says what each holds.

import { el, visible, $ } from "./dom.js";
import { diff, highlight } from "./sql.js";

// tools are what a step of a tool is called before a reader.
const tools = {
  get_schema: "Read the schema",
  link_schema: "Chose the tables",
  extract_constraints: "Read the question",
  generate_sql: "The model wrote",
  repair_sql: "The model repaired",
  validate_sql: "Checked against the schema",
  validate_constraints: "Compared with the question",
  run_sql: "Ran, read-only",
  query: "Ran, read-only",
  finish: "Done",
  get_table_samples: "Looked at rows",
  retrieve_tables: "Looked for tables",
  submit_answer: "Submitted",
};

// letter names the candidates that found the same.
const letter = (party) => String.fromCharCode(65 + (party % 26));

// glance is what a candidate found, in passing: its first rows.
function glance({ columns, rows, count }) {
  const more = parseInt(count) > rows.length; // "no rows" says it itself
  const line = (tag, texts) =>
    el(
      "tr",
      {},
      texts.map((t) => el(tag, tag === "th" ? { scope: "col" } : {}, visible(t))),
    );
  return el(
    "div",
    { class: "wide glance" },
    rows.length
      ? el("table", {}, el("thead", {}, line("th", columns)), el("tbody", {}, rows.map((r) => line("td", r))))
      : "",
    rows.length && !more ? "" : el("p", { class: "mute" }, visible(more ? `… of ${count}` : count)),
  );
}

export class Steps {
  constructor() {
    this.list = $("steps");
    this.list.replaceChildren();
    this.trace = $("trace").querySelector("pre");
    this.trace.textContent = "";
    this.wrote = ""; // the last text of the model
    this.parties = []; // digests of candidates, in the order of their first
    this.votes = []; // how many candidates found each
    $("working").hidden = false;
  }

  // told shows an event, and returns what the status line says meanwhile.
  told(name, e, text) {
    const last = this.list.querySelector(".now");
    if (name === "writing") {
      // all that there is of it comes each time
      last?.replaceChildren(el("strong", {}, "The model is writing"), this.sql(e.text));
      return;
    }
    this.trace.append(visible(text) + "\n");
    last?.remove();
    const now = this[name]?.(e);
    if (now) this.list.append(el("li", { class: "now" }, now));
    return now;
  }

  add(ok, title, ...more) {
    this.list.append(el("li", { class: ok ? "ok" : "no" }, el("strong", {}, title), ...more));
  }

  sql(text) {
    return el("pre", { class: "sql" }, highlight(text));
  }

  queue(e) {
    return `Waiting: place ${e.place}`;
  }
  question() {
    return "Reading the question";
  }
  prompt() {
    return "The model is writing";
  }

  tool(e) {
    const title = tools[e.tool] ?? e.tool ?? "No action";
    const reason = e.ok ? "" : visible(e.verdict?.hint || e.reason || "");
    switch (e.tool) {
      case "generate_sql":
      case "repair_sql":
        this.wrote = e.text ?? "";
        if (!e.cost && (this.parties.length || this.paired)) return "Checking"; // what is shown already
        this.add(e.ok, title, e.text ? this.sql(e.text) : el("p", {}, reason || "nothing"));
        return "Checking";
      case "link_schema":
      case "retrieve_tables":
        this.add(
          e.ok,
          title,
          el(
            "p",
            {},
            (e.tables ?? []).map((t) => el("span", { class: "chip" }, visible(t))),
          ),
        );
        return "Reading the question";
      case "run_sql":
      case "query":
        this.add(
          e.ok,
          e.ok ? title : "The database refused",
          e.sql ? this.sql(e.sql) : "",
          reason && el("p", {}, reason),
        );
        return;
      case "finish":
      case "get_schema":
      case "extract_constraints":
        if (e.ok) return;
    }
    this.add(e.ok, title, e.ok ? "" : el("p", {}, reason));
    if (e.tool === "validate_constraints" && e.ok) return "Running it";
  }

  changes(list) {
    let before = this.wrote;
    return (list ?? []).map((c) => {
      const shown = el(
        "div",
        { class: "change" },
        el("p", {}, el("span", { class: "chip" }, visible(c.guard)), " ", visible(c.why)),
        el("pre", { class: "sql" }, diff(before, c.sql)),
      );
      before = c.sql;
      return shown;
    });
  }

  guardrails(e) {
    if (!e.ok) this.add(false, "Rules rejected it", el("p", {}, visible(e.reason ?? "")), this.changes(e.changes));
    else if (e.changes?.length) this.add(true, "Rules mended it", this.changes(e.changes));
  }

  candidate(e) {
    this.wrote = e.text ?? "";
    let party = "";
    let rows = "";
    if (e.digest) {
      if (!this.parties.includes(e.digest)) {
        this.parties.push(e.digest);
        if (e.found) rows = glance(e.found);
      }
      const at = this.parties.indexOf(e.digest);
      party = letter(at);
      this.votes[at] = (this.votes[at] ?? 0) + 1;
    }
    const title = party ? `Candidate, found rows ${party}` : "Candidate, out";
    this.add(
      e.ok,
      title,
      this.sql(e.sql || e.text || ""),
      rows,
      e.ok ? "" : el("p", {}, visible(e.verdict?.hint || e.reason || "")),
    );
    return "Counting votes";
  }

  vote(e) {
    const share = e.share ? ` · ${Math.round(100 * e.share)} % of the votes` : "";
    const party = e.digest ? letter(this.parties.indexOf(e.digest)) : "";
    const counts = this.votes.map((n, i) => `rows ${letter(i)}: ${n}`).join(" · ");
    this.add(
      e.ok,
      e.ok ? `Vote: rows ${party} win${share}` : "Vote: no majority",
      counts && el("p", { class: "mute" }, counts),
      e.ok ? this.sql(e.sql ?? "") : "",
    );
  }

  linked(e) {
    this.add(
      true,
      "No majority: others are written from the tables that these read",
      el(
        "p",
        {},
        (e.tables ?? []).map((t) => el("span", { class: "chip" }, visible(t))),
      ),
    );
    return "The model is writing";
  }

  pair(e) {
    this.paired = true;
    this.add(true, "Taken from a verified pair", el("p", {}, visible(e.text)), this.sql(e.sql));
    return "Checking";
  }

  intent(e) {
    if (!e.ok) this.add(false, "May answer another question", el("p", {}, visible(e.reason ?? "")));
  }
  gate(e) {
    this.add(e.ok, `Gate ${e.gate}`, el("p", {}, visible(e.reason || e.text || "")));
  }
  fallback(e) {
    this.add(e.ok, "Last resort: the model's guess at the bare question", e.sql ? this.sql(e.sql) : "");
  }
  refusal(e) {
    this.add(false, "No answer is given", el("p", {}, visible(e.reason ?? "")));
  }
  error(e) {
    this.add(false, "It could not continue", el("p", {}, visible(e.text ?? "")));
  }
  answer() {}
  failed() {}
}
