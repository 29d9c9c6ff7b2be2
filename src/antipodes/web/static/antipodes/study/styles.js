// Style sheets of elements that any page may embed.

/**
 * Load a style sheet once for a page.
 * @param {URL} address
 */
export function loadStyles(address) {
  const { href } = address;
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
}
