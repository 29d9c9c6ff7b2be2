// Web Worker with the engine: computes moves beside the page.

import { Analysis, Engine, chooseMove, positionAfter } from "./kit.js";

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
async function answer({
  id,
  engine,
  level,
  shows,
  moves,
  seed = 1,
  milliseconds,
  threats,
  before,
}) {
  try {
    if (!engines.has(engine.kit)) engines.set(engine.kit, open(engine));
    const ready = await engines.get(engine.kit);
    if (ready === undefined) return { id };
    if (shows) return { id, position: positionAfter(ready, moves ?? []) };
    if (level !== undefined)
      return { id, move: chooseMove(ready, level, moves ?? [], randomSeed()) };
    if (milliseconds === undefined) return { id };
    if (moves) analysis = new Analysis(ready, moves, seed);
    if (!analysis) throw new Error("no analysis");
    if (before !== undefined) analysis.beginThreats(before);
    analysis.goOn(milliseconds);
    if (threats) return { id, threats: analysis.tellThreats(), isDone: analysis.isDone };
    return { id, result: analysis.tell(), isDone: analysis.isDone };
  } catch (error) {
    return { id, error: String(error) };
  }
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
