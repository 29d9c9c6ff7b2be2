// Notification settings: preselect the browser's time zone if none was preferences.

const field = /** @type {HTMLSelectElement | null} */ (
  document.querySelector('[data-zone=""] select')
);
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (field && [...field.options].some((option) => option.value === zone)) field.value = zone;
