"""Matches from the first page to the end."""

import json

import pytest

from antipodes.clocks import read_control
from antipodes.core import Color
from antipodes.errors import InputError, MatchError
from antipodes.games.registry import game_class, game_ids, make_game
from antipodes.match import (
    Abort,
    Accept,
    CancelResignation,
    ConditionalMoves,
    Decline,
    EndVacation,
    Offer,
    OfferKind,
    Play,
    QueueResignation,
    Resign,
    Resume,
    SetConditionalMoves,
    StartVacation,
    Terms,
)
from antipodes.records import Reason, Result
from antipodes.web.accounts.models import User
from antipodes.web.matches import following
from antipodes.web.matches.following import follow_match
from antipodes.web.matches.labels import (
    length_word,
    pairing_choice,
    pairing_conditions,
    size_choices,
)
from antipodes.web.matches.messages import CommandMessage, command_of, read_message
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.selectors import match_line, own_matches
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.snapshots import look_up, match_json
from antipodes.web.matches.viewer_state import note_seen
from antipodes.web.platform.client_json import read_object
from antipodes.web.platform.clock import now

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("game_id", game_ids())
def test_a_newcomer_plays_the_computer_at_once(client, game_id):
    answer = client.post(f"/play/{game_id}/", follow=True)
    assert answer.status_code == 200
    row = MatchRow.objects.get()
    assert row.seats.get(number=0).user.is_guest
    assert client.get(f"/m/{row.slug}/board.json").json()["places"]
    view = client.get(f"/m/{row.slug}/match.json").json()
    assert view["own"] == [0]
    assert len(view["legal"]) == len(row.game.initial().legal_moves)


def test_a_guest_keeps_their_identity(client):
    for _ in range(2):
        client.post("/play/hex/")
    assert User.objects.filter(is_guest=True).count() == 1


def test_changes_survive_a_restart(row):
    match, _ = carry_out(row.slug, Play(seat=0, ply=0, key="one move", move=4))
    again = MatchRow.objects.get(slug=row.slug)
    assert again.match() == match
    assert again.seat_to_move == 1


KEY = "a key of 8 characters or more"
PLAN = [
    {"move": 4, "then": [{"move": 0, "then": []}]},
    {"move": 5, "then": [{"move": 5, "then": [{"move": 1, "then": []}]}]},
]


def common(**details):
    return {"seat": 1, "ply": 0, "key": KEY, **details}


def command_from(data, snapshot, user):
    message = read_message(data)
    assert isinstance(message, CommandMessage)
    return command_of(message, snapshot, user)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"command": "resign"}, Resign(**common())),
        ({"command": "abort"}, Abort(**common())),
        ({"command": "vacation"}, StartVacation(**common())),
        ({"command": "back"}, EndVacation(**common())),
        ({"command": "queue-resignation"}, QueueResignation(**common())),
        ({"command": "queue-resignation", "on": True}, QueueResignation(**common())),
        ({"command": "queue-resignation", "on": False}, CancelResignation(**common())),
        ({"command": "play", "move": 0}, Play(**common(), move=0)),
        ({"command": "play", "move": 2**53 - 1}, Play(**common(), move=2**53 - 1)),
        ({"command": "play", "text": "b2"}, Play(**common(), move=4)),
        (
            {"command": "conditional-moves", "moves": PLAN},
            SetConditionalMoves(**common(), moves=ConditionalMoves.read(PLAN)),
        ),
        ({"command": "offer", "kind": "pause"}, Offer(**common(), kind=OfferKind.PAUSE)),
        ({"command": "accept", "kind": "draw"}, Accept(**common(), kind=OfferKind.DRAW)),
        ({"command": "decline", "kind": "draw"}, Decline(**common(), kind=OfferKind.DRAW)),
        ({"command": "decline", "kind": "pause"}, Decline(**common(), kind=OfferKind.PAUSE)),
    ],
)
def test_a_message_is_read_as_the_command_that_it_names(begin, people, data, expected):
    snapshot = look_up(begin(size=3).slug)
    assert command_from(common(**data), snapshot, people[1].pk) == expected


@pytest.mark.parametrize("command", ["offer", "accept", "decline"])
@pytest.mark.parametrize("kind", ["pause", "takeback"])
def test_in_a_pause_only_declining_the_pause_means_to_resume(row, people, command, kind):
    carry_out(row.slug, Offer(seat=0, ply=0, key="a pause?", kind=OfferKind.PAUSE))
    carry_out(row.slug, Accept(seat=1, ply=0, key="a pause!", kind=OfferKind.PAUSE))
    data = common(command=command, kind=kind)
    read = command_from(data, look_up(row.slug), people[1].pk)
    assert isinstance(read, Resume) == ((command, kind) == ("decline", "pause"))


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ({"seat": -1}, "resign.seat: Input should be greater than or equal to 0 (given: -1)"),
        ({"seat": True}, "resign.seat: Input should be a valid integer (given: True)"),
        ({"seat": "1"}, "resign.seat: Input should be a valid integer (given: '1')"),
        ({"ply": 2**53}, "resign.ply: Input should be less than or equal to 9007199254740991"),
        ({"ply": 0.5}, "resign.ply: Input should be a valid integer (given: 0.5)"),
        ({"ply": None}, "resign.ply: Input should be a valid integer (given: None)"),
        ({"key": "1234567"}, "resign.key: String should have at least 8 characters"),
        ({"key": "x" * 65}, "resign.key: String should have at most 64 characters"),
        ({"key": 12345678}, "resign.key: Input should be a valid string (given: 12345678)"),
        ({"command": "dance"}, "Input tag 'dance' found using 'command' does not match any"),
        ({"command": 3}, "Input tag '3' found using 'command' does not match any"),
        ({"command": "offer", "kind": "tea"}, "offer.kind: Input should be 'draw', 'takeback',"),
        ({"command": "play", "text": 5}, "play.text: Input should be a valid string (given: 5)"),
        ({"command": "play"}, "play: send either move or text"),
        ({"command": "play", "move": 4, "text": "b2"}, "play: send either move or text"),
        ({"move": 4}, "resign.move: Extra inputs are not permitted (given: 4)"),
        ({str(n): n for n in range(30)}, "30 parts of the message are wrong"),
        ({"seat": 0}, "seat 0 is not yours"),
    ],
)
def test_a_malformed_message_is_refused_with_the_reason(begin, people, data, error):
    snapshot = look_up(begin(size=3).slug)
    with pytest.raises(InputError) as caught:
        command_from(common(command="resign") | data, snapshot, people[1].pk)
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize("length", [8, 64])
def test_a_key_has_8_to_64_characters(begin, people, length):
    data = common(command="resign", key="x" * length)
    assert command_from(data, look_up(begin(size=3).slug), people[1].pk).key == "x" * length


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (None, "the message is not text"),
        ("x" * 65_536, "line 1, column 1: this is not JSON: Expecting value"),
        ("x" * 65_537, "a message of 65537 characters is too long"),
        ("[" * 60_000, "brackets are nested more than 40 deep"),
        ('{"a": 1, "a": 2}', "'a' is there twice in one object"),
        ('{"a": "\\ud800"}', "'\\ud800' has a character that cannot be stored: U+D800"),
        ("[]", "the message is a list, not an object"),
    ],
)
def test_a_message_is_an_object(text, error):
    with pytest.raises(InputError) as caught:
        read_object(text, "match/message")
    assert (str(caught.value), caught.value.code) == (error, "match/message")


SEAT = {"computer": False, "level": None}
CLOCK = {
    "control": "5m+3s",
    "pace": "live",
    "seat": 0,
    "running": True,
    "paused": False,
    "away": [],
    "vacations": [0, 0],
    "until": [None, None],
    "left": [300_000, 300_000],
    "grace": 30_000,
    "abortsLate": True,
}
# A match of Hex before its first move, as the second player sees it.
UNPLAYED = {
    "game": "hex",
    "title": "Hex",
    "options": {"size": 3, "swap": "off"},
    "rated": False,
    "analysis": True,
    "setup": None,
    "given": 0,
    "draws": False,
    "goals": {
        "black": "join the top and the bottom edge",
        "white": "join the left and the right edge",
    },
    "swapExchanges": "",
    "start": {},
    "version": 1,
    "ply": 0,
    "caption": "Hex, move 1: Black to move.",
    "seats": [
        {**SEAT, "seat": 0, "name": "ann", "color": "black"},
        {**SEAT, "seat": 1, "name": "bob", "color": "white"},
    ],
    "toMove": 0,
    "result": None,
    "reason": None,
    "loser": None,
    "winner": None,
    "offers": {},
    "takebackTo": None,
    "declined": {},
    "withdrawn": {},
    "chain": [],
    "swap": None,
    "series": None,
    "next": None,
    "from": 0,
    "moves": [],
    "now": 5,
    "seen": None,
    "own": [1],
    "resigning": [],
    "legal": [],
}


def planned(move, text, color, own, *then):
    return {"move": move, "text": text, "color": color, "own": own, "then": list(then)}


SEEN_PLAN = [
    planned(4, "b2", "black", False, planned(0, "a1", "white", True)),
    planned(
        *(5, "c2", "black", False),
        planned(5, "move 5", "", True, planned(1, "move 1", "", False)),
    ),
]


def test_the_json_of_a_match_is_complete(people, clocks):
    users = people[:2]
    terms = Terms(
        game=make_game("hex", {"size": 3, "swap": "off"}),
        players=tuple(str(user.pk) for user in users),
        control=read_control("5m+3s"),
    )
    row = begin_match(terms, users)
    clocks.advance(1_000)
    moves = ConditionalMoves.read(PLAN)
    carry_out(row.slug, SetConditionalMoves(**common(), moves=moves))
    at = row.begun_at
    free = at + 30_000
    clock = {**CLOCK, "since": free, "freeUntil": free}
    public = {**UNPLAYED, "slug": row.slug, "begun": at, "clock": clock}
    snapshot = look_up(row.slug)
    assert json.loads(match_json(snapshot, users[1].pk, now=5)) == {
        **public,
        "conditionalMoves": {"1": SEEN_PLAN},
    }
    mine = {"own": [0], "conditionalMoves": {"0": []}, "legal": [[cell, cell] for cell in range(9)]}
    assert json.loads(match_json(snapshot, users[0].pk, now=5)) == {**public, **mine}


def test_a_player_is_told_the_moves_seen_and_a_spectator_not(row, people, client):
    for user in (people[0], people[2]):
        note_seen(row, user, 1)
        client.force_login(user)
        seen = client.get(f"/m/{row.slug}/match.json").json()["seen"]
        assert seen == (1 if user == people[0] else None)


def test_own_matches_are_listed_by_turn_then_by_urgency(ann, bob, cy, begin, clocks):
    turns = {"soon": 0, "never": 0, "later": 0, "theirs": 1, "over": 1}
    rows = {}
    for name in turns:
        rows[name] = begin(size=3)
        clocks.advance(1)
    for name in ("theirs", "over"):
        carry_out(rows[name].slug, Play(seat=0, ply=0, key="a first move", move=4))
    carry_out(rows["over"].slug, Resign(seat=0, ply=1, key="resigned"))
    for name, seconds in (("soon", 61), ("later", 3_600), ("theirs", 5)):
        MatchRow.objects.filter(slug=rows[name].slug).update(deadline=now() + seconds * 1_000)
    found = [(line.row, line.state, line.time, line.with_whom) for line in own_matches(ann)]
    assert found == [
        (rows["soon"], "your turn", "1\N{NO-BREAK SPACE}min 1\N{NO-BREAK SPACE}s", "bob"),
        (rows["later"], "your turn", "1\N{NO-BREAK SPACE}h 0\N{NO-BREAK SPACE}min", "bob"),
        (rows["never"], "your turn", "", "bob"),
        (rows["theirs"], "bob is to move", "5\xa0s", "bob"),
    ]
    assert next(line.row for line in own_matches(bob)) == rows["theirs"]
    assert own_matches(cy) == []
    over = MatchRow.objects.prefetch_related(seated()).get(slug=rows["over"].slug)
    for user, players in ((ann, "bob"), (bob, "ann"), (cy, "ann, bob"), (None, "ann, bob")):
        line = match_line(over, user)
        assert (line.state, line.time) == ("White wins by resignation", "")
        assert (line.with_whom, line.is_my_turn, line.is_over) == (players, False, True)


def test_the_end_of_a_match_is_the_time_of_its_last_move(clocks, row):
    clocks.advance(1_000)
    carry_out(row.slug, Resign(seat=0, ply=0, key="enough of it"))
    clocks.advance(1_000)
    carry_out(row.slug, Offer(seat=0, ply=0, key="another one", kind=OfferKind.REMATCH))
    stored = MatchRow.objects.get(pk=row.pk)
    assert (stored.ended_at, stored.changed_at) == (row.begun_at + 1_000, row.begun_at + 2_000)


def test_a_size_is_labelled_with_the_length_of_the_game():
    labels = {}
    for game_id, name in (("hex", "size"), ("antipalos", "size"), ("cylindrical-hex", "rows")):
        game = make_game(game_id)
        [info] = [one for one in game.option_table() if one.name == name]
        labels[game_id] = dict(size_choices(info, game.options))
    assert labels["antipalos"] == {
        12: "12: short",
        14: "14: short",
        16: "16: usual",
        18: "18: long",
        20: "20: long",
    }
    hex_sizes, rows = labels["hex"], labels["cylindrical-hex"]
    assert [hex_sizes[n] for n in (4, 5, 11, 12)] == [
        "4: tiny",
        "5: quick",
        "11: usual",
        "12: long",
    ]
    assert [rows[n] for n in (2, 3, 11, 12)] == ["2: tiny", "3: quick", "11: usual", "12: long"]
    lengths = [length_word(share) for share in (0.2, 0.45, 0.8, 1.0, 1.6, 1.61)]
    assert lengths == ["tiny", "quick", "short", "usual", "long", "very long"]


@pytest.mark.parametrize(
    ("game_id", "words"),
    [("antipod", "without a handicap"), ("cylindrical-hex", "an even number of columns")],
)
def test_the_pairing_strategy_names_its_conditions(game_id, words):
    [(value, label)] = pairing_choice(game_class(game_id))
    assert (value, label) == ("pairing", "Pairing strategy: cannot lose")
    assert words in pairing_conditions(game_class(game_id))
    assert (pairing_choice(game_class("hex")), pairing_conditions(game_class("hex"))) == ([], "")


def test_followed_matches_in_progress_are_limited(begin, people, monkeypatch):
    monkeypatch.setattr(following, "MOST_FOLLOWED", 1)
    user, (first, second) = people[2], (begin(size=3) for _ in range(2))
    follow_match(user, first, each_move=True)
    follow_match(user, first, each_move=False)
    with pytest.raises(InputError) as caught:
        follow_match(user, second, each_move=False)
    assert caught.value.code == "community/too-many"
    user.watched_matches.update(is_done=True)
    follow_match(user, second, each_move=False)
    user.watched_matches.filter(match=second).delete()
    follow_match(user, first, each_move=True)
    watch = user.watched_matches.get()
    assert (watch.match, watch.each_move, watch.is_done) == (first, True, False)


def test_a_refused_command_changes_nothing(row):
    with pytest.raises(MatchError):
        carry_out(row.slug, Play(seat=1, ply=0, key="not my turn", move=4))
    assert MatchRow.objects.get(slug=row.slug).version == 0


def test_the_row_stores_end_and_result(row):
    carry_out(row.slug, Resign(seat=1, ply=0, key="enough of it"))
    row.refresh_from_db()
    assert row.ended_at
    assert row.seat_to_move is None
    assert (row.winner, row.reason, row.loser) == ("black", "resignation", "")
    assert row.result == Result(Color.BLACK, Reason.RESIGNATION)


def test_the_row_stores_who_gave_up_where_no_other_player_has_won(begin):
    row = begin("antipalos", seats="cutthroat3")
    assert row.result is None
    carry_out(row.slug, Resign(seat=1, ply=0, key="enough of it"))
    row.refresh_from_db()
    loser = row.match().color_of(1)
    assert (row.winner, row.reason, row.loser) == ("", "resignation", loser.value)
    assert row.result == row.match().result == Result(None, Reason.RESIGNATION, loser=loser)


def test_spectators_see_no_conditional_and_no_legal_moves(row, client):
    view = client.get(f"/m/{row.slug}/match.json").json()
    assert view["own"] == []
    assert view["conditionalMoves"] == {}
    assert view["legal"] == []


def test_pages_allow_no_foreign_scripts(client):
    assert "default-src 'self'" in client.get("/").headers["Content-Security-Policy"]


@pytest.mark.parametrize("game_id", game_ids())
def test_every_colour_has_a_goal(game_id, begin, client):
    row = begin(game_id)
    view = client.get(f"/m/{row.slug}/match.json").json()
    assert {seat["color"] for seat in view["seats"]} == set(view["goals"])
    assert all(goal[0].islower() for goal in view["goals"].values())


def test_a_draw_is_offered_only_where_there_are_draws(begin, client):
    def has_draws(game_id, **options):
        return client.get(f"/m/{begin(game_id, **options).slug}/match.json").json()["draws"]

    assert not has_draws("hex")
    assert not has_draws("antipod")
    assert has_draws("antipalos")
    assert has_draws("antipode")
    assert not has_draws("antipode", full_board="loss")


def test_the_match_says_what_a_swap_exchanges(begin, client):
    def exchanged(game_id, **options):
        row = begin(game_id, **options)
        return client.get(f"/m/{row.slug}/match.json").json()["swapExchanges"]

    assert exchanged("hex", swap="pieces") == "stones"
    assert exchanged("hex", swap="sides") == "seats"
    assert exchanged("antipod", swap="on") == "seats"
    assert exchanged("antipod") == ""


def test_a_declined_offer_is_shown_until_the_next_move(begin, client):
    row = begin(size=4, swap="off")
    carry_out(row.slug, Offer(seat=0, ply=0, key="a pause?", kind=OfferKind.PAUSE))
    carry_out(row.slug, Decline(seat=1, ply=0, key="no pause", kind=OfferKind.PAUSE))
    view = client.get(f"/m/{row.slug}/match.json").json()
    assert view["declined"] == {"pause": {"by": 1, "agreed": [0]}}
    carry_out(row.slug, Play(seat=0, ply=0, key="one move", move=4))
    assert client.get(f"/m/{row.slug}/match.json").json()["declined"] == {}


def test_an_offer_that_is_withdrawn_was_not_declined(begin, client):
    row = begin(size=4, swap="off")
    carry_out(row.slug, Offer(seat=0, ply=0, key="a pause?", kind=OfferKind.PAUSE))
    carry_out(row.slug, Decline(seat=0, ply=0, key="never mind", kind=OfferKind.PAUSE))
    assert client.get(f"/m/{row.slug}/match.json").json()["declined"] == {}


@pytest.mark.parametrize(
    "command", [{"command": "resume"}, {"command": "decline", "kind": "pause"}]
)
def test_clients_end_a_pause_by_resuming_or_by_declining_it(begin, command):
    row = begin(size=4, swap="off")
    carry_out(row.slug, Offer(seat=0, ply=0, key="a pause?", kind=OfferKind.PAUSE))
    carry_out(row.slug, Accept(seat=1, ply=0, key="a pause!", kind=OfferKind.PAUSE))
    snapshot = look_up(row.slug)
    user = snapshot.seats[1].user
    data = {**command, "seat": 1, "ply": 0, "key": "go on now"}
    match, _ = carry_out(row.slug, command_from(data, snapshot, user))
    assert not match.clock.paused


def test_the_next_game_is_the_most_urgent_one_in_which_it_is_ones_turn(client, begin, ann, bob):
    first, second, third = (begin(size=3) for _ in range(3))
    client.force_login(bob)
    assert client.get("/next-game/").headers["Location"] == "/lobby/"
    client.force_login(ann)
    assert client.get("/next-game/").headers["Location"] == f"/m/{first.slug}/"
    MatchRow.objects.filter(pk=third.pk).update(deadline=now() + 60_000)
    assert client.get("/next-game/").headers["Location"] == f"/m/{third.slug}/"
    answer = client.get(f"/next-game/?after={third.slug}")
    assert answer.headers["Location"] == f"/m/{first.slug}/"
    assert ' waiting="2"' in client.get(f"/m/{third.slug}/").content.decode()
    carry_out(second.slug, Play(seat=0, ply=0, key="a first move", move=4))
    assert ' waiting="1"' in client.get(f"/m/{third.slug}/").content.decode()
    client.logout()
    assert " waiting=" not in client.get(f"/m/{third.slug}/").content.decode()
    assert client.get("/next-game/").headers["Location"] == "/lobby/"
