// Style sheets of elements that any page can embed.

/**
 * Add a style sheet to the page once.
 * @param {URL} url
 */
export function loadStyles(url) {
  const { href } = url;
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
}
