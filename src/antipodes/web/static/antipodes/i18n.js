// Translations. English texts are in the code; every other language is a module, built by
// `make messages` and loaded with the page's modules.

const language = document.documentElement.lang || "en-gb";

async function catalogue() {
  if (language.startsWith("en"))
    return { words: {}, plural: (/** @type {number} */ count) => Number(count !== 1) };
  try {
    return await import(`./languages/${language}.js`);
  } catch {
    // Without the translation, show English rather than nothing.
    return { words: {}, plural: (/** @type {number} */ count) => Number(count !== 1) };
  }
}

const { words, plural } = await catalogue();

/** @typedef {Record<string, string | number>} Values the placeholders of a text, by name. */

/**
 * Replace the placeholders of a text.
 * @param {string} text
 * @param {Values} values
 */
function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    name in values ? String(values[name]) : whole,
  );
}

/**
 * Translate a text.
 * @param {string} text in English, with {placeholders}
 * @param {Values} [values]
 */
export function t(text, values = {}) {
  return fill(words[text] ?? text, values);
}

/**
 * Translate a text with a plural; the number is {count}.
 * @param {string} one singular in English
 * @param {string} many plural in English
 * @param {number} count
 * @param {Values} [values]
 */
export function tn(one, many, count, values = {}) {
  const forms = words[one];
  const form = Array.isArray(forms) ? forms[Number(plural(count))] : count === 1 ? one : many;
  return fill(form, { count: number(count), ...values });
}

/**
 * Translate a text that has other meanings elsewhere.
 * @param {string} context of the text
 * @param {string} text in English
 * @param {Values} [values]
 */
export function tc(context, text, values = {}) {
  return fill(words[`${context}\u0004${text}`] ?? text, values);
}

const NUMBERS = new Intl.NumberFormat(language);
const LIST = new Intl.ListFormat(language, { type: "conjunction" });

/**
 * Format a number.
 * @param {number} value
 * @param {Intl.NumberFormatOptions | null} [options]
 */
export function number(value, options = null) {
  return options === null
    ? NUMBERS.format(value)
    : new Intl.NumberFormat(language, options).format(value);
}

/**
 * Format a list: "a", "a and b", "a, b and c".
 * @param {string[]} all
 */
export function listed(all) {
  return LIST.format(all);
}

const DAY = new Intl.DateTimeFormat(language, { day: "numeric", month: "long", year: "numeric" });
const TIME = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });

/**
 * Format a time of the day: "20:49".
 * @param {Date | number} at
 */
export function timeOfDay(at) {
  return TIME.format(at);
}

/**
 * Format a day and a time as the server does: "23 November 2026, 20:49".
 * @param {Date | number} at
 */
export function dayAndTime(at) {
  return `${DAY.format(at)}, ${TIME.format(at)}`;
}
