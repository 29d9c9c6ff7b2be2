// Buttons that copy what stands in a field beside them.

for (const button of document.querySelectorAll("[data-copies]")) {
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copies);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Without HTTPS browsers allow the older way alone.
      document.execCommand("copy");
    }
    button.textContent = button.dataset.done;
    button.nextElementSibling.textContent = button.dataset.done;
  });
}
