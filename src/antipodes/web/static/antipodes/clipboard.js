// Copying what stands in a field.

/**
 * Select the text of a field and copy it; return whether that could be done.
 * @param {HTMLInputElement} field
 * @returns {Promise<boolean>}
 */
export async function copyField(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // Without HTTPS browsers offer the older way only.
    return document.execCommand("copy");
  }
}
