// Made by `make messages` from antipodes/match/sentences.py: edit that.

import { t } from "../i18n.js";

/** @import { Values } from "../i18n.js" */
/** @typedef {(values: Values) => string} Sentence */

/**
 * Sentences about events, by their keys: for others, and for the player who acted.
 * @type {Record<string, [other: Sentence, own: Sentence]>}
 */
export const SENTENCES = {
  "moved": [
    (values) => t("{player} played {move}.", values),
    (values) => t("You played {move}.", values),
  ],
  "moved-conditional": [
    (values) => t("{player} played {move} (conditional move).", values),
    (values) => t("You played {move} (conditional move).", values),
  ],
  "offered-draw": [
    (values) => t("{player} offered a draw.", values),
    (values) => t("You offered a draw.", values),
  ],
  "offered-takeback": [
    (values) => t("{player} asked to take back move {number}.", values),
    (values) => t("You asked to take back move {number}.", values),
  ],
  "offered-pause": [
    (values) => t("{player} asked for a pause.", values),
    (values) => t("You asked for a pause.", values),
  ],
  "offered-rematch": [
    (values) => t("{player} offered a rematch.", values),
    (values) => t("You offered a rematch.", values),
  ],
  "declined-draw": [
    (values) => t("{player} declined the draw.", values),
    (values) => t("You declined the draw.", values),
  ],
  "declined-takeback": [
    (values) => t("{player} declined the takeback.", values),
    (values) => t("You declined the takeback.", values),
  ],
  "declined-pause": [
    (values) => t("{player} declined the pause.", values),
    (values) => t("You declined the pause.", values),
  ],
  "declined-rematch": [
    (values) => t("{player} declined the rematch.", values),
    (values) => t("You declined the rematch.", values),
  ],
  "withdrawn-draw": [
    (values) => t("{player} withdrew the draw offer.", values),
    (values) => t("You withdrew your draw offer.", values),
  ],
  "withdrawn-takeback": [
    (values) => t("{player} withdrew the request for a takeback.", values),
    (values) => t("You withdrew your request for a takeback.", values),
  ],
  "withdrawn-pause": [
    (values) => t("{player} withdrew the request for a pause.", values),
    (values) => t("You withdrew your request for a pause.", values),
  ],
  "withdrawn-rematch": [
    (values) => t("{player} withdrew the offer of a rematch.", values),
    (values) => t("You withdrew your offer of a rematch.", values),
  ],
  "taken-back": [
    (values) => t("Moves were taken back; move {number} is next.", values),
    (values) => t("Moves were taken back; move {number} is next.", values),
  ],
};
