// What the page asks the server: everything goes through send.

import { $ } from "./dom.js";

// Num is a number as it was written: a DECIMAL keeps its digits, and no large one is rounded.
export class Num {
  constructor(text) {
    this.text = text;
  }
  valueOf() {
    return Number(this.text);
  }
  toString() {
    return this.text;
  }
}

// parse reads JSON, with every number a Num.
export function parse(text) {
  let at = 0;
  const token = /[\s]*([\[\]{}:,]|"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/gy;
  const next = () => {
    token.lastIndex = at;
    const m = token.exec(text);
    if (!m) throw new SyntaxError("no JSON at " + at);
    at = token.lastIndex;
    return m[1];
  };
  const value = (t) => {
    switch (t[0]) {
      case "{": {
        const out = Object.create(null);
        for (t = next(); t !== "}"; t = next()) {
          if (t === ",") t = next();
          next(); // the colon
          out[JSON.parse(t)] = value(next());
        }
        return out;
      }
      case "[": {
        const out = [];
        for (t = next(); t !== "]"; t = next()) out.push(value(t === "," ? next() : t));
        return out;
      }
      case "t":
      case "f":
      case "n":
      case '"':
        return JSON.parse(t);
      default:
        return new Num(t);
    }
  };
  return value(next());
}

// unlock asks for the token.
function unlock() {
  return new Promise((done) => {
    const dialog = $("locked");
    dialog.addEventListener(
      "close",
      () => {
        sessionStorage.setItem("token", $("token").value.trim());
        done();
      },
      { once: true },
    );
    dialog.showModal();
  });
}

// send sends a request, and again with the token where one is wanted.
async function send(path, body, signal, accept) {
  for (;;) {
    const headers = {};
    if (body) headers["Content-Type"] = "application/json";
    if (accept) headers.Accept = accept;
    const token = sessionStorage.getItem("token");
    if (token) headers.Authorization = "Bearer " + token;
    const response = await fetch(path, {
      method: body ? "POST" : "GET",
      headers,
      body: body && JSON.stringify(body),
      signal,
    });
    if (response.status === 401) {
      await unlock();
      continue;
    }
    if (response.ok) return response;
    const text = await response.text();
    let why = text;
    try {
      why = JSON.parse(text).error.message;
    } catch {
      /* the text itself says it */
    }
    throw new Error(why);
  }
}

// call returns what a route answers.
export async function call(path, body, signal) {
  return parse(await (await send(path, body, signal)).text());
}

// stream calls told with each event of an answer, its data as text, and returns when the stream ends.
export async function stream(body, signal, told) {
  const response = await send("/api/ask", body, signal, "text/event-stream");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const name = /^event: (.*)$/m.exec(part),
        data = /^data: (.*)$/m.exec(part);
      if (name && data) told(name[1], data[1]);
    }
  }
}
