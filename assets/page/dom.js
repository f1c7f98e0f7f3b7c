// Elements are made here, and nowhere of markup: every text is a text.

// el makes an element. Properties that begin with "on" are listeners, "class" and those with a dash are attributes.
export function el(name, props = {}, ...children) {
  return fill(document.createElement(name), props, children);
}

// svg makes an element of a drawing; all its properties are attributes.
export function svg(name, props = {}, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(props)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

function fill(e, props, children) {
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (key === "class" || key === "for" || key === "scope" || key === "role" || key.includes("-"))
      e.setAttribute(key, value);
    else e[key] = value;
  }
  e.append(...children.flat().filter((c) => c !== undefined && c !== null && c !== ""));
  return e;
}

export const $ = (id) => document.getElementById(id);

// visible shows control characters and marks that reorder text, as the program does on a terminal.
export function visible(text) {
  return String(text).replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}
