"""Games between people have fair options unless the players choose others."""

import pytest

from antipodes.games.antipod import FAIR
from antipodes.games.registry import game_ids, make_game
from antipodes.lab.seat_advantage import favourite
from antipodes.web.challenges.services import GameRequest, Opponent, join, request_game
from antipodes.web.matches.fair_options import agreed_game, fair_options
from antipodes.web.matches.models import MatchRow
from antipodes.web.matchmaking.presets import boards_of, preset_game

NEW_GAME = "/new/antipod/"
NEW_TOURNAMENT = "/tournaments/new/?game=antipod&format=swiss"
ODDS = "Black wins about 84\u00a0% of the games between equal players."


@pytest.mark.parametrize("board", boards_of("antipod"))
def test_quick_pairings_and_simuls_of_antipod_are_fair(board):
    game = preset_game("antipod", board)
    assert game.options.extra_stones == FAIR[game.options.side]
    assert favourite(game) is None


@pytest.mark.parametrize("address", [NEW_GAME, NEW_TOURNAMENT])
def test_forms_offer_the_fair_handicap_first_and_the_classic_one_beside_it(client, db, address):
    form = client.get(address).context["form"]
    field = form["option-handicap"]
    assert field.value() == "fair"
    assert dict(field.field.choices)["six"] == "six (classic, the inventor’s)"
    assert ODDS not in client.get(address).content.decode()


@pytest.mark.parametrize("address", [NEW_GAME, NEW_TOURNAMENT])
def test_the_classic_handicap_shows_its_odds(client, db, address):
    page = client.get(address, {"game": "antipod", "format": "swiss", "option-handicap": "six"})
    assert ODDS in page.content.decode()


def test_a_game_of_the_form_is_as_fair_as_it_was_offered(client, db):
    fields = {"opponent": "computer", "level": "1", "control": "unlimited"}
    offered = client.get(NEW_GAME).context["form"]
    for name in offered.option_names.values():
        fields[name] = offered[name].value()
    assert client.post(NEW_GAME, fields).status_code == 302
    assert MatchRow.objects.get().game.options.extra_stones == FAIR[6]


@pytest.mark.parametrize(("handicap", "games"), [("six", "mirrored"), ("fair", "single")])
def test_events_of_games_that_favour_a_colour_are_mirrored(client, db, handicap, games):
    page = client.get(
        NEW_TOURNAMENT, {"game": "antipod", "format": "swiss", "option-handicap": handicap}
    )
    assert page.context["form"]["games"].value() == games


@pytest.mark.parametrize(
    ("options", "stones"),
    [
        ({}, FAIR[6]),
        ({"side": 5}, FAIR[5]),
        ({"side": "5", "swap": "on"}, FAIR[5]),
        ({"handicap": "six"}, 0),
        ({"extra_stones": 0}, 0),
        ({"extra_stones": 2}, 2),
        ({"side": 3}, 0),  # its balance is not measured
        ({"handicap": "none"}, 0),
    ],
)
def test_options_that_players_leave_out_are_fair_and_no_chosen_one_is_changed(options, stones):
    assert agreed_game("antipod", options).options.extra_stones == stones


def test_games_without_known_odds_keep_their_defaults():
    for game_id in game_ids():
        if not fair_options(game_id):
            assert agreed_game(game_id, {}) == make_game(game_id)


@pytest.mark.parametrize(("handicap", "is_told"), [("six", True), ("fair", False)])
def test_pages_of_rated_games_tell_the_odds_that_ratings_know(people, client, handicap, is_told):
    told = "Black wins about 84\u00a0% here, which ratings take into account."
    game = make_game("antipod", {"handicap": handicap})
    challenge = request_game(people[0], GameRequest(game=game, opponent=Opponent.LINK, rated=True))
    page = client.get(f"/c/{challenge.slug}/").content.decode()
    assert (told in page) == is_told
    match = join(challenge.slug, people[1])
    assert match is not None
    assert (told in client.get(f"/m/{match.slug}/").content.decode()) == is_told


def test_only_known_odds_are_told():
    assert favourite(make_game("hex")) is None
    found = favourite(make_game("antipod"))
    assert found is not None
    assert (found[0].value, round(found[1], 2)) == ("black", 0.84)
