// Small makers of elements.

/** Make an element with attributes and children. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Make a button; with a `label` it is spoken so, and shown as `text`. */
export function makeButton(text, act, label) {
  const button = make("button", { type: "button", ...(label && { "aria-label": label, title: label }) });
  button.textContent = text;
  button.addEventListener("click", act);
  return button;
}

/** Load the style sheet that lies beside a module, once for a page. */
export function loadStyles(address) {
  const { href } = new URL(address);
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return;
  if (document.querySelector(`link[href="${href}"]`)) return;
  document.head.append(make("link", { rel: "stylesheet", href }));
}
