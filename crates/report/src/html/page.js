"use strict";
// Steps through runs. All values stand in the rows of the tables; nothing else is needed.
for (const run of document.querySelectorAll(".run")) {
  const rows = [...run.querySelectorAll(".lanes tbody tr")];
  const at = run.querySelector(".at");
  const values = run.querySelector(".values");
  let here = rows.length - 1;

  const line = (row) => {
    const place = row.querySelector("a[data-line]");
    return place && document.getElementById(place.hash.slice(1));
  };
  const show = (index, followed) => {
    const before = line(rows[here]);
    if (before) before.classList.remove("here");
    here = Math.min(Math.max(index, 0), rows.length - 1);
    const known = new Map();
    rows.forEach((row, number) => {
      row.classList.toggle("here", number === here);
      row.classList.toggle("later", number > here);
      if (number > here) return;
      for (const value of row.querySelectorAll("[data-name]")) {
        known.set(value.dataset.name, { text: value.dataset.value, changed: number === here });
      }
    });
    at.textContent = here === 0 ? "at the start" : `after step ${here} of ${rows.length - 1}`;
    const table = document.createElement("table");
    for (const [name, value] of known) {
      const row = table.insertRow();
      row.classList.toggle("changed", value.changed);
      row.insertCell().textContent = name;
      row.insertCell().textContent = value.text;
    }
    values.replaceChildren(table);
    const now = line(rows[here]);
    if (now && followed) {
      now.classList.add("here");
      if (now.closest("details").open) now.scrollIntoView({ block: "nearest" });
    }
  };
  const go = { first: () => 0, back: () => here - 1, on: () => here + 1, last: () => rows.length - 1 };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };
  run.querySelector(".steps").hidden = false;
  values.hidden = false;
  run.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    const row = event.target.closest(".lanes tbody tr");
    if (button) show(go[button.dataset.go](), true);
    else if (row && !event.target.closest("a")) show(rows.indexOf(row), true);
  });
  run.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    show(go[keys[event.key]](), true);
  });
  show(here, false);
}

// Lines of the source are in parts that may be closed.
const open = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const source = target && target.closest("details");
  if (!source) return;
  source.open = true;
  target.scrollIntoView({ block: "center" });
};
addEventListener("hashchange", open);
document.addEventListener("click", (event) => {
  if (event.target.closest("a.place")) setTimeout(open);
});
open();

// The table of files can be narrowed.
const shown = document.getElementById("shown");
const named = document.getElementById("named");
const narrow = () => {
  for (const row of document.querySelectorAll("nav tbody tr")) {
    const fits = (shown.value === "all" || row.classList.contains(shown.value))
      && row.cells[0].textContent.toLowerCase().includes(named.value.toLowerCase());
    row.hidden = !fits;
    document.getElementById(row.dataset.file).hidden = !fits;
  }
};
shown.addEventListener("change", narrow);
named.addEventListener("input", narrow);

// Everything is printed, also what is closed on the screen.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  closed.forEach((one) => { one.open = true; });
});
addEventListener("afterprint", () => closed.forEach((one) => { one.open = false; }));
