// What modules expect of a page when they are imported; imported before them.

globalThis.document = { documentElement: { lang: "en-gb" }, cookie: "" };
globalThis.window = new EventTarget();
Object.defineProperty(globalThis, "localStorage", {
  value: { getItem: () => null, setItem: () => undefined },
});
