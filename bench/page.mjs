// One search in the module of a page, for bench/page.py: node page.mjs MODULE KIT

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const ALIGNED = 16; // bytes to whose multiples arrays are placed
const PAGE = 65_536; // bytes by which memory grows
const WARM = 1_000; // milliseconds of short calls before anything is measured

const [, , file, kitFile] = process.argv;
const { instance } = await WebAssembly.instantiate(readFileSync(file), {
  wasi_snapshot_preview1: {},
});
const { exports } = instance;
exports._initialize();

const kit = readFileSync(kitFile);
const length = kit.readUInt32LE(0);
const { entry, sizes, given, numbers, runs } = JSON.parse(kit.subarray(4, 4 + length));

let end = Number(exports.__heap_base.value);
const places = [];
for (const size of sizes) {
  end = Math.ceil(end / ALIGNED) * ALIGNED;
  places.push(end);
  end += size;
}
const missing = end - exports.memory.buffer.byteLength;
if (missing > 0) exports.memory.grow(Math.ceil(missing / PAGE));

/** Give all arrays the contents of the kit. */
function reset() {
  let at = 4 + length;
  for (const [number, size] of sizes.entries()) {
    new Uint8Array(exports.memory.buffer).set(kit.subarray(at, at + size), places[number]);
    at += size;
  }
}

/** Make the call. */
function search() {
  const flat = given.flatMap(([number, ...lengths]) => [places[number], ...lengths]);
  exports[entry](...flat, ...numbers.map(BigInt));
}

const began = performance.now();
while (performance.now() - began < WARM) {
  reset();
  search();
}
const times = [];
for (let i = 0; i < runs; i++) {
  reset();
  const start = performance.now();
  search();
  times.push((performance.now() - start) / 1_000);
}
const digest = createHash("sha256");
for (const [number, size] of sizes.entries()) {
  digest.update(new Uint8Array(exports.memory.buffer, places[number], size));
}
console.log(JSON.stringify({ times, digest: digest.digest("hex") }));
