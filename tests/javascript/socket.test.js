// Tests of sockets that reconnect, with a WebSocket that the test opens and closes.

import "./page.js";
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import {
  NOT_FOUND,
  ReconnectingSocket,
  RESTARTS,
  SIGNED_OUT,
  TOO_MANY,
  TRY_LATER,
} from "../../src/antipodes/web/static/antipodes/socket.js";

const LOST = 1006;

class FakeWebSocket {
  static CONNECTING = 0;
  static OPEN = 1;
  static made = [];

  constructor(address) {
    this.address = address;
    this.readyState = FakeWebSocket.CONNECTING;
    this.sent = [];
    this.wasClosedEarly = false;
    FakeWebSocket.made.push(this);
  }

  accept() {
    this.readyState = FakeWebSocket.OPEN;
    this.onopen?.();
  }

  receive(message) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  lose(code) {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.wasClosedEarly ||= this.readyState === FakeWebSocket.CONNECTING;
    this.readyState = 3;
  }
}

const page = Object.assign(new EventTarget(), { hidden: false, documentElement: { lang: "de" } });
const fakes = {
  location: { protocol: "https:", host: "example.org" },
  WebSocket: FakeWebSocket,
  document: page,
};
const real = Object.fromEntries(Object.keys(fakes).map((name) => [name, globalThis[name]]));

const events = [];
const handlers = {
  onMessage: (message) => events.push(message),
  onOpen: () => events.push("open"),
  onLost: (code) => events.push(code),
};
const latest = () => FakeWebSocket.made.at(-1);
const count = () => FakeWebSocket.made.length;

function opened() {
  const socket = new ReconnectingSocket("/m/x/socket", handlers);
  socket.open();
  latest().accept();
  return socket;
}

describe("reconnecting sockets", () => {
  beforeEach(() => {
    Object.assign(globalThis, fakes);
    FakeWebSocket.made = [];
    events.length = 0;
    page.hidden = false;
    mock.timers.enable({ apis: ["setTimeout"] });
    mock.method(Math, "random", () => 1); // the longest delays
  });

  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
    Object.assign(globalThis, real);
  });

  test("messages are received and sent as JSON", () => {
    const socket = opened();
    assert.equal(latest().address, "wss://example.org/m/x/socket?language=de");
    latest().receive({ type: "match" });
    socket.send({ command: "play" });
    assert.deepEqual(events, ["open", { type: "match" }]);
    assert.deepEqual(latest().sent, [{ command: "play" }]);
    socket.close();
  });

  test("every socket names the language of its page", () => {
    const socket = new ReconnectingSocket("/m/x/socket?moves=new", handlers);
    socket.open();
    assert.equal(latest().address, "wss://example.org/m/x/socket?moves=new&language=de");
    socket.close();
  });

  test("a lost socket is replaced after delays that double up to a limit", () => {
    const socket = opened();
    const delays = [];
    for (let i = 0; i < 9; i++) {
      latest().lose(LOST);
      const before = count();
      let waited = 0;
      for (; count() === before; waited += 500) mock.timers.tick(500);
      delays.push(waited);
    }
    assert.deepEqual(delays, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    latest().accept();
    latest().lose(LOST);
    mock.timers.tick(1000);
    assert.equal(count(), 11); // the delays begin again
    socket.close();
  });

  for (const code of [RESTARTS, TRY_LATER]) {
    test(`pages that lose their sockets together by code ${code} come back over eight seconds`, () => {
      const socket = opened();
      for (const [share, delay] of [
        [0, 800],
        [0.5, 4400],
        [1, 8000],
      ]) {
        mock.method(Math, "random", () => share);
        latest().lose(code);
        const before = count();
        mock.timers.tick(delay - 1);
        assert.equal(count(), before);
        mock.timers.tick(1);
        assert.equal(count(), before + 1);
        latest().accept();
      }
      socket.close();
    });
  }

  test("a restart that takes longer spreads pages further", () => {
    const socket = opened();
    latest().lose(RESTARTS);
    mock.timers.tick(8000);
    assert.equal(count(), 2);
    latest().lose(LOST); // refused: no server yet
    mock.timers.tick(1999);
    assert.equal(count(), 2);
    mock.timers.tick(1);
    assert.equal(count(), 3);
    socket.close();
  });

  test("no socket follows once it is closed, and one that connects is aborted before the next", () => {
    const socket = new ReconnectingSocket("/m/x/socket", handlers);
    socket.open();
    const first = latest();
    socket.reconnect();
    assert.equal(first.wasClosedEarly, true);
    socket.close();
    assert.equal(latest().wasClosedEarly, true);
    mock.timers.tick(60_000);
    globalThis.window.dispatchEvent(new Event("online"));
    assert.equal(count(), 2);
    assert.deepEqual(events, []);
  });

  test("a missing match is not asked for again", () => {
    opened();
    latest().lose(NOT_FOUND);
    mock.timers.tick(60_000);
    page.dispatchEvent(new Event("visibilitychange"));
    assert.equal(count(), 1);
    assert.deepEqual(events, ["open", NOT_FOUND]);
  });

  for (const code of [SIGNED_OUT, TOO_MANY]) {
    test(`after close code ${code} it waits until the page is shown again`, () => {
      const socket = opened();
      latest().lose(code);
      mock.timers.tick(60_000);
      page.hidden = true;
      page.dispatchEvent(new Event("visibilitychange"));
      assert.equal(count(), 1);
      page.hidden = false;
      page.dispatchEvent(new Event("visibilitychange"));
      assert.equal(count(), 2);
      page.dispatchEvent(new Event("visibilitychange"));
      assert.equal(count(), 2); // while it connects
      socket.close();
    });
  }

  test("a page that is kept for the back button has no socket meanwhile", () => {
    const socket = opened();
    globalThis.window.dispatchEvent(new Event("pagehide"));
    assert.equal(latest().readyState, 3);
    mock.timers.tick(60_000);
    assert.equal(count(), 1);
    globalThis.window.dispatchEvent(new Event("pageshow"));
    assert.equal(count(), 2);
    socket.close();
  });

  test("back on line it connects at once", () => {
    const socket = opened();
    for (let i = 0; i < 5; i++) {
      latest().lose(LOST);
      mock.timers.tick(30_000);
    }
    latest().lose(LOST);
    globalThis.window.dispatchEvent(new Event("online"));
    assert.equal(count(), 7);
    socket.close();
  });
});
