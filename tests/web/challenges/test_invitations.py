"""Invitations, seats and the lists of the lobby."""

import pytest
from django.test import Client

from antipodes.clocks import Pace, read_control
from antipodes.match import Resign
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.labels import (
    CONTROLS,
    control_words,
    duration_words,
    game_label,
    length_word,
)
from antipodes.web.matches.models import MatchRow, SeriesRow
from antipodes.web.matches.services import carry_out

pytestmark = pytest.mark.django_db

TEAM = {"option-seats": "team", "option-size": "12"}


def post(browser, game_id="hex", **fields):
    """Submit the form for a new game; return the challenge, or else the response."""
    fields = {"opponent": "anybody", "control": "unlimited", "analysis": "on", **fields}
    answer = browser.post(f"/new/{game_id}/", fields)
    return ChallengeRow.objects.last() or answer


def test_a_declined_invitation_is_deleted(browsers):
    ann, bob, cy, _ = browsers
    row = post(ann, opponent="people", names="bob, cy")
    bob.post(f"/c/{row.slug}/decline")
    assert [user.username for user in row.invited.all()] == ["cy"]
    cy.post(f"/c/{row.slug}/decline")
    assert not ChallengeRow.objects.exists()
    assert b"declined or cancelled" in ann.get(f"/c/{row.slug}/now").content


@pytest.mark.parametrize(
    ("names", "error"),
    [
        ("", b"Enter at least one name"),
        ("zoe", b"zoe"),
        ("ann", b"yourself"),
        ("computer-1", b"computer-1"),
    ],
)
def test_an_unknown_name_is_a_form_error(browsers, names, error):
    computer("1")
    answer = post(browsers[0], opponent="people", names=names)
    assert answer.status_code == 200
    assert error in answer.content
    assert not ChallengeRow.objects.exists()


def test_players_choose_free_seats_and_can_leave_again(browsers):
    ann, bob, cy, dee = browsers
    row = post(ann, "antipalos", **TEAM, **{"at-1": "me", "at-0": "open", "at-3": "computer:2"})
    assert bob.post(f"/c/{row.slug}/join", {"seat": "1"}).status_code == 409
    bob.post(f"/c/{row.slug}/join", {"seat": "2"})
    bob.post(f"/c/{row.slug}/leave")
    cy.post(f"/c/{row.slug}/join", {"seat": "2"})
    dee.post(f"/c/{row.slug}/join")
    match = MatchRow.objects.get()
    names = [seat.user.username for seat in match.seats.all()]
    assert names == ["dee", "ann", "cy", "computer-2"]
    assert bob.post(f"/c/{row.slug}/leave").status_code == 409


def test_the_page_of_a_challenge_lists_seats_then_players_without_a_seat(browsers):
    ann, bob, cy, _ = browsers
    row = post(ann, "antipalos", **TEAM, **{"at-1": "me", "at-0": "open", "at-3": "computer:2"})
    cy.post(f"/c/{row.slug}/join")
    page = bob.get(f"/c/{row.slug}/")
    assert [(one.seat, one.label, one.name) for one in page.context["seat_lines"]] == [
        (0, "1: White, moves first", ""),
        (1, "2: Black", "ann"),
        (2, "3: White", ""),
        (3, "4: Black", "computer, learner"),
        (None, "any free seat", "cy"),
    ]
    assert page.text.count('aria-label="Take seat ') == 2
    assert "Take any seat" in page.text


def test_the_page_of_an_invitation_depends_on_the_viewer(browsers):
    ann, bob, cy, dee = browsers
    row = post(ann, "antipalos", opponent="people", names="bob, cy", **TEAM)
    cy.post(f"/c/{row.slug}/join")
    buttons = {
        "mine": "Send this link to your opponent",
        "join": "Take any seat",
        "decline": ">Decline<",
        "leave": ">Leave<",
        "others": "This challenge is for other players.",
        "waits": "Waiting for players to join",
    }
    found = []
    for browser in (ann, bob, cy, dee, Client()):
        text = browser.get(f"/c/{row.slug}/").text
        found.append({name for name, words in buttons.items() if words in text})
    assert found == [{"mine", "waits"}, {"join", "decline"}, {"leave", "waits"}, *[{"others"}] * 2]


def test_the_computer_takes_the_free_seats(browsers):
    ann, bob, *_ = browsers
    row = post(ann, "antipalos", **TEAM, **{"at-0": "me"})
    bob.post(f"/c/{row.slug}/join", {"seat": "1"})
    assert bob.post(f"/c/{row.slug}/fill", {"level": "1"}).status_code == 404
    assert ann.post(f"/c/{row.slug}/fill", {"level": "nine"}).status_code == 400
    ann.post(f"/c/{row.slug}/fill", {"level": "1"})
    names = [seat.user.username for seat in MatchRow.objects.get().seats.all()]
    assert names == ["ann", "bob", "computer-1", "computer-1"]


def test_against_the_computer_it_takes_all_other_seats(browsers):
    fields = {**TEAM, "opponent": "computer", "level": "1", "at-0": "open", "at-2": "me"}
    post(browsers[0], "antipalos", **fields)
    names = [seat.user.username for seat in MatchRow.objects.get().seats.all()]
    assert names == ["computer-1", "computer-1", "ann", "computer-1"]


def test_a_user_cannot_take_two_seats(browsers):
    answer = post(browsers[0], "antipalos", **TEAM, **{"at-0": "me", "at-1": "me"})
    assert b"Choose one seat only" in answer.content


def test_match_play_creates_a_series(browsers):
    ann, bob, *_ = browsers
    row = post(ann, "antipalos", **{"option-size": "12", "points": "9"})
    bob.post(f"/c/{row.slug}/join")
    assert SeriesRow.objects.get().target == 9


def test_match_play_with_other_rules_is_a_form_error(browsers):
    fields = {"option-ruleset": "mail", "option-size": "6", "points": "6"}
    answer = post(browsers[0], "antipalos", **fields)
    assert b"Chart A" in answer.content


def test_rated_games_require_an_account(browsers):
    ann, bob, *_ = browsers
    row = post(ann, rated="on")
    assert row.rated
    assert Client().post(f"/c/{row.slug}/join").status_code == 409
    bob.post(f"/c/{row.slug}/join")
    assert MatchRow.objects.get().rated
    guest = Client()
    assert not post(guest, rated="on").rated


def test_variations_can_be_forbidden(browsers):
    ann, bob, *_ = browsers
    row = post(ann, analysis="")
    bob.post(f"/c/{row.slug}/join")
    assert not MatchRow.objects.get().analysis


@pytest.mark.parametrize("text", ["5m+3s", "30s/move", "3d/move+10d"])
def test_a_custom_clock_is_accepted(browsers, text):
    assert post(browsers[0], control="other", control_text=text).control == text


@pytest.mark.parametrize("text", ["", "soon", "-5m", "0s", "99999d", "5m+5s+5s"])
def test_an_invalid_clock_is_a_form_error(browsers, text):
    answer = post(browsers[0], control="other", control_text=text)
    assert answer.status_code == 200
    assert answer.context["form"].non_field_errors()


def test_every_clock_is_listed_under_its_pace():
    paces = {"No clock": Pace.UNLIMITED, "Live": Pace.LIVE, "Correspondence": Pace.CORRESPONDENCE}
    for group, controls in CONTROLS.items():
        for text, label in controls.items():
            assert str(read_control(text)) == text
            assert read_control(text).pace is paces[str(group)]
            assert control_words(text) == label


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (-5, "0~s"),
        (999, "0~s"),
        (61_000, "1~min 1~s"),
        (90_061_000, "1~d 1~h"),
        (3_600_000, "1~h 0~min"),
    ],
)
def test_durations_have_two_units_each_on_a_line_with_its_number(milliseconds, text):
    assert duration_words(milliseconds) == text.replace("~", "\N{NO-BREAK SPACE}")


def test_a_games_name_includes_options_that_differ_from_the_defaults():
    named = game_label("antipod", {"side": 4, "first": "black", "swap": "on", "handicap": "two"})
    assert named == "Antipod · side 4 · black begins · with swap · handicap two"
    assert game_label("hex", {"swap": "off"}) == "Hex · no swap"


def test_length_labels_follow_the_size_of_the_board():
    labels = [length_word(share / 10) for share in range(1, 40)]
    assert list(dict.fromkeys(labels)) == ["tiny", "quick", "short", "usual", "long", "very long"]


def test_polling_the_lobby_without_changes_answers_204(browsers):
    ann, bob, *_ = browsers
    version = ann.get("/lobby/now/").context["now"][1]
    assert ann.get(f"/lobby/now/?v={version}").status_code == 204
    post(bob)
    assert ann.get(f"/lobby/now/?v={version}").status_code == 200


def test_a_waiting_player_is_redirected_to_the_match(browsers):
    ann, bob, *_ = browsers
    row = post(ann)
    waiting = ann.get(f"/c/{row.slug}/now")
    assert ann.get(f"/c/{row.slug}/now", {"v": waiting.context["version"]}).status_code == 204
    bob.post(f"/c/{row.slug}/join")
    match = MatchRow.objects.get()
    assert ann.get(f"/c/{row.slug}/now").headers["HX-Redirect"] == f"/m/{match.slug}/"


def test_the_lobby_lists_matches_by_turn_and_finished_ones(browsers, begin):
    ann, bob, cy, _ = browsers
    row = begin()
    shown = ann.get("/lobby/").context["now"][0]
    assert "Your turn" in shown
    assert "Waiting for opponents" in bob.get("/lobby/").context["now"][0]
    carry_out(row.slug, Resign(seat=0, ply=0, key="resign"))
    assert "Finished" in bob.get("/lobby/").context["now"][0]
    assert "Finished" not in cy.get("/lobby/").context["now"][0]


def test_a_small_image_is_drawn_again_after_a_change(browsers, begin):
    row = begin()
    address = f"/m/{row.slug}/small.svg"
    first = browsers[2].get(address, {"v": row.version})
    assert "immutable" in first.headers["Cache-Control"]
    carry_out(row.slug, Resign(seat=0, ply=0, key="resign"))
    again = browsers[2].get(address, {"v": row.version})
    assert again.headers["Cache-Control"] == "no-cache"
    assert again.content.startswith(b"<svg")


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '" onload="x'])
def test_names_are_escaped(client, browsers, name):
    User.objects.filter(username="ann").update(username=name)
    row = post(browsers[0])
    for address in ("/lobby/", f"/c/{row.slug}/"):
        text = client.get(address).content.decode()
        assert name not in text
        assert "<script>alert" not in text
