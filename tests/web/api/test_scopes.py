"""Each scope with each operation: what a token may be used for, cell by cell."""

import re

import pytest

from antipodes.web.api.interface import document
from antipodes.web.api.tokens import Scope

OPERATIONS = {
    operation["operationId"]: (method.upper(), path, operation.get("x-scope"))
    for path, methods in document()["paths"].items()
    for method, operation in methods.items()
}
# What each operation needs, told a second time: a change here is a change of what tokens open.
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
        "stream_match",
        "get_person",
        "get_leaderboard",
        "list_clubs",
        "get_club",
        "list_members",
        "search_games",
        "get_statistics",
        "get_review",
    },
    "read": {
        "get_account",
        "get_profile",
        "get_notice_choices",
        "get_away",
        "list_matches",
        "list_searches",
        "get_notes",
        "list_notices",
        "list_door",
        "list_club_links",
        "stream_events",
    },
    "play": {
        "play_move",
        "resign",
        "queue_resignation",
        "withdraw_resignation",
        "answer_offer",
        "abort",
        "claim_flag",
        "go_on_vacation",
        "come_back",
        "make_plan",
        "ask_analysis",
        "get_analysis",
        "ask_hint",
        "be_away",
        "be_back",
    },
    "challenge": {
        "make_challenge",
        "join_challenge",
        "leave_challenge",
        "decline_challenge",
        "fill_challenge",
        "cancel_challenge",
        "begin_search",
        "get_search",
        "stop_search",
    },
    "chat": {"say"},
    "profile": {
        "become_bot",
        "stop_being_bot",
        "write_notes",
        "write_profile",
        "choose_notices",
        "follow",
        "unfollow",
        "block",
        "unblock",
        "see_notices",
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


def test_every_operation_needs_the_scope_that_it_should():
    for scope, names in NEEDS.items():
        assert {name for name, (_m, _p, needed) in OPERATIONS.items() if needed == scope} == names


# Streams go on for ever once they have let somebody in; their own tests look at them.
CELLS = [name for name in OPERATIONS if not name.startswith("stream_")]


@pytest.mark.parametrize("scope", [None, *Scope])
def test_a_token_opens_exactly_what_its_scope_says(ask, people, token, scope):
    text = token(people[0], scope) if scope else None
    for name in CELLS:
        method, path, needed = OPERATIONS[name]
        address = re.sub(r"{kind}", "draw", re.sub(r"{(slug|game_id|name|token)}", "nowhere", path))
        answer = ask(method, address, text, {} if method in {"POST", "PUT", "PATCH"} else None)
        code = (answer.data or {}).get("code") if isinstance(answer.data, dict) else None
        if needed is None or needed == scope:
            assert code not in {"api/no-token", "api/scope", "api/bad-token"}, name
            assert answer.status_code < 500, name
        else:
            expected = (401, "api/no-token") if scope is None else (403, "api/scope")
            assert (answer.status_code, code) == expected, name


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name.startswith("stream_")])
def test_streams_let_in_only_those_with_the_scope(ask, people, token, name):
    method, path, needed = OPERATIONS[name]
    address = path.replace("{slug}", "nowhere")
    if needed is not None:
        assert ask(method, address).status_code == 401
        assert ask(method, address, token(people[0], "play")).status_code == 403
    else:
        assert ask(method, address).status_code == 404


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_bad_token_opens_nothing_at_all(ask, db, name):
    method, path, _needed = OPERATIONS[name]
    address = re.sub(r"{\w+}", "nowhere", path)
    answer = ask(method, address, "atp_bad", {} if method in {"POST", "PUT", "PATCH"} else None)
    assert (answer.status_code, answer.data["code"]) == (401, "api/bad-token")
