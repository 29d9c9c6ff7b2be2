"""Small windows over the board: a line of text, a question, the help."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

Check = Callable[[str], str | None]


class Ask(ModalScreen[str | None]):
    """Asks for a line of text; gives it back, or ``None`` if it was cancelled."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel")]

    def __init__(self, question: str, value: str = "", check: Check = lambda _: None) -> None:
        """Ask ``question``; ``check`` returns what is wrong with an answer, or ``None``."""
        super().__init__()
        self._question = question
        self._value = value
        self._check = check

    def compose(self) -> ComposeResult:
        """Lay out question, line and what is wrong."""
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False)
            yield Input(self._value, select_on_focus=False)
            yield Static("Enter accepts, Esc cancels.", id="fault", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the answer, or say what is wrong with it."""
        fault = self._check(event.value)
        if fault is None:
            self.dismiss(event.value)
        else:
            self.query_one("#fault", Static).update(fault)

    def action_cancel(self) -> None:
        """Close without an answer."""
        self.dismiss(None)


class Confirm(ModalScreen[bool]):
    """Asks a question with yes and no."""

    AUTO_FOCUS = "#no"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
    ]

    def __init__(self, question: str, yes: str = "Yes", no: str = "No") -> None:
        super().__init__()
        self._question = question
        self._labels = yes, no

    def compose(self) -> ComposeResult:
        """Lay out the question and two buttons."""
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False)
            with Horizontal(classes="buttons"):
                yield Button(f"{self._labels[0]} (y)", id="yes", compact=True)
                yield Button(f"{self._labels[1]} (n)", id="no", compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Take the answer."""
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        """Take the answer from the keyboard."""
        self.dismiss(answer)


class Help(ModalScreen[None]):
    """Shows keys and marks."""

    AUTO_FOCUS = ".dialog"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter,space", "close", "Close")
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Lay out the text."""
        with VerticalScroll(classes="dialog tall"):
            yield Static(self._text, markup=False)

    def action_close(self) -> None:
        self.dismiss(None)
