"""Practice: casual matches that begin from any position, with the computer or another player."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from antipodes.clocks import read_control
from antipodes.errors import Fault, InputError
from antipodes.games.position import Position
from antipodes.match import Start
from antipodes.search.levels import DEFAULT_LEVEL
from antipodes.web.accounts.models import User
from antipodes.web.analysis.position_queries import Line
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.challenges.services import GameRequest, Opponent, request_game
from antipodes.web.matches.labels import CONTROLS, level_choices
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform.translations import color_name, translate

# Fields of the forms; the others describe the position.
OWN_FIELDS = ("opponent", "level", "play_as", "control")
COMPUTER, FRIEND = "computer", "link"  # values of ``opponent``


class SeatForm(forms.Form):
    """The seat that the learner plays."""

    play_as = forms.TypedChoiceField(label=gettext_lazy("You play"), coerce=int)

    def __init__(self, line: Line, data: object = None) -> None:
        """Offer the seats as they are in the position."""
        chosen = {"level": str(DEFAULT_LEVEL), "play_as": str(line.position.seat_to_move)}
        super().__init__(data, initial=chosen)  # type: ignore[arg-type]  # what requests have
        self.line = line
        self._set_choices("play_as", _seat_choices(line.position))

    def _set_choices(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]  # it is a choice field


class PracticeForm(SeatForm):
    """The level of the computer, and the seat that the learner plays."""

    level = forms.ChoiceField(label=gettext_lazy("Level of the computer"))

    def __init__(self, line: Line, data: object = None) -> None:
        """Offer the levels of the game."""
        super().__init__(line, data)
        self._set_choices("level", level_choices())


class FriendForm(SeatForm):
    """The clock of a match with anyone who opens the link, and the seat of the challenger."""

    control = forms.ChoiceField(label=gettext_lazy("Clock"))

    def __init__(self, line: Line, data: object = None) -> None:
        """Offer the usual clocks."""
        super().__init__(line, data)
        self.auto_id = "friend_%s"
        self.fields["play_as"].label = _("Your side")
        self._set_choices(
            "control", [(group, list(some.items())) for group, some in CONTROLS.items()]
        )


def _seat_choices(position: Position) -> list[tuple[str, str]]:
    """Return the seats, the one to move first."""
    seats, first = position.game.seats, position.seat_to_move
    order = [(first + later) % seats for later in range(seats)]
    return [(str(seat), _seat_label(position, seat)) for seat in order]


def _seat_label(position: Position, seat: int) -> str:
    values = {"seat": seat + 1, "colour": color_name(position.color_of(seat))}
    label = "%(colour)s" if position.game.seats == 2 else _("seat %(seat)s, %(colour)s")
    if seat == position.seat_to_move:
        return _("%(seat)s, to move") % {"seat": label % values}
    return label % values


def check_may_continue(line: Line) -> None:
    """Refuse a position in which the game is over.

    Raises:
        InputError: it is.
    """
    outcome = line.position.outcome
    if outcome is not None:
        fault = Fault.of(
            "match/decided", "the game is over in this position: {outcome}", outcome=outcome
        )
        raise InputError([fault])


def start_practice(user: User, line: Line, level: str, seat: int) -> MatchRow:
    """Start a casual match against the computer from the end of a line.

    Args:
        user: the learner.
        line: the moves to the position, which are part of the match and cannot be taken back.
        level: of the computer, which has all other seats.
        seat: of the learner.

    Raises:
        InputError: the game is over in the position; or the user is suspended, or plays too many
            games against the computer.
        TooManyError: the user has started too many games.
    """
    check_may_continue(line)
    request = GameRequest(
        game=line.game, opponent=Opponent.COMPUTER, level=level, seat=seat, start=_start_of(line)
    )
    match = request_game(user, request)
    assert isinstance(match, MatchRow)  # the computer takes all other seats
    return match


def challenge_friend(user: User, line: Line, control: str, seat: int) -> ChallengeRow:
    """Post a casual challenge from the end of a line, for anyone who has its link.

    Raises:
        InputError: the game is over in the position; or the user is suspended, or has too many
            open challenges.
        TooManyError: the user has started too many games.
    """
    check_may_continue(line)
    request = GameRequest(
        game=line.game,
        opponent=Opponent.LINK,
        seat=seat,
        control=read_control(control),
        start=_start_of(line),
    )
    challenge = request_game(user, request)
    assert isinstance(challenge, ChallengeRow)  # another player has to join
    return challenge


def _start_of(line: Line) -> Start | None:
    """Return a line as the start of a match; ``None`` for the start of the game."""
    return line.start if line.moves or line.setup_text else None


def heading(line: Line) -> str:
    """Return the title of a page about practice in a position."""
    return _("Practice: %(game)s") % {"game": translate(line.game.title)}
