// The parts of a page that modules need on import; imported before them.

globalThis.document = {
  documentElement: { lang: "en-gb" },
  cookie: "",
  addEventListener: () => undefined,
};
globalThis.window = new EventTarget();
Object.defineProperty(globalThis, "localStorage", {
  value: { getItem: () => null, setItem: () => undefined },
});
