"""Laws of the pages of rules: every game has one, and its boards show what they say."""

import re
from urllib.parse import parse_qsl

import pytest

from antipodes.games.registry import game_class, game_ids
from antipodes.games.texts import short_rules
from antipodes.web.languages.library import library_texts
from antipodes.web.rules.examples import EXAMPLES, showpiece

COLORS = ("White", "Black", "Blue", "Red", "Vert", "Horz")
ALL = [(game_id, number) for game_id in game_ids() for number in range(len(EXAMPLES[game_id]))]


@pytest.mark.parametrize("game_id", game_ids())
def test_the_page_has_the_short_rules_the_inventor_and_all_boards(client, db, game_id):
    page = client.get(f"/rules/{game_id}/")
    text = page.content.decode()
    rules = short_rules(game_id)
    assert rules.byline in text
    shown = [part for part, _ in page.context["parts"]]
    assert shown == list(rules.paragraphs)
    assert text.count("<antipodes-study plain") == len(EXAMPLES[game_id])
    assert f'href="/new/{game_id}/"' in text


@pytest.mark.parametrize("game_id", game_ids())
def test_the_rules_take_about_a_minute(game_id):
    words = sum(len(part.split()) for part in short_rules(game_id).paragraphs)
    assert words < 330


def test_the_texts_for_people_say_options_in_words():
    """Not as ``swap=on``: that is what commands, records and addresses write."""
    names = {info.name for one in game_ids() for info in game_class(one).option_table()}
    written = re.compile(rf"\b({'|'.join(names)})=|\b\w+_\w+\b")
    texts = [text for _, text in library_texts()]
    texts += [short_rules(one).text for one in game_ids()]
    assert [text for text in texts if written.search(text)] == []


@pytest.mark.parametrize(("game_id", "number"), ALL)
def test_every_board_can_be_reached_and_stands_beside_a_paragraph(client, db, game_id, number):
    example = EXAMPLES[game_id][number]
    assert 0 <= example.after < len(short_rules(game_id).paragraphs)
    query = {**dict(parse_qsl(example.query)), "game": game_id, "moves": example.moves_listed}
    told = client.get("/positions.json", query).json()
    assert len(told["moves"]) == len(example.moves.split())
    drawn = client.get(f"/rules/{game_id}/{number}.svg")
    assert drawn.headers["Content-Type"] == "image/svg+xml"
    assert drawn.content.startswith(b"<svg")


@pytest.mark.parametrize(("game_id", "number"), ALL)
def test_a_board_that_tells_of_a_win_shows_one(game_id, number):
    example = EXAMPLES[game_id][number]
    outcome = example.position(game_id).outcome
    winner = next((one for one in COLORS if f"{one} has " in example.caption), "")
    says_so = " has won" in example.caption or " has joined" in example.caption
    assert (outcome is not None) == says_so
    if outcome is not None:
        assert str(outcome.winner) == winner.lower()


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_a_picture_with_much_on_it(client, db, game_id):
    assert showpiece(game_id).position(game_id).ply >= 10
    answer = client.get(f"/rules/{game_id}.svg")
    assert answer.status_code == 200
    assert "max-age" in answer.headers["Cache-Control"]


def test_all_games_are_on_the_first_page_of_rules(client, db):
    text = client.get("/rules/").content.decode()
    for game_id in game_ids():
        assert game_class(game_id).title in text
        assert f'href="/rules/{game_id}/"' in text


@pytest.mark.parametrize("address", ["/rules/chess/", "/rules/chess.svg", "/rules/hex/99.svg"])
def test_what_is_not_there_is_not_found(client, db, address):
    assert client.get(address).status_code == 404
