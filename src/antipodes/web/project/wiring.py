"""Wiring: which function of which app is called when, and in what order.

An app sends a signal without knowing the apps above it that act on it. All subscribers stand here,
so that "what happens when a match ends" is read in one place. Only the start of the program
imports this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from allauth.account import signals as allauth_signals
from anymail.signals import inbound
from django.contrib.admin.models import LogEntry
from django.contrib.auth import signals as auth_signals
from django.contrib.sessions.models import Session
from django.core.checks import register
from django.db.backends.signals import connection_created
from django.db.models import Model
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_delete
from django.dispatch import Signal

from antipodes.learn import move_words
from antipodes.web.accounts import (
    account_deletion,
    data_export,
    known_devices,
    languages,
    levels,
    restrictions,
)
from antipodes.web.accounts.data_export import Section
from antipodes.web.accounts.masking import secrets_masked
from antipodes.web.accounts.models import ApiTokenRow, User
from antipodes.web.accounts.services import guest_transferred, visitor_signed_in
from antipodes.web.analysis import reviews
from antipodes.web.analysis import services as analysis_services
from antipodes.web.api import stream_wakeups
from antipodes.web.archive import labels as archive_labels
from antipodes.web.archive import open_data
from antipodes.web.archive import open_data as archive_files
from antipodes.web.archive import services as archive_services
from antipodes.web.challenges import author_presence
from antipodes.web.challenges import services as challenge_services
from antipodes.web.challenges.models import ChallengeRow, JoinRow
from antipodes.web.clubs import services as club_services
from antipodes.web.clubs.membership import invited
from antipodes.web.clubs.services import member_left, members_changed
from antipodes.web.connections import changes as credential_changes
from antipodes.web.email_play import inbox_task
from antipodes.web.email_play.commands import challenges as mail_challenges
from antipodes.web.email_play.commands import following as mail_following
from antipodes.web.email_play.commands import puzzles as mail_puzzles
from antipodes.web.email_play.commands.emails import delete_expired_confirmations
from antipodes.web.email_play.commands.puzzles import daily_email
from antipodes.web.email_play.inbound import webhooks
from antipodes.web.email_play.inbound.runner import check_mail, inbound_metrics
from antipodes.web.email_play.match_emails import BoardEmails
from antipodes.web.jobs import clients, lending, queue
from antipodes.web.jobs.lending import Lendable
from antipodes.web.jobs.models import JobKind
from antipodes.web.jobs.queue import Run, queue_metrics
from antipodes.web.lobby.chat import chat_of_lobby
from antipodes.web.matches import account_deletion as match_deletion
from antipodes.web.matches import checks as match_checks
from antipodes.web.matches import (
    club_access,
    computer_moves,
    open_chat,
    presence,
    series,
)
from antipodes.web.matches import embeds as match_embeds
from antipodes.web.matches import metrics as match_metrics
from antipodes.web.matches import periodic_tasks as match_tasks
from antipodes.web.matches.data_export import matches_of
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.services import match_changed
from antipodes.web.matchmaking import services as matchmaking_services
from antipodes.web.moderation import audit, sanctions
from antipodes.web.notifications import (
    delivery,
    emails,
    followers,
    mail_play,
    match_events,
    outbox,
    push,
    reminders,
    undeliverable,
    vacations,
)
from antipodes.web.notifications import kinds as notification_kinds
from antipodes.web.notifications import services as notification_services
from antipodes.web.notifications.emails import EmailWriter
from antipodes.web.platform import checks as platform_checks
from antipodes.web.platform import heartbeats, metrics, previews, pubsub, translations
from antipodes.web.platform.background import PeriodicTask, Task
from antipodes.web.platform.previews import Provider
from antipodes.web.platform.pubsub import Message
from antipodes.web.puzzles import daily, engine_trials, judgements, mistakes, solvers
from antipodes.web.puzzles import open_data as puzzle_files
from antipodes.web.puzzles.judgements import OtherPuzzles
from antipodes.web.ratings import services as rating_services
from antipodes.web.ratings import voiding
from antipodes.web.relations.services import blocked
from antipodes.web.simuls import chat as simul_chat
from antipodes.web.simuls import services as simul_services
from antipodes.web.simuls.selectors import overseen
from antipodes.web.studies import embeds as study_embeds
from antipodes.web.studies import services as study_services
from antipodes.web.tournaments import chat as tournament_chat
from antipodes.web.tournaments import labels as tournament_labels
from antipodes.web.tournaments import notifications as tournament_notifications
from antipodes.web.tournaments import progress as tournament_progress
from antipodes.web.tournaments import proofs
from antipodes.web.tournaments import series as tournament_series
from antipodes.web.tournaments import services as tournament_services
from antipodes.web.tournaments import views as tournament_views

Subscriber = Callable[..., None]

# Signals, and their subscribers in the order in which they are called.
SUBSCRIBERS: dict[Signal, tuple[Subscriber, ...]] = {
    # Matches. A match that ends changes too: see also the periodic tasks.
    match_changed: (
        match_metrics.count_change,
        computer_moves.respond,
        reviews.review_if_over,
        delivery.wake,
        match_events.tell_players,
        stream_wakeups.on_match,
    ),
    # Accounts
    auth_signals.user_logged_in: (clients.note_network, known_devices.note_sign_in),
    allauth_signals.user_logged_in: (languages.keep_on_sign_in,),
    allauth_signals.password_reset: (known_devices.note_sign_in,),
    allauth_signals.email_confirmed: (undeliverable.resume_to_confirmed,),
    visitor_signed_in: (solvers.take_over,),
    guest_transferred: (series.take_over, archive_files.mark_taken_over_months),
    account_deletion.account_deleting: (
        match_deletion.give_up_all,
        tournament_services.leave_all,
        simul_services.withdraw_all,
    ),
    account_deletion.rows_deleting: (rating_services.lock_pools,),
    secrets_masked: (notification_services.notify_masked,),
    # Other players
    blocked: (challenge_services.withdraw_between, simul_services.withdraw_between),
    invited: (notification_services.notify_invited,),
    member_left: (challenge_services.withdraw_club_challenges,),
    members_changed: (club_access.check_spectators,),
    # The database
    connection_created: (metrics.time_statements,),
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

# Tasks of the scheduler, with the seconds between two runs, in the order in which due ones run.
# They find their work in the database, so that they also do what a killed process left.
PERIODIC_TASKS: tuple[PeriodicTask, ...] = (
    # Matches: the time of a downtime is given back before a flag may fall.
    (1, match_tasks.give_back_downtimes),
    (1, match_tasks.let_flags_fall),
    (5, computer_moves.queue_missing_moves),
    (2, computer_moves.report_waits),
    # What follows when a match ends
    (1, tournament_progress.advance_tournaments),
    (2, rating_services.rate_finished),
    (2, voiding.apply_marks),
    (2, archive_services.archive_recent),
    (5, archive_services.archive_missing),
    (10, reviews.queue_lost_reviews),
    (3_600, archive_files.update_stale_files),
    # Opponents
    (1, matchmaking_services.pair_seeks),
    (5, author_presence.end_left_challenges),
    (600, matchmaking_services.delete_old_seeks),
    (3_600, matchmaking_services.delete_expired_challenges),
    (3_600, matchmaking_services.delete_abandoned_challenges),
    (3_600, simul_services.delete_old_simuls),
    (60, tournament_series.repeat_tournaments),
    # Analyses and puzzles
    (5, analysis_services.queue_lost_analyses),
    (5, judgements.queue_lost_judgements),
    (30, mistakes.queue_lost_exercises),
    (60, daily.notify_of_daily),
    (3_600, puzzle_files.update_file),
    # Notifications
    (60, vacations.sync_vacations),
    (60, reminders.remind),
    (3_600, undeliverable.delete_old_bounces),
    (3_600, notification_services.delete_old),
    # Play by e-mail
    (1, inbox_task.find_mail),
    (2, mail_puzzles.answer_waiting),
    (5, mail_following.mail_followed_boards),
    (10, mail_challenges.write_invitations),
    (30, mail_following.mail_new_seeks),
    (300, mail_challenges.send_reminders),
    (3_600, delete_expired_confirmations),
    (3_600, inbox_task.delete_old_mails),
    (3_600, mail_puzzles.delete_old_threads),
    # Users, clubs and the site
    (600, club_services.replace_missing_owners),
    (3_600, club_services.delete_expired_links),
    (3_600, heartbeats.delete_stale_processes),
    (60, account_deletion.clear_database_log),
    (24 * 3_600, account_deletion.delete_expired_guests),
    (24 * 3_600, account_deletion.delete_expired_sessions),
    (24 * 3_600, open_chat.delete_old_lines),
)

# Tasks of each round of the delivery loop, which runs when something is to be delivered.
DELIVERY_TASKS: tuple[Task, ...] = (
    match_events.notify_of_match_events,
    followers.notify_of_started_matches,
    followers.notify_of_followed_matches,
    tournament_notifications.notify_of_steps,
    emails.deliver_emails,
    push.deliver_pushes,
)

JOB_HANDLERS: dict[JobKind, Run] = {
    JobKind.MOVE: computer_moves.make_move,
    JobKind.SHOW: computer_moves.make_move,
    JobKind.ANALYSIS: analysis_services.analyse_now,
    JobKind.REVIEW: reviews.go_on_now,
    JobKind.PUZZLE: judgements.judge_now,
    JobKind.MISTAKE: mistakes.examine_now,
    JobKind.PROOF: proofs.prove_now,
}

# Jobs that engines of volunteers may take.
LENDABLE: dict[JobKind, Lendable] = {
    JobKind.MOVE: Lendable(computer_moves.task_of, computer_moves.take_move),
    JobKind.ANALYSIS: Lendable(analysis_services.task_of, analysis_services.take_analysis),
}

# Listeners to messages of other processes, by topic. Threads that wait for messages subscribe
# themselves when they start.
TOPICS: dict[str, Callable[[Message], None]] = {
    credential_changes.CHANGED: credential_changes.check_here,
    presence.TOPIC: presence.receive_counts,
}

# What apps let others add
SITE_METRICS = (
    queue_metrics,
    match_metrics.open_matches,
    challenge_services.open_challenges,
    study_services.stored_bytes,
    outbox.outbox_metrics,
    inbound_metrics,
)
EXPORT_SECTIONS: dict[str, Section] = {"matches": matches_of}
DATA_FILES = (puzzle_files.data_files,)
PREVIEWS: dict[str, Provider] = {
    "match": match_embeds.match_preview,
    "study": study_embeds.study_preview,
    "study-chapter": study_embeds.chapter_preview,
    "tournament": tournament_views.tournament_preview,
}
CHATS: dict[str, Callable[[str, User | None], open_chat.OpenChat | None]] = {
    ChatLine.Room.LOBBY: chat_of_lobby,
    ChatLine.Room.TOURNAMENT: tournament_chat.find_chat,
    ChatLine.Room.SIMUL: simul_chat.find_chat,
}
EMAIL_WRITERS: dict[notification_kinds.NotificationKind, EmailWriter] = {
    notification_kinds.NotificationKind.DAILY_PUZZLE: daily_email,
}
OTHER_PUZZLES: dict[str, OtherPuzzles] = {mistakes.PREFIX: mistakes.EXERCISES}
SYSTEM_CHECKS = (
    platform_checks.check_environment,
    match_checks.check_settings,
    push.check_key,
    check_mail,
)

# Texts of the library that pages show, with their contexts, for the catalogues
LIBRARY_TEXTS: tuple[Callable[[], Iterator[tuple[str | None, str]]], ...] = (
    translations.texts,
    levels.texts,
    archive_labels.texts,
    tournament_labels.texts,
    move_words.texts,
)


def wire() -> None:
    """Connect what the tables above name; Django calls this once, when all models are loaded."""
    for signal, subscribers in SUBSCRIBERS.items():
        for subscriber in subscribers:
            signal.connect(subscriber)
    for model, signals, subscriber in ROW_SUBSCRIBERS:
        for signal in signals:
            signal.connect(subscriber, sender=model)
    for topic, listener in TOPICS.items():
        pubsub.subscribe(topic, listener)
    for check in SYSTEM_CHECKS:
        register(check, "antipodes")
    queue.handlers.update(JOB_HANDLERS)
    lending.lendable.update(LENDABLE)
    lending.make_trial = engine_trials.make_trial
    metrics.site_metrics = SITE_METRICS
    data_export.sections = EXPORT_SECTIONS
    open_data.sources = DATA_FILES
    previews.providers = PREVIEWS
    open_chat.finders = CHATS
    restrictions.play_checks = (sanctions.refuse_game,)
    restrictions.speech_checks = (sanctions.refuse_speech,)
    match_events.overseen_by = (overseen,)
    mail_play.backend = BoardEmails()
    emails.writers = EMAIL_WRITERS
    judgements.others = OTHER_PUZZLES
