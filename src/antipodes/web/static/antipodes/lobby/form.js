// The form for a new game: fields that do not matter for what was chosen are out of sight.

const form = document.querySelector("form.wish");

/** Show the parts whose value of a data attribute is the chosen one. */
function showOnly(name, chosen) {
  for (const part of form.querySelectorAll(`[data-${name}]`)) part.hidden = part.dataset[name] !== chosen;
}

function arrange() {
  const data = new FormData(form);
  showOnly("for", data.get("opponent"));
  showOnly("control", data.get("control"));
  showOnly("seats", (data.get("option-seats") ?? "two") === "two" ? "2" : "more");
}

form.addEventListener("change", arrange);
addEventListener("pageshow", arrange);
arrange();
