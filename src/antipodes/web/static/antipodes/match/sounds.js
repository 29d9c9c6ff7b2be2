// Sounds of a match, made by the browser: wood on wood for moves, tones for time and results.

import { isFlipped } from "../board/texts.js";

/** @import { Changes, MatchState } from "./state.js" */

/** @typedef {"move" | "twin" | "flip" | "low" | "won" | "lost" | "over" | "began"} Sound */

const KNOCK = { pitch: 190, length: 0.07, volume: 0.5 };
const RIM = 0.09; // seconds between the two knocks of a stone that is on both boards

/** @type {Record<Sound, [pitch: number, start: number, length: number][]>} */
const TONES = {
  move: [],
  twin: [],
  flip: [[330, 0.06, 0.12]],
  low: [
    [880, 0, 0.09],
    [880, 0.16, 0.09],
  ],
  won: [
    [523, 0, 0.22],
    [659, 0.13, 0.22],
    [784, 0.26, 0.5],
  ],
  lost: [
    [392, 0, 0.25],
    [330, 0.18, 0.5],
  ],
  over: [[440, 0, 0.45]],
  began: [
    [523, 0, 0.18],
    [784, 0.16, 0.4],
  ],
};
/** @type {Partial<Record<Sound, [start: number, side: number][]>>} the side is -1 for left, 1 for right */
const KNOCKS = {
  move: [[0, 0]],
  flip: [[0, 0]],
  twin: [
    [0, -0.7],
    [RIM, 0.7],
  ],
};

/**
 * Return the sound of what has changed in a match, or null.
 * @param {Changes} changes
 * @param {MatchState} state
 * @returns {Sound | null}
 */
export function soundOf({ added, ended }, state) {
  if (ended) return state.isDecided ? (state.isWinner ? "won" : "lost") : "over";
  const move = added.at(-1);
  if (!move) return null;
  if (Object.values(move.changed).some(([before, after]) => isFlipped(before, after)))
    return "flip";
  const isTwin = move.last !== null && (state.board?.names[move.last].length ?? 1) > 1;
  return isTwin ? "twin" : "move";
}

/** Plays sounds; browsers allow it after the first click or key on the page. */
export class Sounds {
  #audio = /** @type {AudioContext | null} */ (null);

  /** @param {Sound} name */
  async play(name) {
    this.#audio ??= new AudioContext();
    const audio = this.#audio;
    if (audio.state === "suspended") await audio.resume();
    for (const [start, side] of KNOCKS[name] ?? []) knock(audio, audio.currentTime + start, side);
    for (const [pitch, start, length] of TONES[name])
      tone(audio, pitch, audio.currentTime + start, length);
  }
}

/**
 * @param {AudioContext} audio
 * @param {number} pitch hertz
 * @param {number} start
 * @param {number} length seconds
 */
function tone(audio, pitch, start, length, volume = 0.12) {
  const source = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(volume, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  source.connect(gain).connect(audio.destination);
  source.start(start);
  source.stop(start + length);
}

/**
 * Make the knock of a stone on wood: a short noise and a low tone.
 * @param {AudioContext} audio
 * @param {number} start
 * @param {number} side
 */
function knock(audio, start, side) {
  const { pitch, length, volume } = KNOCK;
  const noise = new AudioBuffer({
    length: Math.ceil(length * audio.sampleRate),
    sampleRate: audio.sampleRate,
  });
  const samples = noise.getChannelData(0);
  for (const index of samples.keys())
    samples[index] = (2 * Math.random() - 1) * (1 - index / samples.length) ** 6;
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: 1800, Q: 0.8 });
  const gain = new GainNode(audio, { gain: volume });
  const pan = new StereoPannerNode(audio, { pan: side });
  source.connect(filter).connect(gain).connect(pan).connect(audio.destination);
  source.start(start);
  tone(audio, pitch, start, length, volume / 3);
}
