"""The numbers that kernels answer mean what the vocabulary says."""

from antipodes.core import Illegality, Termination
from antipodes.games.kernels import header


def test_every_illegality_has_the_number_that_kernels_answer():
    assert {reason.name: reason.value for reason in Illegality} == {
        reason.name: getattr(header, reason.name) for reason in Illegality
    }
    assert header.LEGAL not in {reason.value for reason in Illegality}


def test_every_termination_has_a_number_of_its_own():
    numbers = [getattr(header, termination.name) for termination in Termination]
    assert len(set(numbers)) == len(numbers)
    assert 0 not in numbers
