"""Archiving of finished matches: stored facts, counts, openings and maintenance."""

import io
import json
import random
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError

from antipodes.core import Color
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.games.symmetry import images_of
from antipodes.match import Start, Terms
from antipodes.records import from_json
from antipodes.web.accounts.models import BOT, User
from antipodes.web.accounts.services import computer, transfer_guest
from antipodes.web.archive import open_data, services
from antipodes.web.archive.models import (
    BucketRow,
    FirstMoveRow,
    GameRow,
    LengthRow,
    MonthRow,
    OptionSetRow,
)
from antipodes.web.archive.openings import (
    LONGEST,
    NO_MOVE,
    canonical_opening,
    opening_key,
    read_opening,
    read_opening_key,
)
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match
from antipodes.web.matches.snapshots import look_up
from tests.raising import raising
from tests.thorough import sample
from tests.web.archive.conftest import abort, play, resign

pytestmark = pytest.mark.django_db

GAMES = [
    ("antipod", {"side": 3}),
    ("antipalos", {"ruleset": "mail", "size": 4}),
    ("antipalos", {"size": 12, "seats": "cutthroat3", "rods": 2, "phase_two_limit": 2}),
    ("antipode", {}),
    ("hex", {"size": 4}),
    ("hex", {"size": 4, "swap": "sides"}),
    ("cylindrical-hex", {"rows": 3, "columns": 4}),
]


def counts():
    """Return all counts as plain data."""
    return (
        sorted(BucketRow.objects.exclude(games=0).values_list("pk", "games")),
        sorted(LengthRow.objects.values_list("bucket", "moves", "games")),
        sorted(FirstMoveRow.objects.values_list("bucket", "move", "swapped", "games")),
    )


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_the_archive_stores_the_facts_of_a_match(finish, game_id, options):
    row = finish(game_id, seed=3, **options)
    match = look_up(row.slug).match
    assert match.result is not None
    game = GameRow.objects.get(pk=row.pk)
    assert game.moves == len(match.moves)
    assert game.bucket.winner == ("" if match.result.winner is None else str(match.result.winner))
    assert game.bucket.reason == match.result.reason.value
    assert game.ended_at == row.ended_at
    assert game.option_set.game == match.terms.game
    assert {one.number: one.color for one in game.players.all()} == {
        seat: str(match.color_of(seat)) for seat in range(match.terms.game.seats)
    }
    for one in game.players.all():
        winner = match.result.winner
        assert one.won == (None if winner is None else match.color_of(one.number) is winner)


@pytest.mark.parametrize(("game_id", "options"), sample(GAMES, 4))
def test_the_archive_stores_the_game_record(finish, game_id, options):
    row = finish(game_id, seed=5, **options)
    line = GameRow.objects.get(pk=row.pk).record.data
    assert "\n" not in line
    record = from_json(line)
    match = look_up(row.slug).match
    assert record.moves() == [move.move for move in match.moves]
    assert record.result == match.result
    assert "players" not in json.loads(line)


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_symmetric_openings_have_the_same_canonical_opening(game_id, options):
    rng = random.Random(game_id)
    game = make_game(game_id, options)
    for _ in range(10):
        position = game.initial()
        moves: list[int] = []
        while position.outcome is None and len(moves) < LONGEST:
            moves.append(rng.choice(list(position.legal_moves)))
            position = position.play(moves[-1])
        symmetry = rng.choice(game.symmetries)
        image = [game.transform(move, symmetry) for move in moves]
        canonical = canonical_opening(game, moves)
        assert canonical_opening(game, image) == canonical
        assert moves[0] in images_of(game, canonical[0])
        for length in range(len(moves) + 1):
            prefix = canonical_opening(game, moves[:length])
            assert opening_key(canonical).startswith(opening_key(prefix))
            assert read_opening_key(opening_key(prefix)) == prefix


def test_different_openings_have_different_canonical_openings():
    game = make_game("hex", {"size": 5})
    texts = ("a1 b2", "b2 a1", "a1 c3", "a1")
    assert len({canonical_opening(game, read_opening(game, text)) for text in texts}) == 4


def test_an_error_of_the_database_other_than_a_second_row_is_raised(finish, monkeypatch):
    row = finish(size=3, seed=1)
    monkeypatch.setattr(services, "_archive", raising(IntegrityError("another constraint")))
    assert services.archive_match(row) is False
    GameRow.objects.all().delete()
    with pytest.raises(IntegrityError, match="another constraint"):
        services.archive_match(row)


def test_a_match_is_archived_and_counted_once(finish):
    row = finish(size=3, seed=1)
    before = counts()
    assert not services.archive_match(MatchRow.objects.get(pk=row.pk))
    services.archive_recent()
    services.archive_missing()
    assert counts() == before
    assert [games for _, games in before[0]] == [1]


def test_a_match_in_progress_is_not_archived(row):
    with pytest.raises(ValueError, match="has not ended"):
        services.archive_match(row)
    services.archive_recent()
    services.archive_missing()
    assert not GameRow.objects.exists()


def test_a_backfill_archives_old_matches(row):
    resign(row)
    MatchRow.objects.update(ended_at=1_600_000_000_000)
    services.archive_recent()
    assert not GameRow.objects.exists()
    services.Backfill().step()
    assert GameRow.objects.get().match == row
    assert MonthRow.objects.get().month == "2020-09"


def test_a_backfill_leaves_archived_matches_alone(begin, monkeypatch):
    resign(begin(size=3))
    services.archive_recent()
    monkeypatch.setattr(services, "archive_match", None)  # a call would fail
    assert services.Backfill().step() == 0


def test_a_backfill_checks_matches_in_batches(begin, monkeypatch):
    monkeypatch.setattr(services, "_BATCH", 2)
    for _ in range(5):
        resign(begin(size=3))
    backfill = services.Backfill()
    assert [backfill.step(seconds) for seconds in (0.0, 60.0, 60.0, 60.0)] == [1, 2, 2, 0]
    assert GameRow.objects.count() == 5
    resign(begin(size=3))
    assert backfill.step() == 0  # it pauses; recent matches are found by the other task
    services.archive_recent()
    assert GameRow.objects.count() == 6


def test_a_recount_repairs_the_counts(finish):
    for seed in range(6):
        finish(size=3, seed=seed)
    finish("antipod", side=3, seed=1, rated=True)
    finish(size=3, by=abort)
    before = counts()
    BucketRow.objects.update(games=77)
    LengthRow.objects.all().delete()
    FirstMoveRow.objects.update(games=5)
    services.recount()
    assert counts() == before


def test_the_archive_can_be_rebuilt_from_the_matches(finish):
    rows = [finish(size=3, seed=seed) for seed in range(3)]
    before = counts()
    services.delete_all()
    assert not GameRow.objects.exists()
    assert services.archive_some(services.unarchived(), seconds=60) == len(rows)
    assert counts() == before


def test_games_with_different_search_attributes_are_in_different_buckets(finish, people):
    terms: list[dict[str, Any]] = [
        {"seed": 1},
        {"seed": 1, "rated": True},
        {"seed": 1, "is_private": True},
        {"seed": 1, "size": 4},
        {"by": resign, "moves": ("a1", "b1")},
        {"by": abort},
        {"by": resign, "moves": ("a1", "b1"), "users": [people[0], computer("1")]},
    ]
    for one in terms:
        finish(**{"size": 3, **one})
    assert GameRow.objects.values("bucket").distinct().count() == len(terms)
    assert OptionSetRow.objects.count() == 2


def test_the_default_options_have_an_empty_key(finish):
    row = finish(by=abort)
    assert GameRow.objects.get(pk=row.pk).option_set.key == ""


def test_private_matches_are_not_in_the_open_data(finish):
    finish(size=3, seed=1, is_private=True)
    assert not MonthRow.objects.exists()


def test_games_of_a_guest_go_to_the_account(people):
    guest = User.objects.create(username="Guest 1", is_guest=True)
    users = [guest, people[0]]
    terms = Terms(game=make_game("hex", {"size": 3}), players=tuple(str(u.pk) for u in users))
    row = begin_match(terms, users)
    resign(row)
    services.archive_recent()
    transfer_guest(guest, people[1])
    seats = GameRow.objects.get().players.values_list("user__username", flat=True)
    assert list(seats) == ["bob", "ann"]


def test_the_archive_stores_swaps(finish):
    unswapped = finish(size=4, swap="sides", moves=("a1", "b2"), by=resign)
    swapped = finish(size=4, swap="sides", moves=("a1", "swap"), by=resign)
    assert not GameRow.objects.get(pk=unswapped.pk).swapped
    game = GameRow.objects.get(pk=swapped.pk)
    assert game.swapped
    assert game.players.get(number=0).color == Color.WHITE.value


def test_hosts_can_recount_fill_rebuild_and_export(finish, begin, tmp_path, monkeypatch):
    monkeypatch.setattr(open_data, "data_folder", lambda: tmp_path)
    finish(size=3, by=resign, moves=("a1", "b1"))
    before = counts()
    BucketRow.objects.update(games=9)
    call_command("archive", "recount", stdout=io.StringIO())
    assert counts() == before
    resign(begin(size=3))
    output = io.StringIO()
    call_command("archive", "fill", stdout=output)
    assert "1 matches archived" in output.getvalue()
    before = counts()
    call_command("archive", "rebuild", stdout=output)
    assert "2 matches archived" in output.getvalue()
    assert [games for _, games in counts()[0]] == [games for _, games in before[0]]
    monkeypatch.setattr(open_data, "_DELAY", -1_000)
    call_command("archive", "export", stdout=output)
    assert "1 files written" in output.getvalue()


def test_a_bot_counts_as_a_computer(finish, people):
    people[1].first_name = BOT
    people[1].save()
    row = finish(size=3, by=resign, moves=("a1", "b1"))
    assert GameRow.objects.get(pk=row.pk).bucket.with_computer


def test_a_batch_ends_when_its_time_is_up(finish, monkeypatch):
    rows = [finish(size=3, seed=seed) for seed in range(3)]
    at = iter([0.0, 1.0, 2.5, 99.0])
    done = []

    def archive(row):
        done.append(row)
        return True

    monkeypatch.setattr("time.monotonic", lambda: next(at))
    monkeypatch.setattr(services, "archive_match", archive)
    assert services.archive_some(rows, 2.0) == 2
    assert done == rows[:2]


def test_the_bucket_of_a_match_has_its_terms(finish, people):
    row = finish(size=3, rated=True, control="5m+5s", by=resign, moves=("a1", "b1"))
    bucket = GameRow.objects.get(pk=row.pk).bucket
    assert (bucket.speed, bucket.rated, bucket.is_private) == ("blitz", True, False)
    assert (bucket.with_computer, bucket.from_position, bucket.band) == (False, False, "")
    assert (bucket.winner, bucket.reason, bucket.games) == ("white", "resignation", 1)
    row = finish(size=3, by=resign, moves=("a1", "b1"), users=[people[0], computer("1")])
    assert GameRow.objects.get(pk=row.pk).bucket.with_computer


@pytest.mark.parametrize("moves", [(), ("a1",), ("a1", "b1")])
def test_the_first_moves_of_a_short_game_are_missing(finish, moves):
    row = finish(size=3, by=resign if moves else abort, moves=moves)
    game = GameRow.objects.get(pk=row.pk)
    known = [move for move in (game.first, game.second) if move != NO_MOVE]
    assert len(known) == game.moves == len(game.opening.split()) == len(moves)
    assert FirstMoveRow.objects.count() == bool(moves)
    assert NO_MOVE == -1


def test_a_match_from_a_position_has_no_opening_and_no_open_data(people):
    game = make_game("hex", {"size": 3})
    players = tuple(str(user.pk) for user in people[:2])
    row = begin_match(Terms(game=game, players=players, start=Start(moves=(0, 1))), people[:2])
    play(row, "c1")
    resign(row)
    services.archive_recent()
    found = GameRow.objects.get()
    assert (found.bucket.from_position, found.opening, found.first) == (True, "", NO_MOVE)
    assert not MonthRow.objects.exists()


@pytest.mark.parametrize("age", [0, 1])
def test_recent_matches_ended_within_an_hour(row, monkeypatch, age):
    resign(row)
    row.refresh_from_db()
    monkeypatch.setattr(services, "now", lambda: (row.ended_at or 0) + services._RECENT - age)
    services.archive_recent()
    assert GameRow.objects.count() == age


def test_matches_are_archived_in_the_order_of_their_ends(begin):
    rows = [begin(size=3) for _ in range(3)]
    for row, at in zip(rows, (2, 3, 1), strict=True):
        resign(row)
        MatchRow.objects.filter(pk=row.pk).update(ended_at=at)
    begin(size=3)
    assert list(services.unarchived()) == [rows[2], rows[0], rows[1]]
    assert services.archive_some(list(services.unarchived()), 60) == 3
    assert services.archive_some([], 60) == 0


def test_a_recount_empties_buckets_without_games(finish):
    finish(size=3, seed=1)
    services.delete_all()
    assert [bucket.games for bucket in BucketRow.objects.all()] == [0]
    assert not FirstMoveRow.objects.exists()


def test_a_month_is_marked_once_and_again_when_it_was_written(finish):
    finish(size=3, seed=1)
    [row] = MonthRow.objects.all()
    services.mark_month(0)
    assert set(MonthRow.objects.values_list("month", "is_stale")) == {
        (row.month, True), ("1970-01", True)
    }  # fmt: skip
    MonthRow.objects.update(is_stale=False)
    services.mark_month(0)
    assert not MonthRow.objects.get(month=row.month).is_stale
    assert MonthRow.objects.get(month="1970-01").is_stale


def test_a_backfill_pauses_for_an_hour_and_begins_again(begin, monkeypatch):
    at = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: at[0])
    backfill = services.Backfill()
    assert backfill.step() == 0
    rows = [begin(size=3) for _ in range(2)]
    for row in rows:
        resign(row)
    for seconds, count in ((3_599.0, 0), (3_600.0, 2), (3_601.0, 0)):
        at[0] = seconds
        assert backfill.step() == count
    GameRow.objects.all().delete()
    at[0] = 7_200.0
    assert backfill.step() == 0  # it pauses
    at[0] = 7_201.0
    assert backfill.step() == 2


def test_the_command_says_that_it_wrote_no_files(db, tmp_path, monkeypatch):
    monkeypatch.setattr(open_data, "data_folder", lambda: tmp_path)
    output = io.StringIO()
    call_command("archive", "export", stdout=output)
    call_command("archive", "recount", stdout=output)
    assert output.getvalue() == "0 files written: none.\nRecounted all games.\n"


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), (" 1. a1 2... b1 ", 2), ("a1,b1;c1", 3), ("1", None), ("a1 2", None)],
)
def test_move_numbers_of_an_opening_are_left_out(text, count):
    game = make_game("hex", {"size": 3, "swap": "off"})
    if count is None:
        with pytest.raises(InputError):
            read_opening(game, text)
    else:
        assert len(read_opening(game, text)) == count


def test_rows_of_the_archive_name_their_games(finish):
    row = finish(size=3, by=resign, moves=("a1", "b1"))
    game = GameRow.objects.get(pk=row.pk)
    assert str(game.bucket) == "hex size=3, correspondence, white by resignation"
    assert str(game.record) == game.record.data[:60] != game.record.data
    game.bucket.winner = ""
    assert str(game.bucket) == "hex size=3, correspondence, no winner by resignation"


def test_a_game_without_a_clock_is_not_called_correspondence(finish, client):
    finish(size=3, moves=("a1", "b1"), by=resign)
    row = finish(size=3, moves=("a1", "b1"), by=resign)
    MatchRow.objects.filter(pk=row.pk).update(control="1d/move")
    page = client.get("/games/").content.decode()
    lines = [one for one in page.split("<li") if "2 moves" in one]
    assert ["· correspondence" in one for one in lines] == [True, False]
    games = client.get("/api/v1/games-played").json()["games"]
    assert [one["speed"] for one in games] == ["correspondence", "unlimited"]
    assert ["· no clock" in one for one in lines] == [False, True]
