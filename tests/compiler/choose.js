// Drives the engine as the page does, for tests: reads cases from the standard input. A case with
// `shows` asks for the position, the others for a move.

import { readFileSync } from "node:fs";
import {
  Engine,
  chooseMove,
  positionAfter,
} from "../../src/antipodes/web/static/antipodes/engine/kit.js";

const { module, kit, cases } = JSON.parse(readFileSync(0, "utf-8"));
const file = readFileSync(kit);
const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(module)));
const engine = new Engine(instance, new Uint8Array(file).buffer);
const answers = cases.map(({ level, moves, seed, shows }) =>
  shows ? positionAfter(engine, moves) : chooseMove(engine, level, moves, BigInt(seed)),
);
console.log(JSON.stringify(answers));
