"""Laws of notifications: turns are told by the channels that players have chosen, in time."""

from __future__ import annotations

from collections.abc import Iterator

from antipodes.web.town.site import clock_now
from antipodes.web.town.town import Town

_LATE = 120_000  # milliseconds after which what is due has been sent


def what_is_due_is_sent(_town: Town) -> Iterator[str]:
    """No push and no mail waits for long after it is due."""
    from antipodes.web.notifications.models import EmailRow, NotificationRow

    late = clock_now() - _LATE
    for kind, rows in (
        ("mail", NotificationRow.objects.filter(mail_due__lt=late, mail_due__gt=0)),
        ("push", NotificationRow.objects.filter(push_due__lt=late, push_due__gt=0)),
    ):
        for row in rows.select_related("user"):
            yield f"a {kind} for {row.user} waits: {row.kind} {row.key}"
    for mail in EmailRow.objects.filter(due_at__lt=late, due_at__gt=0):
        yield f"a mail to {mail.to} waits: {mail.subject}"


def a_turn_is_told_before_a_quarter_of_its_time(town: Town) -> Iterator[str]:
    """A player without a page at the game has a notification before a quarter of the turn."""
    from antipodes.web.accounts.models import User
    from antipodes.web.matches.models import MatchRow
    from antipodes.web.matches.snapshots import look_up
    from antipodes.web.notifications.kinds import NotificationKind
    from antipodes.web.notifications.models import NotificationRow, PreferenceRow

    now = clock_now()
    known = {name: person for person in town.people for name in person.names}
    names = dict(User.objects.values_list("pk", "username"))
    waiting = MatchRow.objects.filter(ended_at=None, deadline__isnull=False, seat_to_move__gte=0)
    for row in waiting:
        snapshot = look_up(row.slug)
        moves = snapshot.match.moves
        users: dict[int | None, int] = {
            seat.number: seat.user for seat in snapshot.seats if not seat.computer
        }
        user = users.get(snapshot.match.seat_to_move)
        if user is None or not moves or users.get(moves[-1].seat) == user or row.deadline is None:
            continue
        since = moves[-1].at
        turns = NotificationRow.objects.filter(user=user, match=row, made_at__gte=since)
        preference = PreferenceRow.objects.filter(user=user).first()
        is_wanted = preference is None or preference.channels_for(NotificationKind.YOUR_TURN)
        person = known.get(names[user])
        is_there = person is None or any(
            row.slug in path and socket.is_open for path, socket in person.sockets.items()
        )
        is_due = now - since > max(_LATE, (row.deadline - since) / 4)
        if is_due and is_wanted and not is_there and not turns.exists():
            yield f"{names[user]} has no notification of the turn in {row.slug} since {since}"
