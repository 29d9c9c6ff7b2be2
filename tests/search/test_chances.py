"""Laws of chances: what a value of the search means, judged by games that the fit has not seen."""

import itertools
import math

import pytest

from antipodes.games.registry import make_game
from antipodes.search.chances import ChanceMap, chance_map, chance_text, measured_maps

VALUES = [n / 50 for n in range(51)]


def maps():
    return [ChanceMap(group["shift"], group["scale"]) for group in measured_maps()]


def surprise(chance, won):
    """Return the mean logarithmic loss of a chance where a share of points was won."""
    return -won * math.log(chance) - (1 - won) * math.log(1 - chance)


def loss(group, measured):
    """Return the mean loss of a map on the bins of a group."""
    total = sum(count for count, _, _ in group["bins"])
    return (
        sum(
            count * surprise(measured.chance(value, is_first=True), won)
            for count, value, won in group["bins"]
        )
        / total
    )


@pytest.mark.parametrize("measured", [*maps(), ChanceMap()])
def test_better_values_are_better_chances_and_those_of_two_colours_add_up(measured):
    first = [measured.chance(value, is_first=True) for value in VALUES]
    assert first == sorted(set(first))
    assert (first[0], first[-1]) == (0.0, 1.0)
    for value, chance in zip(VALUES, first, strict=True):
        assert measured.chance(1 - value, is_first=False) == pytest.approx(1 - chance)


@pytest.mark.parametrize("group", measured_maps(), ids=lambda group: f"{group['game']}")
def test_chances_fit_stored_games_better_than_values_do(group):
    """The stored losses are of games that the fit has not seen; few games have a noise of 0.01."""
    of_values, of_chances = group["losses"]
    assert of_chances <= of_values + 0.01
    assert loss(group, ChanceMap(group["shift"], group["scale"])) <= loss(group, ChanceMap())


def test_over_all_games_chances_are_nearer_to_the_results():
    of_values, of_chances = zip(*(group["losses"] for group in measured_maps()), strict=True)
    assert sum(of_chances) < sum(of_values)


def test_sizes_and_games_have_maps_of_their_own():
    groups = measured_maps()
    for group in groups:
        for board in group["boards"]:
            game = make_game(group["game"], board)
            assert chance_map(game) == ChanceMap(group["shift"], group["scale"])
    for one, other in itertools.pairwise(groups):
        if one["game"] == other["game"]:
            assert one["most_cells"] < (other["most_cells"] or math.inf)
    assert chance_map(make_game("antipalos")) == ChanceMap()


def test_a_chance_is_written_in_whole_percent_and_only_a_proof_is_certain():
    game = make_game("antipalos")
    texts = [chance_text(game, game.colors[0], value) for value in (0.2382, 0.9999, 1.0, None)]
    assert texts == ["24 %", "99 %", "100 %", "?"]
