"""Plays whole events by chance: results, withdrawals, late entries, double calls, and kills.

A kill is an error at a random statement of the database within a step, so that its transaction is
rolled back as if the process had ended; then the event goes on with what is stored.
"""

import random
from collections import Counter
from contextlib import contextmanager, suppress

from django.db import connection, transaction

from antipodes.clocks import HOUR, read_control
from antipodes.errors import AntipodesError, InputError
from antipodes.games.registry import make_game
from antipodes.match import Play, Resign
from antipodes.tournaments import FORMATS, SINGLE, TieBreak, make_bout, make_format
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.platform import limits
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import directing, progress, services
from antipodes.web.tournaments.log import replay
from antipodes.web.tournaments.models import GameRow, TournamentRow, TournamentState
from antipodes.web.tournaments.plans import Plan

HEX = make_game("hex", {"size": 3, "swap": "off"})
THREE = make_game("antipalos", {"seats": "cutthroat3", "size": 12})
TWO = make_game("antipalos", {"size": 12})
SEVERAL = ("mirrored", "pair", "best-of-3", "match-6")
OPENINGS = (1, 2)  # moves of each
LIVE, SLOW = "5m+5s", "3d/move+10d"
MOST_PLAYERS = 9
MOST_ACTIONS = 2_000
LONGEST = 30  # actions after which the director finishes an event without end


def some_rules(kind, rng):
    """Return rules of a format by chance: for half of them small numbers, or any word."""
    while True:
        rules = {
            one.name: rng.choice(one.values or range(one.low, one.low + 3))
            for one in kind.describe()
            if rng.random() < 0.5
        }
        with suppress(InputError):
            return make_format(kind.name, rules)


class KilledError(BaseException):
    """The process ends here."""


@contextmanager
def killed_after(statements):
    """Raise an error at a statement of the database, but at none that ends a transaction."""
    left = [statements]

    def count(execute, sql, *rest):
        if not sql.startswith(("SAVEPOINT", "RELEASE", "ROLLBACK")):
            left[0] -= 1
            if left[0] == 0:
                raise KilledError
        return execute(sql, *rest)

    with connection.execute_wrapper(count):
        yield


class Simulation:
    """One event, from its plan to its end."""

    def __init__(self, name, seed, host, most_players):
        """Make the event, and let players join."""
        self.rng = random.Random(f"{name} {seed}")
        self.name, self.host = name, host
        self.format = some_rules(FORMATS[name], self.rng)
        clubs = self.make_clubs(seed) if self.format.has_teams else {}
        is_live = self.rng.random() < 0.5 if self.format.is_live is None else self.format.is_live
        self.bout = self.rng.choice(self.bouts())
        breaks = None
        if self.format.has_playoff and is_live:
            breaks = (TieBreak.PLAYOFF,)
        plan = Plan(
            title=f"{name} {seed}",
            format=self.format,
            game=self.game(),
            control=read_control(LIVE if is_live else SLOW),
            bout=self.bout,
            tie_breaks=breaks,
            openings=self.openings(),
            **clubs,
        )
        self.row = services.create_tournament(host, plan)
        self.players = [
            User.objects.get_or_create(username=f"player-{number}")[0]
            for number in range(most_players)
        ]
        for user in self.players[: self.rng.randint(4, most_players)]:
            self.attempt(lambda user=user: services.join(self.row.pk, user))
        self.actions = 0

    def bouts(self):
        """Return the bouts that the format allows: half of all events have single games."""
        if self.format.is_continuous or 2 not in self.format.seats:
            return [SINGLE]
        several = [make_bout(name) for name in SEVERAL]
        return [SINGLE] * len(several) + several

    def game(self):
        """Return a game that fits."""
        if 2 not in self.format.seats:
            return THREE
        return TWO if self.bout.counts_chart else HEX

    def openings(self):
        """Return openings for half of all events: moves by chance."""
        if self.rng.random() < 0.5:
            return ""
        return "\n".join(self.opening(moves) for moves in OPENINGS)

    def opening(self, moves):
        position, texts = self.game().initial(), []
        for _ in range(moves):
            move = self.rng.choice(list(position.legal_moves))
            texts.append(position.format_move(move))
            position = position.play(move)
        return " ".join(texts)

    def make_clubs(self, seed):
        """Return two clubs whose members are all players by turns."""
        pair = [
            ClubRow.objects.create(slug=f"{slug}-{seed}", name=f"{slug} {seed}", made_at=0)
            for slug in ("north", "south")
        ]
        MemberRow.objects.create(club=pair[0], user=self.host, since=0)
        for number in range(MOST_PLAYERS):
            user, _ = User.objects.get_or_create(username=f"player-{number}")
            MemberRow.objects.create(club=pair[number % 2], user=user, since=0)
        return {"club": pair[0], "guest_club": pair[1]}

    def attempt(self, action):
        """Do something once, twice, or until a kill; refusals change nothing."""
        chance = self.rng.random()
        for _ in range(2 if chance < 0.2 else 1):
            with suppress(AntipodesError):
                if chance > 0.8:
                    self.do_until_kill(action)
                else:
                    action()

    def do_until_kill(self, action):
        """Do something until a kill at one of its first statements."""
        try:
            with killed_after(self.rng.randint(1, 25)):
                action()
        except KilledError:
            # A block without a savepoint, such as that of a bulk insert, is a transaction of its
            # own on the site. Here it marks that of the test, although nothing is to be undone.
            transaction.set_rollback(False)

    def play(self):
        """Play the event to its end."""
        while self.row.is_before_start:
            self.attempt(self.start)
            self.row.refresh_from_db()
        while not self.row.is_over:
            self.actions += 1
            assert self.actions < MOST_ACTIONS, f"{self.row} never ends"
            self.act()
            self.attempt(lambda: progress.step(self.row.pk))
            self.row.refresh_from_db()
        self.check()
        return self.row

    def start(self):
        """Let the director start the event, or cancel it if too few players have joined."""
        try:
            directing.start(self.row.pk, self.host)
        except InputError as error:
            if error.code == "tournament/size":
                directing.cancel(self.row.pk, self.host, str(error))

    def act(self):
        """Let a player or the director do something."""
        chance = self.rng.random()
        if chance < 0.03:
            self.attempt(self.withdraw)
        elif chance < 0.06:
            self.attempt(lambda: services.join(self.row.pk, self.rng.choice(self.players)))
        elif chance < 0.08:
            self.attempt(lambda: directing.pause(self.row.pk, self.host, "a break"))
        elif chance < 0.12:
            self.attempt(self.adjudicate)
        elif self.format.has_places and chance < 0.5:
            self.attempt(self.challenge)
        elif chance < 0.9:
            self.attempt(self.finish_game)
        if self.row.state == TournamentState.PAUSED and self.rng.random() < 0.5:
            directing.resume(self.row.pk, self.host)
        if self.format.is_continuous and self.actions > LONGEST:
            self.end()

    def end(self):
        """Let the time of an arena be up, or let the director finish."""
        if self.row.ends_at is None:
            self.attempt(lambda: directing.finish(self.row.pk, self.host))
        else:
            rows = TournamentRow.objects.filter(pk=self.row.pk)
            rows.update(begun_at=(self.row.begun_at or 0) - HOUR, due_at=now())

    def withdraw(self):
        services.leave(self.row.pk, self.rng.choice(self.players))

    def adjudicate(self):
        """Let the director decide or correct a pairing."""
        found = list(self.row.pairings.all())
        if found:
            one = self.rng.choice(found)
            result = self.rng.choice(list(directing.results_of(self.row)))
            directing.adjudicate(self.row.pk, self.host, one.round, one.table, result, "agreed")

    def challenge(self):
        """Let a player challenge another."""
        entry = self.rng.choice(list(self.row.entries.select_related("user")))
        for other, _made in services.challenges(self.row, entry)[:1]:
            services.challenge(self.row.pk, entry.user, other.user.username)

    def finish_game(self):
        """Let some players move and one resign, perhaps before any move."""
        games = GameRow.objects.filter(pairing__tournament=self.row, match__ended_at=None)
        found = list(games.select_related("match"))
        if not found:
            return
        match = self.rng.choice(found).match
        seats = match.game.seats
        moves = 0 if self.rng.random() < 0.1 else seats
        for _ in range(moves):
            now_at = MatchRow.objects.get(pk=match.pk).match()
            if now_at.result is not None:
                return  # won on the board, after moves that an earlier kill has left
            move = min(now_at.position.legal_moves)
            key = f"{match.pk} {now_at.ply}"
            seat = now_at.position.seat_to_move
            carry_out(match.slug, Play(seat=seat, ply=now_at.ply, key=key, move=move))
        at = MatchRow.objects.get(pk=match.pk).match()
        seat = self.rng.randrange(seats)
        carry_out(match.slug, Resign(seat=seat, ply=at.ply, key=f"over {match.pk}"))

    def check(self):
        """Check what is stored: the log tells all of it, and no rule of the format is broken."""
        row = self.row
        log = list(row.log.all())
        assert [one.number for one in log] == list(range(row.version))
        told = replay(one.data for one in log)
        entries = {one.number: one for one in row.entries.exclude(number=None)}
        assert told.state == row.state
        assert told.users == {number: one.user_id for number, one in entries.items()}
        pairings = list(row.pairings.select_related("first", "second", "third", "fourth"))
        stored = {(one.round, one.table): one for one in pairings}
        assert set(told.players) == set(stored)
        for at, one in stored.items():
            numbers = tuple(player.number for player in one.players)
            assert tuple(number for number in told.players[at] if number) == numbers
            assert told.pairings[at] == one.points
        games = GameRow.objects.filter(pairing__tournament=row).select_related("pairing", "match")
        assert told.games == {
            (one.pairing.round, one.pairing.table, one.number): one.match.slug for one in games
        }
        assert not MatchRow.objects.filter(tournament_game=None).exists()
        assert told.openings == {at: one.opening for at, one in stored.items() if one.opening}
        for game in games:
            self.check_opening(game)
        if row.format.has_places:
            places = {number: one.place for number, one in entries.items()}
            assert told.places == places
        for number in {one.round for one in pairings}:
            seated = Counter(
                player.number for one in pairings if one.round == number for player in one.players
            )
            assert max(seated.values()) == 1
        if self.name in {"swiss", "rolling-swiss"}:
            met = Counter(
                frozenset((one.first_id, one.second_id))
                for one in pairings
                if one.second_id and not one.is_forfeit and not one.is_playoff
            )
            assert max(met.values(), default=1) == 1
        if row.state == TournamentState.FINISHED:
            assert told.ranks == {number: one.rank for number, one in entries.items()}
            assert all(one.rank for one in entries.values())
            if not row.format.is_continuous:
                assert all(one.is_decided for one in pairings)

    def check_opening(self, game):
        """Check that a game begins with its opening, as the other game of its two does."""
        match = game.match.match()
        assert bool(match.terms.given_moves) == bool(self.row.openings)
        position, texts = match.terms.origin, []
        for move in match.terms.given_moves:
            texts.append(position.format_move(move))
            position = position.play(move)
        first = game.number - (game.number - 1) % 2
        assert " ".join(texts) == game.pairing.opening_moves(first)


def play_event(name, seed, host, most_players=MOST_PLAYERS):
    """Play an event of a format; return its row."""
    limits.limiter().storage.reset()
    return Simulation(name, seed, host, most_players).play()
