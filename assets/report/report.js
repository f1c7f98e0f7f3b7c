// Shows the items that hold every word and are of the chosen kind. Without it the page shows them all.
const form = document.getElementById("filter");
const find = document.getElementById("find");
const show = document.getElementById("show");
const items = [...document.querySelectorAll("details.item")].map(el => ({ el, text: el.textContent.toLowerCase() }));
function filter() {
  const words = find.value.toLowerCase().split(/\s+/);
  let n = 0;
  for (const { el, text } of items) {
    const on = words.every(w => text.includes(w)) && (!show.value || el.classList.contains(show.value));
    el.hidden = !on;
    n += on;
  }
  document.getElementById("count").textContent = n + " of " + items.length;
}
form.hidden = false;
form.addEventListener("submit", e => e.preventDefault());
find.addEventListener("input", filter);
show.addEventListener("change", filter);
filter();
