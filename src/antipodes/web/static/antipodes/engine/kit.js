// The driver of the engine's kernels: the arrays of a kit in the memory of a module, and calls. What
// the arrays mean, and all rules and searches, are in the kernels.

/** @import { AnalysisKitOut, AnalysisResultOut, ConnectionsOut, KitOut, PageEngineOut } from "wire" */
/** @import { ThreatOut } from "wire" */
/**
 * @typedef {Omit<AnalysisResultOut, "game" | "options" | "share"> & {best: number | null}}
 *   DeviceResult with the number of the best move
 */
/** @typedef {{ply: number, left: number, decides: boolean}} Turn a turning point */
/**
 * @typedef {object} Order what a page asks its worker for; without `level`, `shows` and
 *   `milliseconds` the engine is only prepared
 * @property {number} id
 * @property {PageEngineOut} engine
 * @property {number} [level] whose move is wanted
 * @property {boolean} [shows] whether the position is wanted
 * @property {number[]} [moves] to the position; without them an analysis goes on
 * @property {number} [seed] of an analysis
 * @property {boolean} [next] whether an analysis goes on with the next turn of another colour
 * @property {number} [milliseconds] of an analysis, of a search for threats, or that a move may take
 * @property {number} [before] value of a position whose threats are wanted from now on
 * @property {boolean} [threats] whether threats are told
 * @property {number} [turns] within which the other side must not win after the wanted move
 * @property {DeviceResult[]} [game] results of all its positions, whose turning points after
 *   `moves` are wanted
 */
/**
 * @typedef {object} Answer
 * @property {number} id
 * @property {number} [move] negative if none was found, or this device is too slow for the level
 * @property {EnginePosition} [position]
 * @property {DeviceResult} [result] of the analysis so far
 * @property {ThreatOut[] | null} [threats] so far; null if the turn cannot be passed
 * @property {ConnectionsOut} [connections] of games that have them, with the threats
 * @property {Turn[]} [turns]
 * @property {boolean} [isDone] whether the analysis is complete
 * @property {string} [error]
 */

import { RESULTS, UNKNOWN, connectionsOf, resultOf, threatsOf, withOthers } from "./report.js";

const ALIGNED = 16; // bytes to whose multiples arrays are placed
const PAGE = 65_536; // bytes by which memory grows

/**
 * The arrays and kernels of one game in a module.
 * @template {KitOut | AnalysisKitOut} Kit
 */
export class Engine {
  #exports;
  #memory;
  #contents;
  /** @type {number[][]} the lengths of each array */
  #shapes = [];
  /** @type {number[]} where each array begins */
  #places = [];
  /** @type {Kit} */
  kit;
  /** The state of a setup in base64, with which games begin; empty for the start of the game. */
  start = "";

  /**
   * Read a kit; a module has the arrays of one at a time.
   * @param {WebAssembly.Instance} instance of the module
   * @param {ArrayBuffer} file the kit
   */
  constructor(instance, file) {
    this.#exports = /** @type {Record<string, any>} */ (instance.exports);
    this.#memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    const length = new DataView(file).getUint32(0, true);
    this.kit = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 4, length)));
    this.#contents = new Uint8Array(file, 4 + length);
    this.#exports._initialize();
  }

  /**
   * Place the arrays in memory, with the contents that the kit has for them.
   * @param {number} [level] whose arrays are placed
   */
  reset(level = 0) {
    /** @type {Record<number, number[]>} */
    const shapes = ("shapes" in this.kit && this.kit.shapes[level]) || {};
    this.#shapes = this.kit.arrays.map(({ shape }, number) => shapes[number] ?? shape);
    this.#places = [];
    let end = Number(this.#exports.__heap_base.value);
    for (const number of this.kit.arrays.keys()) {
      const place = Math.ceil(end / ALIGNED) * ALIGNED;
      this.#places.push(place);
      end = place + this.#bytesOf(number);
    }
    const missing = end - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE)); // throws without room
    for (const [number, { at }] of this.kit.arrays.entries()) {
      const size = this.#bytesOf(number);
      const array = new Uint8Array(this.#memory.buffer, this.#places[number], size);
      if (at === null) array.fill(0);
      else array.set(this.#contents.subarray(at, at + size));
    }
    if (this.start) this.#setUp();
  }

  #setUp() {
    const root = Number(this.kit.calls.play.arguments[1]);
    const size = this.#bytesOf(root);
    const state = Uint8Array.from(atob(this.start), (each) => each.charCodeAt(0));
    const array = new Uint8Array(this.#memory.buffer, this.#places[root], size);
    array.fill(0);
    array.set(state);
  }

  /**
   * Return the size of an array.
   * @param {number} number of the array
   */
  #bytesOf(number) {
    return product(this.#shapes[number]) * Number(this.kit.arrays[number].type.slice(1));
  }

  /**
   * Return the memory of an array of whole numbers.
   * @param {number} number of the array
   */
  whole(number) {
    const length = product(this.#shapes[number]);
    return new BigInt64Array(this.#memory.buffer, this.#places[number], length);
  }

  /**
   * Return the memory of an array of fractional numbers.
   * @param {number} number of the array
   */
  real(number) {
    const length = product(this.#shapes[number]);
    return new Float64Array(this.#memory.buffer, this.#places[number], length);
  }

  /**
   * Call a kernel.
   * @param {string} name
   * @param {Record<string, number>} [values] of the arguments that are no arrays
   */
  call(name, values = {}) {
    const { name: kernel, arguments: taken } = this.kit.calls[name];
    /** @type {(number | bigint)[]} */
    const passed = [];
    for (const argument of taken) {
      if (typeof argument === "string") passed.push(BigInt(values[argument]));
      else passed.push(this.#places[argument], ...this.#shapes[argument]);
    }
    return Number(this.#exports[kernel](...passed));
  }

  /**
   * Call a kernel that fills its last array, and return what it has written.
   * @param {string} name
   */
  list(name) {
    const count = this.call(name);
    const written = this.whole(Number(this.kit.calls[name].arguments.at(-1)));
    return Array.from(written.subarray(0, count), Number);
  }
}

/** @param {number[]} lengths */
function product(lengths) {
  return lengths.reduce((size, length) => size * length, 1);
}

/**
 * A position as the rules leave it; the numbers are those of the kernels.
 * @typedef {object} EnginePosition
 * @property {number[]} pieces of each cell
 * @property {number[]} legal moves
 * @property {number[]} chain the winning one
 * @property {Record<string, number>} header such as the colour to move and the winner
 */

/**
 * Return the position after moves.
 * @param {Engine<KitOut>} engine
 * @param {number[]} moves since the position of the kit
 * @returns {EnginePosition}
 */
export function positionAfter(engine, moves) {
  const { header, root } = engine.kit;
  engine.reset();
  for (const move of moves) {
    if (!engine.list("moves").includes(move)) throw new Error(`move ${move} is not legal`);
    engine.call("play", { move });
  }
  const state = engine.whole(root);
  const named = Object.entries(header).map(([name, at]) => [name, Number(state[at])]);
  return {
    pieces: engine.list("pieces"),
    legal: engine.list("moves"),
    chain: engine.list("chain"),
    header: Object.fromEntries(named),
  };
}

/**
 * Return a move after which the other side cannot win within some own turns, or -1.
 * @param {Engine<AnalysisKitOut>} engine
 * @param {number[]} moves since the start
 * @param {number} turns
 */
export function refutingMove(engine, moves, turns) {
  engine.reset();
  for (const move of moves) engine.call("play", { move });
  return engine.call("refute", { turns });
}

const SLICE = 20; // milliseconds of a call, so that progress can be reported
const TRIAL = 1_000; // milliseconds after which the time of a whole choice can be told

/**
 * Choose a move; return -1 as soon as that seems to take too long.
 * @param {Engine<KitOut>} engine
 * @param {number} level
 * @param {number[]} moves since the position of the kit
 * @param {bigint} seed state of the random generator, not 0
 * @param {number} [milliseconds] that it may take
 */
export function chooseMove(engine, level, moves, seed, milliseconds = Infinity) {
  const { levels, skill, rng } = engine.kit;
  engine.reset(level);
  engine.real(skill).set(levels[level]);
  engine.whole(rng)[0] = seed;
  for (const move of moves) engine.call("play", { move });
  const move = engine.call("begin");
  if (move >= 0) return move;
  const slices = new Slices();
  const began = performance.now();
  const grow = () => slices.measure((visits) => engine.call("grow", { visits }));
  const whole = grow();
  for (let left = whole; left > 0; left = grow()) {
    const passed = performance.now() - began;
    if (passed > TRIAL && passed * whole > milliseconds * (whole - left)) return -1;
  }
  return engine.call("end");
}

/**
 * Return the turning points of a game.
 * @param {Engine<AnalysisKitOut>} engine
 * @param {DeviceResult[]} results of its positions, from the first to the last
 * @param {number[]} moves
 * @returns {Turn[]}
 */
export function turningPoints(engine, results, moves) {
  const { game, colors } = engine.kit;
  engine.reset();
  for (const [ply, { rootInfo, estimates, best }] of results.entries()) {
    engine.real(game.values)[ply] = rootInfo.winrate;
    engine.real(game.errors)[ply] = rootInfo.error;
    engine.whole(game.proven)[ply] = BigInt(RESULTS.indexOf(rootInfo.proven));
    engine.whole(game.movers)[ply] = BigInt(rootInfo.seat ?? ply);
    engine.whole(game.best)[ply] = BigInt(best ?? -1);
    engine.whole(game.played)[ply] = BigInt(moves[ply] ?? -1);
    const chances = engine.real(game.chances).subarray(ply * estimates.length);
    for (const { color, winrate } of estimates) chances[colors.indexOf(color)] = winrate ?? UNKNOWN;
  }
  const count = engine.call("find_turning_points", { count: moves.length });
  return Array.from(engine.whole(game.turns).subarray(0, count), Number).map((ply) => ({
    ply,
    left: engine.real(game.left)[ply - 1],
    decides: engine.whole(game.decides)[ply - 1] === 1n,
  }));
}

/** Numbers of visits that take about `SLICE` each. */
class Slices {
  #visits = 1;

  /**
   * Add a slice; the next one is longer if it was short.
   * @param {(visits: number) => number} grow
   */
  measure(grow) {
    const began = performance.now();
    const result = grow(this.#visits);
    if (performance.now() - began < SLICE) this.#visits *= 2;
    return result;
  }
}

/** An analysis of one position, which goes on as often as it is asked to; then of its threats. */
export class Analysis {
  #engine;
  #moves;
  #seed;
  #slices = new Slices();
  /** @type {DeviceResult | null} */
  #result = null; // of the position, while turns of other colours are searched
  /** @type {Map<string, number>} */
  #others = new Map(); // values of these for them
  /** @type {number[]} */
  #line = []; // to the last of these turns
  /** @type {number | null} */
  #wins = null; // at once, by threats; -1 if the turn cannot be passed
  isDone = false;
  visits = 0;
  /** @type {ConnectionsOut | undefined} */
  connections; // of games that have them, once threats are searched

  /**
   * @param {Engine<AnalysisKitOut>} engine
   * @param {number[]} moves since the position of the kit
   * @param {number} seed
   */
  constructor(engine, moves, seed) {
    this.#engine = engine;
    this.#moves = moves;
    this.#seed = seed;
    this.#setUp();
    this.isDone = engine.call("begin", { seed }) === 1;
  }

  /** @param {number[]} line after the position */
  #setUp(line = []) {
    this.#engine.reset();
    for (const move of [...this.#moves, ...line]) this.#engine.call("play", { move });
  }

  /** Search the next turn of another colour from now on, after the best move. */
  beginNextColor() {
    const result = this.#told();
    this.#result ??= result;
    this.visits = 0;
    this.isDone = true;
    if (result.best === null) return; // the game is over
    this.#line.push(result.best);
    this.#setUp(this.#line);
    this.isDone = this.#engine.call("begin", { seed: this.#seed }) === 1;
  }

  /**
   * Search for connections, and for the threats of the opponent from now on.
   * @param {number} value of the position, for the player to move
   */
  beginThreats(value) {
    const engine = this.#engine;
    this.#setUp();
    if ("connect" in engine.kit.calls) {
      engine.call("connect");
      this.connections = connectionsOf(engine);
      this.#setUp();
    }
    engine.real(engine.kit.report.before)[0] = value;
    this.#wins = engine.call("threaten");
    this.visits = 0;
    this.isDone = this.#wins !== 0 || engine.call("begin", { seed: this.#seed }) === 1;
  }

  /** Return the threats so far, or null if the turn cannot be passed. */
  tellThreats() {
    if (this.#wins === -1) return null;
    if (this.#wins === 0) {
      this.#engine.call("tell");
      this.#engine.call("mark_threats");
    }
    return threatsOf(this.#engine);
  }

  /**
   * Continue the search until it is complete, a time is over or there are so many visits.
   * @param {number} milliseconds
   * @param {number} most visits
   */
  goOn(milliseconds, most = Infinity) {
    const end = performance.now() + milliseconds;
    while (!this.isDone && this.visits < most && performance.now() < end) {
      this.visits = this.#slices.measure((wanted) =>
        this.#engine.call("grow", { visits: Math.min(wanted, most - this.visits) }),
      );
      this.isDone = this.visits === 0;
    }
  }

  /** Return the results so far. */
  tell() {
    const result = this.#told();
    if (!this.#result) return result;
    const { currentPlayer, winrate } = result.rootInfo;
    if (currentPlayer !== null && result.best !== null) this.#others.set(currentPlayer, winrate);
    return withOthers(this.#result, this.#others);
  }

  #told() {
    this.#engine.call("tell");
    return resultOf(this.#engine);
  }
}
