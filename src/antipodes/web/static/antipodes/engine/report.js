// The report of an analysis in the engine's memory, as data in the form of the server's.

/** @import { DeviceResult, Engine } from "./kit.js" */
/** @import { AnalysisKitOut, ConnectionsOut, ThreatOut } from "wire" */

// Numbers and chances of a report, as search/kernels/reports.py names them.
const [VISITS, COUNT, PROVEN, TO_MOVE, MOVER, PLIES, OUTCOME, TERMINATION, POINTS] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
];
const [VALUE, ERROR, CHANCES] = [0, 1, 2];
export const UNKNOWN = -1; // chance of a colour
const AT_ONCE = 2; // a threat that would end the game
const [JOINED, LIMITED, JOINS] = [1, 2, 3]; // numbers of a search for virtual connections
const [MAY_WIN, NEEDED] = [1, 2]; // marks of a cell behind them
/** @type {DeviceResult["rootInfo"]["proven"][]} */
export const RESULTS = [null, "win", "draw", "loss"];
const ENDINGS = ["", "/", "\\"]; // of the marks of rods

/**
 * Return the results of an analysis.
 * @param {Engine<AnalysisKitOut>} engine
 * @returns {DeviceResult}
 */
export function resultOf(engine) {
  const { kit } = engine;
  const { whole, real } = readers(engine);
  const numbers = whole("numbers");
  const chances = real("chances");
  const error = chances[ERROR];
  const isOver = numbers[OUTCOME] !== 0;
  const moveInfos = movesOf(kit, numbers[COUNT], whole, real);
  return {
    ply: numbers[PLIES],
    outcome: isOver
      ? {
          winner: kit.colors[numbers[OUTCOME] - 1] ?? null,
          termination: kit.terminations[numbers[TERMINATION]],
          points: numbers[POINTS],
        }
      : null,
    rootInfo: {
      currentPlayer: isOver ? null : kit.colors[numbers[TO_MOVE]],
      seat: isOver ? null : numbers[MOVER],
      visits: numbers[VISITS],
      seconds: 0,
      winrate: chances[VALUE],
      error,
      proven: RESULTS[numbers[PROVEN]],
    },
    estimates: kit.order.map((color) => ({
      color: kit.colors[color],
      seats: [],
      winrate: chances[CHANCES + color] === UNKNOWN ? null : chances[CHANCES + color],
      error,
    })),
    best: moveInfos.length ? whole("moves")[0] : null,
    moveInfos: moveInfos.map(({ info }) => info),
    marks: Object.fromEntries(
      moveInfos.flatMap(({ cell, mark }) => (cell < 0 ? [] : [[cell, mark]])).reverse(), // of two moves on a cell the better one stays
    ),
    heat: Object.fromEntries(
      [...real("heat").entries()]
        .filter(([, weight]) => weight > 0)
        .map(([cell, weight]) => [cell, Math.round(1000 * weight) / 1000]),
    ),
  };
}

/**
 * Return results with the chances of other colours than the one to move. Their values need not add
 * up; they share what that one leaves.
 * @param {DeviceResult} result
 * @param {Map<string, number>} others values of their turns
 * @returns {DeviceResult}
 */
export function withOthers(result, others) {
  const { currentPlayer, winrate } = result.rootInfo;
  const total = [...others.values()].reduce((sum, value) => sum + value, 0);
  return {
    ...result,
    estimates: result.estimates.map((estimate) => {
      const value = others.get(estimate.color);
      if (estimate.color === currentPlayer || value === undefined || !total) return estimate;
      return { ...estimate, winrate: ((1 - winrate) * value) / total };
    }),
  };
}

/**
 * Return the threats, the worst first.
 * @param {Engine<AnalysisKitOut>} engine
 * @returns {ThreatOut[]}
 */
export function threatsOf(engine) {
  const { whole, real } = readers(engine);
  const isThreat = whole("threats");
  return movesOf(engine.kit, whole("numbers")[COUNT], whole, real)
    .flatMap(({ info, cell }, place) => {
      if (isThreat[place] === 0) return [];
      const { move, winrate, error, proven, visits } = info;
      const shown = cell < 0 ? null : cell;
      const atOnce = isThreat[place] === AT_ONCE;
      return [{ visits, threat: { move, cell: shown, winrate, error, proven, atOnce } }];
    })
    .sort((a, b) => rank(b) - rank(a) || b.visits - a.visits)
    .map(({ threat }) => threat);
}

/**
 * Return the results of the search for virtual connections.
 * @param {Engine<AnalysisKitOut>} engine
 * @returns {ConnectionsOut}
 */
export function connectionsOf(engine) {
  const { cells: names, colors } = engine.kit;
  const joins = readers(engine).whole("joins");
  const cells = [...joins.slice(JOINS).entries()];
  const named = (/** @type {number} */ mark) =>
    cells.filter(([, marks]) => marks & mark).map(([cell]) => names[cell]);
  return {
    winner: colors[joins[JOINED] - 1] ?? null,
    mustPlay: joins[LIMITED] === 0 ? null : named(MAY_WIN),
    carrier: named(NEEDED),
  };
}

const rank = (/** @type {{threat: ThreatOut}} */ { threat }) => Number(threat.proven === "win");

/** @param {Engine<AnalysisKitOut>} engine */
function readers(engine) {
  const { report } = engine.kit;
  return {
    whole: (/** @type {string} */ name) => [...engine.whole(report[name])].map(Number),
    real: (/** @type {string} */ name) => [...engine.real(report[name])],
  };
}

/**
 * Return the moves with their cells and the marks of these.
 * @param {AnalysisKitOut} kit
 * @param {number} count
 * @param {(name: string) => number[]} whole
 * @param {(name: string) => number[]} real
 */
function movesOf(kit, count, whole, real) {
  const [visits, proven, cells, endings, lengths, lines] = [
    "visits",
    "proven",
    "cells",
    "endings",
    "lengths",
    "lines",
  ].map(whole);
  const [values, errors] = ["values", "errors"].map(real);
  const room = lines.length / visits.length;
  return Array.from({ length: count }, (_, order) => {
    const line = lines.slice(order * room, order * room + 2 * lengths[order]);
    const pv = Array.from({ length: lengths[order] }, (_each, place) =>
      line
        .slice(2 * place, 2 * place + 2)
        .filter((name) => name >= 0)
        .map((name) => kit.names[name])
        .join("-"),
    );
    const info = {
      order,
      move: pv[0],
      visits: visits[order],
      winrate: values[order],
      error: errors[order],
      proven: RESULTS[proven[order]],
      pv,
    };
    return { info, cell: cells[order], mark: `${order + 1}${ENDINGS[endings[order]]}` };
  });
}
