"""Laws of playing by program: what sockets can do, addresses can too."""

import pytest

from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import MatchRow


@pytest.fixture
def row(begin):
    """A match of Hex between Ann and Bob; Ann is to move."""
    return begin(size=3)


def test_everybody_may_look_at_a_public_match(ask, row):
    answer = ask("GET", f"matches/{row.slug}")
    assert answer.status_code == 200
    assert answer.data["slug"] == row.slug
    assert (answer.data["own"], answer.data["legal"]) == ([], [])


def test_whoever_plays_sees_what_is_for_players(ask, row, token):
    assert ask("GET", f"matches/{row.slug}", token()).data["own"] == [0]
    assert ask("GET", f"matches/{row.slug}", token()).data["legal"]
    # A token that may not read sees what everybody sees.
    from antipodes.web.accounts.models import User

    ann = User.objects.get(username="ann")
    assert ask("GET", f"matches/{row.slug}", token(ann, "play")).data["own"] == []


@pytest.mark.parametrize("move", [{"text": "b2"}, {"move": 4}, {"text": "b2", "ply": 0, "seat": 0}])
def test_a_move_is_made_by_text_or_by_number(ask, row, token, move):
    answer = ask("POST", f"matches/{row.slug}/moves", token(), move)
    assert answer.status_code == 200
    assert [one["text"] for one in answer.data["moves"]] == ["b2"]
    assert answer.data["toMove"] == 1


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
def test_a_move_that_is_none_is_refused_with_a_code(ask, row, token, move, status, code):
    answer = ask("POST", f"matches/{row.slug}/moves", token(), move)
    assert (answer.status_code, answer.data["code"]) == (status, code)
    assert answer.data["message"]
    assert answer.data["faults"][0]["code"] == code
    assert MatchRow.objects.get(slug=row.slug).version == 0


def test_a_command_with_the_same_key_is_carried_out_once(ask, row, token):
    text = token()
    for _ in range(2):
        move = {"text": "b2", "ply": 0, "key": "the same key"}
        assert ask("POST", f"matches/{row.slug}/moves", text, move).status_code == 200
    assert MatchRow.objects.get(slug=row.slug).version == 1


def test_nobody_plays_for_another(ask, row, token, people):
    answer = ask("POST", f"matches/{row.slug}/moves", token(people[2]), {"text": "b2"})
    assert (answer.status_code, answer.data["code"]) == (403, "match/not-your-seat")


def test_a_whole_game_is_played_with_offers_plans_and_an_end(ask, row, token, people):
    ann, bob = token(people[0]), token(people[1])
    base = f"matches/{row.slug}"
    assert ask("POST", f"{base}/offers/pause", ann, {}).data["offers"] == {"pause": [0]}
    assert ask("POST", f"{base}/offers/pause", bob, {"answer": "decline"}).data["offers"] == {}
    plan = {"plan": [{"move": 0, "then": [{"move": 1}]}]}
    assert ask("PUT", f"{base}/plan", bob, plan).data["plans"]["1"]
    after = ask("POST", f"{base}/moves", ann, {"move": 0}).data
    assert [one["source"] for one in after["moves"]] == ["hand", "plan"]
    assert ask("PUT", f"{base}/resignation", bob, {}).data["resigning"] == [1]
    assert ask("DELETE", f"{base}/resignation", bob).data["resigning"] == []
    over = ask("POST", f"{base}/resign", ann, {}).data
    assert over["result"]
    refused = ask("POST", f"{base}/moves", bob, {"move": 4})
    assert (refused.status_code, refused.data["code"]) == (409, "match/over")
    ask("POST", f"{base}/offers/rematch", ann, {})
    again = ask("POST", f"{base}/offers/rematch", bob, {"answer": "accept"}).data["next"]
    assert ask("GET", f"matches/{again}").status_code == 200


def test_no_draw_is_offered_in_a_game_that_always_has_a_winner(ask, row, token):
    answer = ask("POST", f"matches/{row.slug}/offers/draw", token(), {})
    assert (answer.status_code, answer.data["code"]) == (409, "match/no-draws")


def test_a_game_is_called_off_before_the_first_move(ask, row, token):
    answer = ask("POST", f"matches/{row.slug}/abort", token(), {})
    assert answer.data["result"] == "No result"


def test_time_that_is_left_cannot_be_claimed(ask, row, token):
    answer = ask("POST", f"matches/{row.slug}/claim-flag", token(), {})
    assert answer.status_code == 409


def test_legal_moves_have_numbers_and_texts(ask, row):
    answer = ask("GET", f"matches/{row.slug}/legal").data
    assert answer["total"] == len(answer["moves"]) == 9
    assert {"move": 4, "text": "b2"} in answer["moves"]


@pytest.mark.parametrize("game", ["antipod", "antipalos", "antipode", "hex", "cylindrical-hex"])
def test_board_and_records_of_every_game_are_told(ask, begin, game):
    slug = begin(game).slug
    board = ask("GET", f"matches/{slug}/board")
    assert board.status_code == 200
    assert board.data["game"] == game
    assert ask("GET", f"matches/{slug}/legal").data["total"] > 0
    assert ask("GET", f"matches/{slug}/record.json").data["game"] == game
    assert ask("GET", f"matches/{slug}/record.sgf").content.startswith(b"(;")


def test_a_private_match_is_not_there_for_others(ask, row, token, people):
    MatchRow.objects.filter(pk=row.pk).update(is_private=True)
    for path in ("", "/board", "/legal", "/record.json", "/record.sgf", "/chat"):
        for who in (None, token(people[2])):
            answer = ask("GET", f"matches/{row.slug}{path}", who)
            assert (answer.status_code, answer.data["code"]) == (404, "api/not-found")
        assert ask("GET", f"matches/{row.slug}{path}", token()).status_code == 200
    answer = ask("POST", f"matches/{row.slug}/moves", token(people[2]), {"text": "b2"})
    assert answer.status_code == 404


def test_own_matches_are_listed_page_by_page_each_once(ask, begin, token):
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


def test_chat_is_said_and_read_in_the_right_room(ask, row, token, people):
    said = ask("POST", f"matches/{row.slug}/chat", token(), {"text": "good luck"})
    assert said.status_code == 201
    assert ask("GET", f"matches/{row.slug}/chat", token(people[1])).data["lines"][0]["text"] == (
        "good luck"
    )
    assert ask("GET", f"matches/{row.slug}/chat").data["lines"] == []
    assert ask("POST", f"matches/{row.slug}/chat", token(), {"text": " "}).status_code == 422


def test_notes_are_private(ask, row, token, people):
    ask("PUT", f"matches/{row.slug}/notes", token(), {"text": "mine alone"})
    assert ask("GET", f"matches/{row.slug}/notes", token()).data == {"text": "mine alone"}
    assert ask("GET", f"matches/{row.slug}/notes", token(people[1])).data == {"text": ""}


# Challenges.


def test_a_challenge_is_made_found_joined_and_becomes_a_match(ask, token, people):
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


def test_against_the_computer_the_match_begins_at_once(ask, token):
    made = ask("POST", "challenges", token(), {"game": "hex", "opponent": "computer", "seat": 0})
    assert [one["kind"] for one in made.data["match"]["seats"]] == ["account", "computer"]


def test_an_invitation_is_declined_and_a_challenge_taken_back(ask, token, people):
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
        ({"game": "hex", "opponent": "people", "people": ["nobody-9"]}, "people/unknown"),
        ({"game": "hex", "opponent": "people", "people": ["ann"]}, "people/yourself"),
        ({"game": "hex", "points": 6}, "match-play/no-such-game"),
        ({"game": "hex", "level": 10, "opponent": "computer"}, "api/body"),
        ({}, "api/body"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_code(ask, token, wanted, code):
    answer = ask("POST", "challenges", token(), wanted)
    assert (answer.status_code, answer.data["code"]) == (422, code)
    assert not ChallengeRow.objects.exists()
    assert not MatchRow.objects.exists()


def test_a_bot_joins_a_rated_game_only_if_it_is_invited(ask, token, people):
    bot, ann = token(people[1]), token(people[0])
    ask("PUT", "account/bot", bot)
    wanted = {"game": "hex", "rated": True}
    slug = ask("POST", "challenges", ann, wanted).data["challenge"]["slug"]
    refused = ask("POST", f"challenges/{slug}/join", bot, {})
    assert (refused.status_code, refused.data["code"]) == (409, "bot/rated")
    invited = {**wanted, "opponent": "people", "people": ["bob"]}
    slug = ask("POST", "challenges", ann, invited).data["challenge"]["slug"]
    assert ask("POST", f"challenges/{slug}/join", bot, {}).data["match"]["rated"]
    # Whoever joins the challenge of a bot knows that it is one.
    slug = ask("POST", "challenges", bot, wanted).data["challenge"]["slug"]
    assert ask("POST", f"challenges/{slug}/join", ann, {}).data["match"]["rated"]


# Errors are told in one way.


def test_what_is_not_there_is_told_as_json(ask):
    for path in ("/api/v1/nothing", "/api/v2/games", "/api/nothing/at/all"):
        answer = ask("GET", path)
        assert (answer.status_code, answer.data["code"]) == (404, "api/not-found")


def test_a_method_that_is_not_possible_is_told_as_json(ask, db):
    answer = ask("DELETE", "games")
    assert (answer.status_code, answer.data["code"]) == (405, "api/method")
    assert answer.headers["Allow"] == "GET"


@pytest.mark.parametrize("body", ["", "no json", "[", "[]", "null", '{"text": 1e999}', "NaN"])
def test_a_body_that_is_no_json_is_told_as_json(ask, client, row, token, body):
    answer = client.generic(
        "POST",
        f"/api/v1/matches/{row.slug}/moves",
        body,
        content_type="application/json",
        headers={"authorization": f"Bearer {token()}"},
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "api/body")


def test_a_program_plays_with_the_pairing_strategy_where_it_applies(ask, token):
    wanted = {"game": "antipod", "opponent": "computer", "level": "pairing"}
    refused = ask("POST", "challenges", token(), wanted)
    assert (refused.status_code, refused.data["code"]) == (422, "pairing/handicap")
    begun = ask("POST", "challenges", token(), {**wanted, "options": {"handicap": "none"}})
    assert begun.status_code == 201, begun.data
    assert begun.data["match"]
