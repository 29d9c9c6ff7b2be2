// Chooses moves by the driver of the page, for a test: reads cases from the standard input.

import { readFileSync } from "node:fs";
import { Engine, chooseMove } from "../../src/antipodes/web/static/antipodes/engine/kit.js";

const { module, kit, cases } = JSON.parse(readFileSync(0, "utf-8"));
const file = readFileSync(kit);
const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(module)));
const engine = new Engine(instance, new Uint8Array(file).buffer);
const chosen = cases.map(({ level, moves, seed }) =>
  chooseMove(engine, level, moves, BigInt(seed)),
);
console.log(JSON.stringify(chosen));
