"""The laws of the site: what holds whatever people do.

Each law is a function with one sentence; it yields what breaks it, in words.
"""

from __future__ import annotations

from antipodes.web.town.laws import (
    acknowledged,
    answers,
    clocks,
    costs,
    events,
    letters,
    live,
    matches,
    notices,
    sanctions,
    secrets,
    storage,
)
from antipodes.web.town.town import Law

# Checked after each event.
QUICK: tuple[Law, ...] = (
    secrets.secrets_stay_with_their_owners,
    sanctions.the_muted_are_not_heard,
    sanctions.the_suspended_begin_no_games,
    sanctions.acts_under_a_sanction_make_nothing_for_others,  # remembers who is under one
    live.open_challenges_begin_with_their_authors,
    answers.the_site_never_fails,
    answers.nothing_is_logged_as_an_error,
    clocks.time_never_goes_back,
    letters.a_mail_counts_once,
    letters.lines_of_mails_are_short,
    letters.a_reply_plays_on_the_board_that_it_answers,
    secrets.the_log_has_no_secrets,
    secrets.private_studies_stay_private,
    secrets.private_games_stay_private,
    secrets.names_of_deleted_accounts_go,
    acknowledged.shown_words_are_stored_once,
    matches.ratings_change_by_own_games_alone,
    live.players_are_told_before_a_quarter_of_their_time,
    costs.an_act_writes_little,
    costs.an_act_sends_little,
)
# Checked at the end of each day.
DAILY: tuple[Law, ...] = (
    matches.ratings_are_those_computed_again,
    matches.matches_can_be_replayed,
    matches.no_job_stays,
    matches.no_flag_stays_up,
    matches.the_computer_plays_in_its_turn,
    acknowledged.votes_count_once,
    live.no_time_passes_while_the_site_is_down,
    answers.no_mail_has_a_traceback,
    clocks.clocks_gain_only_what_the_control_gives,
    clocks.an_outage_withdraws_no_offer,
    letters.words_pass_on_no_quote,
    storage.no_shown_change_is_lost,
    storage.open_pages_show_the_present_board,
    storage.no_command_counts_twice,
    storage.rows_refer_to_what_exists,
    storage.tables_grow_with_what_people_do,
    costs.memory_grows_with_what_people_do,
    live.no_time_is_lost_before_the_first_move,
    notices.what_is_due_is_sent,
    notices.a_turn_is_told_before_a_quarter_of_its_time,
    events.events_end_with_their_rounds,
    events.no_players_are_paired_twice,
    events.no_player_has_a_seat_three_times,
    events.no_player_is_paired_after_leaving,
    events.the_log_of_an_event_tells_it,
)
