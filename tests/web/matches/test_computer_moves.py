"""Moves and answers of the computer."""

import pytest

from antipodes.core import Move
from antipodes.errors import MatchError
from antipodes.games.registry import make_game
from antipodes.match import Abort, Offer, OfferKind, Play, Resign, Terms
from antipodes.search.interface import SearchProgress
from antipodes.search.players import make_player
from antipodes.web.accounts.services import computer as computer_user
from antipodes.web.jobs.models import JobKind, JobRow
from antipodes.web.matches import computer_moves
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.platform import pubsub
from antipodes.web.platform.limits import NEW_GAMES, TooManyError


def asked():
    """Return match and version of each queued move."""
    return list(JobRow.objects.values_list("key", "version"))


def begin_against(level, user, game_id="hex", **options):
    """Start a match between a user, who begins, and a level of the computer."""
    users = [user, computer_user(level)]
    game = make_game(game_id, options)
    return begin_match(Terms(game=game, players=tuple(str(u.pk) for u in users)), users)


@pytest.fixture
def row(people):
    """A match against the computer, in which the user begins."""
    return begin_against("1", people[0], size=3)


def play_centre(row):
    carry_out(row.slug, Play(seat=0, ply=0, key="centre", move=4))


def ply_of(row):
    return MatchRow.objects.get(slug=row.slug).match().ply


def test_moves_are_queued_only_in_the_computers_turns(row, work_off):
    assert asked() == []
    play_centre(row)
    assert asked() == [(row.slug, 1)]
    work_off()
    assert ply_of(row) == 2
    assert asked() == []


def test_a_job_done_twice_makes_one_move(row):
    play_centre(row)
    computer_moves.make_move(row.slug, 1)
    computer_moves.make_move(row.slug, 1)
    assert ply_of(row) == 2


def test_a_job_for_a_match_that_has_ended_does_nothing(row, work_off):
    play_centre(row)
    carry_out(row.slug, Resign(seat=0, ply=1, key="resign"))
    work_off()
    assert ply_of(row) == 1
    assert asked() == []


def test_lost_jobs_are_queued_again(row):
    play_centre(row)
    JobRow.objects.all().delete()
    computer_moves.queue_missing_moves()
    assert asked() == [(row.slug, 1)]


def test_a_move_requested_repeatedly_is_queued_once(row):
    play_centre(row)
    since = JobRow.objects.get().since
    for _ in range(10):
        computer_moves.queue_missing_moves()
        computer_moves.respond(MatchRow.objects.get(slug=row.slug))
    assert asked() == [(row.slug, 1)]
    assert JobRow.objects.get().since == since


def test_a_move_counts_towards_the_quota_of_the_human_player(row, people):
    play_centre(row)
    assert JobRow.objects.get().user == people[0]


def test_spectators_see_that_the_computer_is_thinking(row, work_off, monkeypatch):
    told = []
    monkeypatch.setattr(pubsub, "send_to_group", lambda group, message: told.append(message))
    play_centre(row)
    work_off()
    thinking = [one for one in told if one["type"] == "match.thinking"]
    assert (thinking[0]["seat"], thinking[0]["share"]) == (1, 0)


def test_players_see_how_long_the_computer_is_busy(row, monkeypatch):
    told = []
    play_centre(row)
    monkeypatch.setattr(
        pubsub, "send_to_group", lambda group, message: told.append((group, message))
    )
    monkeypatch.setattr(
        computer_moves, "forecast", lambda: {f"move {row.slug}": 17, "analysis x": 3}
    )
    computer_moves.report_waits()
    [(group, message)] = told
    assert group.endswith(row.slug)
    thinking = {"type": "match.thinking", "seat": 1, "share": 0}
    assert message == {**thinking, "wait": 17}


def test_the_computer_moves_first_on_the_first_seat(people, work_off, monkeypatch):
    users = [computer_user("1"), people[0]]
    terms = Terms(game=make_game("hex", {"size": 3}), players=tuple(str(u.pk) for u in users))
    row = begin_match(terms, users)
    told = []
    with monkeypatch.context() as patched:
        patched.setattr(pubsub, "send_to_group", lambda group, message: told.append(message))
        patched.setattr(computer_moves, "forecast", lambda: {f"move {row.slug}": 17})
        computer_moves.report_waits()
    assert [message["seat"] for message in told] == [0]
    work_off()
    assert ply_of(row) == 1


def test_jobs_of_a_game_among_computers_are_queued_by_the_periodic_task(people, row):
    users = [computer_user("1"), computer_user("2")]
    terms = Terms(game=make_game("hex", {"size": 3}), players=tuple(str(u.pk) for u in users))
    show = begin_match(terms, users)
    play_centre(row)
    assert asked() == [(row.slug, 1)]
    computer_moves.queue_missing_moves()
    jobs = JobRow.objects.order_by("pk").values_list("key", "kind", "user")
    assert list(jobs) == [(row.slug, JobKind.MOVE, people[0].pk), (show.slug, JobKind.SHOW, None)]


def test_a_job_for_a_deleted_match_does_nothing(db):
    computer_moves.make_move("nowhere", 0)
    assert asked() == []


def test_the_computer_answers_for_its_own_seats_only(ann, bob):
    users = [bob, ann, computer_user("1"), computer_user("1")]
    game = make_game("antipalos", {"size": 12, "seats": "team"})
    row = begin_match(Terms(game=game, players=tuple(str(u.pk) for u in users)), users)
    carry_out(row.slug, Offer(seat=1, ply=0, key="offer one", kind=OfferKind.PAUSE))
    match = MatchRow.objects.get(slug=row.slug).match()
    assert match.offers == {OfferKind.PAUSE: (1, 2)}
    assert not match.clock.paused


def test_a_level_plays_the_best_move_found_at_its_time_limit(people, work_off, monkeypatch):
    bounds = []

    def hurried(spec, bound):
        bounds.append(bound)
        return make_player(spec, bound=0.02)

    monkeypatch.setattr(computer_moves, "make_player", hurried)
    monkeypatch.setenv("LIMIT_MOVE_SECONDS", "7")
    row = begin_against("9", people[0], size=11)
    carry_out(row.slug, Play(seat=0, ply=0, key="centre", move=60))
    work_off()
    assert ply_of(row) == 2
    assert bounds == [7]


def offer(row, kind, ply):
    carry_out(row.slug, Offer(seat=0, ply=ply, key=f"offer {kind}", kind=kind))
    return MatchRow.objects.get(slug=row.slug).match()


def test_the_computer_grants_a_takeback_at_once(row, work_off):
    play_centre(row)
    work_off()
    assert offer(row, OfferKind.TAKEBACK, 2).ply == 0


def test_the_computer_declines_a_draw_at_once(people):
    match = offer(begin_against("1", people[0], game_id="antipalos"), OfferKind.DRAW, 0)
    assert (match.result, match.offers) == (None, {})
    assert OfferKind.DRAW in match.declined


def test_a_takeback_cancels_the_queued_move(row, work_off):
    play_centre(row)
    offer(row, OfferKind.TAKEBACK, 1)
    assert asked() == [(row.slug, 1)]
    work_off()
    assert MatchRow.objects.get(slug=row.slug).match().ply == 0


def test_the_computer_pauses_with_its_opponent(row):
    assert offer(row, OfferKind.PAUSE, 0).clock.paused


def test_the_computer_reports_its_progress(row, work_off, monkeypatch):
    told = []
    monkeypatch.setattr(pubsub, "send_to_group", lambda group, message: told.append(message))
    play_centre(row)
    work_off()
    kinds = [message["type"] for message in told if message["type"] != "broadcast"]
    assert kinds[:2] == ["match.changed", "match.thinking"]
    assert kinds[-1] == "match.changed"
    assert next(one["share"] for one in told if one["type"] == "match.thinking") == 0


def test_a_job_in_the_turn_of_a_person_does_nothing(row, monkeypatch):
    told = []
    monkeypatch.setattr(pubsub, "send_to_group", lambda group, message: told.append(message))
    computer_moves.make_move(row.slug, 0)
    assert (ply_of(row), told) == (0, [])


def test_a_move_that_comes_too_late_is_dropped(row):
    play_centre(row)
    late = Play(seat=1, ply=0, key="too late", move=0)
    with pytest.raises(MatchError):
        carry_out(row.slug, late)
    computer_moves._carry_out(row.slug, late)
    assert ply_of(row) == 1


def test_progress_is_reported_at_most_every_so_often(row, monkeypatch):
    told, at = [], [1_000]
    monkeypatch.setattr(computer_moves, "now", lambda: at[0])
    monkeypatch.setattr(pubsub, "send_to_group", lambda group, message: told.append(message))
    report = computer_moves._Reporter(row.slug, 1)
    for time, share in ((1_399, 0.1), (1_400, 0.256), (1_799, 0.3), (1_800, 0.5)):
        at[0] = time
        report(SearchProgress(visits=1, share=share, best=Move(0), value=0.5, seconds=1.0))
    message = {"type": "match.thinking", "seat": 1, "wait": 0}
    assert told == [{**message, "share": 0.26}, {**message, "share": 0.5}]


def test_a_rematch_beyond_the_limit_of_games_is_refused_with_a_word(row, monkeypatch):
    monkeypatch.setenv(NEW_GAMES.setting, "1/hour")
    carry_out(row.slug, Abort(seat=0, ply=0, key="abort"))
    carry_out(row.slug, Offer(seat=0, ply=0, key="first", kind=OfferKind.REMATCH))
    second = MatchRow.objects.get(rematch_of=row)
    human = next(seat.number for seat in second.seats.all() if not seat.user.is_computer)
    carry_out(second.slug, Abort(seat=human, ply=0, key="abort"))
    offer = Offer(seat=human, ply=0, key="second", kind=OfferKind.REMATCH)
    with pytest.raises(TooManyError, match="too often; try again in 3600 seconds"):
        carry_out(second.slug, offer)
    assert second.match().offers == {}
    assert not MatchRow.objects.filter(rematch_of=second).exists()
