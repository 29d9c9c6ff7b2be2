// The CSRF token of requests and forms. It changes when a visitor becomes a guest or signs in, in this
// tab or another one, so a form gets the token of the cookie at the moment when it is sent.

/** The CSRF token; empty without a cookie. */
export function csrfToken() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
}

/**
 * Renew the token of a form that is about to be sent.
 * @param {Event} event
 */
function renew({ target }) {
  const field =
    target instanceof HTMLFormElement && target.elements.namedItem("csrfmiddlewaretoken");
  if (field instanceof HTMLInputElement) field.value = csrfToken() || field.value;
}

// Before all other listeners: htmx reads the fields of a form in one.
document.addEventListener("submit", renew, { capture: true });
