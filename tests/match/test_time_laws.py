"""Laws of time: whatever players offer and agree to, under any control, no player gains time."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from antipodes.clocks import TimeControl
from antipodes.errors import InputError
from antipodes.match import Accept, Decline, Match, Offer, OfferKind, Play, Resume
from tests.match.games import MatchDriver, match_of
from tests.thorough import repetitions

TIMES = st.sampled_from([0, 1, 5_000, 60_000, 86_400_000])
CONTROLS = st.builds(
    lambda bank, per_move, increment: TimeControl(
        bank=bank, per_move=per_move, increment=increment if bank or per_move else 0
    ),
    TIMES,
    TIMES,
    TIMES,
)
GAMES = st.sampled_from([("hex", {"size": 5}), ("antipalos", {"size": 12, "seats": "cutthroat3"})])
KINDS = st.sampled_from([OfferKind.TAKEBACK, OfferKind.TAKEBACK, OfferKind.PAUSE, OfferKind.DRAW])
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["play", "play", "takeback", "offer", "accept", "decline", "resume"]),
        st.integers(0, 2),
        KINDS,
        st.sampled_from([0, 0, 1, 900, 4_000, 40_000]),
    ),
    max_size=40,
)


def carry_out(driver, kind, seat, offer):
    """Send commands; those that are refused change nothing."""
    match = driver.match
    if kind == "play":
        try_to(driver, Play, match.seat_to_move, move=min(match.position.legal_moves))
    elif kind == "takeback":
        try_to(driver, Offer, seat, kind=OfferKind.TAKEBACK)
        for other in range(match.terms.game.seats):
            if other != seat:
                try_to(driver, Accept, other, kind=OfferKind.TAKEBACK)
    elif kind == "resume":
        try_to(driver, Resume, seat)
    else:
        command = {"offer": Offer, "accept": Accept, "decline": Decline}[kind]
        try_to(driver, command, seat, kind=offer)


def try_to(driver, command, seat, **details):
    match = driver.match
    try:
        driver.send(command, seat, **details)
    except InputError:
        assert driver.match is match


def times(driver):
    clock = driver.match.clock
    return [clock.left(seat, driver.now) for seat in range(len(clock.banks))]


def wealth(driver):
    """Return what each seat's bank has, less what it used of the time for each single move."""
    clock, found = driver.match.clock, []
    for seat, bank in enumerate(clock.banks):
        used, overrun = dict(enumerate(clock.used_per_move[seat])), 0
        if seat == clock.seat:
            spent, per_move = clock.used(driver.now), clock.control.per_move
            used[clock.turns[seat]] = min(spent, per_move)
            overrun = max(0, spent - per_move)
        found.append(bank - overrun - sum(used.values()))
    return found


@settings(max_examples=repetitions(150, 2_000), deadline=None)
@given(GAMES, CONTROLS, st.sampled_from([0, 1_000, 30_000]), STEPS)
def test_no_sequence_of_offers_adds_time(game, control, grace, steps):
    game_id, options = game
    terms = match_of(game_id, control, **options).terms
    driver = MatchDriver(Match.begun(replace(terms, grace=grace), 0))
    seats = driver.match.terms.game.seats
    used = [0] * seats  # since the beginning, in all turns
    for kind, seat, offer, passed in steps:
        match = driver.match
        if match.result is not None:
            break
        if not match.clock.paused:
            used[match.seat_to_move] += passed
        driver.now += passed
        before = wealth(driver)
        carry_out(driver, kind, seat % seats, offer)
        if control.is_unlimited or driver.match.result is not None:
            continue
        after = wealth(driver)
        if kind != "play":
            assert all(new <= old for new, old in zip(after, before, strict=True))
            assert kind == "takeback" or offer is OfferKind.TAKEBACK or after == before
        left = times(driver)
        movers = [made.seat for made in driver.match.moves]
        for one in range(seats):
            # Moves that stand earn increments, and their turns and the next one time for a move.
            turns = movers.count(one)
            given_time = control.bank + turns * (control.increment + control.per_move)
            withdrawn = len(driver.match.clock.used_per_move[one]) - turns
            given_time += control.per_move * (1 + max(0, withdrawn))
            assert left[one] <= given_time + grace - used[one]
