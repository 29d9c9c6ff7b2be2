"""Commands of players at a board: moves, conditional moves, previews, offers, resignation, chat.

Of several moves in one mail, the first is played and the rest become conditional moves. A line
consists of the sender's own move, the expected answer, the sender's next move, and so on. A line
that cannot be played is refused as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db import transaction

from antipodes.core.illegality import Illegality
from antipodes.errors import Fault, InputError, MatchError
from antipodes.games.placement import PlacementPosition
from antipodes.games.position import Position
from antipodes.games.registry import make_game
from antipodes.mail.layout import Preview, preview_subject
from antipodes.mail.layout.board import moves_made
from antipodes.mail.layout.replies import preview_answer
from antipodes.mail.requests import Verb
from antipodes.match import (
    ANY,
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
from antipodes.records.texts import trimmed
from antipodes.web.email_play.context import CommandContext
from antipodes.web.email_play.match_emails import (
    board_report,
    email_content,
    reply_with_board,
    sentences,
    viewer_seat,
)
from antipodes.web.email_play.models import MailThreadRow
from antipodes.web.matches import chat, snapshots, store
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.matches.snapshots import MatchSnapshot, snapshot_of
from antipodes.web.matches.viewpoints import side_of
from antipodes.web.platform.clock import now

Line = tuple[tuple[int, int], ...]  # seat and move


def read_line(position: Position, texts: Sequence[str], side: int = 0) -> Line:
    """Read successive legal moves, written as a seat sees the board.

    Raises:
        MoveError: one is not a move, or not legal in its position.
        InputError: the game would end before the last move.
    """
    line = []
    for text in texts:
        if position.outcome is not None:
            template = "the game would be over before {move}"
            raise InputError([Fault.of("mail/line", template, move=text)])
        move = position.parse_move(text, side)
        line.append((position.seat_to_move, int(move)))
        position = position.play(move)
    return tuple(line)


def check_end(line: Line, texts: Sequence[str], own: Collection[int], names: Sequence[str]) -> None:
    """Check that a line ends with a move of the sender; an opponent's last move has no effect.

    Raises:
        InputError: it ends with another player's move.
    """
    if line and line[-1][0] not in own:
        template = "{move} would be the move of {name}: add your own answer to it, or leave it out"
        values = {"move": texts[-1], "name": names[line[-1][0]]}
        raise InputError([Fault.of("mail/line", template, **values)])


def conditional_moves_of(line: Line, own: Collection[int]) -> dict[int, ConditionalMoves]:
    """Return the conditional moves that a line contains, by the sender's seats."""
    found = {}
    for seat in own:
        own_moves = [index for index, (mover, _) in enumerate(line) if mover == seat]
        if own_moves:
            moves = [move for _, move in line[: own_moves[-1] + 1]]
            found[seat] = ConditionalMoves.line(*moves)
    return found


def next_own_turn(match: Match, own: Collection[int]) -> tuple[int, int]:
    """Return which of a user's seats moves next, and the number of moves before that."""
    seats = match.terms.game.seats
    to_move = match.position.seat_to_move
    distance = next(n for n in range(seats) if (to_move + n) % seats in own)
    return (to_move + distance) % seats, distance


def after_anything(move: int, distance: int) -> ConditionalMoves:
    """Return conditional moves that play a move after any ``distance`` moves of the others."""
    return ConditionalMoves.line(*[ANY] * distance, move)


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
class MatchSession:
    """A match that the sender of a command acts on; locked until the mail is processed.

    Attributes:
        context: the command.
        before: the match before the command.
        match: the match now.
        own: seats of the sender.
        events: events since ``before``.
        news: further sentences for the reply.
        is_first: whether no command before it in the same mail has changed the match.
    """

    context: CommandContext
    before: MatchSnapshot
    match: Match
    own: tuple[int, ...]
    events: list[Event] = field(default_factory=list)
    news: list[str] = field(default_factory=list)
    is_first: bool = True
    _commands: int = 0

    @classmethod
    def of(cls, context: CommandContext, *, players_only: bool = True) -> MatchSession:
        """Lock the match that a command names.

        Raises:
            InputError: the command names no board, or its sender is not authenticated or not a
                player.
        """
        user = context.require_user()
        row = context.require_match()
        snapshot = store.locked_snapshot(row.slug)
        if row.slug not in context.touched:
            snapshots.keep(snapshot)
        own = snapshot.seats_of(user.pk)
        if players_only and not own:
            template = "you do not play on board {board}"
            raise InputError([Fault.of("mail/not-yours", template, board=row.pk)])
        is_first = row.slug not in context.touched
        return cls(context, snapshot, snapshot.match, own, is_first=is_first)

    @property
    def names(self) -> list[str]:
        """The players' names, by seat."""
        return [seat.name for seat in self.before.seats]

    @property
    def seat(self) -> int:
        """The seat that acts: the one to move if it is the sender's, else their first."""
        to_move = self.match.seat_to_move
        return to_move if to_move in self.own else self.own[0]

    @property
    def side(self) -> int:
        """The seat from whose side the sender reads and writes moves."""
        return side_of(self.before, self.context.require_user())

    @property
    def is_own_turn(self) -> bool:
        return self.match.seat_to_move in self.own

    def check_ply(self, *also: int) -> None:
        """Check that a command was meant for this position.

        The command says it by a move number, or else the e-mail that it answers.

        Args:
            also: numbers that are accepted besides that of the last move.

        Raises:
            MatchError: it was meant for another position.
        """
        meant = self.context.request.ply
        if meant is None and self.is_first:
            self._check_seen()
        if meant is not None and meant not in (self.match.ply, *also):
            template = (
                "this was meant for the board after move {meant}, but it is after move {made}"
            )
            values = {"meant": meant, "made": self.match.ply}
            raise MatchError([Fault.of("match/stale", template, **values)])

    def _check_seen(self) -> None:
        """Check that no other player has moved since the board that the sender saw.

        Raises:
            MatchError: another player has.
        """
        seen, made = self.context.seen_ply(), self.match.ply
        if seen is None or seen == made:
            return
        if seen < made and all(one.seat in self.own for one in self.match.moves[seen:]):
            return
        template = (
            "you replied to the board after move {seen}, but it is after move {made} now. If you"
            " still want this, write {insisting}"
        )
        request = self.context.request
        insisting = f"{' '.join(request.words)}#{made}"
        if request.verb is not Verb.MOVE:
            place = f"{request.board}#{made}"
            insisting = " ".join([request.verb.value, place, *request.words])
        values = {"seen": seen, "made": made, "insisting": insisting}
        raise MatchError([Fault.of("match/stale", template, **values)])

    def check_turn(self) -> None:
        """Check that it is the sender's turn.

        Raises:
            MatchError: it is another player's turn, or the match is over.
        """
        if self.match.result is not None:
            self.execute(Play, move=0)  # raises the match's own error
        if not self.is_own_turn:
            template = "it is the turn of {name}; to prepare a move for your turn use queue"
            name = self.names[self.match.position.seat_to_move]
            raise MatchError([Fault.of("match/not-your-turn", template, name=name)])

    def execute(self, command: type[Command], /, seat: int | None = None, **details: Any) -> None:
        """Execute a command of the match.

        Raises:
            MatchError: the match refuses it.
            IllegalMoveError: the move is illegal.
        """
        self.context.touched.add(self.before.row.slug)
        key = f"mail {self.context.key} {self._commands}"
        self._commands += 1
        made = command(
            seat=self.seat if seat is None else seat, ply=self.match.ply, key=key, **details
        )
        self.match, events = carry_out(self.before.row.slug, made)
        self.events.extend(events)

    def post_comment(self) -> None:
        """Post the mail's comment to the chat; if that fails, the rest of the command stands."""
        comment = self.context.comment
        if not comment.strip():
            if self.context.mail.unreadable:
                reason = self.context.mail.unreadable
                self.news.append(f"The text of your mail cannot be read: {reason}.")
            return
        try:
            with transaction.atomic():
                self.post_chat(comment)
        except InputError as error:
            self.news.append(f"Your message was not sent: {error}.")

    def post_chat(self, text: str) -> None:
        """Post a text to the match's chat.

        Raises:
            MatchError: the sender may not post it here and now.
        """
        text = trimmed(self.context.passed_on(text))
        if len(text) > chat.LONGEST_BY_MAIL:
            text = text[: chat.LONGEST_BY_MAIL].rpartition("\n")[0] or text[: chat.LONGEST_BY_MAIL]
            self.news.append(
                f"Your message was long; only its first {len(text)} characters were sent."
            )
        message = {"key": f"{self.context.key} 0", "text": text}
        chat.say(self.before, self.context.require_user(), message, is_mail=True)
        self.news += self.context.masking_news()

    def reply(self) -> None:
        """Reply with the board as it is now."""
        row = MatchRow.objects.select_related("series").get(pk=self.before.row.pk)
        snapshot = snapshot_of(row)
        viewer = viewer_seat(snapshot, self.context.user)
        side = side_of(snapshot, self.context.user)
        news = sentences(snapshot, self.events, viewer, side)
        reply_with_board(self.context, snapshot, news=[*news, *self.news])
        transaction.on_commit(partial(snapshots.keep, snapshot))


# Moves.


def move(context: CommandContext) -> None:
    """Make a move; the rest of its line becomes conditional moves."""
    session = MatchSession.of(context)
    texts = _moves(context)
    session.check_ply()
    play_line(session, texts)
    session.post_comment()
    session.reply()


def _moves(context: CommandContext) -> list[str]:
    """Return the moves of a command.

    Raises:
        InputError: there are none.
    """
    verb = context.request.verb
    first = [verb.value] if verb in {Verb.SWAP, Verb.PASS} else []
    texts = [*first, *context.request.words]
    if not texts:
        raise InputError.single("mail/no-move", "say which move you make, such as f4")
    return texts


def play_line(session: MatchSession, texts: Sequence[str]) -> None:
    """Play the sender's moves of a line while it is their turn; the rest become conditional.

    Raises:
        InputError: it is not the sender's turn, or the line is illegal; nothing has changed.
    """
    session.check_turn()
    line = read_line(session.match.position, texts, session.side)
    check_end(line, texts, session.own, session.names)
    while line and session.match.result is None and session.is_own_turn:
        ply = session.match.ply
        session.execute(Play, move=line[0][1])
        made = [(one.seat, int(one.move)) for one in session.match.moves[ply:]]
        if list(line[: len(made)]) != made:
            # An opponent's conditional move differs from the expected answer.
            if len(line) > 1:
                session.news.append(
                    "The answer was another move, so your further moves were dropped."
                )
            return
        line = line[len(made) :]
    if session.match.result is None:
        _set_conditional_moves(session, conditional_moves_of(line, session.own))


def _set_conditional_moves(
    session: MatchSession, moves_by_seat: dict[int, ConditionalMoves]
) -> None:
    for seat, moves in moves_by_seat.items():
        session.execute(SetConditionalMoves, seat, moves=moves)


def queue(context: CommandContext) -> None:
    """Prepare the next move, which stays secret until the sender's turn comes."""
    session = MatchSession.of(context)
    texts = list(context.request.words)
    if session.match.result is not None:
        session.execute(SetConditionalMoves, moves=ConditionalMoves())  # raises the match's error
    if not texts or (len(texts) == 1 and texts[0].lower() in _NOTHING):
        _clear_queue(session)
    elif session.is_own_turn:
        _queue_in_own_turn(session, texts)
    else:
        _queue(session, texts)
    if context.comment.strip():
        session.news.append("Conditional moves are secret, so your message was not sent; use chat.")
    session.reply()


def _clear_queue(session: MatchSession) -> None:
    queued = [seat for seat in session.own if session.match.conditional_moves[seat]]
    if not queued:
        session.news.append("You had no conditional moves.")
    _set_conditional_moves(session, dict.fromkeys(queued, ConditionalMoves()))


def _queue_in_own_turn(session: MatchSession, texts: Sequence[str]) -> None:
    """Play the move now, since the sender's turn has come already."""
    if len(texts) > 1:
        raise MatchError([Fault("match/your-turn", "it is your turn: use move")])
    session.check_ply()
    play_line(session, texts)


def _queue(session: MatchSession, texts: Sequence[str]) -> None:
    match = session.match
    if len(texts) == 1:
        seat, distance = next_own_turn(match, session.own)
        session.check_ply(match.ply + distance)
        moves = after_anything(_read_ahead(session, texts[0]), distance)
        session.execute(SetConditionalMoves, seat, moves=moves)
        return
    session.check_ply()
    line = read_line(match.position, texts, session.side)
    check_end(line, texts, session.own, session.names)
    _set_conditional_moves(session, conditional_moves_of(line, session.own))


def _read_ahead(session: MatchSession, text: str) -> int:
    """Read a move for a later position, in which it may become legal.

    Raises:
        InvalidMoveError: it is not a move of this game.
        IllegalMoveError: it can never become legal, since a stone stays on the point.
    """
    position = session.match.position
    move = position.read_move(text, session.side)
    is_occupied = position.why_illegal(move) is Illegality.OCCUPIED
    if is_occupied and isinstance(position, PlacementPosition):
        position.parse_move(text, session.side)
    return int(move)


# Offers and the end of a match.


def offer(context: CommandContext) -> None:
    """Make an offer that needs the consent of all players, or accept the same offer."""
    session = MatchSession.of(context)
    session.check_ply()
    kind = OfferKind.TAKEBACK if context.request.verb is Verb.UNDO else OfferKind.DRAW
    if context.request.verb is Verb.PROPOSE and context.request.words:
        kind = _kind_named(context.request.words[0], list(OfferKind))
    agreed = session.match.offers.get(kind, ())
    if agreed and not set(agreed) & set(session.own):
        session.execute(Accept, kind=kind)
    else:
        session.execute(Offer, _offering_seat(session, kind), kind=kind)
    session.post_comment()
    session.reply()


def _offering_seat(session: MatchSession, kind: OfferKind) -> int:
    """Return the seat that offers: for takebacks, that of the sender's last move."""
    if kind is OfferKind.TAKEBACK:
        for made in reversed(session.match.moves):
            if made.seat in session.own:
                return made.seat
    return session.seat


def accept(context: CommandContext) -> None:
    """Accept another player's offer."""
    session = MatchSession.of(context)
    session.check_ply()
    session.execute(Accept, kind=_open_offer(session, by_others=True))
    session.post_comment()
    session.reply()


def reject(context: CommandContext) -> None:
    """Decline an offer, withdraw one's own, or end a pause."""
    session = MatchSession.of(context)
    session.check_ply()
    kind = _open_offer(session, by_others=False)
    if kind is OfferKind.PAUSE and session.match.clock.paused:
        session.execute(Resume)
    else:
        session.execute(Decline, kind=kind)
    session.post_comment()
    session.reply()


def _open_offer(session: MatchSession, *, by_others: bool) -> OfferKind:
    """Return the offer that a command means.

    Raises:
        MatchError: there is none, or there are several and the command names none.
    """
    agreed = session.match.offers.items()
    others = [kind for kind, seats in agreed if not set(seats) & set(session.own)]
    own = [] if by_others else [kind for kind, seats in agreed if set(seats) & set(session.own)]
    if not by_others and session.match.clock.paused:
        own.append(OfferKind.PAUSE)
    offers = others or own
    words = session.context.request.words
    if words:
        return _kind_named(words[0], offers)
    if not offers:
        raise MatchError([Fault("match/no-offer", "there is no open offer on this board")])
    if len(offers) > 1:
        template = "there are several offers: {kinds}; say which one you mean"
        kinds = ", ".join(_word_of(kind) for kind in offers)
        raise MatchError([Fault.of("mail/which-offer", template, kinds=kinds)])
    return offers[0]


def _kind_named(word: str, known: Collection[OfferKind]) -> OfferKind:
    kind = _KINDS.get(word.lower())
    if kind is None or kind not in known:
        template = "{word} is not among the offers here: {kinds}"
        kinds = ", ".join(_word_of(one) for one in known) or "nothing"
        raise MatchError([Fault.of("mail/which-offer", template, word=word, kinds=kinds)])
    return kind


def _word_of(kind: OfferKind) -> str:
    return "undo" if kind is OfferKind.TAKEBACK else kind.value


def resign(context: CommandContext) -> None:
    """Resign, now or when the sender's turn comes; before their first move abort the game."""
    session = MatchSession.of(context)
    session.check_ply()
    if all(session.match.last_move_of(seat) is None for seat in session.own):
        session.execute(Abort)
    elif session.is_own_turn or session.match.result is not None:
        session.execute(Resign)
    else:
        seat, _ = next_own_turn(session.match, session.own)
        is_queued = seat in session.match.resigning
        session.execute(CancelResignation if is_queued else QueueResignation, seat)
    if session.match.result is not None:
        session.post_comment()
    elif context.comment.strip():
        session.news.append(
            "A queued resignation is secret, so your message was not sent; use chat."
        )
    session.reply()


def post_chat(context: CommandContext) -> None:
    """Post to the chat: players to players, spectators to spectators."""
    session = MatchSession.of(context, players_only=False)
    text = trimmed(context.comment) or " ".join(context.request.words)
    if not text:
        raise InputError.single("mail/no-words", "say something: chat TEXT, or in the mail's body")
    session.post_chat(text)
    session.reply()


def preview_board(context: CommandContext) -> None:
    """Show a board after some more moves; nothing is stored."""
    row = context.require_match()
    snapshot = snapshot_of(row)
    ply = snapshot.match.ply if context.request.ply is None else context.request.ply
    start = _position_at(snapshot.match, ply)
    report = board_report(snapshot, None)
    side = side_of(snapshot, context.user)
    moves = tuple(move for _, move in read_line(start, _previewed_moves(context), side))
    preview = Preview(
        start=start,
        moves=moves,
        now=now(),
        made=moves_made(snapshot.match, ply),
        setup=snapshot.match.terms.setup,
        number=row.pk,
        link=report.link,
        players=report.players,
        side=side,
    )
    _reply(context, preview_subject(row.game_id, row.pk), preview, row)


def preview_new(context: CommandContext) -> None:
    """Show a new board after some moves."""
    request = context.request
    if "new" not in request.options or not request.game:
        text = "say which board you mean, or GAME preview new with its options"
        raise InputError.single("mail/no-number", text)
    options = {name: value for name, value in request.options.items() if name != "new"}
    game = make_game(request.game, options)
    players = request.options["new"]
    if players and players != str(game.seats):
        template = "with these options {game} is for {seats} players, not for {players}"
        values = {"game": game.id, "seats": game.seats, "players": players}
        raise InputError([Fault.of("mail/players", template, **values)])
    start = game.initial()
    moves = tuple(move for _, move in read_line(start, _previewed_moves(context)))
    preview = Preview(start=start, moves=moves, now=now())
    _reply(context, preview_subject(game.id, None), preview)


def _reply(
    context: CommandContext, subject: str, preview: Preview, row: MatchRow | None = None
) -> None:
    content = email_content(subject, preview_answer(preview), preview.link)
    context.reply(content.subject, content.text, content.html, content.attachments, about=row)


def _previewed_moves(context: CommandContext) -> tuple[str, ...]:
    if not context.request.words:
        raise InputError.single("mail/no-move", "say which moves you want to see")
    return context.request.words


def _position_at(match: Match, ply: int) -> Position:
    """Return the position after a number of moves.

    Raises:
        InputError: fewer moves were made.
    """
    if ply == match.ply:
        return match.position
    if not 0 <= ply < match.ply:
        template = "there is no position after move {ply}: {made} moves were made"
        raise InputError([Fault.of("mail/no-such-ply", template, ply=ply, made=match.ply)])
    position: Position = match.terms.origin
    for made in match.moves[:ply]:
        position = position.play(made.move)
    return position


def submit(context: CommandContext) -> None:
    """Store a move as a draft and show the board after it; ``confirm`` plays it."""
    session = MatchSession.of(context)
    session.check_ply()
    session.check_turn()
    words = _previewed_moves(context)
    if len(words) > 1:
        text = "submit takes one move; several together are for move, queue or preview"
        raise InputError.single("mail/line", text)
    move = int(session.match.position.parse_move(words[0], session.side))
    draft = {"move": move, "turn": _turn(session.match)}
    MailThreadRow.objects.update_or_create(
        user=context.require_user(),
        match=session.before.row,
        defaults={"draft": draft, "draft_ply": session.match.ply},
    )
    reply_with_board(context, session.before, submitted=move)


def confirm(context: CommandContext) -> None:
    """Play the submitted move."""
    session = MatchSession.of(context)
    session.check_ply()
    threads = MailThreadRow.objects.filter(user=context.require_user(), match=session.before.row)
    thread = threads.exclude(draft=None).first()
    if thread is None or thread.draft is None or thread.draft_ply is None:
        text = "no move of yours waits to be confirmed on this board"
        raise InputError.single("mail/no-draft", text)
    if thread.draft["turn"] != _turn(session.match):
        template = "the move was submitted as move {meant}, but move {next} is next"
        values = {"meant": thread.draft_ply + 1, "next": session.match.ply + 1}
        raise MatchError([Fault.of("match/stale", template, **values)])
    text = session.match.position.describe_move(thread.draft["move"], session.side)
    threads.update(draft=None, draft_ply=None)
    play_line(session, [text])
    session.post_comment()
    session.reply()


def _turn(match: Match) -> str:
    """Return a name of the turn that is unique even after a takeback."""
    return f"{match.ply} {match.moves[-1].at if match.moves else 0}"
