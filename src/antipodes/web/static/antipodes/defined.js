// Assertions about values.

/**
 * Return a value that the caller knows to be present; throw if it is missing.
 * @template T
 * @param {T} value
 * @returns {NonNullable<T>}
 */
export function defined(value) {
  if (value === null || value === undefined) throw new TypeError("a value is missing");
  return value;
}
