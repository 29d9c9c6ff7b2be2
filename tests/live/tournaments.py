"""Tournaments of a site in other processes: make them, play them, and check what is stored."""

from antipodes.web.tournaments.log import replay

CHALLENGES = 6  # of a ladder, until its host finishes it

MAKE = """
from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.tournaments import SINGLE, make_bout, make_format
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.tournaments import directing, services
from antipodes.web.tournaments.plans import Plan

host = User.objects.create(username="host")
players = [User.objects.create(username=f"player-{number}") for number in range(6)]
clubs = [ClubRow.objects.create(slug=one, name=one, made_at=0) for one in ("owls", "hawks")]
MemberRow.objects.create(club=clubs[0], user=host, since=0)
for number, user in enumerate(players):
    MemberRow.objects.create(club=clubs[number % 2], user=user, since=0)
hex_board = make_game("hex", {"size": 3, "swap": "off"})
two = make_game("antipalos", {"size": 12})
three = make_game("antipalos", {"seats": "cutthroat3", "size": 12})
bouts = {"knockout": make_bout("best-of-3"), "swiss": make_bout("match-6")}
for name, rules in FORMATS.items():
    kind = make_format(name, rules)
    bout = bouts.get(name, SINGLE)
    game = three if 2 not in kind.seats else two if bout.counts_chart else hex_board
    plan = Plan(
        title=name,
        format=kind,
        game=game,
        bout=bout,
        openings="a1\\nb1 c3" if game is hex_board else "",
        control=read_control("3d/move+10d" if kind.is_live is False else "5m+5s"),
        club=clubs[0] if kind.has_teams else None,
        guest_club=clubs[1] if kind.has_teams else None,
    )
    row = services.create_tournament(host, plan)
    for user in players:
        services.join(row.pk, user)
    directing.start(row.pk, host)
"""
PLAY = """
import random
from contextlib import suppress
from antipodes.errors import AntipodesError
from antipodes.match import Play, Resign
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.tournaments import directing, services
from antipodes.web.tournaments.models import OVER, GameRow, TournamentRow

rng = random.Random()
host = User.objects.get(username="host")

def play_once():
    games = GameRow.objects.filter(match__ended_at=None).values_list("match", flat=True)
    for key in list(games):
        with suppress(AntipodesError):
            match = MatchRow.objects.get(pk=key)
            for _ in range(match.game.seats):
                at = MatchRow.objects.get(pk=key).match()
                if at.result is not None:
                    break
                play = Play(seat=at.position.seat_to_move, ply=at.ply, key=f"{key} {at.ply}",
                            move=min(at.position.legal_moves))
                carry_out(match.slug, play)
            at = MatchRow.objects.get(pk=key).match()
            seat = rng.randrange(match.game.seats)
            carry_out(match.slug, Resign(seat=seat, ply=at.ply, key=f"over {key}"))
    for row in TournamentRow.objects.exclude(state__in=OVER):
        if not row.format.has_places:
            continue
        if row.pairings.count() >= CHALLENGES:
            with suppress(AntipodesError):
                directing.finish(row.pk, host)
            continue
        for entry in row.entries.select_related("user"):
            for other, _made in services.challenges(row, entry)[:1]:
                with suppress(AntipodesError):
                    services.challenge(row.pk, entry.user, other.user.username)
    return TournamentRow.objects.exclude(state__in=OVER).count()
"""
WORK = """
import time
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import progress
from antipodes.web.tournaments.models import OVER, TournamentRow

end = time.monotonic() + SECONDS
while TournamentRow.objects.exclude(state__in=OVER).exists() and time.monotonic() < end:
    for key in progress.due(now()):
        progress.advance(key)
    time.sleep(0.05)
"""
LOOK = """
from antipodes.web.matches.models import MatchRow
from antipodes.web.tournaments.models import GameRow, TournamentRow

found = []
for row in TournamentRow.objects.all():
    games = GameRow.objects.filter(pairing__tournament=row).select_related("pairing", "match")
    rows = row.pairings.select_related("first", "second", "third", "fourth")
    found.append({
        "format": row.format_name,
        "state": row.state,
        "version": row.version,
        "log": [[one.number, one.data] for one in row.log.all()],
        "pairings": [
            [one.round, one.table, [player.number for player in one.players], one.points]
            for one in rows
        ],
        "games": [
            [one.pairing.round, one.pairing.table, one.number, one.match.slug] for one in games
        ],
        "openings": [
            [one.round, one.table, one.opening] for one in rows if one.opening is not None
        ],
        "given": [
            [one.pairing.opening_moves(one.number), len(one.match.match().terms.given_moves)]
            for one in games
        ],
        "places": [[one.number, one.place] for one in row.entries.all()],
        "lost": MatchRow.objects.filter(tournament_game=None).count(),
    })
"""


def check(found):
    """Check of an event that its log tells what is stored, and that each game began once."""
    numbers = [number for number, _ in found["log"]]
    assert numbers == list(range(found["version"]))
    told = replay(data for _, data in found["log"])
    players = {(one[0], one[1]): tuple(one[2]) for one in found["pairings"]}
    assert {at: tuple(filter(None, one)) for at, one in told.players.items()} == players
    points = {(one[0], one[1]): one[3] and tuple(one[3]) for one in found["pairings"]}
    assert told.pairings == points
    assert told.games == {tuple(one[:3]): one[3] for one in found["games"]}
    assert told.openings == {(one[0], one[1]): one[2] for one in found["openings"]}
    assert all(len(moves.split()) == count for moves, count in found["given"])
    assert found["lost"] == 0
    if found["format"] == "ladder":
        assert {one: told.places[one] for one, _ in found["places"]} == dict(found["places"])
