"""Matches against a small model: whatever is sent, in whatever order, both agree.

The model keeps what a person at the table would: a list of moves, whose offer lies there, how many
seconds are left, and what each has whispered to a friend to play for them.
"""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from antipodes.errors import InputError
from antipodes.match import (
    ANY,
    Abort,
    Accept,
    CancelResignation,
    ClaimFlag,
    ConditionalMoves,
    Decline,
    Match,
    Offer,
    OfferKind,
    Play,
    QueueResignation,
    Resign,
    SetConditionalMoves,
    handle,
    read_event,
)
from tests.match.games import match_of
from tests.thorough import repetitions

SETUPS = (
    ("hex", {"size": 3}),
    ("antipalos", {"size": 12, "seats": "team"}),
    ("antipalos", {"size": 12, "seats": "cutthroat3"}),
)
MAIN, EXTRA = 30, 2  # seconds
KINDS = st.sampled_from([OfferKind.DRAW, OfferKind.TAKEBACK])
SEATS = st.integers(0, 3)
LATE = st.sampled_from([0, 0, 0, 1, -1])  # how wrong the ply of a command is
SOONER = st.integers(0, 9)  # seconds between commands


class Tables(RuleBasedStateMachine):
    """Sends commands to a match and to the model."""

    @initialize(setup=st.sampled_from(SETUPS))
    def begin(self, setup):
        game_id, options = setup
        self.match = match_of(game_id, f"{MAIN}s+{EXTRA}s", **options)
        self.begun = self.match
        self.seats = self.match.terms.game.seats
        self.draws = game_id != "hex"
        self.events = []
        self.sent = []
        self.now = 0
        self.turn = 0
        self.cells = []
        self.left = [MAIN] * self.seats
        self.offers = {}
        self.giving_up = set()
        self.answers = {}
        self.over = False

    # The model.

    def pass_time(self, seconds):
        self.now += 1000 * seconds
        if not self.over:
            self.left[self.turn] -= seconds

    def model_moves(self, cell):
        self.left[self.turn] += EXTRA
        self.cells.append((self.turn, cell))
        self.offers = {k: v for k, v in self.offers.items() if self.turn in v}
        self.giving_up.discard(self.turn)
        self.turn = (self.turn + 1) % self.seats

    def model_goes_on(self):
        """Let the prepared moves happen, until a player has to think."""
        while not self.over:
            if self.position_of_model().outcome is not None or self.turn in self.giving_up:
                self.over = True
            elif self.turn in self.answers:
                cell = self.answers.pop(self.turn)
                if cell not in self.position_of_model().legal_moves:
                    return
                self.model_moves(cell)
            else:
                return

    def position_of_model(self):
        position = self.match.terms.game.initial()
        for _, cell in self.cells:
            position = position.play(cell)
        return position

    def send(self, command_type, seat, wrong, /, **details):
        """Send a command; return whether it was carried out before any flag fell."""
        ply = len(self.cells) + wrong
        command = command_type(seat=seat, ply=ply, key=str(len(self.sent)), **details)
        self.sent.append(command)
        before = self.match
        try:
            self.match, events = handle(self.match, command, self.now)
        except InputError:
            assert self.match is before
            return False
        self.events.extend(events)
        if not self.over and self.left[self.turn] <= 0:
            self.over = True
            return False
        return True

    def expected(self, seat, wrong, right=True):
        """Return whether a command should be carried out."""
        in_time = self.over or self.left[self.turn] > 0
        return not self.over and in_time and seat < self.seats and wrong == 0 and right

    # Commands.

    @rule(seconds=SOONER, seat=SEATS, wrong=LATE, cell=st.integers(0, 12))
    def play(self, seconds, seat, wrong, cell):
        self.pass_time(seconds)
        legal = cell in self.position_of_model().legal_moves
        expected = self.expected(seat, wrong, seat == self.turn and legal)
        assert self.send(Play, seat, wrong, move=cell) == expected
        if expected:
            self.model_moves(cell)
            self.model_goes_on()

    @rule(seconds=SOONER, seat=SEATS, wrong=LATE, cell=st.integers(0, 12))
    def prepare_an_answer(self, seconds, seat, wrong, cell):
        self.pass_time(seconds)
        expected = self.expected(seat, wrong, seat != self.turn)
        moves = ConditionalMoves.line(*[ANY] * ((seat - self.turn) % self.seats), cell)
        assert self.send(SetConditionalMoves, seat, wrong, moves=moves) == expected
        if expected:
            self.answers[seat] = cell

    @rule(seconds=SOONER, seat=SEATS, wrong=LATE, kind=KINDS)
    def offer(self, seconds, seat, wrong, kind):
        self.pass_time(seconds)
        moved = any(mover == seat for mover, _ in self.cells)
        fresh = seat not in self.offers.get(kind, [])
        fits = self.draws if kind is OfferKind.DRAW else moved
        fits = fits and self.leaves_time(seat, kind)
        expected = self.expected(seat, wrong, fresh and fits)
        assert self.send(Offer, seat, wrong, kind=kind) == expected
        if expected:
            self.model_agrees(seat, kind)

    @rule(seconds=SOONER, seat=SEATS, wrong=LATE, kind=KINDS)
    def accept(self, seconds, seat, wrong, kind):
        self.pass_time(seconds)
        others = self.offers.get(kind, [])
        fits = bool(others) and seat not in others and self.leaves_time(seat, kind)
        expected = self.expected(seat, wrong, fits)
        assert self.send(Accept, seat, wrong, kind=kind) == expected
        if expected:
            self.model_agrees(seat, kind)

    def leaves_time(self, seat, kind):
        """Return whether all have time left if a seat's consent leads to a takeback."""
        agreed = {*self.offers.get(kind, []), seat}
        if kind is not OfferKind.TAKEBACK or len(agreed) < self.seats:
            return True
        return all(left > 0 for left in self.left_after_takeback())

    def left_after_takeback(self):
        """No player gets an increment for a turn that goes on, or for a move that is gone."""
        gone = [mover for mover, _ in self.cells[self.asked :]]
        return [left - EXTRA * gone.count(seat) for seat, left in enumerate(self.left)]

    def model_agrees(self, seat, kind):
        if kind not in self.offers and kind is OfferKind.TAKEBACK:
            self.asked = max(ply for ply, (mover, _) in enumerate(self.cells) if mover == seat)
        self.offers.setdefault(kind, []).append(seat)
        if len(self.offers[kind]) < self.seats:
            return
        if kind is OfferKind.DRAW:
            self.over = True
            return
        self.left = self.left_after_takeback()
        self.turn = self.cells[self.asked][0]
        del self.cells[self.asked :]
        self.offers = {}
        self.answers = {}
        self.giving_up = set()

    @rule(seconds=SOONER, seat=SEATS, wrong=LATE, kind=KINDS)
    def decline(self, seconds, seat, wrong, kind):
        self.pass_time(seconds)
        expected = self.expected(seat, wrong, kind in self.offers)
        assert self.send(Decline, seat, wrong, kind=kind) == expected
        if expected:
            del self.offers[kind]

    @rule(seconds=SOONER, seat=SEATS, wrong=LATE, on=st.booleans())
    def prepare_to_resign(self, seconds, seat, wrong, on):
        self.pass_time(seconds)
        expected = self.expected(seat, wrong, not on or seat != self.turn)
        command = QueueResignation if on else CancelResignation
        assert self.send(command, seat, wrong) == expected
        if expected:
            (self.giving_up.add if on else self.giving_up.discard)(seat)

    @rule(seconds=SOONER, seat=SEATS, wrong=st.sampled_from([1, -1, 1, -1, 0]))
    def resign(self, seconds, seat, wrong):
        self.pass_time(seconds)
        expected = self.expected(seat, wrong)
        assert self.send(Resign, seat, wrong) == expected
        self.over = self.over or expected

    @rule(seconds=SOONER, seat=SEATS, wrong=LATE)
    def abort(self, seconds, seat, wrong):
        self.pass_time(seconds)
        if not self.cells:
            return
        moved = any(mover == seat for mover, _ in self.cells)
        expected = self.expected(seat, wrong, not moved)
        assert self.send(Abort, seat, wrong) == expected
        self.over = self.over or expected

    @rule(seconds=SOONER, seat=SEATS, wrong=LATE)
    def claim(self, seconds, seat, wrong):
        self.pass_time(seconds)
        assert not self.send(ClaimFlag, seat, wrong)

    @rule(data=st.data(), seconds=SOONER)
    def send_again(self, data, seconds):
        """A command that was carried out does nothing the second time."""
        carried_out = [c for c in self.sent if c.key in self.match.keys]
        if carried_out and not (self.over or self.left[self.turn] <= seconds):
            self.pass_time(seconds)
            command = data.draw(st.sampled_from(carried_out))
            assert handle(self.match, command, self.now) == (self.match, ())

    # What always holds.

    @invariant()
    def both_agree(self):
        if not hasattr(self, "match"):
            return
        assert [(made.seat, made.move) for made in self.match.moves] == self.cells
        assert (self.match.result is not None) == self.over
        if not self.over:
            assert self.match.seat_to_move == self.turn
            assert self.match.offers == {k: tuple(v) for k, v in self.offers.items()}
            assert self.match.resigning == self.giving_up
            times = [self.match.clock.left(seat, self.now) for seat in range(self.seats)]
            assert times == [1000 * left for left in self.left]

    @invariant()
    def the_events_tell_everything(self):
        if hasattr(self, "match"):
            events = [read_event(event.as_json()) for event in self.events]
            assert Match.replayed(self.match.terms, 0, events) == self.match


TestTables = Tables.TestCase
TestTables.settings = settings(
    max_examples=repetitions(20, 50), stateful_step_count=40, deadline=None
)
