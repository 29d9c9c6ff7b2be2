"""A format that the program does not know is one class: here a gauntlet, played on the site."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from django.urls import reverse

from antipodes.errors import Fault, Phrase
from antipodes.games.options import whole
from antipodes.tournaments import FORMATS
from antipodes.tournaments.formats import Crosstable, EventState, Format, Part
from antipodes.tournaments.history import History, Pairing
from antipodes.tournaments.standings import Column, Standing, TieBreak, ranked
from antipodes.web.accounts.api_tokens import Scope, make_token
from antipodes.web.accounts.models import User
from antipodes.web.tournaments import labels
from antipodes.web.tournaments.models import OVER, TournamentRow, TournamentState
from tests.web.tournaments.conftest import advance, play_out
from tests.web.tournaments.simulator import play_event

pytestmark = pytest.mark.django_db


@dataclass(frozen=True, kw_only=True)
class Gauntlet(Format):
    """The strongest player meets the others one after another, and is out after some losses."""

    name = "gauntlet"
    title = "Gauntlet"
    summary = "The strongest player meets all others, one after another"
    scoring = "Only games of the strongest player count."
    usual_tie_breaks = (TieBreak.WINS,)

    lives: int = whole(1, 1, 9, "losses after which the gauntlet is over")

    def rounds_for(self, count: int) -> int:
        """Return how many rounds are played at most: one against each other player."""
        return count - 1

    def faults_of_size(self, count: int) -> list[Fault]:
        """Return a fault if so few players cannot win so often."""
        if self.lives < count:
            return []
        template = "{count} players can never take {lives} lives."
        values = {"count": count, "lives": self.lives}
        return [Fault.of("tournament/size", template, where="lives", **values)]

    def pair(self, event: EventState, round_number: int) -> list[Pairing]:
        """Return the only pairing of a round; none when no lives or opponents are left."""
        if round_number > self.rounds_for(len(event.players)) or not self._lives_left(event):
            return []
        return [Pairing(round_number, 1, round_number + 1)]

    def _lives_left(self, event: EventState) -> int:
        lost = [one for one in event.pairings if one.winner not in {None, 1}]
        return self.lives - len(lost)

    def columns(self, tie_breaks: Sequence[TieBreak]) -> list[Column]:
        """Return the tie-breaks, and a column of its own."""
        lives = Column("lives", "Lives left", "How often the player may lose.")
        return [*super().columns(tie_breaks), lives]

    def table(self, event: EventState) -> list[Standing]:
        """Rank the players by points, with the lives of the strongest."""
        points = History(event.pairings).points
        left = {one: float(self._lives_left(event)) if one == 1 else 0.0 for one in event.players}
        wins = {one.player: one.values for one in super().table(event)}
        shown = {one: (points(one), *wins[one], left[one]) for one in event.players}
        return ranked({one: (points(one),) for one in event.players}, shown)

    def parts(self, event: EventState) -> list[Part]:
        return [Crosstable(Phrase("The gauntlet"), self.table(event), event.pairings)]


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """The line of the registry that adds the format."""
    monkeypatch.setitem(FORMATS, Gauntlet.name, Gauntlet)


FORM = {
    "title": "Run the gauntlet",
    "rule-lives": "2",
    "option-size": "5",
    "control": "5m+5s",
    "check_in": "0",
    "most_players": "8",
    "repeats": "",
    "games": "single",
}
NEW = "/tournaments/new/?game=hex&format=gauntlet"


@pytest.fixture
def event(client, host):
    """An event made by the form, which three players have joined and the host has started."""
    client.force_login(host)
    where = client.post(NEW, FORM).url
    for name in ("ann", "bob", "cid"):
        client.force_login(User.objects.create(username=name))
        client.post(f"{where}do/join")
    client.force_login(host)
    client.post(f"{where}do/start")
    return advance(TournamentRow.objects.get())


def test_the_form_offers_a_new_format_with_its_words_and_rules(client, host):
    client.force_login(host)
    page = client.get(NEW).text
    for text in ("Gauntlet", "meets all others, one after another.", "losses after which"):
        assert text in page
    assert client.get("/tournaments/new/?game=hex&format=swiss").text.count("format=gauntlet") == 1
    refused = client.post(NEW, {**FORM, "rule-lives": "8", "most_players": "8"})
    assert refused.status_code == 400
    assert refused.context["form"].errors == {
        "rule-lives": ["8 players can never take 8 lives."],
    }
    assert client.post(NEW, {**FORM, "rule-lives": "10"}).status_code == 400
    assert not TournamentRow.objects.exists()


def test_an_event_of_a_new_format_is_played_to_its_end(event):
    assert event.format == Gauntlet(lives=2)
    row = play_out(event)
    assert row.state == TournamentState.FINISHED
    assert row.round == 2 == row.pairings.count()
    winner = row.entries.get(rank=1)
    lost = [one for one in row.pairings.all() if (one.first_points or 0) < (one.second_points or 0)]
    assert len(lost) <= 2
    assert winner.number == (1 if len(lost) < 2 else min(one.second.number for one in lost))


def test_the_page_and_the_files_show_the_columns_and_words_of_a_new_format(client, event):
    play_out(event)
    page = client.get(f"/tournament/{event.slug}/").text
    for text in (
        "Gauntlet",
        "Lives left",
        "How often the player may lose.",
        "The gauntlet",
        "Wins",
    ):
        assert text in page
    assert Gauntlet.scoring in page
    table = client.get(reverse("tournament-csv", args=[event.slug])).text.splitlines()
    assert table[0].endswith("performance,wins,lives")
    assert len(table) == 4
    assert {len(line.split(",")) for line in table} == {8}


def test_the_api_makes_and_shows_events_of_a_new_format(client, host):
    _, token = make_token(host, "test", {Scope.TOURNAMENTS}, None)
    plan = {"title": "By the API", "format": "gauntlet", "rules": {"lives": 3}, "game": "hex"}

    def make(**more):
        return client.post(
            "/api/v1/tournaments",
            {**plan, "control": "5m+5s", **more},
            content_type="application/json",
            headers={"Authorization": f"Bearer {token}"},
        )

    made = make()
    assert made.status_code == 200
    assert (made.json()["format"], made.json()["rules"]) == ("gauntlet", {"lives": 3})
    shown = client.get(f"/api/v1/tournaments/{made.json()['slug']}").json()
    assert (shown["format"], shown["columns"]) == ("gauntlet", ["wins", "lives"])
    refused = make(mostPlayers=3)
    assert (refused.status_code, refused.json()["faults"][0]["where"]) == (422, "lives")
    unknown = make(format="gantlet")
    assert (unknown.status_code, unknown.json()["faults"][0]["where"]) == (422, "format")
    assert "no format 'gantlet'" in unknown.json()["message"]


def test_the_catalogues_get_all_words_of_a_new_format():
    words = {text for _, text in labels.texts()}
    rule = Gauntlet.describe()[0]
    column = Gauntlet().columns(())[0]
    own = {Gauntlet.title, Gauntlet.summary, Gauntlet.scoring, column.title, column.meaning}
    assert own | {rule.help, "Lives"} <= words


def test_the_simulator_plays_a_new_format(host):
    assert play_event(Gauntlet.name, 1, host, most_players=5).state in OVER
