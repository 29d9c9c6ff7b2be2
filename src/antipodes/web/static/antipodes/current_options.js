// Drop outdated answers to changes of a game's options.
//
// htmx requests the options after each change, one request at a time. An answer to older values
// would overwrite newer ones, so it is dropped: the next request is queued already, or comes when
// the field being edited fires its change.

/** @typedef {{target: Element, requestConfig: {formData: FormData}, shouldSwap: boolean}} Swap */

addEventListener("htmx:beforeSwap", (event) => {
  const swap = /** @type {CustomEvent<Swap>} */ (event).detail;
  const form = swap.target.closest("form");
  if (!form) return;
  const current = new FormData(form);
  const isCurrent = [...swap.requestConfig.formData].every(
    ([name, value]) => current.get(name) === value,
  );
  if (!isCurrent) swap.shouldSwap = false;
});
