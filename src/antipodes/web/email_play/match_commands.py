"""What is done by mail at a board: moves and all else that its players may ask."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db import transaction

from antipodes.core.illegality import Illegality
from antipodes.errors import Fault, InputError, MatchError
from antipodes.games.placement import PlacementPosition
from antipodes.mail.requests import Verb
from antipodes.match import (
    Abort,
    Accept,
    CancelResignation,
    Command,
    ConditionalMoves,
    Decline,
    Event,
    Match,
    Offer,
    OfferKind,
    Play,
    QueueResignation,
    Resign,
    Resume,
    SetConditionalMoves,
)
from antipodes.web.email_play.context import Call, carries_out
from antipodes.web.email_play.event_text import sentences
from antipodes.web.email_play.match_emails import answer_board, viewer_seat
from antipodes.web.email_play.move_lines import (
    after_anything,
    check_end,
    next_own_turn,
    plans_of,
    read_line,
)
from antipodes.web.matches import chat, snapshots, store
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.matches.snapshots import MatchSnapshot, standing_of
from antipodes.web.matches.viewpoints import side_of

_MOST_LINES = 5  # of chat that the words of one mail make
_NOTHING = frozenset({"none", "off", "nothing", "-"})

_KINDS = {
    "draw": OfferKind.DRAW,
    "propose": OfferKind.DRAW,
    "undo": OfferKind.TAKEBACK,
    "takeback": OfferKind.TAKEBACK,
    "pause": OfferKind.PAUSE,
    "rematch": OfferKind.REMATCH,
}


@dataclass
class Table:
    """A match at which somebody asks for something by mail; locked until the mail is handled.

    Attributes:
        call: what is asked.
        before: how the match stood before.
        match: how it stands now.
        own: the seats of whoever asks.
        events: what has happened since.
        news: what there is to tell beside that.
    """

    call: Call
    before: MatchSnapshot
    match: Match
    own: tuple[int, ...]
    events: list[Event] = field(default_factory=list)
    news: list[str] = field(default_factory=list)
    _commands: int = 0

    @classmethod
    def of(cls, call: Call, *, is_players: bool = True) -> Table:
        """Sit down at the board of a call.

        Raises:
            InputError: no board is named, nobody has proved who they are, or they do not play.
        """
        user = call.need_user()
        row = call.need_row()
        standing = store.locked_standing(row.slug)
        if row.slug not in call.touched:
            snapshots.keep(standing)
        own = standing.seats_of(user.pk)
        if is_players and not own:
            template = "you do not play on board {board}"
            raise InputError([Fault.of("mail/not-yours", template, board=row.pk)])
        return cls(call, standing, standing.match, own)

    @property
    def names(self) -> list[str]:
        """Who sits on each seat."""
        return [seat.name for seat in self.before.seats]

    @property
    def seat(self) -> int:
        """The seat for which something is asked: the one to move, if it is theirs."""
        to_move = self.match.seat_to_move
        return to_move if to_move in self.own else self.own[0]

    @property
    def side(self) -> int:
        """The seat from whose side they read and write moves."""
        return side_of(self.before, self.call.need_user())

    @property
    def is_own_turn(self) -> bool:
        """Whether the match waits for whoever asks."""
        return self.match.seat_to_move in self.own

    def check_number(self, *also: int) -> None:
        """Refuse what was meant for another position: mails have crossed.

        Args:
            also: numbers of moves after which it may be meant, beside those that were made.

        Raises:
            MatchError: it was.
        """
        meant = self.call.request.ply
        if meant is not None and meant not in (self.match.ply, *also):
            template = (
                "this was meant for the board after move {meant}, but it is after move {made}"
            )
            told = {"meant": meant, "made": self.match.ply}
            raise MatchError([Fault.of("match/stale", template, **told)])

    def check_turn(self) -> None:
        """Refuse what goes in one's own turn alone.

        Raises:
            MatchError: it is somebody else's turn, or the match is over.
        """
        if self.match.result is not None:
            self.do(Play, move=0)  # the match says that it is over
        if not self.is_own_turn:
            template = "it is the turn of {name}; to prepare a move for your turn use queue"
            name = self.names[self.match.position.seat_to_move]
            raise MatchError([Fault.of("match/not-your-turn", template, name=name)])

    def do(self, command: type[Command], /, seat: int | None = None, **details: Any) -> None:
        """Carry out a command of the match.

        Raises:
            MatchError: the match refuses it.
            IllegalMoveError: the move is not legal.
        """
        self.call.touched.add(self.before.row.slug)
        key = f"mail {self.call.key} {self._commands}"
        self._commands += 1
        asked = command(
            seat=self.seat if seat is None else seat, ply=self.match.ply, key=key, **details
        )
        self.match, events = carry_out(self.before.row.slug, asked)
        self.events.extend(events)

    def pass_on_words(self) -> None:
        """Say the words of the mail to the others; what hinders that hinders nothing else."""
        words = self.call.comment.strip()
        if not words:
            return
        try:
            with transaction.atomic():
                self.say(words)
        except InputError as error:
            self.news.append(f"Your words were not passed on: {error}.")

    def say(self, words: str) -> None:
        """Say something in the chat of the match.

        Raises:
            MatchError: nobody may say that here and now.
        """
        lines = _chat_lines(words)
        if len(lines) > _MOST_LINES:
            del lines[_MOST_LINES:]
            self.news.append(
                f"Your words were long; only their first {_MOST_LINES} lines are passed on."
            )
        for number, line in enumerate(lines):
            key = f"{self.call.key} {number}"
            said = {"key": key, "text": line}
            chat.say(self.before, self.call.need_user(), said, is_mail=True)

    def answer(self) -> None:
        """Answer with the board as it stands now."""
        row = MatchRow.objects.select_related("series").get(pk=self.before.row.pk)
        standing = standing_of(row)
        viewer = viewer_seat(standing, self.call.user)
        side = side_of(standing, self.call.user)
        told = sentences(standing, self.events, viewer, side)
        answer_board(self.call, standing, news=[*told, *self.news])
        transaction.on_commit(partial(snapshots.keep, standing))


def _chat_lines(words: str) -> list[str]:
    """Return words as lines of chat: its paragraphs, those that are too long in pieces."""
    paragraphs = [" ".join(part.split()) for part in words.split("\n\n")]
    return [line for part in paragraphs for line in textwrap.wrap(part, chat.LONGEST)]


# Moves.


@carries_out(Verb.MOVE, Verb.SWAP, Verb.PASS)
def move(call: Call) -> None:
    """Make a move; what follows it in the line becomes a plan."""
    table = Table.of(call)
    texts = _texts(call)
    table.check_number()
    play_line(table, texts)
    table.pass_on_words()
    table.answer()


def _texts(call: Call) -> list[str]:
    """Return the moves of a request.

    Raises:
        InputError: there are none.
    """
    verb = call.request.verb
    first = [verb.value] if verb in {Verb.SWAP, Verb.PASS} else []
    texts = [*first, *call.request.words]
    if not texts:
        raise InputError.single("mail/no-move", "say which move you make, such as f4")
    return texts


def play_line(table: Table, texts: Sequence[str]) -> None:
    """Play a line as far as it is one's turn, and plan the rest of it.

    Raises:
        InputError: it is not one's turn, or the line cannot be played; nothing has changed.
    """
    table.check_turn()
    line = read_line(table.match.position, texts, table.side)
    check_end(line, texts, table.own, table.names)
    while line and table.match.result is None and table.is_own_turn:
        ply = table.match.ply
        table.do(Play, move=line[0][1])
        made = [(one.seat, int(one.move)) for one in table.match.moves[ply:]]
        if list(line[: len(made)]) != made:
            # Somebody had an answer prepared, and it is another one.
            if len(line) > 1:
                table.news.append(
                    "The answer was another one, so your further moves were left out."
                )
            return
        line = line[len(made) :]
    if table.match.result is None:
        for seat, moves in plans_of(line, table.own).items():
            table.do(SetConditionalMoves, seat, moves=moves)


@carries_out(Verb.QUEUE)
def queue(call: Call) -> None:
    """Prepare the next move; it is played when its turn comes, and nobody else is told."""
    table = Table.of(call)
    texts = list(call.request.words)
    if table.match.result is not None:
        table.do(SetConditionalMoves, moves=ConditionalMoves())  # the match says that it is over
    if not texts or (len(texts) == 1 and texts[0].lower() in _NOTHING):
        _drop_plans(table)
    elif table.is_own_turn:
        _queue_in_own_turn(table, texts)
    else:
        _queue(table, texts)
    if call.comment.strip():
        table.news.append(
            "Nobody is told of a queued move, so your words were not passed on; use chat for them."
        )
    table.answer()


def _drop_plans(table: Table) -> None:
    planned = [seat for seat in table.own if table.match.conditional_moves[seat]]
    if not planned:
        table.news.append("No move of yours was queued.")
    for seat in planned:
        table.do(SetConditionalMoves, seat, moves=ConditionalMoves())


def _queue_in_own_turn(table: Table, texts: Sequence[str]) -> None:
    """Play a queued move at once: its turn has come already."""
    if len(texts) > 1:
        raise MatchError([Fault("match/your-turn", "it is your turn: use move")])
    table.check_number()
    play_line(table, texts)


def _queue(table: Table, texts: Sequence[str]) -> None:
    match = table.match
    seat, distance = next_own_turn(match, table.own)
    if len(texts) == 1:
        table.check_number(match.ply + distance)
        moves = after_anything(_read_ahead(table, texts[0]), distance)
        table.do(SetConditionalMoves, seat, moves=moves)
        return
    table.check_number()
    line = read_line(match.position, texts, table.side)
    check_end(line, texts, table.own, table.names)
    for one, moves in plans_of(line, table.own).items():
        table.do(SetConditionalMoves, one, moves=moves)


def _read_ahead(table: Table, text: str) -> int:
    """Read a move for a later position, in which it may be legal.

    Raises:
        InvalidMoveError: it is no move of this game.
        IllegalMoveError: it never will be legal: a stone lies there, and stones stay.
    """
    position = table.match.position
    read = position.read_move(text, table.side)
    is_taken = position.why_illegal(read) is Illegality.OCCUPIED
    if is_taken and isinstance(position, PlacementPosition):
        position.parse_move(text, table.side)
    return int(read)


# Offers and ends.


@carries_out(Verb.UNDO, Verb.PROPOSE)
def offer(call: Call) -> None:
    """Offer something that needs everybody's consent, or agree to the same offer."""
    table = Table.of(call)
    table.check_number()
    kind = OfferKind.TAKEBACK if call.request.verb is Verb.UNDO else OfferKind.DRAW
    if call.request.verb is Verb.PROPOSE and call.request.words:
        kind = _kind_named(call.request.words[0], list(OfferKind))
    agreed = table.match.offers.get(kind, ())
    if agreed and not set(agreed) & set(table.own):
        table.do(Accept, kind=kind)
    else:
        table.do(Offer, _seat_that_asks(table, kind), kind=kind)
    table.pass_on_words()
    table.answer()


def _seat_that_asks(table: Table, kind: OfferKind) -> int:
    """Return the seat that offers: who takes back takes the last of their own moves back."""
    if kind is OfferKind.TAKEBACK:
        for made in reversed(table.match.moves):
            if made.seat in table.own:
                return made.seat
    return table.seat


@carries_out(Verb.ACCEPT, on_board=True)
def accept(call: Call) -> None:
    """Agree to what somebody else has offered."""
    table = Table.of(call)
    table.check_number()
    table.do(Accept, kind=_open_offer(table, by_others=True))
    table.pass_on_words()
    table.answer()


@carries_out(Verb.REJECT, on_board=True)
def reject(call: Call) -> None:
    """Turn an offer down, or withdraw one's own."""
    table = Table.of(call)
    table.check_number()
    kind = _open_offer(table, by_others=False)
    if kind is OfferKind.PAUSE and table.match.clock.paused:
        table.do(Resume)
    else:
        table.do(Decline, kind=kind)
    table.pass_on_words()
    table.answer()


def _open_offer(table: Table, *, by_others: bool) -> OfferKind:
    """Return which offer is meant.

    Raises:
        MatchError: there is none, or several and none is named.
    """
    agreed = table.match.offers.items()
    others = [kind for kind, seats in agreed if not set(seats) & set(table.own)]
    own = [] if by_others else [kind for kind, seats in agreed if set(seats) & set(table.own)]
    if not by_others and table.match.clock.paused:
        own.append(OfferKind.PAUSE)
    found = others or own
    words = table.call.request.words
    if words:
        return _kind_named(words[0], found)
    if not found:
        raise MatchError([Fault("match/no-offer", "nothing is offered on this board")])
    if len(found) > 1:
        template = "several things are offered: {kinds}; say which one you mean"
        kinds = ", ".join(_word_of(kind) for kind in found)
        raise MatchError([Fault.of("mail/which-offer", template, kinds=kinds)])
    return found[0]


def _kind_named(word: str, known: Collection[OfferKind]) -> OfferKind:
    kind = _KINDS.get(word.lower())
    if kind is None or kind not in known:
        template = "{word} is not what is offered here: {kinds}"
        kinds = ", ".join(_word_of(one) for one in known) or "nothing"
        raise MatchError([Fault.of("mail/which-offer", template, word=word, kinds=kinds)])
    return kind


def _word_of(kind: OfferKind) -> str:
    return "undo" if kind is OfferKind.TAKEBACK else kind.value


@carries_out(Verb.RESIGN)
def resign(call: Call) -> None:
    """Give the game up: now, or when one's turn comes; before one's first move decline it."""
    table = Table.of(call)
    table.check_number()
    seat = table.seat
    if all(table.match.last_move_of(one) is None for one in table.own):
        table.do(Abort)
    elif table.is_own_turn or table.match.result is not None:
        table.do(Resign)
    else:
        seat, _ = next_own_turn(table.match, table.own)
        is_queued = seat in table.match.resigning
        table.do(CancelResignation if is_queued else QueueResignation, seat)
    if table.match.result is not None:
        table.pass_on_words()
    elif call.comment.strip():
        table.news.append(
            "Nobody is told yet, so your words were not passed on; use chat for them."
        )
    table.answer()


@carries_out(Verb.CHAT)
def talk(call: Call) -> None:
    """Say something to the others: players to players, spectators to spectators."""
    table = Table.of(call, is_players=False)
    words = call.comment.strip() or " ".join(call.request.words)
    if not words:
        raise InputError.single("mail/no-words", "say something: chat TEXT, or in the mail's body")
    table.say(words)
    table.answer()
