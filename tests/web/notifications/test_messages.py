"""Texts of notifications."""

import pytest
from django.utils import translation

from antipodes.core import Color
from antipodes.records import Reason, Result
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.messages import text_of, title_of
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.services import notify
from antipodes.web.tournaments.log import TOO_FEW

pytestmark = pytest.mark.django_db


def text(user, kind, **more):
    row = notify(user, kind, key=f"{kind} {sorted(more)} {more.get('act')}", **more)
    assert row is not None
    return text_of(row)


def test_followers_read_who_plays_whom(ann, cy, match):
    about = {"match": match, "by": ann}
    assert (
        text(cy, NotificationKind.FOLLOWED_PLAYS, act="began", **about)
        == "ann started a game of Hex."
    )
    moved = text(cy, NotificationKind.FOLLOWED_PLAYS, act="moved", move="a1", **about)
    assert moved == "Hex, which you follow: ann played a1."
    match.result = Result(Color.BLACK, Reason.TIME)
    over = text(cy, NotificationKind.FOLLOWED_PLAYS, act="over", **about)
    assert over == "Hex between ann, bob, which you follow, is over: Black wins on time."


def test_the_title_depends_on_whether_the_recipient_plays(people, match):
    titles = []
    for user in (people[0], people[2]):
        row = notify(user, NotificationKind.FOLLOWED_PLAYS, key="k", match=match)
        assert row is not None
        titles.append(title_of(row))
    assert titles == ["Hex with bob", "Hex between ann, bob"]


def test_moderators_decisions_name_action_and_reason(people):
    told = text(people[0], NotificationKind.MODERATION, act="mute", text="insults")
    assert told == "The moderators muted you: insults"
    lifted = text(people[0], NotificationKind.MODERATION, act="lifted", text="a mistake")
    assert lifted == "The moderators lifted a decision about you: a mistake"


def test_invitations_to_clubs(people):
    told = text(people[0], NotificationKind.INVITED, by=people[1], club="North Pole")
    assert told == "bob invites you to the club North Pole."
    told = text(people[0], NotificationKind.INVITED, by=people[1], title="Weekly")
    assert told == "bob invites you to the tournament Weekly."


def test_sentences_about_followed_players_name_the_game(people):
    about = {"by": people[1], "game": "hex"}
    assert (
        text(people[0], NotificationKind.FOLLOWED_PLAYS, act="ended", **about)
        == "bob finished a game of Hex."
    )


def test_the_end_of_a_tournament_names_the_rank_of_those_who_have_one(people):
    ended = {"act": "finished", "title": "Weekly"}
    assert text(people[0], NotificationKind.TOURNAMENT, **ended) == "Weekly is finished."
    told = text(people[1], NotificationKind.TOURNAMENT, rank=3, **ended)
    assert told == "Weekly is finished; your rank is 3."
    early = {**ended, "rank": 3, "reason": "too few players", "of_site": 1}
    told = text(people[0], NotificationKind.TOURNAMENT, **early)
    assert told == "Weekly ended early, your rank is 3: too few players"


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("hex", "The puzzle of the day is one of Hex."),
        ("chess", "The puzzle of the day is here."),
    ],
)
def test_the_puzzle_of_the_day_names_its_game(game, sentence):
    row = NotificationRow(kind=NotificationKind.DAILY_PUZZLE, arguments={"game": game})
    assert text_of(row) == sentence


@pytest.mark.parametrize(
    ("about", "sentence"),
    [
        ({"outcome": "won", "reason": "time"}, "You won Hex against bob (time)."),
        ({"outcome": "lost", "reason": "resignation"}, "You lost Hex against bob (resignation)."),
        ({"outcome": "drawn", "reason": "agreement"}, "Hex with bob is drawn (agreement)."),
        ({"outcome": "over", "reason": "forfeit"}, "Hex with bob is over (forfeit)."),
        ({"outcome": "won"}, "You won Hex against bob."),
        ({"outcome": "over", "reason": "another"}, "Hex with bob is over."),
        ({"outcome": "void", "reason": "time"}, "Hex with bob was aborted."),
    ],
)
def test_the_end_of_a_match_says_outcome_and_reason(people, slow, about, sentence):
    assert text(people[0], NotificationKind.MATCH_ENDED, match=slow(), **about) == sentence


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        ("lost", "You ran out of time and lost Hex against bob."),
        ("won", "You won Hex against bob on time."),
        ("over", "Hex with bob ended on time."),
    ],
)
def test_the_end_of_a_match_on_time_says_who_ran_out_of_it(people, slow, outcome, sentence):
    assert text(people[0], NotificationKind.FLAG_FELL, match=slow(), outcome=outcome) == sentence


def test_the_title_of_a_match_without_other_players_is_its_game(people, match):
    match.seats.update(user=people[0])
    assert (
        title_of(NotificationRow(user=people[0], match=match, kind=NotificationKind.YOUR_TURN))
        == "Hex"
    )


@pytest.mark.parametrize("of_site", [0, 1])
def test_reasons_of_the_site_are_translated_and_those_of_people_are_not(of_site):
    arguments = {"act": "cancelled", "title": "Cup", "reason": TOO_FEW, "of_site": of_site}
    with translation.override("de"):
        told = text_of(NotificationRow(kind=NotificationKind.TOURNAMENT, arguments=arguments))
        reason = translation.gettext(TOO_FEW) if of_site else TOO_FEW
        assert translation.gettext(TOO_FEW) != TOO_FEW
    assert told.endswith(f": {reason}")


PLAIN = {
    NotificationKind.YOUR_TURN: "It is your turn in a game with .",
    NotificationKind.MATCH_BEGAN: "a game with  has begun.",
    NotificationKind.MATCH_ENDED: "a game with  is over.",
    NotificationKind.INVITED: "A player invites you to a game of a game.",
    NotificationKind.OFFER: "There is an offer in a game with .",
    NotificationKind.CHAT: "A player in a game: ",
    NotificationKind.REMINDER: "Your time in a game with  runs out on 2 March 2026, 12:30.",
    NotificationKind.FLAG_FELL: "a game with  ended on time.",
    NotificationKind.FOLLOWED_PLAYS: "A player started a game of a game.",
    NotificationKind.TOURNAMENT: " has changed.",
    NotificationKind.DAILY_PUZZLE: "The puzzle of the day is here.",
    NotificationKind.MODERATION: "The moderators sent you a message.",
    NotificationKind.MAIL_FAILS: "E-mails to  bounce, so no more are sent there.",
    NotificationKind.SECRETS: "In what you wrote to others, *** stands for a secret.",
}


@pytest.mark.parametrize("kind", NotificationKind)
def test_a_text_without_arguments_leaves_them_out(kind):
    row = NotificationRow(kind=kind, made_at=1_772_454_600_000)
    assert text_of(row) == PLAIN[kind]
    assert title_of(row) == str(kind.label)


@pytest.mark.parametrize(
    ("kind", "about", "sentence"),
    [
        (NotificationKind.YOUR_TURN, {}, "It is your turn in Hex with bob."),
        (NotificationKind.YOUR_TURN, {"dropped": 1}, "It is your turn in Hex with bob."),
        (NotificationKind.YOUR_TURN, {"move": "a1"}, "bob played a1. It is your turn in Hex."),
        (NotificationKind.MATCH_BEGAN, {"turn": 1}, "Hex with bob has begun. It is your turn."),
        (NotificationKind.MATCH_BEGAN, {"turn": 0}, "Hex with bob has begun."),
        (NotificationKind.CHAT, {"text": "hi"}, "bob in Hex: hi"),
        (NotificationKind.CHAT, {"text": "hi", "count": 2}, "2 new chat messages in Hex. bob: hi"),
        (
            NotificationKind.REMINDER,
            {"deadline": 60_000},
            "Your time in Hex with bob runs out on 1 January 1970, 00:01.",
        ),
        (NotificationKind.MODERATION, {"text": "be kind"}, "be kind"),
        (NotificationKind.MODERATION, {"act": "other", "text": "be kind"}, "be kind"),
        (NotificationKind.TOURNAMENT, {"act": "other", "title": "Cup"}, "Cup has changed."),
        *(
            (
                NotificationKind.TOURNAMENT,
                {"act": act, "title": "Cup", "reason": "late"},
                "You are out of Cup: late",
            )
            for act in ("left", "withdrawn")
        ),
    ],
)
def test_a_text_names_what_is_known(people, slow, kind, about, sentence):
    assert text(people[0], kind, match=slow(), by=people[1], **about) == sentence


def test_a_match_without_the_recipient_is_named_with_all_its_players(people, match):
    match.seats.filter(number=1).update(user=people[0])
    row = NotificationRow(user=people[2], match=match, kind=NotificationKind.FOLLOWED_PLAYS)
    assert title_of(row) == "Hex between ann"
