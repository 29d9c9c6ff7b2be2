// Making elements. Text always becomes text nodes, never markup: names and chat come from others.

/**
 * Make an element.
 * @param {string} name
 * @param {Object<string, string|boolean|null>} [attributes] `true` sets an empty attribute; `false`
 *   and `null` set none.
 * @param {...(Node|string)} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/**
 * Make a button that does something.
 * @param {string} text
 * @param {() => void} act
 * @param {Object<string, string|boolean|null>} [attributes]
 * @returns {HTMLButtonElement}
 */
export function button(text, act, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", act);
  return /** @type {HTMLButtonElement} */ (made);
}

/** Make a heading that is read out and not seen. */
export function spokenHeading(text) {
  return element("h2", { class: "spoken" }, text);
}

/** Set an element's text if it is another one, so that nothing is announced twice. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Fetch JSON from an address relative to the page. */
export async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}
