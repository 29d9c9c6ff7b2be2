// Copy text to the clipboard.

/**
 * Select the text of a field and copy it; return whether that succeeded.
 * @param {HTMLInputElement} field
 * @returns {Promise<boolean>}
 */
export async function copyField(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // Without HTTPS, browsers have only the older API.
    return document.execCommand("copy");
  }
}
