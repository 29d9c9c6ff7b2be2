// Values that are known to be there.

/**
 * Return a value that is there by the logic of the caller; fail where it is missing.
 * @template T
 * @param {T} value
 * @returns {NonNullable<T>}
 */
export function sure(value) {
  if (value === null || value === undefined) throw new TypeError("a value is missing");
  return value;
}
