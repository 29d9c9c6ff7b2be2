"""Which opening of a list each pairing and each game begins with."""

from hypothesis import given
from hypothesis import strategies as st

from antipodes.tournaments import opening_of_game, openings_of_pairings

COUNTS = st.integers(1, 9)


@given(number=st.integers(1, 20), round_number=st.integers(1, 50), count=COUNTS)
def test_all_pairings_of_a_round_have_one_opening_and_the_next_round_the_next(
    number, round_number, count
):
    found = openings_of_pairings(number, round_number, 7, count, has_rounds=True)
    later = openings_of_pairings(number, round_number + 1, 7, count, has_rounds=True)
    assert len(found) == number
    assert len({*found}) == len({*later}) == 1
    assert later[0] == found[0] % count + 1


@given(waves=st.lists(st.integers(1, 5), max_size=9), count=COUNTS)
def test_without_rounds_the_openings_come_by_turns(waves, count):
    found: list[int] = []
    for number, wave in enumerate(waves, start=1):
        found += openings_of_pairings(wave, number, len(found), count, has_rounds=False)
    assert found == [at % count + 1 for at in range(len(found))]


@given(first=st.integers(1, 9), pairs=st.integers(1, 20), count=COUNTS)
def test_two_games_with_exchanged_seats_have_the_same_opening(first, pairs, count):
    first = min(first, count)
    found = [opening_of_game(first, number, count) for number in range(1, 2 * pairs + 1)]
    assert found[0] == first
    assert found[::2] == found[1::2]
    assert all(1 <= one <= count for one in found)
    assert found[2:] == [one % count + 1 for one in found[:-2]]
