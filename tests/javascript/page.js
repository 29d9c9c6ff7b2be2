// What modules expect of a page when they are imported; imported before them.

globalThis.document = { documentElement: { lang: "en-gb" }, cookie: "" };
