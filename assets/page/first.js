// What comes before the first picture: how the page is dressed. All else is loaded when that is on the screen, so that
// it does not wait.

const root = document.documentElement;

// setting is what this browser keeps under a name; a value is kept.
export const setting = (name, value) => {
  if (value === undefined) return localStorage.getItem("nl2sql." + name);
  localStorage.setItem("nl2sql." + name, value);
};

// dress puts on what was chosen: dark or light, and large type.
export function dress() {
  const theme = setting("theme");
  if (theme) root.dataset.theme = theme;
  root.classList.toggle("large", setting("large") === "true");
}

dress();
const rest = () => import("./app.js"); // a module is loaded once, however often it is asked for
new PerformanceObserver(rest).observe({ type: "paint", buffered: true });
setTimeout(rest, 250); // a page that nobody sees is not painted
