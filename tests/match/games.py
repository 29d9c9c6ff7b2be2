"""Matches to test with."""

from antipodes.clocks import TimeControl, read_control
from antipodes.games.registry import make_game
from antipodes.match import Match, Play, Terms, handle

NAMES = ("ann", "bob", "cy", "dee")


def match_of(game_id="hex", control="unlimited", players=None, begun=0, **options):
    """Return a match at its beginning."""
    game = make_game(game_id, options)
    time = control if isinstance(control, TimeControl) else read_control(control)
    players = players or NAMES[: game.seats]
    return Match.begun(Terms(game=game, players=tuple(players), control=time), begun)


class MatchDriver:
    """A match and the client that sends its commands, each with a new key."""

    def __init__(self, match):
        self.match = match
        self.now = 0
        self.events = []
        self.sent = 0

    def send(self, command_type, seat, /, **details):
        """Send a command for the present ply; return what happened."""
        self.sent += 1
        details.setdefault("ply", self.match.ply)
        command = command_type(seat=seat, key=f"key {self.sent}", **details)
        self.match, events = handle(self.match, command, self.now)
        self.events.extend(events)
        return events

    def play(self, *texts):
        """Play moves given as text, each by the seat whose turn it is."""
        for text in texts:
            move = self.match.position.parse_move(text)
            self.send(Play, self.match.seat_to_move, move=move)
