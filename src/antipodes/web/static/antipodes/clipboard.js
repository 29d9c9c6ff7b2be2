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

/**
 * Copy a text through a hidden field, which stays in view where the text cannot be copied.
 * @param {HTMLInputElement} field
 * @param {string} text
 */
export async function copyThrough(field, text) {
  field.value = text;
  field.hidden = false; // a hidden field cannot be selected
  const isCopied = await copyField(field);
  field.hidden = isCopied;
  if (!isCopied) field.focus();
  return isCopied;
}
