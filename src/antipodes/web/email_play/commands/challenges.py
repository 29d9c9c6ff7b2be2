"""Commands for challenges: challenge, seek, limit, accept and reject."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.db import transaction

from antipodes.core.numbers import read_number
from antipodes.errors import InputError, MatchError
from antipodes.games import pairing
from antipodes.games.registry import game_ids
from antipodes.mail import OFF_WORDS
from antipodes.mail.layout import write_challenges, write_news, write_table
from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import find_players
from antipodes.web.challenges import game_limits, services
from antipodes.web.challenges.eligibility import Viewer, why_not
from antipodes.web.challenges.models import ChallengeRow, joined
from antipodes.web.challenges.selectors import listed_for, waiting_challenges
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.email_play.commands.challenge_options import ChallengeOptions, parse_options
from antipodes.web.email_play.commands.invitations import invite
from antipodes.web.email_play.commands.lines import challenge_line, subject
from antipodes.web.email_play.commands.players import enable_by_default
from antipodes.web.email_play.context import CommandContext
from antipodes.web.email_play.match_emails import reply_with_board
from antipodes.web.email_play.models import ReminderRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import snapshot_of

_COMPUTER = re.compile(r"computer(?:[:-]?([0-9]{1,2}|pairing))?|(pairing)", re.IGNORECASE)
_DEFAULT_LEVEL = "3"
_SEEK_DAYS = 30  # after which a seek expires by default
_MAX_SHOWN = 20
_MAX_LIMIT = 9_999


def challenge(context: CommandContext) -> None:
    """Challenge players by name, or start a game against the computer."""
    user, request = context.require_user(), context.request
    enable_by_default(user)
    options = parse_options(request.game, request.options)
    names = _in_order(user, [name for name in (request.user, *request.words) if name])
    if [name.lower() for name in names] in ([], [user.username.lower()]):
        message = f"whom do you challenge? write: {options.game.id} challenge {user.username} NAME"
        raise InputError.single("mail/no-player", message)
    game_request = _game_request(user, options, names, names_rated="rated" in request.options)
    made = services.request_game(user, game_request)
    if isinstance(made, MatchRow):
        _reply_with_new_board(context, made)
        return
    _set_reminder(made, options)
    try:
        comment, news = context.passed_on(context.comment), context.masking_news()
    except MatchError as error:
        comment, news = "", [f"Your message was not sent: {error}."]
    for player in game_request.people:
        invite(made, player, comment)
    headline = " ".join([_waiting_text(made), *news])
    text = write_challenges(headline, [challenge_line(_with_players(made))])
    invited = ", ".join(player.name for player in game_request.people)
    context.reply(subject(f"challenge c{made.pk} to {invited}"), text)


def _in_order(user: User, names: Sequence[str]) -> Sequence[str]:
    """Return the names in the order of the seats: a repeated name of the sender has its place."""
    own = [index for index, name in enumerate(names) if name.lower() == user.username.lower()]
    return names[1:] if len(own) > 1 and own[0] == 0 else names


def _game_request(
    user: User, options: ChallengeOptions, names: Sequence[str], *, names_rated: bool
) -> GameRequest:
    """Return the game that a challenge asks for; the names are in the order of the seats."""
    levels = {name: level for name in names if (level := _level(name))}
    people, unknown = find_players([name for name in names if name not in levels])
    if unknown:
        raise InputError.single("mail/unknown-user", f"there is no user {unknown[0]}")
    others = tuple(player for player in people if player != user)
    seats = options.game.seats
    if 1 + len(others) + len(levels) != seats:
        message = f"{options.game.title} is for {seats} players with these options; you named "
        message += f"{len(others) + len(levels)} besides yourself"
        raise InputError.single("match/seats", message)
    terms = dict(options.terms)
    if levels and not names_rated:
        terms["rated"] = False
    by_name = {player.username.lower(): player for player in people}
    order = [by_name.get(name.lower()) for name in dict.fromkeys(names)]
    is_ordered = user in order and not options.lots
    ordered = {player.pk: seat for seat, player in enumerate(order) if player} if is_ordered else {}
    return GameRequest(
        game=options.game,
        control=options.control,
        opponent=Opponent.PEOPLE if others else Opponent.COMPUTER,
        people=others,
        level=next(iter(levels.values()), _DEFAULT_LEVEL),
        seat=ordered.pop(user.pk, None),
        promised=tuple(ordered.items()),
        computers=_computer_seats(names, levels, ordered, bool(others)),
        **terms,
    )


def _level(name: str) -> str | None:
    """Return the level of a computer player, or its pairing strategy; ``None`` for a user."""
    found = _COMPUTER.fullmatch(name)
    return found and (found[1] or found[2] or _DEFAULT_LEVEL).lower()


def _computer_seats(
    names: Sequence[str], levels: dict[str, str], ordered: dict[int, int], with_people: bool
) -> tuple[tuple[int, str], ...]:
    if not levels or not with_people:
        return ()  # a single computer player takes the free seat
    if not ordered:
        message = "name yourself too, so that the seat of the computer is clear"
        raise InputError.single("mail/seats", message)
    return tuple((names.index(name), level) for name, level in levels.items())


def _set_reminder(made: ChallengeRow, options: ChallengeOptions) -> None:
    if options.reminder:
        ReminderRow.objects.create(challenge=made, after=options.reminder)


def seek(context: CommandContext) -> None:
    """Seek an opponent: join an open challenge with the same terms, or post one."""
    user, request = context.require_user(), context.request
    if any(word in OFF_WORDS for word in request.words):
        _cancel_seeks(context, user)
        return
    enable_by_default(user)
    options = parse_options(request.game, {"days": str(_SEEK_DAYS), **request.options})
    if user.pk in game_limits.users_at_limit([user.pk], options.game.id):
        raise InputError([game_limits.limit_reached(user, options.game.id)])
    game_request = GameRequest(
        game=options.game, control=options.control, opponent=Opponent.ANYBODY, **options.terms
    )
    row = _matching_challenge(user, game_request)
    match = None if row is None else services.join(row.slug, user)
    if match is not None:
        _reply_with_new_board(context, match)
        return
    if row is None:
        row = _post(user, game_request, options)
    others = [other for other in _joinable(user, options.game.id) if other.pk != row.pk]
    headline = f"Challenge {row.pk} is in the lobby. You get a mail when a player accepts it."
    if others:
        headline += " You can accept one of the others at once: accept YOU TOKEN cNUMBER."
    lines = [challenge_line(shown) for shown in (_with_players(row), *others)]
    context.reply(
        subject(f"challenge c{row.pk} of {options.game.title}"), write_challenges(headline, lines)
    )


def _matching_challenge(user: User, game_request: GameRequest) -> ChallengeRow | None:
    """Return the oldest challenge of another player with the same terms."""
    viewer = Viewer(user)
    matching = listed_for(viewer).filter(
        game_id=game_request.game.id,
        options=dict(game_request.game.options.changed()),
        control=str(game_request.control),
        rated=game_request.rated,
        points=game_request.points,
        is_private=game_request.is_private,
    )
    return next((row for row in matching.order_by("made_at") if why_not(row, viewer) is None), None)


def _post(user: User, game_request: GameRequest, options: ChallengeOptions) -> ChallengeRow:
    made = services.request_game(user, game_request)
    if isinstance(made, MatchRow):
        raise TypeError("an open challenge cannot start a match by itself")
    _set_reminder(made, options)
    return made


def _joinable(user: User, game_id: str) -> list[ChallengeRow]:
    viewer = Viewer(user)
    rows = listed_for(viewer).filter(game_id=game_id)[: 5 * _MAX_SHOWN]
    return [row for row in rows if why_not(row, viewer) is None][:_MAX_SHOWN]


def _cancel_seeks(context: CommandContext, user: User) -> None:
    rows = ChallengeRow.objects.filter(by=user, match=None, is_listed=True)
    if context.request.game:
        rows = rows.filter(game_id=context.request.game)
    numbers = []
    for row in rows:
        services.cancel(row.slug, user)
        numbers.append(str(row.pk))
    text = f"Cancelled: challenge {', '.join(numbers)}." if numbers else "You had no open seeks."
    context.reply(subject("your seeks are cancelled"), write_news([text]))


def limit(context: CommandContext) -> None:
    """Limit the number of games that begin automatically; without a number, show the limits."""
    user, request = context.require_user(), context.request
    if request.words:
        word = request.words[0].lower()
        most = None if word in OFF_WORDS else _parse_limit(word)
        for game_id in [request.game] if request.game else game_ids():
            game_limits.set_limit(user, game_id, most)
    playing = game_limits.counts_of(user)
    rows = [
        (row.game_id, str(row.most), str(playing[row.game_id])) for row in user.game_limits.all()
    ]
    headline = "At a limit, your seeks and open challenges start no further games."
    if not rows:
        headline = "You have set no limits on automatic games."
    text = write_table(headline, "Limits", ("Game", "At most", "Now"), rows)
    context.reply(subject("limits"), text)


def _parse_limit(word: str) -> int:
    limit = read_number(word, _MAX_LIMIT)
    if limit is not None:
        return limit
    message = f"a limit is a number of games or off, not {shorten(word)}"
    raise InputError.single("lobby/limit", message)


def accept(context: CommandContext) -> None:
    """Accept a challenge by its number."""
    user = context.require_user()
    accept_challenge(context, user, _named_challenge(context, user))


def reject(context: CommandContext) -> None:
    """Decline an invitation, leave a challenge, or cancel one's own, by its number."""
    user = context.require_user()
    reject_challenge(context, user, _named_challenge(context, user))


def accept_challenge(context: CommandContext, user: User, row: ChallengeRow) -> None:
    """Join a challenge; reply with the new board, or with the players that are still missing."""
    enable_by_default(user)
    match = services.join(row.slug, user)
    if match is not None:
        _reply_with_new_board(context, match)
        return
    text = write_challenges(_waiting_text(row), [challenge_line(_with_players(row))])
    context.reply(subject(f"challenge c{row.pk} is accepted"), text)


def reject_challenge(context: CommandContext, user: User, row: ChallengeRow) -> None:
    """Cancel a challenge by its maker; for other users decline or leave it, and tell the maker."""
    number, by = row.pk, row.by
    with transaction.atomic():
        if by == user:
            services.cancel(row.slug, user)
        elif row.invited.filter(pk=user.pk).exists():
            services.decline(row.slug, user)
        else:
            services.leave(row.slug, user)
    text = f"You cancelled challenge {number}."
    if by != user:
        text = f"You rejected challenge {number} of {by.name}."
        to_maker = f"{user.name} rejected your challenge {number}."
        context.send_to(by, subject(f"challenge c{number} is rejected"), write_news([to_maker]))
    context.reply(subject(f"challenge c{number} is rejected"), write_news([text]))


def _named_challenge(context: CommandContext, user: User) -> ChallengeRow:
    """Return the challenge whose number a command has, if its sender may see it.

    Raises:
        InputError: there is no such challenge, or no number.
    """
    numbers = [context.request.board, *(_number(word) for word in context.request.words)]
    number = next((one for one in numbers if one is not None), None)
    if number is None:
        raise InputError.single("mail/no-number", "say which challenge you mean, by its number")
    row = waiting_challenges().filter(pk=number).first()
    if row is None or not _may_see(user, row):
        message = f"there is no challenge {number} for you; list shows the open ones"
        raise InputError.single("mail/no-challenge", message)
    return row


def _may_see(user: User, row: ChallengeRow) -> bool:
    """Return whether a challenge is listed, or a user made it, joined it or is invited to it."""
    if row.by_id == user.pk or row.joins.filter(user=user).exists():
        return True
    if row.invited.filter(pk=user.pk).exists():
        return True
    return listed_for(Viewer(user)).filter(pk=row.pk).exists()


def _number(word: str) -> int | None:
    return read_number(word.removeprefix("c").removeprefix("#"))


def _with_players(row: ChallengeRow) -> ChallengeRow:
    """Return a challenge with its players fetched."""
    rows = ChallengeRow.objects.select_related("by").prefetch_related(joined(), "invited")
    return rows.get(pk=row.pk)


def _waiting_text(row: ChallengeRow) -> str:
    return f"Challenge {row.pk} waits until all players have accepted."


def _reply_with_new_board(context: CommandContext, row: MatchRow) -> None:
    """Reply with the board of a new match, so that the next reply is a move."""
    snapshot = snapshot_of(MatchRow.objects.select_related("series").get(pk=row.pk))
    names = ", ".join(dict.fromkeys(seat.name for seat in snapshot.seats))
    news = [f"Board {row.pk} has begun: {names}."]
    if any(seat.computer == pairing.PLAYER for seat in snapshot.seats):
        news.append(str(pairing.WHY))
    reply_with_board(context, snapshot, news=news)
