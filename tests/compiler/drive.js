// Drives the engine as the page does, for tests: reads cases from the standard input. A case with
// `shows` asks for the position, with `turns` for a refutation, with `visits` for an analysis, with
// `results` for turning points, and the others for a move.

import { readFileSync } from "node:fs";
import {
  Analysis,
  Engine,
  chooseMove,
  positionAfter,
  refutingMove,
  turningPoints,
} from "../../src/antipodes/web/static/antipodes/engine/kit.js";

const { module, kit, cases, start = "" } = JSON.parse(readFileSync(0, "utf-8"));
const file = readFileSync(kit);
const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(module)));
const engine = new Engine(instance, new Uint8Array(file).buffer);

engine.start = start;

const LEAST = 2; // visits of a further search

const partOf = (visits) => Math.max(LEAST, Math.floor(visits / 4));

/**
 * Return an analysis with a number of visits, and the turns of other colours with a quarter of them
 * where there are more than two.
 */
function begun({ moves, seed, visits }) {
  const analysis = new Analysis(engine, moves, Number(seed));
  analysis.goOn(Infinity, visits);
  const { isDone } = analysis;
  const { outcome, estimates } = analysis.tell();
  const others = outcome || estimates.length === 2 ? 0 : estimates.length - 1;
  for (let begins = 0; begins < others; begins++) {
    analysis.beginNextColor();
    analysis.goOn(Infinity, partOf(visits));
    analysis.tell();
  }
  return { analysis, result: { ...analysis.tell(), isDone } };
}

/** Return the results of an analysis, and threats with a quarter of its visits. */
function analysed(one) {
  const { analysis, result } = begun(one);
  if (result.outcome) return result;
  analysis.beginThreats(result.rootInfo.winrate);
  analysis.goOn(Infinity, partOf(one.visits));
  const threats = analysis.tellThreats();
  return { ...result, threats, threatVisits: analysis.visits, connections: analysis.connections };
}

/** Return the turning points of a game. */
function turned({ moves, seed, visits }) {
  const results = [...moves, null].map(
    (_, ply) => begun({ moves: moves.slice(0, ply), seed, visits }).result,
  );
  return turningPoints(engine, results, moves);
}

const answers = cases.map((one) => {
  if (one.shows) return positionAfter(engine, one.moves);
  if (one.turns !== undefined) return refutingMove(engine, one.moves, one.turns);
  if (one.results) return turningPoints(engine, one.results, one.moves);
  if (one.isGame) return turned(one);
  if (one.visits !== undefined) return analysed(one);
  return chooseMove(engine, one.level, one.moves, BigInt(one.seed), one.milliseconds);
});
console.log(JSON.stringify(answers));
