// Making elements. Text always becomes text nodes, never markup: names and chat come from others.

/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

/**
 * Make an element.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes] `true` sets an empty attribute; `false`
 *   and `null` set none.
 * @param {...(Node|string)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null) made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

/**
 * Make a button that does something.
 * @param {string} text
 * @param {() => void} act
 * @param {Attributes} [attributes]
 * @returns {HTMLButtonElement}
 */
export function button(text, act, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

/**
 * Make a heading that is read out and not seen.
 * @param {string} text
 */
export function spokenHeading(text) {
  return element("h2", { class: "spoken" }, text);
}

/**
 * Set an element's text if it is another one, so that nothing is announced twice.
 * @param {HTMLElement} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/**
 * Fetch JSON from an address relative to the page.
 * @param {string} address
 */
export async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}
