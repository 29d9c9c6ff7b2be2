"""Practice: matches against the computer that begin from any position."""

import json
import random

import pytest

from antipodes.errors import InputError
from antipodes.games.registry import game_ids, make_game
from antipodes.match import Offer, OfferKind, Play, Resign
from antipodes.puzzles.store import puzzles
from antipodes.records import read_record
from antipodes.records.json_format import setup_data
from antipodes.web.analysis.models import AnalysisRow, ReviewRow
from antipodes.web.analysis.position_queries import Line
from antipodes.web.archive import open_data
from antipodes.web.archive.finished_games import last_finished
from antipodes.web.archive.models import BucketRow, FirstMoveRow, GameRow
from antipodes.web.archive.services import archive_match
from antipodes.web.archive.statistics import Scope
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.challenges.practice import challenge_friend
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.matches.snapshots import look_up
from antipodes.web.platform.limits import NEW_GAMES
from antipodes.web.platform.pictures import PICTURES

pytestmark = pytest.mark.django_db

POSITION = {"game": "hex", "size": "4", "moves": "0,5"}


def start(client, level="1", play_as="0", **fields):
    answer = client.post("/practice/", {**(fields or POSITION), "level": level, "play_as": play_as})
    assert answer.status_code == 302, answer.content.decode()
    return MatchRow.objects.latest("pk")


def random_line(game_id, count=8, **options):
    game, chance = make_game(game_id, options), random.Random(game_id)
    position, moves = game.initial(), []
    for _ in range(count):
        moves.append(int(chance.choice(list(position.legal_moves))))
        position = position.play(moves[-1])
    return game, moves, position


def test_the_page_shows_the_position_and_asks_for_seat_and_level(client):
    page = client.get("/practice/", POSITION)
    form = page.context["form"]
    assert [label for _, label in form.fields["play_as"].choices] == ["Black, to move", "White"]
    assert len(form.fields["level"].choices) == 9
    assert 'alt="Hex, move 3: Black to move."' in page.content.decode()
    picture = client.get("/practice/board.svg", POSITION)
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert b"<svg" in picture.content


def test_seats_of_a_game_for_three_are_numbered_from_the_one_to_move(client):
    query = {"game": "antipalos", "size": "12", "seats": "cutthroat3", "moves": "0"}
    page = client.get("/practice/", query)
    form, friend_form = page.context["form"], page.context["friend_form"]
    seats = [("1", "seat 2, Black, to move"), ("2", "seat 3, Red"), ("0", "seat 1, White")]
    assert form.fields["play_as"].choices == seats
    assert form.initial["play_as"] == "1"
    assert not form.is_bound
    assert not friend_form.is_bound
    assert (form["play_as"].label, friend_form["play_as"].label) == ("You play", "Your side")
    assert page.context["heading"] == "Practice: Antipalos"


@pytest.mark.parametrize("wrong", [{"control": "soon"}, {"play_as": "2"}])
def test_a_wrong_choice_for_a_friend_shows_that_form_again(client, wrong):
    sent = {**POSITION, "opponent": "link", "control": "5m+5s", "play_as": "1", **wrong}
    page = client.post("/practice/", sent)
    assert list(page.context["friend_form"].errors) == list(wrong)
    assert not page.context["form"].is_bound
    assert not ChallengeRow.objects.exists()


def test_a_match_begins_after_the_moves(client):
    row = start(client, level="2", play_as="1")
    match = row.match()
    assert [int(made.move) for made in match.moves] == [0, 5]
    assert not row.rated
    assert [seat.user.computer for seat in row.seats.all()] == ["computer:2", ""]
    view = client.get(f"/m/{row.slug}/match.json").json()
    assert (view["given"], view["setup"], view["own"]) == (2, None, [1])
    assert [move["source"] for move in view["moves"]] == ["given", "given"]
    assert "with given moves" in client.get(f"/m/{row.slug}/").content.decode()


@pytest.mark.parametrize("game_id", game_ids())
def test_a_match_begins_from_a_setup(client, game_id):
    game, _, position = random_line(game_id)
    line = Line.of(game, position.to_setup())
    row = start(client, play_as=str(position.seat_to_move), **line.fields)
    assert row.match().position == position
    view = client.get(f"/m/{row.slug}/match.json").json()
    assert game.position(position.to_setup()) == position
    assert view["setup"] == json.loads(line.setup_text)
    assert view["ply"] == 0
    query = {"game": game_id, "setup": line.setup_text}
    assert view["start"] == client.get("/positions.json", query).json()["pieces"]
    for kind in ("json", "sgf"):
        record = read_record(client.get(f"/m/{row.slug}/record.{kind}").content)
        assert record.root.position == position


@pytest.mark.parametrize("game_id", game_ids())
def test_every_shipped_puzzle_can_be_played_out(game_id):
    for puzzle in puzzles(game_id)[:20]:
        line = Line.of(puzzle.game, puzzle.setup)
        assert line.position == puzzle.position
        assert len(line.query) < 7_000


def test_a_small_picture_has_neither_caption_nor_coordinates(client):
    whole = client.get("/practice/board.svg?game=hex&size=4").content.decode()
    bare = client.get("/practice/board.svg?game=hex&size=4&bare").content.decode()
    assert ">a</text>" in whole
    assert "<text" not in bare


def test_two_matches_from_different_setups_have_different_pictures(client):
    boards = ({"a1": "black"}, {"b2": "black"})
    texts = []
    for stones in boards:
        setup = json.dumps({"stones": stones, "to_move": "white"})
        row = start(client, game="hex", size="4", setup=setup)
        texts.append(client.get(f"/m/{row.slug}/board.svg").content)
    assert texts[0] != texts[1]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"game": "chess"}, "there is no game"),
        ({}, "there is no game in the address"),
        ({"game": "hex", "moves": "0,0"}, "is not legal"),
        ({"game": "hex", "size": "99"}, "size is 99"),
        ({"game": "hex", "setup": "[]"}, "is not a setup"),
        ({"game": "hex", "setup": "{"}, "is not a setup"),
        ({"game": "hex", "setup": '{"stones": 3}'}, "is not a setup"),
        ({"game": "hex", "setup": '{"stones": {"zz9": "black"}}'}, "zz9"),
        ({"game": "hex", "setup": '{"stones": {"a1": "red"}}'}, "red"),
        ({"game": "hex", "setup": '{"stones": {"a1": 1}, "seat": 1e400}'}, "is not a setup"),
        ({"game": "hex", "setup": "9" * 30_000}, "30000 characters are too many"),
        ({"game": "hex", "size": "2", "swap": "off", "moves": "0,1,2"}, "the game is over"),
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_wrong_position_is_refused_with_a_reason(client, fields, words, method):
    answer = getattr(client, method)("/practice/", fields)
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert not MatchRow.objects.exists()


@pytest.mark.parametrize(
    "wrong", [{"level": "99"}, {"level": "pairing"}, {"play_as": "2"}, {"play_as": "x"}]
)
def test_a_wrong_choice_shows_the_form_again(client, wrong):
    answer = client.post("/practice/", {**POSITION, "level": "1", "play_as": "0", **wrong})
    assert answer.status_code == 200
    assert answer.context["form"].errors
    assert not MatchRow.objects.exists()


def test_new_games_are_counted(client, monkeypatch):
    monkeypatch.setenv(NEW_GAMES.setting, "1/minute")
    start(client)
    again = client.post("/practice/", {**POSITION, "level": "1", "play_as": "0"})
    assert again.status_code == 429
    assert MatchRow.objects.count() == 1


def test_games_against_the_computer_are_counted(client, monkeypatch):
    monkeypatch.setenv("LIMIT_COMPUTER_GAMES", "1")
    start(client)
    again = client.post("/practice/", {**POSITION, "level": "1", "play_as": "0"})
    assert "Finish or resign one first" in again.content.decode()


def test_the_start_of_a_game_is_a_match_like_any_other(client):
    row = start(client, game="hex", size="5")
    assert row.start is None


def test_boards_that_are_for_study_only_can_be_practised(client):
    row = start(client, game="cylindrical-hex", rows="5", columns="5", moves="0")
    assert row.options["rows"] == 5


def test_the_computer_moves_first_where_it_is_its_turn(client, work_off):
    row = start(client, play_as="1")
    work_off()
    assert look_up(row.slug).match.ply == 3


def test_the_learner_takes_back_moves_but_not_given_ones(client, work_off):
    row = start(client)
    offer = {"kind": OfferKind.TAKEBACK}
    carry_out(row.slug, Play(seat=0, ply=2, key="a", move=9))
    work_off()
    carry_out(row.slug, Offer(seat=0, ply=4, key="b", **offer))
    assert look_up(row.slug).match.ply == 2
    page = client.get(f"/m/{row.slug}/match.json").json()
    assert len(page["moves"]) == 2


@pytest.mark.parametrize(
    ("fields", "start"),
    [(POSITION, {"moves": [0, 5]}), ({"game": "hex", "size": "4"}, None)],
    ids=["after moves", "at the start"],
)
def test_a_friend_is_challenged_with_a_link(client, people, fields, start):
    client.force_login(people[0])
    sent = {**fields, "opponent": "link", "control": "5m+5s", "play_as": "1"}
    answer = client.post("/practice/", sent)
    row = ChallengeRow.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/c/{row.slug}/")
    assert (row.by, row.control, row.seat) == (people[0], "5m+5s", 1)
    assert (row.game_id, row.options["size"]) == ("hex", 4)
    assert (row.start, row.rated, row.is_listed) == (start, False, False)
    assert not MatchRow.objects.exists()


def test_a_friend_is_not_challenged_to_a_game_that_is_over(people):
    line = Line.of(make_game("hex", {"size": 2, "swap": "off"}), None, (0, 1, 2))
    with pytest.raises(InputError) as refused:
        challenge_friend(people[0], line, "unlimited", 0)
    assert refused.value.code == "match/decided"
    assert not ChallengeRow.objects.exists()


def test_a_picture_of_a_wrong_position_is_refused_in_plain_text(client):
    answer = client.get("/practice/board.svg?game=hex&moves=0,0")
    assert answer.status_code == 400
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode() == "move 2: a1 is not legal: the point is not empty"


def test_pictures_are_counted(client, monkeypatch):
    monkeypatch.setenv(PICTURES.setting, "1/minute")
    asked = {"path": "/practice/board.svg?game=hex&size=4", "REMOTE_ADDR": "192.0.2.7"}
    assert client.get(**asked).status_code == 200
    refused = client.get(**asked)
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 60


def finished(client, **fields):
    row = start(client, **fields)
    match = row.match()
    carry_out(row.slug, Resign(seat=0, ply=match.ply, key="resign"))
    row.refresh_from_db()
    return row


def test_the_archive_does_not_count_practice_as_an_opening(client):
    row = finished(client)
    assert archive_match(row)
    bucket = BucketRow.objects.get()
    assert bucket.from_position
    assert not FirstMoveRow.objects.exists()
    assert GameRow.objects.get().opening == ""
    assert not BucketRow.objects.filter(Scope().condition).exists()
    assert not open_data.update_files()
    learner = row.seats.get(number=0).user
    assert list(last_finished(learner, learner, 5)) == [row]


def test_a_review_begins_at_the_setup(client, work_off):
    game, _, position = random_line("hex", 8, size=5)
    row = start(client, play_as="0", **Line.of(game, position.to_setup()).fields)
    moves = list(position.legal_moves)[:5]
    for ply, move in enumerate(moves):
        carry_out(row.slug, Play(seat=ply % 2, ply=ply, key=f"m{ply}", move=int(move)))
    carry_out(row.slug, Resign(seat=0, ply=len(moves), key="resign"))
    work_off()
    review = ReviewRow.objects.get()
    assert len(review.found) == len(moves) + 1


def test_a_setup_is_analysed(client, work_off):
    setup = json.dumps({"stones": {"a1": "black", "b2": "white"}, "to_move": "black"})
    asked = client.post("/analyses", {"game": "hex", "size": "3", "setup": setup, "moves": "c1"})
    assert asked.status_code == 202
    work_off()
    row = AnalysisRow.objects.get()
    assert row.state == "done"
    assert setup_data(row.position().to_setup())["stones"].keys() == {"a1", "b2", "c1"}
    other = client.post("/analyses", {"game": "hex", "size": "3", "moves": "c1"})
    assert other.json()["state"] == "waiting"
