"""Every scope with every operation."""

import re
from typing import Any

import pytest

from antipodes.games.registry import make_game
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.api.api import openapi_document
from antipodes.web.challenges import services as lobby
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.clubs.models import ClubRow, MemberRow, Role
from antipodes.web.notifications import services
from antipodes.web.notifications.kinds import NotificationKind
from tests.cases import for_each
from tests.thorough import sample

OPERATIONS = {
    operation["operationId"]: (method.upper(), path, operation.get("x-scope"))
    for path, methods in openapi_document()["paths"].items()
    for method, operation in methods.items()
}
# The expected scope of each operation: a change here changes what tokens grant.
NEEDS = {
    None: {
        "list_games",
        "get_game",
        "list_levels",
        "list_challenges",
        "get_challenge",
        "get_match",
        "get_board",
        "get_legal_moves",
        "get_record",
        "get_sgf",
        "get_chat",
        "get_lobby_chat",
        "get_tournament_chat",
        "get_simul_chat",
        "stream_match",
        "stream_tournament",
        "get_person",
        "get_leaderboard",
        "list_clubs",
        "get_club",
        "list_members",
        "search_games",
        "get_statistics",
        "get_review",
        "get_daily_puzzle",
        "get_next_puzzle",
        "get_puzzle",
        "list_courses",
        "get_course",
        "get_step",
        "list_simuls",
        "get_simul",
        "list_studies",
        "get_study",
        "get_chapter",
        "get_crosstable",
        "list_tournaments",
        "get_tournament",
        "get_standings",
        "get_pairings",
        "get_season",
    },
    "studies": {"make_study", "add_chapter", "edit_chapter"},
    "tournaments": {
        "make_tournament",
        "join_tournament",
        "check_in_tournament",
        "leave_tournament",
        "direct_tournament",
        "challenge_in_ladder",
    },
    "read": {
        "get_account",
        "get_profile",
        "get_notification_settings",
        "get_away",
        "list_matches",
        "list_searches",
        "list_open_searches",
        "get_notes",
        "list_notifications",
        "list_door",
        "list_club_links",
        "stream_events",
        "list_tries",
        "get_solver",
        "get_progress",
    },
    "play": {
        "play_move",
        "resign",
        "queue_resignation",
        "withdraw_resignation",
        "answer_offer",
        "abort",
        "claim_flag",
        "claim_win",
        "claim_draw",
        "go_on_vacation",
        "come_back",
        "set_conditional_moves",
        "ask_analysis",
        "get_analysis",
        "ask_hint",
        "be_away",
        "be_back",
        "answer_puzzle",
        "show_solution",
        "answer_step",
    },
    "challenge": {
        "make_challenge",
        "begin_practice",
        "join_challenge",
        "leave_challenge",
        "decline_challenge",
        "fill_challenge",
        "cancel_challenge",
        "begin_search",
        "accept_search",
        "get_search",
        "stop_search",
        "make_simul",
        "join_simul",
        "leave_simul",
        "begin_simul",
        "cancel_simul",
    },
    "chat": {"say", "say_in_lobby", "say_in_tournament", "say_in_simul"},
    "profile": {
        "become_bot",
        "stop_being_bot",
        "write_notes",
        "write_profile",
        "change_notification_settings",
        "follow",
        "unfollow",
        "block",
        "unblock",
        "mark_notifications_seen",
    },
    "clubs": {
        "join_club",
        "leave_club",
        "found_club",
        "change_club",
        "close_club",
        "ask_club",
        "decline_club",
        "invite_to_club",
        "send_from_door",
        "let_into_club",
        "change_member",
        "remove_member",
        "make_club_link",
        "revoke_club_link",
        "use_club_link",
    },
}


def test_every_operation_needs_the_expected_scope():
    for scope, names in NEEDS.items():
        assert {name for name, (_m, _p, needed) in OPERATIONS.items() if needed == scope} == names


# Streams do not end; they have their own tests.
WITHOUT_STREAMS = [name for name in OPERATIONS if not name.startswith("stream_")]


@pytest.mark.parametrize("scope", sample([None, *Scope], 3))
def test_a_token_grants_exactly_its_scopes(ask, people, token, scope):
    text = token(people[0], scope) if scope else None
    for name in WITHOUT_STREAMS:
        method, path, needed = OPERATIONS[name]
        named = path.replace("{kind}", "draw").replace("{number}", "1")
        address = re.sub(
            r"{(slug|game_id|name|token|puzzle_id|course_id|step_id)}", "nowhere", named
        )
        response = ask(method, address, text, {} if method in {"POST", "PUT", "PATCH"} else None)
        code = (response.data or {}).get("code") if isinstance(response.data, dict) else None
        if needed is None or needed == scope:
            assert code not in {"api/no-token", "api/scope", "api/bad-token"}, name
            assert response.status_code < 500, name
        else:
            expected = (401, "api/no-token") if scope is None else (403, "api/scope")
            assert (response.status_code, code) == expected, name


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name.startswith("stream_")])
def test_streams_need_their_scope(ask, people, token, name):
    method, path, needed = OPERATIONS[name]
    address = path.replace("{slug}", "nowhere")
    if needed is not None:
        assert ask(method, address).status_code == 401
        assert ask(method, address, token(people[0], "play")).status_code == 403
    else:
        assert ask(method, address).status_code == 404


@for_each("name", OPERATIONS)
def test_a_bad_token_is_refused_by_every_operation(ask, db, name):
    method, path, _needed = OPERATIONS[name]
    address = re.sub(r"{\w+}", "nowhere", path)
    response = ask(method, address, "atp_bad", {} if method in {"POST", "PUT", "PATCH"} else None)
    assert (response.status_code, response.data["code"]) == (401, "api/bad-token")


# A token without the scope read sees public data only. So changes respond with the new state only
# to tokens with that scope, except these, by what their responses show:
RESPOND_WITHOUT_READ = {
    "get_analysis": "a position sent with the same scope",
    "ask_analysis": "as above",
    "ask_hint": "only the hint",
    "take_job": "a position without names",
    "be_away": "the data sent",
    "be_back": "that the absence is over",
    "write_notes": "the data sent",
    "write_profile": "the public profile",
    "make_challenge": "the new challenge",
    "join_challenge": "the challenge, or the match if it begins",
    "fill_challenge": "the match that begins",
    "accept_search": "the match that begins",
    "answer_puzzle": "the judgement of the move",
    "show_solution": "the solution, which is public",
    "answer_step": "the judgement of the answer",
    "begin_practice": "the new match",
    "begin_search": "the new seek",
    "make_simul": "the new simul",
    "make_study": "the new study",
    "add_chapter": "the new chapter",
    "make_tournament": "the new tournament",
    "get_search": "a seek made with the same scope",
    "stop_search": "the match, if an opponent was found just before",
    "say": "the message sent",
    "say_in_lobby": "as above",
    "say_in_tournament": "as above",
    "say_in_simul": "as above",
    "found_club": "the new club",
    "make_club_link": "the new link",
}
STATUSES = {
    operation["operationId"]: {str(status) for status in operation["responses"]}
    for methods in openapi_document()["paths"].values()
    for operation in methods.values()
}
# Responses with the scope play show the match.
PLAYING = {
    name for name, (_m, path, needed) in OPERATIONS.items() if needed == "play" and "{slug}" in path
}


def test_every_response_without_read_is_empty_or_listed():
    for name, (_method, _path, needed) in OPERATIONS.items():
        is_listed = name in RESPOND_WITHOUT_READ or name in PLAYING
        if needed not in {None, "read"}:
            assert ("204" in STATUSES[name]) != is_listed, name


def make_private_data(people):
    """Make private data of each kind for Ann."""
    services.notify(people[0], NotificationKind.MODERATION, key="one", text="a private word")
    club = ClubRow.objects.create(name="Secret", slug="secret", made_at=1, is_public=False)
    MemberRow.objects.create(club=club, user=people[0], role=Role.OWNER, since=1)
    MemberRow.objects.create(club=club, user=people[1], since=1)
    game = GameRequest(game=make_game("hex"), opponent=Opponent.PEOPLE, people=(people[0],))
    lobby.request_game(people[1], game)


CHANGES: list[Any] = [
    ("profile", "POST", "notices/seen", {}, "private word"),
    ("profile", "POST", "notices/seen", {"ids": []}, "private word"),
    ("profile", "PATCH", "account/notices", {}, "daily"),
    ("profile", "PUT", "account/bot", None, "ann"),
    ("profile", "DELETE", "account/bot", None, "ann"),
    ("profile", "PUT", "people/cy/follow", None, "followed"),
    ("profile", "DELETE", "people/cy/follow", None, "blocked"),
    ("profile", "PUT", "people/cy/block", None, "blocked"),
    ("profile", "DELETE", "people/cy/block", None, "followed"),
    ("clubs", "PATCH", "clubs/secret", {}, "Secret"),
    ("clubs", "PUT", "clubs/secret/door/cy", None, "Secret"),
    ("clubs", "PATCH", "clubs/secret/members/bob", {"role": "officer"}, "officer"),
]


@pytest.mark.parametrize(("scope", "method", "path", "body", "private"), CHANGES)
def test_a_change_without_read_gets_no_content(
    ask, people, token, scope, method, path, body, private
):
    make_private_data(people)
    changed = ask(method, path, token(people[0], scope), body)
    assert (changed.status_code, changed.content) == (204, b"")
    readable = ask(method, path, token(people[0], scope, "read"), body)
    assert readable.status_code == 200, readable.content
    if "notices/seen" not in path or body:
        assert private in readable.content.decode()


def test_marking_as_read_without_read_does_not_show_notifications(ask, people, token):
    make_private_data(people)
    response = ask("POST", "notices/seen", token(people[0], "profile"), {"ids": []})
    assert b"private word" not in response.content
    response = ask("POST", "notices/seen", token(people[0], "profile", "read"), {"ids": []})
    assert b"private word" in response.content
