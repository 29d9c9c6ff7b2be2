// The parts of the match page, in the order in which they are made and drawn. A new part needs a
// line here, and a place or a tab.

import { Absence } from "./absence.js";
import { ActionsPanel } from "./actions.js";
import { Alerts } from "./alerts.js";
import { ChatPanel } from "./chat.js";
import { Computer } from "./computer.js";
import { ConditionalMovesPanel } from "./conditional_moves.js";
import { ConnectionStatus } from "./connection_status.js";
import { HintPanel } from "./hint.js";
import { MovesPanel } from "./moves.js";
import { NotesPanel } from "./notes.js";
import { Play } from "./play.js";
import { Players } from "./players.js";
import { Review } from "./review.js";
import { ShareTab } from "./share_tab.js";
import { GoalLine } from "./status.js";
import { TryOut } from "./tryout.js";

/** @import { MatchPage } from "./page.js" */
/** @import { Changes, MatchState } from "./state.js" */
/** @import { MatchNews } from "wire" */

/**
 * A change of the match.
 * @typedef {object} Change
 * @property {Changes} changes
 * @property {boolean} isNewTurn whether the viewer's turn has begun
 * @property {string[]} texts what screen readers are told
 * @property {boolean} isAnswered whether the page plays the viewer's move at once
 */
/**
 * A part of the page.
 * @typedef {object} Part
 * @property {MatchPage} [page]
 * @property {(change: Change) => void} [take] takes a change before the page is drawn
 * @property {(state: MatchState) => void} [draw]
 * @property {(change: Change) => void} [tell] tells of a change after the page was drawn
 * @property {(state: MatchState) => void} [tick] updates clocks
 * @property {(seen: number) => void} [showSince] shows the moves since the viewer last looked
 * @property {{[M in MatchNews as M["type"]]?: (message: M) => void}} [messages] takes the server's
 */

/** @type {(new (page: MatchPage) => Part)[]} */
export const PARTS = [
  GoalLine,
  HintPanel,
  Play,
  Computer,
  ConnectionStatus,
  Players,
  MovesPanel,
  Absence,
  ActionsPanel,
  ChatPanel,
  ConditionalMovesPanel,
  NotesPanel,
  ShareTab,
  TryOut,
  Review,
  Alerts,
];

/** Places of the page and of its areas, from top to bottom. */
export const PLACES = {
  page: ["goal", "others", "table", "own", "now", "stepper", "tabs", "live"],
  now: [
    "status",
    "computer",
    "premove",
    "connection",
    "refusal",
    "absence",
    "actions",
    "hint",
    "remarks",
    "since",
  ],
  tools: ["hint", "try", "analyse", "sounds"],
  more: ["alerts"],
};
