// Web Worker with the engine: computes moves beside the page.

import { defined } from "../defined.js";
import { Analysis, Engine, chooseMove, positionAfter, refutingMove, turningPoints } from "./kit.js";

/** @import { Answer, Order } from "./kit.js" */
/** @import { PageEngineOut } from "wire" */

const scope = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** @type {Map<string, Promise<Engine<any>>>} by the address of the kit */
const engines = new Map();
/** @type {Analysis | null} */
let analysis = null;

scope.addEventListener("message", async (event) => {
  const order = /** @type {Order} */ (event.data);
  scope.postMessage(await answer(order));
});

/**
 * @param {Order} order
 * @returns {Promise<Answer>}
 */
async function answer({ id, engine, ...order }) {
  try {
    if (!engines.has(engine.kit)) engines.set(engine.kit, open(engine));
    const ready = defined(await engines.get(engine.kit));
    ready.start = engine.start;
    return { id, ...work(ready, order) };
  } catch (error) {
    return { id, error: String(error) };
  }
}

/**
 * @param {Engine<any>} engine
 * @param {Omit<Order, "id" | "engine">} order
 * @returns {Omit<Answer, "id">}
 */
function work(engine, { level, shows, moves, turns, game, ...order }) {
  const { seed = 1, next, milliseconds, threats, before } = order;
  if (shows) return { position: positionAfter(engine, moves ?? []) };
  if (level !== undefined)
    return { move: chooseMove(engine, level, moves ?? [], randomSeed(), milliseconds) };
  if (game) return { turns: turningPoints(engine, game, moves ?? []) };
  if (turns !== undefined) return { move: refutingMove(engine, moves ?? [], turns) };
  if (milliseconds === undefined) return {};
  if (moves) analysis = new Analysis(engine, moves, seed);
  if (!analysis) throw new Error("no analysis");
  if (next) analysis.beginNextColor();
  if (before !== undefined) analysis.beginThreats(before);
  analysis.goOn(milliseconds);
  const { isDone, connections } = analysis;
  return threats
    ? { threats: analysis.tellThreats(), isDone, ...(connections && { connections }) }
    : { result: analysis.tell(), isDone };
}

/**
 * Load the module and the kit of a game.
 * @param {PageEngineOut} engine
 */
async function open({ module, kit }) {
  const [{ instance }, file] = await Promise.all([
    WebAssembly.instantiateStreaming(fetch(module)),
    fetch(kit).then((response) => {
      if (!response.ok) throw new Error(`${kit}: ${response.status}`);
      return response.arrayBuffer();
    }),
  ]);
  return new Engine(instance, file);
}

/** Return a random state of a generator, which is never 0. */
function randomSeed() {
  return crypto.getRandomValues(new BigInt64Array(1))[0] || 1n;
}
