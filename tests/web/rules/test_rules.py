"""Tests of the rules pages and their example positions."""

import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from django.utils.html import escape

from antipodes.core import Color, Setup
from antipodes.games.examples import finished_position, sample_position
from antipodes.games.figures import FIGURES
from antipodes.games.registry import game_class, game_ids, make_game
from antipodes.games.samples import RuleExample
from antipodes.games.texts import game_notes, short_rules
from antipodes.notation.sphere_reading import read_sphere
from antipodes.notation.svg.themes import on_any_page
from antipodes.web.project.wiring import LIBRARY_TEXTS
from antipodes.web.rules.examples import showpiece

DATA = Path(__file__).parents[2] / "data"
COLORS = ("White", "Black", "Blue", "Red", "Vert", "Horz")
ALL = [
    (game_id, number)
    for game_id in game_ids()
    for number in range(len(game_class(game_id).rule_examples))
]


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_examples_beside_its_rules_and_a_finished_game(game_id):
    assert game_class(game_id).rule_examples, f"{game_id}: rule_examples in its class"
    assert game_class(game_id).finished_game, f"{game_id}: finished_game in its class"


@pytest.mark.parametrize("game_id", game_ids())
def test_a_page_has_the_rules_the_inventor_and_all_examples(client, db, game_id):
    page = client.get(f"/rules/{game_id}/")
    text = page.content.decode()
    rules = short_rules(game_id)
    assert rules.byline in text
    shown = [part for part, _ in page.context["parts"]]
    assert shown == list(rules.paragraphs)
    assert text.count("<antipodes-analysis-board plain") == len(game_class(game_id).rule_examples)
    assert f'href="/new/{game_id}/"' in text


@pytest.mark.parametrize("game_id", game_ids())
def test_the_rules_take_about_a_minute(game_id):
    words = sum(len(part.split()) for part in short_rules(game_id).paragraphs)
    assert words < 330


def test_texts_name_options_in_words():
    """Not as ``swap=on``, which is for commands, records and URLs."""
    names = {info.name for one in game_ids() for info in game_class(one).option_table()}
    written = re.compile(rf"\b({'|'.join(names)})=|\b\w+_\w+\b")
    texts = [text for of_part in LIBRARY_TEXTS for _, text in of_part()]
    texts += [short_rules(one).text for one in game_ids()]
    assert [text for text in texts if written.search(text)] == []


@pytest.mark.parametrize(("game_id", "number"), ALL)
def test_every_example_is_legal_and_belongs_to_a_text(client, db, game_id, number):
    example = game_class(game_id).rule_examples[number]
    titles = [section.title for section in game_notes(game_id)]
    assert example.after in titles or 0 <= example.after < len(short_rules(game_id).paragraphs)
    query = {**dict(parse_qsl(example.query)), "game": game_id, "moves": example.moves_listed}
    data = client.get("/positions.json", query).json()
    assert len(data["moves"]) == len(example.moves.split())
    drawn = client.get(f"/rules/{game_id}/{number}.svg")
    assert drawn.headers["Content-Type"] == "image/svg+xml"
    assert drawn.content.startswith(b"<svg")


@pytest.mark.parametrize(("game_id", "number"), ALL)
def test_an_example_whose_caption_names_a_winner_is_won(game_id, number):
    example = game_class(game_id).rule_examples[number]
    outcome = sample_position(game_id, example).outcome
    winner = next((one for one in COLORS if f"{one} has " in example.caption), "")
    is_won = " has won" in example.caption or " has joined" in example.caption
    assert (outcome is not None) == is_won
    if outcome is not None:
        assert str(outcome.winner) == winner.lower()


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_a_picture_of_a_full_board(client, db, game_id):
    assert sample_position(game_id, showpiece(game_id)).ply >= 10
    response = client.get(f"/rules/{game_id}.svg")
    assert response.status_code == 200
    assert "max-age" in response.headers["Cache-Control"]


def test_the_index_lists_all_games(client, db):
    text = client.get("/rules/").content.decode()
    for game_id in game_ids():
        assert game_class(game_id).title in text
        assert f'href="/rules/{game_id}/"' in text


@pytest.mark.parametrize("address", ["/rules/chess/", "/rules/chess.svg", "/rules/hex/99.svg"])
def test_missing_pages_are_404(client, db, address):
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("game_id", game_ids())
def test_a_page_has_the_history_and_all_other_notes(client, db, game_id):
    text = client.get(f"/rules/{game_id}/").content.decode()
    titles = [section.title for section in game_notes(game_id)]
    assert {"History", "References"} <= set(titles)
    for section in game_notes(game_id):
        assert f"<h2>{section.title}</h2>" in text
        for block in section.blocks:
            assert escape(block.text) in text
            assert all(f">{cell}</t" in text for row in block.rows for cell in row)


FACTS = {
    "antipod": [
        "Corpus Callosum",
        "Bill Taylor",
        "Richard Rognlie",
        "pairing strategy",
        "without them the game is solved",
    ],
    "antipalos": ["Martin Collier", "Trirods", "Chart A", "cannot confer", "Tulsa"],
    "antipode": ["Thousand-Year Game Design Challenge", "Daniel Solis", "the pool"],
    "hex": ["Piet Hein", "John Nash", "Martin Gardner"],
    "cylindrical-hex": ["Steve Alpern and Anatole Beck", "1991"],
}


@pytest.mark.parametrize("game_id", game_ids())
def test_a_page_has_facts_about_the_inventors(client, db, game_id):
    text = unescape(client.get(f"/rules/{game_id}/").content.decode())
    assert [fact for fact in FACTS[game_id] if fact not in text] == []


def test_antipalos_has_its_five_sizes_with_their_trirods_and_chart_a():
    tables = [b.rows for s in game_notes("antipalos") for b in s.blocks if b.rows]
    sizes, chart = ([row[1] for row in rows[1:]] for rows in tables)

    def supply(size):
        return make_game("antipalos", {"size": size}).supply()[Color.WHITE]

    assert sizes == [str(supply(n)) for n in (12, 14, 16, 18, 20)]
    assert chart == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("game_id", game_ids())
def test_every_finished_game_is_over(game_id):
    position = finished_position(game_id)
    assert position is not None
    assert position.outcome is not None


def test_the_finished_game_of_antipod_is_that_of_the_mail_servers_help():
    picture = (DATA / "antipod_picture_finished.txt").read_text(encoding="utf-8")
    shown = read_sphere(picture, make_game("antipod").topology)
    position = finished_position("antipod")
    assert position is not None
    assert set(position.to_setup().stones) == set(shown.stones)


def test_the_photographed_positions_of_antipode_are_examples(client, db):
    known = json.loads((DATA / "antipode_photographs.json").read_text(encoding="utf-8"))
    found = [
        sample_position("antipode", one)
        for one in game_class("antipode").rule_examples
        if one.after == "Positions from the rules"
    ]
    for position, name in zip(found, ("after_2_plies", "after_10_plies"), strict=True):
        setup = Setup(
            stones=tuple(known["positions"][name]["tokens"].items()),
            pawns=known["positions"][name]["pawns"],
            to_move="blue",
        )
        assert position == make_game("antipode").position(setup)


@pytest.mark.parametrize(("game_id", "number"), ALL)
def test_every_example_links_to_its_analysis(client, db, game_id, number):
    page = client.get(f"/rules/{game_id}/").content.decode()
    example = game_class(game_id).rule_examples[number]
    address = f"/analysis/{game_id}/?{example.analysis_query}".rstrip("?")
    assert f'href="{escape(address)}"' in page
    assert client.get(address).status_code == 200


def test_figures_that_there_are_not_answer_404(client):
    game_id = next(iter(FIGURES))
    figure = FIGURES[game_id][0]
    count = len(figure.drawings)
    for address, status in (
        (f"{game_id}/figures/{figure.letter}-{count - 1}", 200),
        (f"{game_id}/figures/{figure.letter}-{count}", 404),
        (f"{game_id}/figures/none-0", 404),
        (f"chess/figures/{figure.letter}-0", 404),
    ):
        assert client.get(f"/rules/{address}.svg").status_code == status


@pytest.mark.parametrize("game_id", game_ids())
def test_each_example_is_beside_its_paragraph_or_section(client, db, game_id):
    context = client.get(f"/rules/{game_id}/").context
    examples = game_class(game_id).rule_examples
    numbered = [(number, one) for number, one in enumerate(examples)]
    for place, (_, beside) in enumerate(context["parts"]):
        assert beside == [(number, one) for number, one in numbered if one.after == place]
    for section, beside in context["notes"]:
        assert beside == [(number, one) for number, one in numbered if one.after == section.title]
    found = [one for _, beside in (*context["parts"], *context["notes"]) for one in beside]
    assert sorted(number for number, _ in found) == list(range(len(examples)))
    assert [one.id for one in context["others"]] == [one for one in game_ids() if one != game_id]
    assert context["figures"] == FIGURES.get(game_id, ())
    assert context["game"] is game_class(game_id)


@pytest.mark.parametrize("game_id", game_ids())
def test_the_picture_of_a_game_is_its_fullest_example_beside_the_rules(client, db, game_id):
    example = showpiece(game_id)
    beside = [one for one in game_class(game_id).rule_examples if isinstance(one.after, int)]
    assert len(example.moves) == max(len(one.moves) for one in beside)
    number = game_class(game_id).rule_examples.index(example)
    pictures = [client.get(f"/rules/{game_id}{one}.svg") for one in ("", f"/{number}")]
    assert pictures[0].content == pictures[1].content
    assert {one.headers["Cache-Control"] for one in pictures} == {"public, max-age=86400"}


def test_examples_have_their_options_and_moves_in_links():
    start, _, _ = game_class("hex").rule_examples
    one = RuleExample(0, "", {"size": 5, "swap": "off"}, "a3 c2+")
    assert (one.query, one.moves_listed) == ("size=5&swap=off", "a3,c2+")
    assert one.analysis_query == "size=5&swap=off&moves=a3%2Cc2%2B"
    assert (start.query, start.analysis_query) == ("size=5&swap=off", "size=5&swap=off")
    assert RuleExample(0, "").analysis_query == ""
    assert sample_position("hex", game_class("hex").rule_examples[2]).ply == 1


def test_figures_are_drawn_as_the_inventor_numbered_them(client):
    game_id, figures = next(iter(FIGURES.items()))
    for one in figures:
        for number, drawing in enumerate(one.drawings):
            answer = client.get(f"/rules/{game_id}/figures/{one.letter}-{number}.svg")
            assert on_any_page(drawing.svg(bare=True), "sand") in answer.content.decode()
