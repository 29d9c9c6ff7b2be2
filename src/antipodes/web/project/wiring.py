"""Wiring: which function of which app is called when, and in what order.

An app sends a signal without knowing the apps above it that act on it. All subscribers stand here,
so that "what happens when a match ends" is read in one place. Only the start of the program
imports this module.
"""

from __future__ import annotations

from collections.abc import Callable

from allauth.account import signals as allauth_signals
from anymail.signals import inbound
from django.contrib.admin.models import LogEntry
from django.contrib.auth import signals as auth_signals
from django.contrib.sessions.models import Session
from django.db.models import Model
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_delete
from django.dispatch import Signal

from antipodes.web.accounts import known_devices, languages
from antipodes.web.accounts.account_deletion import account_deleting, rows_deleting
from antipodes.web.accounts.masking import secrets_masked
from antipodes.web.accounts.models import ApiTokenRow, User, user_renamed
from antipodes.web.accounts.services import guest_transferred, visitor_signed_in
from antipodes.web.analysis import reviews
from antipodes.web.api import stream_wakeups
from antipodes.web.archive import open_data as archive_files
from antipodes.web.challenges import withdrawals as challenge_withdrawals
from antipodes.web.challenges.models import ChallengeRow, JoinRow
from antipodes.web.clubs.membership import invited
from antipodes.web.clubs.services import member_left, members_changed
from antipodes.web.connections import changes as credential_changes
from antipodes.web.email_play.inbound import webhooks
from antipodes.web.jobs import clients
from antipodes.web.matches import account_deletion as match_deletion
from antipodes.web.matches import club_access, computer_moves, series, snapshots
from antipodes.web.matches import metrics as match_metrics
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.services import match_changed
from antipodes.web.moderation import audit
from antipodes.web.notifications import (
    beginnings,
    club_invitations,
    delivery,
    masked_secrets,
    undeliverable,
)
from antipodes.web.puzzles import guest_progress
from antipodes.web.ratings import services as rating_services
from antipodes.web.relations.services import blocked
from antipodes.web.simuls import withdrawals as simul_withdrawals
from antipodes.web.tournaments import services as tournament_services

Subscriber = Callable[..., None]

# Signals, and their subscribers in the order in which they are called.
SUBSCRIBERS: dict[Signal, tuple[Subscriber, ...]] = {
    # Matches. A match that ends changes too: see also the periodic tasks.
    match_changed: (
        match_metrics.count_change,
        computer_moves.respond,
        reviews.review_if_over,
        delivery.wake,
        beginnings.tell_players,
        stream_wakeups.on_match,
    ),
    # Accounts
    auth_signals.user_logged_in: (clients.note_network, known_devices.note_sign_in),
    allauth_signals.user_logged_in: (languages.keep_on_sign_in,),
    allauth_signals.password_reset: (known_devices.note_sign_in,),
    allauth_signals.email_confirmed: (undeliverable.resume_to_confirmed,),
    visitor_signed_in: (guest_progress.take_over,),
    guest_transferred: (series.take_over, archive_files.mark_taken_over_months),
    user_renamed: (snapshots.publish_renaming,),
    account_deleting: (
        match_deletion.give_up_all,
        tournament_services.leave_all,
        simul_withdrawals.withdraw_all,
    ),
    rows_deleting: (rating_services.lock_pools,),
    secrets_masked: (masked_secrets.notify_masked,),
    # Other players
    blocked: (challenge_withdrawals.withdraw_between, simul_withdrawals.withdraw_between),
    invited: (club_invitations.notify_invited,),
    member_left: (challenge_withdrawals.withdraw_club_challenges,),
    members_changed: (club_access.check_spectators,),
    # Mail
    inbound: (webhooks.accept_event,),
}

_INVITATIONS = ChallengeRow.invited.through

# Signals of Django about rows of a table, and their subscribers.
ROW_SUBSCRIBERS: tuple[tuple[type[Model], tuple[Signal, ...], Subscriber], ...] = (
    (ChallengeRow, (post_save, pre_delete), stream_wakeups.on_challenge),
    (JoinRow, (post_save, pre_delete), stream_wakeups.on_join),
    (_INVITATIONS, (m2m_changed,), delivery.wake),
    (_INVITATIONS, (m2m_changed,), stream_wakeups.on_invitation),
    (ChatLine, (post_save,), delivery.wake),
    (Session, (post_delete,), credential_changes.on_session_end),
    (ApiTokenRow, (post_delete,), credential_changes.on_token_end),
    (User, (post_save, post_delete), credential_changes.on_user_change),
    (LogEntry, (post_save,), audit.record_admin_change),
)


def wire() -> None:
    """Connect what the tables above name; Django calls this once, when all models are loaded."""
    for signal, subscribers in SUBSCRIBERS.items():
        for subscriber in subscribers:
            signal.connect(subscriber)
    for model, signals, subscriber in ROW_SUBSCRIBERS:
        for signal in signals:
            signal.connect(subscriber, sender=model)
