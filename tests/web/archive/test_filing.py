"""Laws of filing: each finished match once, with the truth about it, and counted once."""

import io
import json
import random
from typing import Any

import pytest
from django.core.management import call_command

from antipodes.core import Color
from antipodes.games.registry import make_game
from antipodes.match import Terms
from antipodes.records import from_json
from antipodes.web.accounts.models import BOT, User
from antipodes.web.accounts.services import computer, transfer_guest
from antipodes.web.archive import open_data, services
from antipodes.web.archive.models import (
    FirstMoveRow,
    GameRow,
    LengthRow,
    MonthRow,
    OptionSetRow,
    ShelfRow,
)
from antipodes.web.archive.openings import KEPT, images_of, key_of, read_key, read_opening, turned
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match
from antipodes.web.matches.snapshots import look_up
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


def counted():
    """Everything that is counted, as plain data."""
    return (
        sorted(ShelfRow.objects.exclude(games=0).values_list("pk", "games")),
        sorted(LengthRow.objects.values_list("shelf", "moves", "games")),
        sorted(FirstMoveRow.objects.values_list("shelf", "move", "swapped", "games")),
    )


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_what_is_filed_is_what_was_played(finish, game_id, options):
    row = finish(game_id, seed=3, **options)
    match = look_up(row.slug).match
    assert match.result is not None
    game = GameRow.objects.get(pk=row.pk)
    assert game.moves == len(match.moves)
    assert game.shelf.winner == ("" if match.result.winner is None else str(match.result.winner))
    assert game.shelf.reason == match.result.reason.value
    assert game.ended_at == row.ended_at
    assert game.option_set.game == match.terms.game
    assert {one.number: one.color for one in game.players.all()} == {
        seat: str(match.color_of(seat)) for seat in range(match.terms.game.seats)
    }
    for one in game.players.all():
        winner = match.result.winner
        assert one.won == (None if winner is None else match.color_of(one.number) is winner)


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_the_line_that_is_kept_is_the_record(finish, game_id, options):
    row = finish(game_id, seed=5, **options)
    line = GameRow.objects.get(pk=row.pk).record.data
    assert "\n" not in line
    record = from_json(line)
    match = look_up(row.slug).match
    assert record.moves() == [made.move for made in match.moves]
    assert record.result == match.result
    assert "players" not in json.loads(line)


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_openings_that_are_the_same_by_a_symmetry_are_equal(game_id, options):
    lots = random.Random(game_id)
    game = make_game(game_id, options)
    for _ in range(10):
        position = game.initial()
        moves: list[int] = []
        while position.outcome is None and len(moves) < KEPT:
            moves.append(lots.choice(list(position.legal_moves)))
            position = position.play(moves[-1])
        symmetry = lots.choice(game.symmetries)
        image = [game.transform(move, symmetry) for move in moves]
        assert turned(game, image) == turned(game, moves)
        assert moves[0] in images_of(game, turned(game, moves)[0])
        for length in range(len(moves) + 1):
            begun = key_of(turned(game, moves[:length]))
            assert key_of(turned(game, moves)).startswith(begun)
            assert read_key(begun) == turned(game, moves[:length])


def test_different_openings_stay_different():
    game = make_game("hex", {"size": 5})
    keys = {turned(game, read_opening(game, text)) for text in ("a1 b2", "b2 a1", "a1 c3", "a1")}
    assert len(keys) == 4


def test_a_match_is_filed_and_counted_once(finish):
    row = finish(size=3, seed=1)
    before = counted()
    assert not services.file_match(MatchRow.objects.get(pk=row.pk))
    services.file_recent()
    services.file_forgotten()
    assert counted() == before
    assert [games for _, games in before[0]] == [1]


def test_a_match_that_goes_on_is_not_filed(begin):
    row = begin(size=3)
    with pytest.raises(ValueError, match="has not ended"):
        services.file_match(row)
    services.file_recent()
    services.file_forgotten()
    assert not GameRow.objects.exists()


def test_what_ended_is_filed_in_the_next_round(begin):
    row = begin(size=3)
    play(row, "a1", "b1")
    resign(row)
    services.file_recent()
    assert GameRow.objects.get().match == row


def test_what_ended_long_ago_is_filed_too(begin):
    row = begin(size=3)
    resign(row)
    MatchRow.objects.update(ended_at=1_600_000_000_000)
    services.file_recent()
    assert not GameRow.objects.exists()
    services.Sweep().go_on()
    assert GameRow.objects.get().match == row
    assert MonthRow.objects.get().month == "2020-09"


def test_a_sweep_comes_to_every_match_a_few_at_a_time(begin, monkeypatch):
    monkeypatch.setattr(services, "_AT_ONCE", 2)
    for _ in range(5):
        resign(begin(size=3))
    sweep = services.Sweep()
    assert [sweep.go_on(seconds) for seconds in (0.0, 60.0, 60.0, 60.0)] == [1, 2, 2, 0]
    assert GameRow.objects.count() == 5
    resign(begin(size=3))
    assert sweep.go_on() == 0  # it rests; what ends now is found by a quick look
    services.file_recent()
    assert GameRow.objects.count() == 6


def test_counting_anew_counts_the_same(finish):
    for seed in range(6):
        finish(size=3, seed=seed)
    finish("antipod", side=3, seed=1, rated=True)
    finish(size=3, by=abort)
    before = counted()
    ShelfRow.objects.update(games=77)
    LengthRow.objects.all().delete()
    FirstMoveRow.objects.update(games=5)
    services.recount()
    assert counted() == before


def test_the_archive_can_be_made_again_from_the_matches(finish):
    rows = [finish(size=3, seed=seed) for seed in range(3)]
    before = counted()
    services.forget_all()
    assert not GameRow.objects.exists()
    assert services.file_some(services.unfiled(), seconds=60) == len(rows)
    assert counted() == before


def test_a_shelf_tells_apart_what_searches_ask_for(finish, people):
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
    assert GameRow.objects.values("shelf").distinct().count() == len(terms)
    assert OptionSetRow.objects.count() == 2


def test_the_usual_options_have_an_empty_key(finish):
    row = finish(by=abort)
    assert GameRow.objects.get(pk=row.pk).option_set.key == ""


def test_private_matches_make_no_open_data(finish):
    finish(size=3, seed=1, is_private=True)
    assert not MonthRow.objects.exists()


def test_games_of_a_guest_go_to_the_account(people):
    guest = User.objects.create(username="Guest 1", is_guest=True)
    users = [guest, people[0]]
    terms = Terms(game=make_game("hex", {"size": 3}), players=tuple(str(u.pk) for u in users))
    row = begin_match(terms, users)
    resign(row)
    services.file_recent()
    transfer_guest(guest, people[1])
    seats = GameRow.objects.get().players.values_list("user__username", flat=True)
    assert list(seats) == ["bob", "ann"]


def test_a_swap_is_told(finish):
    kept = finish(size=4, swap="sides", moves=("a1", "b2"), by=resign)
    swapped = finish(size=4, swap="sides", moves=("a1", "swap"), by=resign)
    assert not GameRow.objects.get(pk=kept.pk).swapped
    game = GameRow.objects.get(pk=swapped.pk)
    assert game.swapped
    assert game.players.get(number=0).color == Color.WHITE.value


def test_hosts_can_count_anew_fill_rebuild_and_export(finish, begin, tmp_path, monkeypatch):
    monkeypatch.setattr(open_data, "data_folder", lambda: tmp_path)
    finish(size=3, by=resign, moves=("a1", "b1"))
    before = counted()
    ShelfRow.objects.update(games=9)
    call_command("archive", "recount", stdout=io.StringIO())
    assert counted() == before
    resign(begin(size=3))
    said = io.StringIO()
    call_command("archive", "fill", stdout=said)
    assert "1 matches were filed" in said.getvalue()
    before = counted()
    call_command("archive", "rebuild", stdout=said)
    assert "2 matches were filed" in said.getvalue()
    assert [games for _, games in counted()[0]] == [games for _, games in before[0]]
    monkeypatch.setattr(open_data, "_SETTLED", -1_000)
    call_command("archive", "export", stdout=said)
    assert "1 files were made" in said.getvalue()


def test_a_program_that_plays_counts_as_a_computer(finish, people):
    people[1].first_name = BOT
    people[1].save()
    row = finish(size=3, by=resign, moves=("a1", "b1"))
    assert GameRow.objects.get(pk=row.pk).shelf.with_computer
