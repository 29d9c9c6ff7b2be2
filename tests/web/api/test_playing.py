"""Playing and challenges in the API."""

import pytest

from antipodes.games.antipod import FAIR
from antipodes.web.api.endpoints import matches
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.viewer_state import note_seen
from antipodes.web.platform.clock import now


def test_a_player_is_told_how_many_moves_they_have_seen(ask, row, token, people):
    note_seen(row, people[0], 1)
    assert ask("GET", f"matches/{row.slug}", token()).data["seen"] == 1
    assert ask("GET", f"matches/{row.slug}", token(people[1])).data["seen"] is None


def test_a_player_with_the_scope_read_sees_private_data(ask, row, token):
    assert ask("GET", f"matches/{row.slug}", token()).data["own"] == [0]
    assert ask("GET", f"matches/{row.slug}", token()).data["legal"]
    # A token without the scope sees public data only.
    from antipodes.web.accounts.models import User

    ann = User.objects.get(username="ann")
    assert ask("GET", f"matches/{row.slug}", token(ann, "play")).data["own"] == []


@pytest.mark.parametrize("move", [{"text": "b2"}, {"move": 4}, {"text": "b2", "ply": 0, "seat": 0}])
def test_a_move_is_a_text_or_a_number(ask, row, token, move):
    response = ask("POST", f"matches/{row.slug}/moves", token(), move)
    assert response.status_code == 200
    assert [one["text"] for one in response.data["moves"]] == ["b2"]
    assert response.data["toMove"] == 1


@pytest.mark.parametrize(
    ("move", "status", "code"),
    [
        ({}, 422, "api/body"),
        ({"move": 4, "text": "b2"}, 422, "api/body"),
        ({"move": "4"}, 422, "api/body"),
        ({"move": 4, "speed": "fast"}, 422, "api/body"),
        ({"text": "d9"}, 422, "move/unreadable"),
        ({"text": "?"}, 422, "move/unreadable"),
        ({"move": 99}, 409, "move/out-of-range"),
        ({"move": 4, "ply": 1}, 409, "match/stale"),
        ({"move": 4, "seat": 1}, 403, "match/not-your-seat"),
        ({"move": 4, "key": "short"}, 422, "api/body"),
    ],
)
def test_an_invalid_move_is_refused_with_a_code(ask, row, token, move, status, code):
    response = ask("POST", f"matches/{row.slug}/moves", token(), move)
    assert (response.status_code, response.data["code"]) == (status, code)
    assert response.data["message"]
    assert response.data["faults"][0]["code"] == code
    assert MatchRow.objects.get(slug=row.slug).version == 0


def test_a_repeated_key_has_no_effect(ask, row, token):
    text = token()
    for _ in range(2):
        move = {"text": "b2", "ply": 0, "key": "the same key"}
        assert ask("POST", f"matches/{row.slug}/moves", text, move).status_code == 200
    assert MatchRow.objects.get(slug=row.slug).version == 1


def test_a_whole_game_with_offers_and_conditional_moves(ask, row, token, people):
    ann, bob = token(people[0]), token(people[1])
    base = f"matches/{row.slug}"
    assert ask("POST", f"{base}/offers/pause", ann, {}).data["offers"] == {"pause": [0]}
    assert ask("POST", f"{base}/offers/pause", bob, {"answer": "decline"}).data["offers"] == {}
    plan = {"moves": [{"move": 0, "then": [{"move": 1}]}]}
    assert ask("PUT", f"{base}/conditional-moves", bob, plan).data["conditionalMoves"]["1"]
    after = ask("POST", f"{base}/moves", ann, {"move": 0}).data
    assert [one["source"] for one in after["moves"]] == ["hand", "conditional"]
    assert ask("PUT", f"{base}/resignation", bob, {}).data["resigning"] == [1]
    assert ask("DELETE", f"{base}/resignation", bob).data["resigning"] == []
    over = ask("POST", f"{base}/resign", ann, {}).data
    assert over["result"]
    refused = ask("POST", f"{base}/moves", bob, {"move": 4})
    assert (refused.status_code, refused.data["code"]) == (409, "match/over")
    ask("POST", f"{base}/offers/rematch", ann, {})
    again = ask("POST", f"{base}/offers/rematch", bob, {"answer": "accept"}).data["next"]
    assert ask("GET", f"matches/{again}").status_code == 200


def test_a_draw_cannot_be_offered_where_none_is_possible(ask, row, token):
    response = ask("POST", f"matches/{row.slug}/offers/draw", token(), {})
    assert (response.status_code, response.data["code"]) == (409, "match/no-draws")


def test_a_match_is_aborted_before_the_first_move(ask, row, token):
    response = ask("POST", f"matches/{row.slug}/abort", token(), {})
    assert response.data["result"] == "No result"


def test_a_win_on_time_cannot_be_claimed_early(ask, row, token):
    response = ask("POST", f"matches/{row.slug}/claim-flag", token(), {})
    assert response.status_code == 409


@pytest.mark.parametrize("command", ["claim-win", "claim-draw"])
def test_no_end_is_claimed_in_a_match_without_a_clock(ask, row, token, command):
    response = ask("POST", f"matches/{row.slug}/{command}", token(), {})
    assert (response.status_code, response.data["code"]) == (409, "match/not-live")


def test_legal_moves_have_numbers_and_notation(ask, row):
    response = ask("GET", f"matches/{row.slug}/legal").data
    assert response["total"] == len(response["moves"]) == 9
    assert {"move": 4, "text": "b2"} in response["moves"]
    assert (response["ply"], response["toMove"]) == (0, 0)


def test_a_finished_match_has_no_legal_moves(ask, row, token):
    ask("POST", f"matches/{row.slug}/resign", token(), {})
    found = ask("GET", f"matches/{row.slug}/legal").data
    assert found == {"ply": 0, "toMove": None, "total": 0, "moves": []}


def test_of_many_legal_moves_only_the_first_are_listed(ask, row, monkeypatch):
    monkeypatch.setattr(matches, "_MAX_LEGAL_MOVES", 4)
    found = ask("GET", f"matches/{row.slug}/legal").data
    assert ([one["move"] for one in found["moves"]], found["total"]) == ([0, 1, 2, 3], 9)


@pytest.mark.parametrize("game", ["antipod", "antipalos", "antipode", "hex", "cylindrical-hex"])
def test_every_game_has_a_board_and_records(ask, begin, game):
    slug = begin(game).slug
    board = ask("GET", f"matches/{slug}/board")
    assert board.status_code == 200
    assert board.data["game"] == game
    assert ask("GET", f"matches/{slug}/legal").data["total"] > 0
    assert ask("GET", f"matches/{slug}/record.json").data["game"] == game
    assert ask("GET", f"matches/{slug}/record.sgf").content.startswith(b"(;")


def test_pages_of_own_matches_list_each_match_once(ask, begin, token):
    slugs = {begin(size=3).slug for _ in range(5)}
    text, found = token(), []
    page = ask("GET", "matches?count=2", text).data
    while True:
        found += [one["slug"] for one in page["matches"]]
        if page["next"] is None:
            break
        page = ask("GET", f"matches?count=2&before={page['next']}", text).data
    assert sorted(found) == sorted(slugs)
    assert ask("GET", "matches?state=ended", text).data["matches"] == []


def test_a_match_in_a_list_has_all_its_fields(ask, token, people, clocks, row):
    def person(name):
        return {"name": name, "shown": name, "kind": "account"}

    told = {
        "slug": row.slug,
        "version": 0,
        "game": "hex",
        "title": "Hex · size 3",
        "options": {"size": 3},
        "control": "unlimited",
        "rated": False,
        "private": False,
        "begun": row.begun_at,
        "changed": row.begun_at,
        "ended": None,
        "result": None,
        "winner": None,
        "reason": None,
        "loser": None,
        "toMove": 0,
        "deadline": None,
        "seats": [person("ann"), person("bob")],
        "own": [0],
    }
    assert ask("GET", "matches", token()).data == {"matches": [told], "next": None}
    bob = token(people[1])
    assert ask("GET", "matches", bob).data["matches"] == [{**told, "own": [1]}]
    assert ask("GET", "matches", token(people[2])).data["matches"] == []
    over = ask("POST", f"matches/{row.slug}/resign", bob, {}).data
    assert ask("GET", "matches", bob).data["matches"] == []
    [ended] = ask("GET", "matches?state=ended", bob).data["matches"]
    assert (ended["result"], ended["toMove"]) == (over["result"], None)
    assert ended["ended"] == ended["changed"] == now()


@pytest.mark.parametrize(
    ("query", "found", "following"),
    [
        ("count=5", "abcde", None),
        ("count=4", "abcd", "30"),
        ("count=3", "abc", "40"),
        ("count=2", "a", "50"),
        ("count=2&before=50", "bc", "40"),
        ("count=1&before=50", "bc", "40"),
        ("count=2&before=40", "de", None),
        ("count=1&before=30", "e", None),
        ("count=1&before=10", "", None),
    ],
)
def test_matches_of_the_same_time_are_on_one_page(ask, begin, token, query, found, following):
    names = {}
    for name, at in zip("edcba", (20, 30, 40, 40, 50), strict=True):
        slug = begin(size=3).slug
        MatchRow.objects.filter(slug=slug).update(begun_at=at)
        names[slug] = name
    page = ask("GET", f"matches?{query}", token()).data
    assert ("".join(names[one["slug"]] for one in page["matches"]), page["next"]) == (
        found,
        following,
    )


def test_chat_of_players_is_hidden_from_spectators(ask, row, token, people):
    sent = ask("POST", f"matches/{row.slug}/chat", token(), {"text": "good luck"})
    assert sent.status_code == 201
    assert ask("GET", f"matches/{row.slug}/chat", token(people[1])).data["lines"][0]["text"] == (
        "good luck"
    )
    assert ask("GET", f"matches/{row.slug}/chat").data["lines"] == []
    assert ask("POST", f"matches/{row.slug}/chat", token(), {"text": " "}).status_code == 422


def test_messages_of_a_match_are_sent_once_with_a_key(ask, row, token, people):
    path = f"matches/{row.slug}/chat"
    data = {"text": "good luck", "key": "a key of mine"}
    sent = [ask("POST", path, token(), data).data for _ in range(2)]
    assert sent[0] == sent[1]
    assert (sent[0]["name"], sent[0]["text"], sent[0]["own"]) == ("ann", "good luck", True)
    for _ in range(2):
        ask("POST", path, token(), {"text": "again"})
    lines = ask("GET", path, token(people[1])).data["lines"]
    told = [(one["text"], one["own"]) for one in lines]
    assert told == [("good luck", False), ("again", False), ("again", False)]
    assert [one["own"] for one in ask("GET", path, token()).data["lines"]] == [True] * 3
    said = ask("POST", path, token(people[2]), {"text": "a spectator"}).data
    assert said["room"] == "spectators"


def test_notes_are_private(ask, row, token, people):
    ask("PUT", f"matches/{row.slug}/notes", token(), {"text": "mine alone"})
    assert ask("GET", f"matches/{row.slug}/notes", token()).data == {"text": "mine alone"}
    assert ask("GET", f"matches/{row.slug}/notes", token(people[1])).data == {"text": ""}


# Challenges.


def test_a_challenge_is_made_listed_joined_and_becomes_a_match(ask, token, people):
    ann, bob = token(people[0]), token(people[1])
    made = ask("POST", "challenges", ann, {"game": "hex", "options": {"size": 3}})
    assert made.status_code == 201
    slug = made.data["challenge"]["slug"]
    assert [one["slug"] for one in ask("GET", "challenges?which=open").data] == [slug]
    assert ask("GET", "challenges?game=antipod").data == []
    joined = ask("POST", f"challenges/{slug}/join", bob, {})
    match = joined.data["match"]["slug"]
    assert ask("GET", f"challenges/{slug}").data["match"] == match
    assert ask("GET", "challenges").data == []
    assert ask("POST", f"challenges/{slug}/join", bob, {}).status_code == 409


def test_a_match_against_the_computer_begins_at_once(ask, token):
    made = ask("POST", "challenges", token(), {"game": "hex", "opponent": "computer", "seat": 0})
    assert [one["kind"] for one in made.data["match"]["seats"]] == ["account", "computer"]


def test_an_invitation_is_declined_and_a_challenge_cancelled(ask, token, people):
    ann, bob = token(people[0]), token(people[1])
    wanted = {"game": "hex", "opponent": "people", "people": ["bob"]}
    slug = ask("POST", "challenges", ann, wanted).data["challenge"]["slug"]
    assert [one["slug"] for one in ask("GET", "challenges?which=mine", bob).data] == [slug]
    assert ask("POST", f"challenges/{slug}/join", token(people[2]), {}).status_code == 403
    assert ask("POST", f"challenges/{slug}/decline", bob).status_code == 204
    assert not ChallengeRow.objects.exists()
    slug = ask("POST", "challenges", ann, wanted).data["challenge"]["slug"]
    assert ask("DELETE", f"challenges/{slug}", bob).status_code == 404
    assert ask("DELETE", f"challenges/{slug}", ann).status_code == 204
    assert ask("DELETE", f"challenges/{slug}", ann).status_code == 404


def test_free_seats_are_filled_with_the_computer(ask, token):
    ann = token()
    wanted = {"game": "antipalos", "options": {"seats": "cutthroat3"}}
    slug = ask("POST", "challenges", ann, wanted).data["challenge"]["slug"]
    filled = ask("POST", f"challenges/{slug}/fill", ann, {"level": 2})
    assert filled.status_code == 200
    assert len(filled.data["match"]["seats"]) == 3


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"game": "chess"}, "game/unknown"),
        ({"game": "hex", "options": {"size": 99}}, "option/out-of-range"),
        ({"game": "hex", "options": {"hills": 1}}, "option/unknown"),
        ({"game": "hex", "control": "soon"}, "clock/unreadable"),
        ({"game": "hex", "opponent": "people"}, "people/nobody"),
        ({"game": "hex", "opponent": "people", "people": ["missing-9"]}, "people/unknown"),
        ({"game": "hex", "opponent": "people", "people": ["ann"]}, "people/yourself"),
        ({"game": "hex", "points": 6}, "match-play/no-such-game"),
        ({"game": "hex", "level": 10, "opponent": "computer"}, "api/body"),
        ({}, "api/body"),
    ],
)
def test_an_invalid_challenge_is_refused_with_a_code(ask, token, wanted, code):
    response = ask("POST", "challenges", token(), wanted)
    assert (response.status_code, response.data["code"]) == (422, code)
    assert not ChallengeRow.objects.exists()
    assert not MatchRow.objects.exists()


def test_a_bot_joins_a_rated_game_only_by_invitation(ask, token, people):
    bot, ann = token(people[1]), token(people[0])
    ask("PUT", "account/bot", bot)
    wanted = {"game": "hex", "rated": True}
    slug = ask("POST", "challenges", ann, wanted).data["challenge"]["slug"]
    refused = ask("POST", f"challenges/{slug}/join", bot, {})
    assert (refused.status_code, refused.data["code"]) == (409, "bot/rated")
    invited = {**wanted, "opponent": "people", "people": ["bob"]}
    slug = ask("POST", "challenges", ann, invited).data["challenge"]["slug"]
    assert ask("POST", f"challenges/{slug}/join", bot, {}).data["match"]["rated"]
    # A player who joins the challenge of a bot sees that it is one.
    slug = ask("POST", "challenges", bot, wanted).data["challenge"]["slug"]
    assert ask("POST", f"challenges/{slug}/join", ann, {}).data["match"]["rated"]


# Errors.


def test_an_unknown_address_gets_a_problem(ask):
    for path in ("/api/v1/nothing", "/api/v2/games", "/api/nothing/at/all"):
        response = ask("GET", path)
        assert (response.status_code, response.data["code"]) == (404, "api/not-found")


def test_a_method_that_is_not_allowed_gets_a_problem(ask, db):
    response = ask("DELETE", "games")
    assert (response.status_code, response.data["code"]) == (405, "api/method")
    assert response.headers["Allow"] == "GET"


@pytest.mark.parametrize("body", ["", "not json", "[", "[]", "null", '{"text": 1e999}', "NaN"])
def test_a_body_that_is_not_json_gets_a_problem(ask, client, row, token, body):
    response = client.generic(
        "POST",
        f"/api/v1/matches/{row.slug}/moves",
        body,
        content_type="application/json",
        headers={"authorization": f"Bearer {token()}"},
    )
    assert (response.status_code, response.json()["code"]) == (422, "api/body")


@pytest.mark.parametrize("level", [0, 10, "best"])
def test_a_wrong_level_is_one_fault(ask, token, level):
    wanted = {"game": "hex", "opponent": "computer", "level": level}
    refused = ask("POST", "challenges", token(), wanted)
    [fault] = refused.data["faults"]
    assert (refused.status_code, fault["where"]) == (422, "level")
    words = "level: a level is a number from 1 to 9, or 'pairing'"
    assert fault["message"] == f"{words} (given: {level!r})"


def test_the_pairing_strategy_is_a_level_where_it_applies(ask, token):
    wanted = {"game": "antipod", "opponent": "computer", "level": "pairing"}
    refused = ask("POST", "challenges", token(), wanted)
    assert (refused.status_code, refused.data["code"]) == (422, "pairing/handicap")
    begun = ask("POST", "challenges", token(), {**wanted, "options": {"handicap": "none"}})
    assert begun.status_code == 201, begun.data
    assert begun.data["match"]


def test_challenges_are_fair_and_classic_by_one_word(ask, token):
    wanted = {"game": "antipod", "opponent": "anybody"}
    for options, given in (({}, {"extra_stones": FAIR[6]}), ({"handicap": "six"}, {})):
        made = ask("POST", "challenges", token(), {**wanted, "options": options})
        assert made.data["challenge"]["options"] == given


def test_a_fair_handicap_is_offered_and_becomes_its_stones(ask, token):
    options = {one["name"]: one for one in ask("GET", "games/antipod").data["options"]}
    assert "fair" in options["handicap"]["choices"][0]["values"]
    wanted = {"game": "antipod", "opponent": "anybody"}
    fair = {"side": 5, "handicap": "fair"}
    made = ask("POST", "challenges", token(), {**wanted, "options": fair})
    assert made.status_code == 201, made.data
    assert made.data["challenge"]["options"] == {"side": 5, "extra_stones": FAIR[5]}
    more = {**fair, "extra_stones": FAIR[5] + 1}
    refused = ask("POST", "challenges", token(), {**wanted, "options": more})
    assert (refused.status_code, refused.data["code"]) == (422, "option/conflict")
    assert f"stands for {FAIR[5]}" in refused.data["message"]
