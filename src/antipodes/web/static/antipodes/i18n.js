// Texts in the language of the page. English stands in the code itself; every other language is one
// module, made by `make messages`, that is fetched beside the page's own modules.

const language = document.documentElement.lang || "en-gb";

async function catalogue() {
  if (language.startsWith("en")) return { words: {}, plural: (/** @type {number} */ count) => Number(count !== 1) };
  try {
    return await import(`./languages/${language}.js`);
  } catch {
    // English is better than a page that does nothing.
    return { words: {}, plural: (/** @type {number} */ count) => Number(count !== 1) };
  }
}

const { words, plural } = await catalogue();

/** @typedef {Record<string, string | number>} Values of a text, by their names in it. */

/**
 * Put values where a text has their names in braces.
 * @param {string} text
 * @param {Values} values
 */
function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/**
 * Say a text in the language of the page.
 * @param {string} text in English, with {names} where values come
 * @param {Values} [values]
 */
export function t(text, values = {}) {
  return fill(words[text] ?? text, values);
}

/**
 * Say a text whose words depend on a number, which is {count} in it.
 * @param {string} one in English, for 1
 * @param {string} many in English, for all other numbers
 * @param {number} count
 * @param {Values} [values]
 */
export function tn(one, many, count, values = {}) {
  const forms = words[one];
  const form = Array.isArray(forms) ? forms[Number(plural(count))] : count === 1 ? one : many;
  return fill(form, { count: number(count), ...values });
}

/**
 * Say a word that means something else elsewhere.
 * @param {string} context what it is here
 * @param {string} text in English
 * @param {Values} [values]
 */
export function tc(context, text, values = {}) {
  return fill(words[`${context}\u0004${text}`] ?? text, values);
}

const NUMBERS = new Intl.NumberFormat(language);
const LIST = new Intl.ListFormat(language, { type: "conjunction" });

/**
 * Write a number as the language does.
 * @param {number} value
 * @param {Intl.NumberFormatOptions | null} [options]
 */
export function number(value, options = null) {
  return options === null ? NUMBERS.format(value) : new Intl.NumberFormat(language, options).format(value);
}

/**
 * Join words: "a", "a and b", "a, b and c".
 * @param {string[]} all
 */
export function listed(all) {
  return LIST.format(all);
}

/**
 * Make what writes dates and times as the language does.
 * @param {Intl.DateTimeFormatOptions} options
 */
export function timeFormat(options) {
  return new Intl.DateTimeFormat(language, options);
}
