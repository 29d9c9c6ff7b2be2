"""Commands for challenges: their options, invitations, answers, and reminders in their matches.

Options of a game have their own names and those of the classic server. Times are in days, as
there, or have a unit: ``--forfeittime=12h``.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.db.models import Q

from antipodes.clocks import DAY, HOUR, TimeControl, read_control
from antipodes.core.numbers import read_number
from antipodes.errors import Fault, InputError, MatchError
from antipodes.games import pairing_strategy
from antipodes.games.position import Game
from antipodes.games.registry import game_class, game_ids
from antipodes.mail import OFF_WORDS
from antipodes.mail.layout import comment_lines, write_challenges, write_news, write_table
from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer, find_players
from antipodes.web.challenges import game_limits, services
from antipodes.web.challenges.eligibility import Viewer, why_not
from antipodes.web.challenges.models import ChallengeRow, joined
from antipodes.web.challenges.selectors import listed_for, waiting_challenges
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.email_play.commands.emails import (
    challenge_line,
    challenge_url,
    create_confirmation,
    paragraphs,
    reachable_address,
    send,
    subject,
)
from antipodes.web.email_play.commands.preferences import enable_by_default
from antipodes.web.email_play.context import CommandContext, EmailContent
from antipodes.web.email_play.match_emails import reply_with_board
from antipodes.web.email_play.models import ConfirmationRow, MailPlayRow, ReminderRow
from antipodes.web.email_play.reply_addresses import receives_mail
from antipodes.web.matches.fair_options import agreed_game
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.services import notify
from antipodes.web.platform.clock import now

# As on the classic server: a player loses after three weeks and is reminded after one.
DEFAULT_CONTROL = TimeControl(per_move=21 * DAY)
DEFAULT_REMINDER = 7 * DAY
_MAX_DAYS = 366

_UNITS = {"": 24, "d": 24, "h": 1}  # hours
_TIME = re.compile(r"([0-9]{1,5})([dh]?)")

# Names that the classic server, or other games here, have for an option.
_ALIASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "antipod": {"radius": ("side",), "size": ("side",)},
    "antipalos": {"side": ("size",)},
    "hex": {"side": ("size",)},
    "cylindrical-hex": {"size": ("rows", "columns")},
}
_YES = frozenset({"on", "yes", "true", "1"})
_NO = frozenset({"off", "no", "false", "0"})

# Options of every game.
_COMMON = frozenset(
    {
        "forfeittime",
        "totaltime",
        "nagtime",
        "clock",
        "rated",
        "unrated",
        "lots",
        "private",
        "points",
        "within",
        "days",
    }
)


@dataclass(frozen=True, kw_only=True)
class ChallengeOptions:
    """All options of a challenge except the opponents.

    Attributes:
        game: the rules with their options.
        control: the time control.
        reminder: milliseconds of a turn after which its player is reminded; 0 for never.
        lots: whether seats are drawn, whatever the order of the names.
        terms: further arguments of a `GameRequest`.
    """

    game: Game
    control: TimeControl
    reminder: int
    lots: bool
    terms: Mapping[str, Any]


def parse_options(game_id: str, options: Mapping[str, str]) -> ChallengeOptions:
    """Parse the options of a command.

    Args:
        game_id: the game.
        options: values as written, by name.

    Raises:
        InputError: with all faults.
    """
    if not game_id:
        raise InputError.single(
            "mail/no-game", "say which game you mean, such as: hex challenge ann bob"
        )
    common = {name: text for name, text in options.items() if name in _COMMON}
    of_game = {name: text for name, text in options.items() if name not in _COMMON}
    faults: list[Fault] = []
    parsed: dict[str, Any] = {}
    for name, parse in (
        ("game", lambda: agreed_game(game_id, _without_aliases(game_id, of_game))),
        ("control", lambda: _time_control(common)),
        ("reminder", lambda: _reminder(common)),
        ("lots", lambda: _is_on("lots", common.get("lots", "off"))),
        ("terms", lambda: _terms(common)),
    ):
        try:
            parsed[name] = parse()
        except InputError as error:
            faults.extend(error.faults)
    if faults:
        raise InputError(faults)
    return ChallengeOptions(**parsed)


def _without_aliases(game_id: str, options: Mapping[str, str]) -> dict[str, object]:
    """Return options by the game's own names for them."""
    game = game_class(game_id)
    own_names = {info.name for info in game().option_table()}
    aliases = _ALIASES.get(game.id, {})
    options_by_name: dict[str, object] = {}
    for name, text in options.items():
        for own_name in (name,) if name in own_names else aliases.get(name, (name,)):
            if own_name in options_by_name:
                raise _error("option/twice", f"{shorten(name)} is set twice", name)
            options_by_name[own_name] = text
    return options_by_name


def _time_control(options: Mapping[str, str]) -> TimeControl:
    in_days = {name for name in ("forfeittime", "totaltime") if name in options}
    if "clock" in options:
        if in_days:
            message = "use either --clock or --forfeittime and --totaltime"
            raise _error("mail/options", message, "clock")
        return read_control(options["clock"])
    if not in_days:
        return DEFAULT_CONTROL
    per_move = parse_time("forfeittime", options.get("forfeittime", "0"))
    bank = parse_time("totaltime", options.get("totaltime", "0"))
    return TimeControl(per_move=per_move, bank=bank)


def _reminder(options: Mapping[str, str]) -> int:
    text = options.get("nagtime")
    return DEFAULT_REMINDER if text is None else parse_time("nagtime", text)


def parse_time(name: str, text: str) -> int:
    """Return the milliseconds of a time in days, ``7`` or ``7d``, or in hours, ``12h``.

    Raises:
        InputError: it is not such a time, or longer than a year.
    """
    duration = _TIME.fullmatch(text.strip().lower())
    hours = int(duration[1]) * _UNITS[duration[2]] if duration else -1
    if not 0 <= hours <= _MAX_DAYS * 24:
        message = f"{name} is {shorten(text)}, but must be 0 to {_MAX_DAYS} days, such as 7 or 12h"
        raise _error("mail/options", message, name)
    return hours * HOUR


def _terms(options: Mapping[str, str]) -> dict[str, Any]:
    terms: dict[str, Any] = {"rated": _is_rated(options)}
    if "private" in options:
        terms["is_private"] = _is_on("private", options["private"])
    for name in ("points", "within"):
        if name in options:
            terms[name] = _number(name, options[name])
    if "days" in options:
        terms["hours"] = 24 * _number("days", options["days"])
    return terms


def _is_rated(options: Mapping[str, str]) -> bool:
    rated = _is_on("rated", options.get("rated", "on"))
    unrated = _is_on("unrated", options.get("unrated", "off"))
    if "rated" in options and "unrated" in options and rated is unrated:
        raise _error("mail/options", "a game is rated or unrated, not both", "rated")
    return rated and not unrated


def _is_on(name: str, text: str) -> bool:
    word = text.strip().lower()
    if word in _YES | _NO:
        return word in _YES
    raise _error("mail/options", f"{name} is {shorten(text)}, but must be on or off", name)


def _number(name: str, text: str) -> int:
    number = read_number(text, _MAX_DAYS * 10)
    if number:
        return number
    message = f"{name} is {shorten(text)}, but must be a whole number above 0"
    raise _error("mail/options", message, name)


def _error(code: str, message: str, where: str) -> InputError:
    return InputError.single(code, message, where)


_LIFETIME = 60 * DAY  # of an invitation to a challenge that does not expire
_RECENT = DAY  # older challenges of the site are not e-mailed

Kinds = ConfirmationRow.Kind


def invite(row: ChallengeRow, user: User, comment: str = "") -> ConfirmationRow | None:
    """E-mail an invitation to a user, once; return its confirmation, or ``None`` if none is sent.

    Args:
        row: the challenge.
        user: the invited user.
        comment: the challenger's message.
    """
    to = reachable_address(user)
    if to is None or not receives_mail():
        return None
    if ConfirmationRow.objects.filter(kind=Kinds.CHALLENGE, challenge=row, user=user).exists():
        return None
    lifetime = _LIFETIME if row.expires_at is None else max(DAY, row.expires_at - now())
    confirmation = create_confirmation(Kinds.CHALLENGE, lifetime=lifetime, user=user, challenge=row)
    # The invitation replaces the e-mail of the notification.
    key = f"invited {row.slug}"
    NotificationRow.objects.filter(user=user, key=key).update(mail_due=None)
    notify(
        user,
        NotificationKind.INVITED,
        key=key,
        by=row.by,
        path=f"/c/{row.slug}/",
        is_quiet=True,
        game=row.game_id,
    )
    content = EmailContent(
        subject=subject(f"challenge c{row.pk} from {row.by.name}"),
        text=_text(row, user, comment),
    )
    key = f"invitation {row.pk} {user.pk}"
    send(to, user, content, key=key, confirmation=confirmation)
    return confirmation


def _text(row: ChallengeRow, user: User, comment: str) -> str:
    title = row.game.title
    headline = f"{row.by.name} invites {user.name} to a game of {title}."
    expiry_line = ""
    if row.expires_at is not None:
        day = datetime.fromtimestamp(row.expires_at / 1000, UTC)
        expiry_line = f"The challenge expires on {day:%Y-%m-%d}."
    return paragraphs(
        write_challenges(headline, [challenge_line(row)]),
        [line for line in (_seat_sentence(row, user), expiry_line) if line],
        [
            "To play, reply with the word accept in the first line; to decline, with reject.",
            f"For the rules, send a mail with the Subject: {row.game_id} help",
            f"On the site: {challenge_url(row)}",
        ],
        comment_lines(row.by.name, comment) if comment.strip() else "",
    )


def _seat_sentence(row: ChallengeRow, user: User) -> str:
    """Return the colour and seat that an invited user gets, and their partner's name."""
    game = row.game
    players = dict(row.promised)
    players |= {row.by_id: row.seat} if row.seat is not None else {}
    free = set(range(game.seats)) - {*players.values(), *(seat for seat, _ in row.computers)}
    if user.pk not in players and len(free) == 1:
        players[user.pk] = free.pop()
    if user.pk not in players:
        seats = "seat and colour are" if game.seats > 2 else "colour is"
        return f"Your {seats} drawn by lot or free to choose on the site."
    seat = players[user.pk]
    color = game.color_of(seat)
    names = {seat: computer(level).name for seat, level in row.computers}
    known = {one.pk: one.name for one in (row.by, *row.invited.all())}
    names |= {place: known[player] for player, place in players.items() if player in known}
    partners = [names.get(one, f"seat {one + 1}") for one in game.seats_of(color) if one != seat]
    order = ", and move first" if seat == 0 else ""
    partner = f" Your partner is {' and '.join(partners)}." if partners else ""
    return f"You play {color.title}, seat {seat + 1}{order}.{partner}"


def write_invitations() -> None:
    """E-mail players who play by e-mail and were challenged on the site."""
    if not receives_mail():
        return
    recent = ChallengeRow.objects.filter(match=None, made_at__gt=now() - _RECENT)
    players = MailPlayRow.objects.filter(is_on=True).values("user")
    written = ConfirmationRow.objects.filter(kind=Kinds.CHALLENGE)
    links = ChallengeRow.invited.through.objects.filter(
        challengerow__in=recent, user__in=players
    ).select_related("challengerow__by", "user")
    for link in links:
        challenge, user = link.challengerow, link.user
        if written.filter(challenge=challenge, user=user).exists():
            continue
        # The lock keeps two processes from inviting a player twice.
        with transaction.atomic():
            row = ChallengeRow.objects.select_for_update(of=("self",)).filter(pk=challenge.pk)
            open_challenge = row.select_related("by").first()
            if open_challenge is not None and open_challenge.match_id is None:
                invite(open_challenge, user)


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
    numbers = [context.request.board, *(_challenge_number(word) for word in context.request.words)]
    number = next((n for n in numbers if n is not None), None)
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


def _challenge_number(word: str) -> int | None:
    return read_number(word.removeprefix("c").removeprefix("#"))


def _with_players(row: ChallengeRow) -> ChallengeRow:
    rows = ChallengeRow.objects.select_related("by").prefetch_related(joined(), "invited")
    return rows.get(pk=row.pk)


def _waiting_text(row: ChallengeRow) -> str:
    return f"Challenge {row.pk} waits until all players have accepted."


def _reply_with_new_board(context: CommandContext, row: MatchRow) -> None:
    """Reply with the board of a new match, so that the next reply is a move."""
    snapshot = snapshot_of(MatchRow.objects.select_related("series").get(pk=row.pk))
    names = ", ".join(dict.fromkeys(seat.name for seat in snapshot.seats))
    news = [f"Board {row.pk} has begun: {names}."]
    if any(seat.computer == pairing_strategy.PLAYER for seat in snapshot.seats):
        news.append(str(pairing_strategy.WHY))
    reply_with_board(context, snapshot, news=news)


logger = logging.getLogger(__name__)


def send_reminders() -> None:
    """Remind players whose turn has lasted for as long as their challenge says."""
    at = now()
    rows = ReminderRow.objects.filter(
        challenge__match__ended_at=None, challenge__match__isnull=False
    )
    for row in rows.select_related("challenge__match__series"):
        match = row.challenge.match
        if match is not None and match.changed_at <= at:
            try:
                _remind(row, match, at)
            except Exception:
                logger.exception("turn reminder failed match=%s", match.slug)
    # Cancelled matches and challenges have deleted theirs already.
    ReminderRow.objects.filter(Q(challenge__match__ended_at__gt=0)).delete()


def _remind(row: ReminderRow, match: MatchRow, at: int) -> None:
    snapshot = snapshot_of(match)
    moves = snapshot.match.moves
    turn_began_at = moves[-1].at if moves else match.begun_at
    seat = match.seat_to_move
    if seat is None or turn_began_at + row.after > at or match.deadline is None:
        return
    user = match.seats.select_related("user").get(number=seat).user
    if user.is_computer or (snapshot.match.clock.until[seat] or 0) > at:
        return
    key = f"turn reminder {match.slug} {turn_began_at}"
    notify(user, NotificationKind.REMINDER, key=key, match=match, deadline=match.deadline)
