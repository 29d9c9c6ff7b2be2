"""Reports in FIDE's format: other programs read them, and those of others are read."""

import random
from dataclasses import replace
from datetime import date

import pytest
import trf
from hypothesis import given, settings
from hypothesis import strategies as st

from antipodes.errors import InputError
from antipodes.tournaments import Pairing, TrfEvent, TrfPlayer, read_trf, standings, to_trf
from antipodes.tournaments.swiss import pair_swiss
from antipodes.tournaments.trf import _lines
from tests.thorough import repetitions
from tests.tournaments.simulation import decided

LINE = "001    1      Ann                               1500                             1.0    1"
OTHER = LINE.replace("   1      Ann", "   2      Bob")


def event_of(count, rounds, seed, *, in_progress=False):
    """Play a Swiss event; return it with a forfeit of both, withdrawals, and games that go on."""
    rng = random.Random(seed)
    players = {
        one: TrfPlayer(f"Player {one}", 1_500 * (one % 3 > 0)) for one in range(1, count + 1)
    }
    pairings: list[Pairing] = []
    active = list(players)
    for number in range(1, rounds + 1):
        made = decided(pair_swiss(active, pairings, number, rounds), rng)
        pairings += [replace(one, is_forfeit=one.is_forfeit and 1.0 in one.points) for one in made]
        active = active[: max(rounds + 1, len(active) - rng.randrange(2))]
    both_absent = next(at for at, one in enumerate(pairings) if one.second is not None)
    pairings[both_absent] = replace(pairings[both_absent], points=(0.0, 0.0), is_forfeit=True)
    if in_progress:
        pairings = [
            replace(one, points=None, is_forfeit=False)
            if one.round == rounds and one.second
            else one
            for one in pairings
        ]
    days = {"starts": date(2027, 3, 1), "ends": date(2027, 3, 14)}
    return TrfEvent("Cup é", "Swiss system", players, pairings, rounds + 1, **days, teams=2)


def written(event):
    return to_trf(event, standings(list(event.players), event.pairings, []))


events = st.builds(
    event_of, st.integers(6, 15), st.integers(1, 4), st.integers(0, 999), in_progress=st.booleans()
)


@settings(max_examples=repetitions(40, 400), deadline=None)
@given(events)
def test_the_public_reader_loads_our_reports(event):
    found = trf.loads(written(event))
    assert (found.name, found.type, found.numteams) == ("Cup é", "Swiss system", 2)
    assert (found.startdate, found.enddate) == ("2027/03/01", "2027/03/14")
    assert found.numplayers == len(found.players) == len(event.players)
    assert found.numratedplayers == sum(one.rating > 0 for one in event.players.values())
    assert found.numrounds == event.rounds
    table = {one.player: one for one in standings(list(event.players), event.pairings, [])}
    for player in found.players:
        number = player.startrank
        assert player.name == event.players[number].name
        assert (player.points, player.rank) == (table[number].points, table[number].rank)
        games = {one.round: one for one in player.games if one.startrank is not None}
        # The reader leaves out games that go on, whose lines end with spaces.
        over = [one for one in event.pairings if one.points is not None]
        own = {one.round: one for one in over if number in one.players}
        assert games.keys() == own.keys()
        for at, game in games.items():
            pairing = own[at]
            assert game.startrank == (pairing.opponent_of(number) or 0)
            if pairing.second is not None:
                assert game.color == ("w" if pairing.first == number else "b")
            points = {"1": 1, "+": 1, "U": 1, "=": 0.5, "0": 0, "-": 0, "Z": 0}
            assert points[game.result] == pairing.points_of(number)
            assert (game.result in "+-") == pairing.is_forfeit


@settings(max_examples=repetitions(40, 400), deadline=None)
@given(events)
def test_a_report_is_read_as_it_was_written(event):
    found = read_trf(written(event))
    expected = sorted(event.pairings, key=lambda one: (one.round, one.players))
    assert sorted(found.pairings, key=lambda one: (one.round, one.players)) == expected
    assert replace(found, pairings=event.pairings) == event


@settings(max_examples=repetitions(20, 200), deadline=None)
@given(events)
def test_what_the_public_writer_makes_of_a_report_is_read_alike(event):
    text = written(event)
    again = trf.dumps(trf.loads(text))
    over = [one for one in read_trf(text).pairings if one.points is not None]
    assert read_trf(again) == replace(read_trf(text), pairings=over)
    assert read_trf("\ufeff" + again.replace("\n", "\r\n")) == read_trf(again)


def test_the_fields_of_a_report_are_those_of_fide():
    text = written(event_of(6, 1, seed=1))
    fields = dict(line.split(" ", 1) for line in text.splitlines() if not line.startswith("001"))
    assert fields == {
        "012": "Cup é",
        "042": "2027/03/01",
        "052": "2027/03/14",
        "062": "6",
        "072": "4",
        "082": "2",
        "092": "Swiss system",
        "XXR": "2",
    }
    event = replace(event_of(6, 1, seed=1), starts=None, ends=None)
    assert "042" not in written(event)
    assert "052" not in written(event)


def test_results_of_other_programs_are_read():
    """Half a point for a round off, absence, games that are not rated, forfeits without colours."""
    rounds = {
        LINE: ["0000 - H", "0000 - Z", "   2 s W", "   2 - +", "", "   2 b  "],
        OTHER: ["0000 - F", "", "   1 w L", "   1 - -", "0000 - -", "   1 w  "],
    }
    lines = (line + "".join(f"  {one:8}" for one in found) for line, found in rounds.items())
    found = read_trf("012 Cup\n042 1.3.2027\n" + "\n".join(lines))
    assert found.starts is None, "no day is guessed"
    assert found.pairings == [
        Pairing(1, 1, None, (0.5, 0.0)),
        Pairing(1, 2, None, (1.0, 0.0)),
        Pairing(2, 1, None, (0.0, 0.0)),
        Pairing(3, 2, 1, (0.0, 1.0)),
        Pairing(4, 1, 2, (1.0, 0.0), is_forfeit=True),
        Pairing(5, 2, None, (0.0, 0.0)),
        Pairing(6, 2, 1),
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["012 Cup"], "the report has no players, whose lines begin with 001"),
        ([LINE, LINE], "line 2 of the report: the number of the player is '1', but has to be"),
        ([LINE.replace("   1 ", "   0 ", 1)], "line 1 of the report: the number of the player is"),
        ([LINE.replace("   1 ", "   ² ", 1)], "line 1 of the report: the number of the player is"),
        ([LINE + "     2 w 7", OTHER], "line 1 of the report: '2 w 7' is no result of a round"),
        ([LINE + "     2 x 1", OTHER], "line 1 of the report: '2 x 1' is no result of a round"),
        ([LINE + "     ² w 1", OTHER], "line 1 of the report: '² w 1' is no result of a round"),
        ([LINE + "  0000 - 1", OTHER], "line 1 of the report: '0000 - 1' is no result of a round"),
        ([LINE + "     2 w 1", OTHER], "round 1 of the report: the results of players 1 and 2 do"),
        ([LINE + "     1 w 1"], "round 1 of the report: the results of players 1 and 1 do not fit"),
        ([LINE + "     2 w 1", OTHER + "     1 b 1"], "the results of players 1 and 2 do not fit"),
        ([LINE + "     2 w 1", OTHER + "     1 w 0"], "the results of players 1 and 2 do not fit"),
        ([LINE + "     2 w +", OTHER + "     1 b 0"], "the results of players 1 and 2 do not fit"),
        ([LINE + "     2 w 1", OTHER + "     1 b  "], "the results of players 1 and 2 do not fit"),
        ([LINE + "     9 w 1", OTHER], "the results of players 1 and 9 do not fit"),
    ],
)
def test_a_report_that_cannot_be_read_is_refused_with_its_line(lines, message):
    with pytest.raises(InputError) as error:
        read_trf("\n".join(lines))
    assert message in str(error.value)


@settings(max_examples=repetitions(100, 1_000), deadline=None)
@given(st.lists(st.one_of(st.text(max_size=120), st.builds(LINE.__add__, st.text(max_size=40)))))
def test_any_text_is_read_or_refused(lines):
    text = "\n".join(lines)
    try:
        found = read_trf(text)
    except InputError:
        return
    assert len(found.players) == sum(line.startswith("001") for line in _lines(text))
