"""Reply addresses of e-mails about puzzles, and how far each solver has come.

Like that of a confirmation, the address is signed, not stored. It authenticates one user for
one puzzle, and revoking all reply addresses revokes it.
"""

from __future__ import annotations

import hmac

from django.conf import settings

from antipodes.clocks import DAY
from antipodes.puzzles.model import Puzzle
from antipodes.web.accounts.models import User
from antipodes.web.email_play.models import MailPlayRow, PuzzleThreadRow
from antipodes.web.email_play.reply_addresses import signed_address, signed_part
from antipodes.web.platform.clock import now

_PURPOSE = b"antipodes puzzle address"
_NUMBER, _SIGNATURE = 7, 10  # bytes; confirmations have 6 and 10, matches 10 and 10
_LIFETIME = 90 * DAY  # milliseconds since the last e-mail


def thread_of(user: User, puzzle: Puzzle) -> PuzzleThreadRow:
    """Return the state of a user's e-mails about a puzzle."""
    row, _ = PuzzleThreadRow.objects.update_or_create(
        user=user, puzzle_id=puzzle.id, defaults={"mailed_at": now()}
    )
    return row


def puzzle_address(row: PuzzleThreadRow) -> str:
    """Return a user's reply address for a puzzle; empty if the site receives no mail."""
    number = row.pk.to_bytes(_NUMBER, "big")
    return signed_address(number + _signature(settings.SECRET_KEY, number, row.user_id))


def thread_at(address: str) -> PuzzleThreadRow | None:
    """Return the thread with a reply address; ``None`` if it is forged, revoked or too old."""
    signed = signed_part(address, _NUMBER + _SIGNATURE)
    if signed is None:
        return None
    number, signature = signed[:_NUMBER], signed[_NUMBER:]
    rows = PuzzleThreadRow.objects.select_related("user").filter(user__is_active=True)
    row = rows.filter(pk=int.from_bytes(number, "big")).first()
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if row is None or not any(
        hmac.compare_digest(signature, _signature(key, number, row.user_id)) for key in keys
    ):
        return None
    return row


def _signature(key: str, number: bytes, user: int) -> bytes:
    rows = MailPlayRow.objects.filter(user=user)
    generation = rows.values_list("generation", flat=True).first() or 0
    signed = b"\0".join([_PURPOSE, number, b"%d %d" % (user, generation)])
    return hmac.digest(key.encode(), signed, "sha256")[:_SIGNATURE]


def delete_old_threads() -> None:
    """Delete threads without an e-mail for a long time."""
    PuzzleThreadRow.objects.filter(mailed_at__lt=now() - _LIFETIME).delete()
