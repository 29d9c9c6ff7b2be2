// Keeps options that were changed while the server looked up which values go with them.
//
// htmx asks for the options again after each change, one request at a time. An answer to older
// values would overwrite the newer ones, so it is dropped: the next request is queued already,
// or comes when the field that is being edited fires its change.

/** @typedef {{target: Element, requestConfig: {formData: FormData}, shouldSwap: boolean}} Swap */

addEventListener("htmx:beforeSwap", (event) => {
  const swap = /** @type {CustomEvent<Swap>} */ (event).detail;
  const form = swap.target.closest("form");
  if (!form) return;
  const current = new FormData(form);
  const isCurrent = [...swap.requestConfig.formData].every(([name, value]) => current.get(name) === value);
  if (!isCurrent) swap.shouldSwap = false;
});
