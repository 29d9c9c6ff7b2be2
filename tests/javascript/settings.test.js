// Tests of the stored settings of boards.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { preferences } from "../../src/antipodes/web/static/antipodes/board/settings.js";

const hex = { game: "hex", turns: [], directions: [], kind: "hex" };

test("the board theme is told to the server, which draws pictures; other settings are not", (context) => {
  const { location } = globalThis;
  globalThis.location = { protocol: "https:" };
  context.after(() => Object.assign(globalThis, { location }));
  preferences.choose("board", "walnut", hex);
  assert.match(
    globalThis.document.cookie,
    /^board=walnut; path=\/; max-age=\d+; samesite=lax; secure$/,
  );
  globalThis.document.cookie = "";
  preferences.choose("stones", "flat", hex);
  assert.equal(globalThis.document.cookie, "");
});
