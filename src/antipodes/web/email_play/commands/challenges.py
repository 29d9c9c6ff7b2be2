"""Challenges by mail: made, sought, limited, accepted and rejected."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.db import transaction

from antipodes.errors import InputError
from antipodes.games import pairing
from antipodes.games.registry import game_ids
from antipodes.mail.layout import write_challenges, write_news, write_table
from antipodes.mail.requests import Verb
from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import find_players
from antipodes.web.challenges import game_limits, services
from antipodes.web.challenges.eligibility import Viewer, why_not
from antipodes.web.challenges.models import ChallengeRow, joined
from antipodes.web.challenges.selectors import listed_for, waiting_challenges
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.email_play.commands.challenge_options import Conditions, read_conditions
from antipodes.web.email_play.commands.invitations import invite
from antipodes.web.email_play.commands.lines import challenge_line, subject
from antipodes.web.email_play.commands.players import begin_by_mail
from antipodes.web.email_play.context import CommandContext, handles
from antipodes.web.email_play.match_emails import reply_with_board
from antipodes.web.email_play.models import ReminderRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import snapshot_of

_COMPUTER = re.compile(r"computer(?:[:-]?([0-9]{1,2}|pairing))?|(pairing)", re.IGNORECASE)
_USUAL_LEVEL = "3"
_DAYS = 30  # in which an opponent is sought, if nothing else is said
_MOST_SHOWN = 20
_OFF = frozenset({"off", "none", "stop"})


@handles(Verb.CHALLENGE)
def challenge(context: CommandContext) -> None:
    """Invite people by name, or begin against the computer."""
    user, request = context.require_user(), context.request
    begin_by_mail(user)
    wanted = read_conditions(request.game, request.options)
    names = _in_order(user, [name for name in (request.user, *request.words) if name])
    if [name.lower() for name in names] in ([], [user.username.lower()]):
        message = f"whom do you challenge? write: {wanted.game.id} challenge {user.username} NAME"
        raise InputError.single("mail/nobody", message)
    wish = _wish(user, wanted, names, is_rated_said="rated" in request.options)
    made = services.request_game(user, wish)
    if isinstance(made, MatchRow):
        _show_beginning(context, made)
        return
    _remember(made, wanted)
    for one in wish.people:
        invite(made, one, context.comment)
    text = write_challenges(_waiting(made), [challenge_line(_whole(made))])
    context.reply(subject(f"challenge c{made.pk} to {_names(wish.people)}"), text)


def _in_order(user: User, names: Sequence[str]) -> Sequence[str]:
    """Return the names in the order of the turns: a sender who is named again plays there."""
    own = [index for index, name in enumerate(names) if name.lower() == user.username.lower()]
    return names[1:] if len(own) > 1 and own[0] == 0 else names


def _wish(
    user: User, wanted: Conditions, names: Sequence[str], *, is_rated_said: bool
) -> GameRequest:
    """Return what the sender asks for; the order of the names is that of the seats."""
    levels = {name: level for name in names if (level := _level(name))}
    people, unknown = find_players([name for name in names if name not in levels])
    if unknown:
        raise InputError.single("mail/unknown-user", f"nobody here is called {unknown[0]}")
    others = tuple(one for one in people if one != user)
    seats = wanted.game.seats
    if 1 + len(others) + len(levels) != seats:
        message = f"{wanted.game.title} is for {seats} with these options; you named "
        message += f"{len(others) + len(levels)} besides yourself"
        raise InputError.single("match/seats", message)
    more = dict(wanted.more)
    if levels and not is_rated_said:
        more["rated"] = False
    by_name = {one.username.lower(): one for one in people}
    order = [by_name.get(name.lower()) for name in dict.fromkeys(names)]
    is_ordered = user in order and not wanted.lots
    ordered = {one.pk: seat for seat, one in enumerate(order) if one} if is_ordered else {}
    return GameRequest(
        game=wanted.game,
        control=wanted.control,
        opponent=Opponent.PEOPLE if others else Opponent.COMPUTER,
        people=others,
        level=next(iter(levels.values()), _USUAL_LEVEL),
        seat=ordered.pop(user.pk, None),
        promised=tuple(ordered.items()),
        computers=_computers(names, levels, ordered, bool(others)),
        **more,
    )


def _level(name: str) -> str | None:
    """Return the level of the computer that a name stands for, or its pairing strategy."""
    found = _COMPUTER.fullmatch(name)
    return found and (found[1] or found[2] or _USUAL_LEVEL).lower()


def _computers(
    names: Sequence[str], levels: dict[str, str], ordered: dict[int, int], with_people: bool
) -> tuple[tuple[int, str], ...]:
    if not levels or not with_people:
        return ()  # alone with one opponent the computer any free seat
    if not ordered:
        message = "say your own name too, so that it is clear on which seat the computer plays"
        raise InputError.single("mail/seats", message)
    return tuple((names.index(name), level) for name, level in levels.items())


def _remember(made: ChallengeRow, wanted: Conditions) -> None:
    if wanted.nag:
        ReminderRow.objects.create(challenge=made, after=wanted.nag)


@handles(Verb.SEEK)
def seek(context: CommandContext) -> None:
    """Look for an opponent: take up a challenge that fits, or post one to anybody."""
    user, request = context.require_user(), context.request
    if any(word in _OFF for word in request.words):
        _stop_seeking(context, user)
        return
    begin_by_mail(user)
    options = {"days": str(_DAYS), **request.options}
    wanted = read_conditions(request.game, options)
    if user.pk in game_limits.users_at_limit([user.pk], wanted.game.id):
        raise InputError([game_limits.limit_reached(user, wanted.game.id)])
    wish = GameRequest(
        game=wanted.game, control=wanted.control, opponent=Opponent.ANYBODY, **wanted.more
    )
    found = _fitting(user, wish)
    match = None if found is None else services.join(found.slug, user)
    if match is not None:
        _show_beginning(context, match)
        return
    if found is None:
        found = _posted(user, wish, wanted)
    others = [row for row in _open_to(user, wanted.game.id) if row.pk != found.pk]
    headline = f"Challenge {found.pk} is open to anybody. You are written to when it is taken up."
    if others:
        headline += " These of others you can take up at once: accept YOU TOKEN cNUMBER."
    lines = [challenge_line(row) for row in (_whole(found), *others)]
    context.reply(
        subject(f"challenge c{found.pk} of {wanted.game.title}"), write_challenges(headline, lines)
    )


def _fitting(user: User, wish: GameRequest) -> ChallengeRow | None:
    """Return a challenge of somebody else on just these terms, the oldest first."""
    same = listed_for(Viewer(user)).filter(
        game_id=wish.game.id,
        options=dict(wish.game.options.changed()),
        control=str(wish.control),
        rated=wish.rated,
        points=wish.points,
        is_private=wish.is_private,
    )
    viewer = Viewer(user)
    return next((row for row in same.order_by("made_at") if why_not(row, viewer) is None), None)


def _posted(user: User, wish: GameRequest, wanted: Conditions) -> ChallengeRow:
    made = services.request_game(user, wish)
    if isinstance(made, MatchRow):
        raise TypeError("a challenge to anybody waits for somebody")
    _remember(made, wanted)
    return made


def _open_to(user: User, game_id: str) -> list[ChallengeRow]:
    viewer = Viewer(user)
    rows = listed_for(viewer).filter(game_id=game_id)[: 5 * _MOST_SHOWN]
    return [row for row in rows if why_not(row, viewer) is None][:_MOST_SHOWN]


def _stop_seeking(context: CommandContext, user: User) -> None:
    rows = ChallengeRow.objects.filter(by=user, match=None, is_listed=True)
    if context.request.game:
        rows = rows.filter(game_id=context.request.game)
    numbers = []
    for row in rows:
        services.cancel(row.slug, user)
        numbers.append(str(row.pk))
    taken = f"Taken back: challenge {', '.join(numbers)}." if numbers else "You sought nobody."
    context.reply(subject("you seek no longer"), write_news([taken]))


@handles(Verb.LIMIT)
def limit(context: CommandContext) -> None:
    """Say how many games of a kind may begin by themselves; without a number, tell what holds."""
    user, request = context.require_user(), context.request
    if request.words:
        word = request.words[0].lower()
        most = None if word in _OFF else _count(word)
        for game_id in [request.game] if request.game else game_ids():
            game_limits.set_limit(user, game_id, most)
    playing = game_limits.counts_of(user)
    rows = [
        (row.game_id, str(row.most), str(playing[row.game_id])) for row in user.game_limits.all()
    ]
    headline = "No opponent is sought for you, and nobody joins your open challenges, beyond these."
    if not rows:
        headline = "You have set no limits: as many games begin as you seek."
    text = write_table(headline, "Limits", ("Game", "At most", "Now"), rows)
    context.reply(subject("limits"), text)


def _count(word: str) -> int:
    if word.isascii() and word.isdecimal() and len(word) < 5:
        return int(word)
    message = f"a limit is a number of games or off, not {shorten(word)}"
    raise InputError.single("lobby/limit", message)


@handles(Verb.ACCEPT, on_board=False)
def accept(context: CommandContext) -> None:
    """Take up a challenge by its number."""
    user = context.require_user()
    take_up(context, user, _named(context, user))


@handles(Verb.REJECT, on_board=False)
def reject(context: CommandContext) -> None:
    """Decline an invitation, leave a challenge, or take one's own back, by its number."""
    user = context.require_user()
    turn_down(context, user, _named(context, user))


def take_up(context: CommandContext, user: User, row: ChallengeRow) -> None:
    """Let somebody join a challenge; answer with what came of it."""
    begin_by_mail(user)
    match = services.join(row.slug, user)
    if match is not None:
        _show_beginning(context, match)
        return
    text = write_challenges(_waiting(row), [challenge_line(_whole(row))])
    context.reply(subject(f"challenge c{row.pk} is accepted"), text)


def turn_down(context: CommandContext, user: User, row: ChallengeRow) -> None:
    """Let somebody have nothing to do with a challenge any more; whoever made it is told."""
    number, by = row.pk, row.by
    with transaction.atomic():
        if by == user:
            services.cancel(row.slug, user)
        elif row.invited.filter(pk=user.pk).exists():
            services.decline(row.slug, user)
        else:
            services.leave(row.slug, user)
    said = [f"You have taken challenge {number} back."]
    if by != user:
        said = [f"You have rejected challenge {number} of {by.name}."]
        words = [f"{user.name} has rejected your challenge {number}."]
        context.send_to(by, subject(f"challenge c{number} is rejected"), write_news(words))
    context.reply(subject(f"challenge c{number} is rejected"), write_news(said))


def _named(context: CommandContext, user: User) -> ChallengeRow:
    """Return the challenge whose number a request has, if its sender may know of it.

    Raises:
        InputError: there is none, or no number.
    """
    numbers = [context.request.board, *(_number(word) for word in context.request.words)]
    number = next((one for one in numbers if one is not None), None)
    if number is None:
        raise InputError.single("mail/no-number", "say which challenge you mean, by its number")
    row = waiting_challenges().filter(pk=number).first()
    if row is None or not may_know(user, row):
        message = f"there is no challenge {number} for you; list shows those that are open"
        raise InputError.single("mail/no-challenge", message)
    return row


def may_know(user: User, row: ChallengeRow) -> bool:
    """Return whether somebody made, joined or is invited to a challenge, or it is for all."""
    if row.by_id == user.pk or row.joins.filter(user=user).exists():
        return True
    if row.invited.filter(pk=user.pk).exists():
        return True
    return listed_for(Viewer(user)).filter(pk=row.pk).exists()


def _number(word: str) -> int | None:
    bare = word.removeprefix("c").removeprefix("#")
    return int(bare) if bare.isascii() and bare.isdecimal() and len(bare) < 16 else None


def _whole(row: ChallengeRow) -> ChallengeRow:
    rows = ChallengeRow.objects.select_related("by").prefetch_related(joined(), "invited")
    return rows.get(pk=row.pk)


def _waiting(row: ChallengeRow) -> str:
    return f"Challenge {row.pk} waits until everybody has accepted."


def _show_beginning(context: CommandContext, row: MatchRow) -> None:
    """Answer with the board that has begun, so that a reply to the answer is a move."""
    standing = snapshot_of(MatchRow.objects.select_related("series").get(pk=row.pk))
    names = ", ".join(dict.fromkeys(seat.name for seat in standing.seats))
    news = [f"Board {row.pk} has begun: {names}."]
    if any(seat.computer == pairing.PLAYER for seat in standing.seats):
        news.append(str(pairing.WHY))
    reply_with_board(context, standing, news=news)


def _names(users: Sequence[User]) -> str:
    return ", ".join(one.name for one in users)
