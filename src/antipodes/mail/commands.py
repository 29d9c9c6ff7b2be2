"""The commands of mail: their names, usage and summaries.

Help, docs and tests of completeness use this table. It follows the commands of Richard Rognlie's
play-by-mail server, on which Antipod was first played.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum

from antipodes.games.registry import game_ids


class Verb(StrEnum):
    """Every command of mail; the value is its main name."""

    # Playing.
    MOVE = "move"
    QUEUE = "queue"
    PREVIEW = "preview"
    SUBMIT = "submit"
    CONFIRM = "confirm"
    PASS = "pass"  # noqa: S105 - a move
    SWAP = "swap"
    UNDO = "undo"
    PROPOSE = "propose"
    ACCEPT = "accept"
    REJECT = "reject"
    RESIGN = "resign"
    CHAT = "chat"
    # Starting.
    CHALLENGE = "challenge"
    SEEK = "seek"
    LIMIT = "limit"
    # Listings.
    SHOW = "show"
    SHOWAS = "showas"
    ALL_SHOW = "all show"
    GAMES = "games"
    HISTORY = "history"
    STANDINGS = "standings"
    PUZZLE = "puzzle"
    TOURNAMENT = "tournament"
    SIMUL = "simul"
    # Subscriptions.
    SUBSCRIBE = "subscribe"
    UNSUBSCRIBE = "unsubscribe"
    NOTIFY = "notify"
    # Time, and settings of mails.
    VACATION = "vacation"
    REMINDERS = "reminders"
    DIGEST = "digest"
    VIEW = "view"
    # Other users.
    HELP = "help"
    LIST = "list"
    MESSAGE = "message"
    BROADCAST = "broadcast"
    MULTIPLE = "multiple"
    # Accounts.
    SIGNUP = "signup"
    ADD = "add"
    CHANGE_ADDRESS = "change address"
    CHANGE_PASSWORD = "change password"  # noqa: S105 - a command that is refused
    SIGNOFF = "signoff"
    DELETE = "delete"


class Proof(StrEnum):
    """Identity that must be proven before a command is carried out."""

    NONE = "none"
    USER = "user"  # the user whom it names, by a reply address or a mail token
    MODERATOR = "moderator"


class Shape(Enum):
    """Words after the verb."""

    MOVES = "board, user, moves"
    BOARD = "board, user"
    TEXT = "board, user, words to others"
    OFFER = "board or challenge, user"
    FOLLOW = "boards, user"
    PREVIEW = "board or new, moves"
    USER = "user, words"
    LOOK = "words"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandInfo:
    """A command with its documentation.

    Attributes:
        verb: the command.
        names: all its names in lower case, the main one first.
        group: its heading in the help.
        usage: syntax, with ``GAME`` in front if a game's name may or must precede it.
        summary: its effect in one sentence.
        proof: the identity that must be proven.
        shape: the words after its name.
        expects: expression for the words that may follow the user; any other word is a
            mistake, or a password.
        fewest: number of words that the classic server required after user and password.
    """

    verb: Verb
    names: tuple[str, ...]
    group: str
    usage: str
    summary: str
    proof: Proof = Proof.USER
    shape: Shape = Shape.USER
    expects: str = ""
    fewest: int = 0

    @property
    def has_options(self) -> bool:
        """Whether it has options, anywhere after its name."""
        return "-OPTION" in self.usage


OFF_WORDS = ("off", "none", "never")  # each ends a limit, a vacation, a seek or reminders
_OFF = "|".join(OFF_WORDS)
_DAY = r"\d{1,4}(?:[-./]\d{1,2}[-./]\d{1,4})?d?|d|days?|weeks?"
_ADDRESS = r"\S+@\S+"
_NAME = r"[a-z][a-z0-9_-]{1,30}"
_BOARD = r"#?\d{1,9}(?:#\d{1,5})?"
_WHICH = "all|active|inactive|next"
_KINDS = "draw|undo|takeback|pause|rematch"
_GAMES = "|".join(game_ids())
_WHO = "USERID [TOKEN]"
_HERE = f"BOARD[#PLY] {_WHO}"


def _playing(
    verb: Verb, usage: str, summary: str, *others: str, shape: Shape, expects: str = ""
) -> CommandInfo:
    return CommandInfo(
        verb=verb,
        names=(verb.value, *others),
        group="playing",
        usage=usage,
        summary=summary,
        shape=shape,
        expects=expects,
    )


_PLAYING = (
    _playing(
        Verb.MOVE,
        f"[GAME] move {_HERE} MOVE...",
        "Make a move; further moves are conditional ones, theirs and yours in turn."
        " A reply to a mail about a board may be just the move.",
        "board",
        shape=Shape.MOVES,
    ),
    _playing(
        Verb.QUEUE,
        f"[GAME] queue {_HERE} [MOVE...]",
        "Set a conditional move that is made when your turn comes; without a move, drop it.",
        shape=Shape.MOVES,
    ),
    CommandInfo(
        verb=Verb.PREVIEW,
        names=("preview", "try"),
        group="playing",
        usage="[GAME] preview BOARD[#PLY] MOVE..."
        " | GAME preview new [N] [-OPTION=VALUE...] MOVE...",
        summary="Show the board after some moves, from a match or a new board for N players;"
        " nothing is stored.",
        proof=Proof.NONE,
        shape=Shape.PREVIEW,
    ),
    _playing(
        Verb.SUBMIT,
        f"[GAME] submit {_HERE} MOVE...",
        "Store a move and get a picture of the board after it; confirm plays it.",
        shape=Shape.MOVES,
    ),
    _playing(
        Verb.CONFIRM,
        f"[GAME] confirm {_HERE}",
        "Play the move that was submitted.",
        shape=Shape.BOARD,
    ),
    _playing(Verb.PASS, f"[GAME] pass {_HERE}", "Pass, in games that allow it.", shape=Shape.BOARD),
    _playing(
        Verb.SWAP,
        f"[GAME] swap {_HERE}",
        "Take over the other side's first move, where the options allow it.",
        shape=Shape.BOARD,
    ),
    _playing(
        Verb.UNDO,
        f"[GAME] undo {_HERE}",
        "Ask to take back your last move, or agree to that; all players must agree.",
        "takeback",
        shape=Shape.BOARD,
    ),
    _playing(
        Verb.PROPOSE,
        f"[GAME] propose {_HERE} [{_KINDS}]",
        "Offer a draw or another thing, or agree to it.",
        "draw",
        shape=Shape.BOARD,
        expects=_KINDS,
    ),
    CommandInfo(
        verb=Verb.ACCEPT,
        names=("accept", "agree"),
        group="playing",
        usage=f"[GAME] accept {_HERE} [{_KINDS}] | accept {_WHO} cNUMBER",
        summary="Accept an offer on a board, or a challenge.",
        shape=Shape.OFFER,
        expects=_KINDS,
    ),
    CommandInfo(
        verb=Verb.REJECT,
        names=("reject", "decline"),
        group="playing",
        usage=f"[GAME] reject {_HERE} [{_KINDS}] | reject {_WHO} cNUMBER",
        summary="Decline an offer on a board, or a challenge; or withdraw your own.",
        shape=Shape.OFFER,
        expects=_KINDS,
    ),
    _playing(
        Verb.RESIGN,
        f"[GAME] resign {_HERE}",
        "Resign; out of turn this waits until your turn, and a second resign cancels it."
        " Before your first move the game is aborted.",
        shape=Shape.BOARD,
    ),
    _playing(
        Verb.CHAT,
        f"[GAME] chat {_HERE} [TEXT]",
        "Send the other players a message: the line, or the body of the mail.",
        "say",
        shape=Shape.TEXT,
    ),
)

_STARTING = (
    CommandInfo(
        verb=Verb.CHALLENGE,
        names=("challenge",),
        group="starting",
        usage="GAME challenge USERID [TOKEN] USERID... [-OPTION=VALUE...] [--totaltime=DAYS"
        " --forfeittime=DAYS --nagtime=DAYS]",
        summary="Challenge players to a game.",
        expects=rf"{_NAME}|computer:(?:\d{{1,2}}|pairing)",
    ),
    CommandInfo(
        verb=Verb.SEEK,
        names=("seek",),
        group="starting",
        usage=f"GAME seek {_WHO} [off] [-OPTION=VALUE...]",
        summary="Seek an opponent, or cancel the seek.",
        expects=f"on|{_OFF}",
    ),
    CommandInfo(
        verb=Verb.LIMIT,
        names=("limit",),
        group="starting",
        usage=f"[GAME] limit {_WHO} [NUMBER|off]",
        summary="Limit how many games begin automatically: above the limit no opponent is sought"
        " for you, and no player can join your open challenges.",
        expects=rf"\d{{1,5}}|{_OFF}",
    ),
)

_LOOKING = (
    CommandInfo(
        verb=Verb.SHOW,
        names=("show",),
        group="looking",
        usage="[GAME] show BOARD[#PLY]... | [GAME] show USERID... [all|active|inactive|next]",
        summary="Show boards, now or after a ply, or all the boards of some players.",
        proof=Proof.NONE,
        shape=Shape.LOOK,
    ),
    CommandInfo(
        verb=Verb.SHOWAS,
        names=("showas",),
        group="looking",
        usage=f"[GAME] showas {_WHO} [BOARD[#PLY]...] [all|active|inactive|next]",
        summary="Show boards as you see them, with your conditional moves and private matches.",
        expects=f"{_BOARD}|{_WHICH}",
    ),
    CommandInfo(
        verb=Verb.ALL_SHOW,
        names=("all show",),
        group="looking",
        usage="all show USERID... [all|active|inactive|next]",
        summary="Show all the boards of some players, of all games.",
        proof=Proof.NONE,
        shape=Shape.LOOK,
    ),
    CommandInfo(
        verb=Verb.GAMES,
        names=("games", "boards"),
        group="looking",
        usage="[GAME] games [USERID...] [all|active|inactive|next]",
        summary="List your matches or those of some players, one a line.",
        proof=Proof.NONE,
        shape=Shape.LOOK,
    ),
    CommandInfo(
        verb=Verb.HISTORY,
        names=("history",),
        group="looking",
        usage="[GAME] history USERID...",
        summary="List the finished matches of players, with the changes of their ratings.",
        proof=Proof.NONE,
        shape=Shape.LOOK,
    ),
    CommandInfo(
        verb=Verb.STANDINGS,
        names=("standings", "ratings"),
        group="looking",
        usage="GAME standings [USERID...]",
        summary="List the ratings of all players, or of some.",
        proof=Proof.NONE,
        shape=Shape.LOOK,
    ),
    CommandInfo(
        verb=Verb.PUZZLE,
        names=("puzzle", "puzzles"),
        group="looking",
        usage="[GAME] puzzle [USERID TOKEN] [ID [MOVE...|hint|solution]]",
        summary="Get the puzzle of the day, or one of a game; answer a puzzle with your moves. A"
        " reply to a mail about a puzzle may be just the move.",
        proof=Proof.NONE,
        shape=Shape.LOOK,
    ),
    CommandInfo(
        verb=Verb.TOURNAMENT,
        names=("tournament", "tournaments"),
        group="looking",
        usage="tournament [USERID TOKEN] [list | standings NUMBER | pairings NUMBER [ROUND]"
        " | join NUMBER [TEAM] | check-in NUMBER | leave NUMBER | challenge NUMBER [PLAYER]"
        " | invite NUMBER PLAYER]",
        summary="List tournaments, show the table or pairings of one, join it, check in or leave;"
        " challenge a player of a ladder, invite one to your tournament.",
        proof=Proof.NONE,
        shape=Shape.LOOK,
    ),
    CommandInfo(
        verb=Verb.SIMUL,
        names=("simul", "simuls"),
        group="looking",
        usage="simul [USERID TOKEN] [list|join NUMBER|leave NUMBER]",
        summary="List simuls, join one that has not begun, or leave it.",
        proof=Proof.NONE,
        shape=Shape.LOOK,
    ),
)

_FOLLOWING = (
    CommandInfo(
        verb=Verb.SUBSCRIBE,
        names=("subscribe", "follow"),
        group="following",
        usage=f"[GAME] subscribe [BOARD...] {_WHO}",
        summary="Follow matches of others: get their boards by mail; without a number, list those"
        " that you follow.",
        shape=Shape.FOLLOW,
        expects=_BOARD,
    ),
    CommandInfo(
        verb=Verb.UNSUBSCRIBE,
        names=("unsubscribe", "unfollow"),
        group="following",
        usage=f"[GAME] unsubscribe BOARD... {_WHO}",
        summary="Unfollow matches.",
        shape=Shape.FOLLOW,
        expects=_BOARD,
    ),
    CommandInfo(
        verb=Verb.NOTIFY,
        names=("notify",),
        group="following",
        usage=f"[GAME] notify {_WHO} [on|off] [GAME...]",
        summary="Get a mail when a player seeks an opponent, and join by a reply.",
        expects=f"on|off|{_GAMES}",
    ),
)

_TIME = (
    CommandInfo(
        verb=Verb.VACATION,
        names=("vacation", "away"),
        group="time",
        usage=f"vacation {_WHO} [until DATE | DAYS | off]",
        summary="Go on vacation until a day (2027-08-31) or for some days: your clocks stop.",
        expects=f"{_OFF}|until|for|back|{_DAY}",
    ),
    CommandInfo(
        verb=Verb.REMINDERS,
        names=("reminders", "reminder"),
        group="time",
        usage=f"reminders {_WHO} [HOURS... | off]",
        summary="Choose how many hours before your time runs out you get a reminder.",
        expects=rf"on|{_OFF}|usual|before|h|hours?|\d{{1,3}}[hd],?|tenth|{_DAY}",
    ),
    CommandInfo(
        verb=Verb.DIGEST,
        names=("digest", "digests"),
        group="time",
        usage=f"digest {_WHO} each|hourly|daily [HOUR]|reminders|never",
        summary="Choose a mail for each notification, or digests of several.",
        expects=r"each|on|off|none|hourly|hour|daily|day|reminders|never|at|\d{1,2}(?::\d\d)?",
    ),
    CommandInfo(
        verb=Verb.VIEW,
        names=("view",),
        group="time",
        usage=f"view {_WHO} [own|first]",
        summary="Antipalos: read and write moves from your own side, or from that of seat 1.",
        expects="own|first",
    ),
)

_EVERYONE = (
    CommandInfo(
        verb=Verb.HELP,
        names=("help",),
        group="everyone",
        usage="help [SUBJECT...] | GAME help",
        summary="Explain commands, or a game: its rules, its board and how moves are written.",
        proof=Proof.NONE,
        shape=Shape.LOOK,
    ),
    CommandInfo(
        verb=Verb.LIST,
        names=("list",),
        group="everyone",
        usage="list [GAME...]",
        summary="List the games, or the open challenges and boards of one.",
        proof=Proof.NONE,
        shape=Shape.LOOK,
    ),
    CommandInfo(
        verb=Verb.MESSAGE,
        names=("message",),
        group="everyone",
        usage=f"message {_WHO} USERID...[: TEXT]",
        summary="Send the body of the mail, or the text, to players.",
        expects=_NAME,
        fewest=1,
    ),
    CommandInfo(
        verb=Verb.BROADCAST,
        names=("broadcast",),
        group="everyone",
        usage=f"broadcast {_WHO} [TEXT]",
        summary="Send the body of the mail to all players; for moderators.",
        proof=Proof.MODERATOR,
    ),
    CommandInfo(
        verb=Verb.MULTIPLE,
        names=("multiple",),
        group="everyone",
        usage="multiple",
        summary="Give several commands in the body, one a line, up to a line `end`; the lines after"
        " it are a message to the others. It may also stand as the body's first line.",
        proof=Proof.NONE,
        shape=Shape.LOOK,
    ),
)

_ACCOUNTS = (
    CommandInfo(
        verb=Verb.SIGNUP,
        names=("signup",),
        group="account",
        usage="signup USERID [ADDRESS]",
        summary="Open an account without a password: you get a mail, and reply `confirm`.",
        proof=Proof.NONE,
        expects=_ADDRESS,
    ),
    CommandInfo(
        verb=Verb.ADD,
        names=("add",),
        group="account",
        usage=f"add {_WHO} ADDRESS...",
        summary="The same as `change address`: an account has one address.",
        expects=_ADDRESS,
        fewest=1,
    ),
    CommandInfo(
        verb=Verb.CHANGE_ADDRESS,
        names=("change address",),
        group="account",
        usage=f"change address {_WHO} ADDRESS",
        summary="Change your address, once replies from the old and the new one agree.",
        expects=_ADDRESS,
        fewest=1,
    ),
    CommandInfo(
        verb=Verb.CHANGE_PASSWORD,
        names=("change password",),
        group="account",
        usage="change password USERID",
        summary="Explain where to change your password; never send one by mail.",
        proof=Proof.NONE,
    ),
    CommandInfo(
        verb=Verb.SIGNOFF,
        names=("signoff",),
        group="account",
        usage=f"signoff {_WHO}",
        summary="Get no mail except answers; your account and your games stay.",
    ),
    CommandInfo(
        verb=Verb.DELETE,
        names=("delete",),
        group="account",
        usage=f"delete {_WHO}",
        summary="Delete your account, once you have answered the mail that asks whether you mean"
        " it.",
    ),
)

COMMANDS: tuple[CommandInfo, ...] = (
    *_PLAYING,
    *_STARTING,
    *_LOOKING,
    *_FOLLOWING,
    *_TIME,
    *_EVERYONE,
    *_ACCOUNTS,
)
"""Every command, in the order in which help lists them."""

INFO: dict[Verb, CommandInfo] = {info.verb: info for info in COMMANDS}
"""The commands by verb."""

VERBS: dict[str, Verb] = {name: info.verb for info in COMMANDS for name in info.names}
"""Every name of a command."""
