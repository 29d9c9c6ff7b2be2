"""Parser of a line with a command: a Subject, a line after ``multiple``, or of a reply."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from antipodes.errors import Fault
from antipodes.mail.commands import INFO, VERBS, CommandInfo, Shape, Verb
from antipodes.mail.grammar import (
    USERID,
    blot,
    is_move,
    is_token,
    read_board,
    read_moves,
    split_words,
    take_game,
    take_options,
    take_verb,
)
from antipodes.notation.text import shorten


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request of a mail, before permissions are checked.

    Attributes:
        verb: the command.
        game: the id of the game it names, or empty.
        board: the number of the board, or ``None``.
        ply: the ply it was meant for (after ``#``), or ``None``.
        user: the userid it names, as written, or empty.
        secret: the mail token in lower case, or empty.
        words: moves, users, boards (``101#5``), challenges (``c17``), topics, addresses: the
            other words, in order. Words of commands (``on``, ``off``) are in lower case.
        options: ``-name=value`` by name, in lower case with underscores; a name alone is ``on``.
            Commands that list matches have ``which`` (all, active, inactive, next) among them;
            ``preview new N`` has ``new`` with N, or with an empty text.
        text: the text for other players: the body, or a part of the line.
        line: the command as written, without secrets and passwords.
    """

    verb: Verb
    game: str = ""
    board: int | None = None
    ply: int | None = None
    user: str = ""
    secret: str = field(default="", repr=False)
    words: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    line: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineContext:
    """The context of a line: facts that are known before it is read.

    Attributes:
        board: the board that a reply is about.
        user: the userid of the sender.
        secret: the token in the Subject.
    """

    board: int | None = None
    user: str = ""
    secret: str = field(default="", repr=False)


@dataclass(slots=True, kw_only=True)
class ParsedLine:
    """A parsed line: a request, or a fault, or neither (then it is no command).

    Attributes:
        request: the request in it.
        fault: the error in it.
        secrets: the tokens and passwords in it, as written.
        exposed: the userid beside a password.
    """

    request: Request | None = None
    fault: Fault | None = None
    secrets: list[str] = field(default_factory=list)
    exposed: str = ""


_LONGEST = 1_000
_WHICH = ("all", "active", "inactive", "next")
_LISTS = (Verb.SHOW, Verb.SHOWAS, Verb.ALL_SHOW, Verb.GAMES)
_AMONG_MOVES = ("swap", "pass")
_CHALLENGE = re.compile(r"c\d{1,9}", re.IGNORECASE)
_PUZZLE = re.compile(r"[0-9a-f]{10}", re.IGNORECASE)
# Passwords are longer; a shorter word is a mistyped move.
_SHORTEST_PASSWORD = 4
_ON_A_BOARD = (
    Shape.MOVES,
    Shape.BOARD,
    Shape.TEXT,
    Shape.OFFER,
    Shape.PREVIEW,
    Shape.FOLLOW,
)


class _RefusedError(Exception):
    """The line is a malformed command."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def read_line(line: str, place: LineContext) -> ParsedLine:
    """Read a line as a command.

    Args:
        line: the line, without prefixes of a Subject.
        place: facts that the line can leave out.
    """
    parsed = ParsedLine()
    words, written = split_words(line[: _LONGEST + 1])
    # Noted before anything is refused, since refusals quote the line.
    parsed.secrets = [word for word in words if is_token(word)]
    reader = _Reader(place=place, words=words, written=written, found=parsed)
    try:
        if len(line) > _LONGEST:
            message = "a command has {most} characters at most; this one has {count}"
            raise _RefusedError(Fault.of("mail/too-long", message, most=_LONGEST, count=len(line)))
        request = reader.read()
        if request is not None:
            parsed.request = replace(request, line=blot(" ".join(written), parsed.secrets))
    except _RefusedError as refused:
        shown = blot(" ".join(written), parsed.secrets)
        parsed.fault = refused.fault.at(shown if len(shown) <= 80 else f"{shown[:77]}...")
    return parsed


def is_on_board(verb: Verb) -> bool:
    """Return whether a command may stand alone in the first line of a reply."""
    return INFO[verb].shape in _ON_A_BOARD or verb in (Verb.SHOW, Verb.HELP)


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Parser of one line; ``words`` and ``written`` are parallel and shrink from the left."""

    place: LineContext
    words: list[str]
    written: list[str]
    found: ParsedLine
    verb: Verb = Verb.MOVE
    game: str = ""
    board: int | None = None
    ply: int | None = None
    user: str = ""
    secret: str = field(default="", repr=False)
    says_user: bool = False
    options: Mapping[str, str] = field(default_factory=dict)

    def read(self) -> Request | None:
        """Return the request, or ``None`` if the line is no command.

        Raises:
            _RefusedError: it is a malformed command.
        """
        self.game, words_after_game = take_game(self.words)
        name, after = take_verb(words_after_game)
        if not name and words_after_game and words_after_game[0].lower() == "all":
            name, after = take_verb(words_after_game[1:])
        if not name:
            self.keep(words_after_game)
            return self.moves_alone()
        self.verb = VERBS[name]
        self.keep(after)
        if INFO[self.verb].has_options and (self.verb is not Verb.PREVIEW or self.is_new_board()):
            self.take_options()
        shape = INFO[self.verb].shape
        if shape in (Shape.MOVES, Shape.BOARD, Shape.TEXT, Shape.OFFER):
            return self.at_board()
        if shape is Shape.FOLLOW:
            return self.follow()
        if shape is Shape.PREVIEW:
            return self.preview()
        return self.look() if shape is Shape.LOOK else self.at_user()

    def keep(self, rest: list[str]) -> None:
        """Keep only the last words."""
        self.written = self.written[len(self.written) - len(rest) :]
        self.words = rest

    def skip(self, count: int = 1) -> None:
        self.keep(self.words[count:])

    # Common parts of lines.

    def request(
        self, words: tuple[str, ...] = (), options: Mapping[str, str] | None = None, text: str = ""
    ) -> Request:
        return Request(
            verb=self.verb,
            game=self.game,
            board=self.board,
            ply=self.ply,
            user=self.user,
            secret=self.secret or self.place.secret,
            words=words,
            options=options or {},
            text=text,
        )

    def refuse(self, code: str, template: str, **values: object) -> _RefusedError:
        """Return the error for a fault, with the usage of the command."""
        return _RefusedError(
            Fault.of(code, template, usage=INFO[self.verb].usage, verb=self.verb.value, **values)
        )

    def take_secret(self) -> None:
        """Remove the tokens from the words."""
        tokens = [word for word in self.words if is_token(word)]
        if tokens:
            self.secret = tokens[0].lower()
            pairs = zip(self.words, self.written, strict=True)
            left = [(word, raw) for word, raw in pairs if not is_token(word)]
            self.words = [word for word, _ in left]
            self.written = [raw for _, raw in left]

    def take_user(self, *, may_be: bool) -> None:
        """Read the userid, which comes first, and then the token.

        Args:
            may_be: whether the first word may be something else than a userid if the reply address
                identifies the sender.
        """
        first = self.words[0] if self.words else ""
        has_token = len(self.words) > 1 and is_token(self.words[1])
        known = self.place.user
        if known and first.lower() == known.lower():
            self.says_user = True
        elif is_token(first):
            self.says_user = False
        elif known or self.place.board is not None:
            self.says_user = has_token or (may_be and USERID.fullmatch(first) is not None)
        else:
            self.says_user = True
            if not USERID.fullmatch(first):
                raise self.refuse("mail/no-user", "your userid is missing: {usage}")
        if self.says_user:
            self.user = first
            self.skip()
        else:
            self.user = known
        self.take_secret()

    def refuse_password(self) -> None:
        """Refuse the first word, which is where the classic server expected the password."""
        self.found.secrets.append(self.words[0])
        # The account does not exist yet, so no password was exposed.
        self.found.exposed = "" if self.verb is Verb.SIGNUP else self.user
        raise self.refuse(
            "mail/password",
            "there is a word in the place of a password; never send one by mail. Use a reply"
            " address or a mail token: {usage}",
        )

    # Boards.

    def moves_alone(self) -> Request | None:
        """Read a line of moves without a command, in a reply."""
        if self.place.board is None or self.game or not self.words:
            return None
        self.board, self.user = self.place.board, self.place.user
        self.take_secret()
        moves, self.ply = read_moves(self.words)
        if not moves or not is_move(moves[0]):
            return None
        if not all(is_move(move) or move.lower() in _AMONG_MOVES for move in moves):
            return None
        return self.request(tuple(_plain(move) for move in moves))

    def take_board(self) -> None:
        """Read the number of the board and the ply."""
        here = self.place.board
        number = read_board(self.words[0]) if self.words else None
        if here is not None and self.words and self.words[0].startswith("#"):
            number = None  # the ply of the known board
        is_text = INFO[self.verb].shape is Shape.TEXT
        # In a reply a text may begin with a number, which names no other board.
        if number is not None and (here in (None, number[0]) or not is_text):
            self.board, self.ply = number
            self.skip()
        else:
            self.board = here
        if self.board is None:
            raise self.refuse("mail/no-number", "say the number of the board: {usage}")
        # A token is valid for every board.
        has_token = bool(self.place.secret) or any(map(is_token, self.words))
        if here is not None and self.board != here and not has_token:
            raise self.refuse(
                "mail/other-board",
                "this reply address is for board {here}, not for board {board}",
                here=here,
                board=self.board,
            )

    def at_board(self) -> Request:
        """Read a command about one board."""
        if INFO[self.verb].shape is Shape.OFFER:
            number = next((word for word in self.words if _CHALLENGE.fullmatch(word)), "")
            if number:
                return self.challenge_answer(number)
        self.take_board()
        follows = self.words[1] if len(self.words) > 1 else ""
        first = self.words[0] if self.words else ""
        # Before a move or a command, a word that is neither can only be the userid.
        wanted = is_move(follows) or follows.lower() in VERBS
        self.take_user(may_be=wanted and not is_move(first) and first.lower() not in VERBS)
        named_before = True
        if self.verb is Verb.MOVE and self.words:
            name, after = take_verb(self.words)
            if name and INFO[VERBS[name]].shape in _ON_A_BOARD and VERBS[name] is not Verb.PREVIEW:
                self.verb = VERBS[name]
                self.keep(after)
                named_before = False
        if named_before:
            self.check_password()
        return self.rest_of_board()

    def check_password(self) -> None:
        """Refuse a word after the userid that is neither a token nor an argument of the command."""
        if not self.says_user or self.secret or not self.words:
            return
        word = self.words[0]
        if self.is_expected(word):
            return
        if len(word) < _SHORTEST_PASSWORD and INFO[self.verb].shape is not Shape.TEXT:
            return
        if INFO[self.verb].shape is Shape.MOVES and _could_be_move(word):
            return
        self.refuse_password()

    def rest_of_board(self) -> Request:
        """Read the arguments after board, user and token."""
        shape = INFO[self.verb].shape
        if shape is Shape.TEXT:
            return self.request(text=" ".join(self.written))
        if shape is Shape.MOVES:
            moves, ply = read_moves(self.words)
            self.ply = self.ply if ply is None else ply
            return self.request(tuple(_plain(move) for move in moves))
        words = [word for word in (word.rstrip(",;.!?").lower() for word in self.words) if word]
        self.refuse_more(words[1:] if words and self.is_expected(words[0]) else words)
        return self.request(tuple(words))

    def is_expected(self, word: str) -> bool:
        """Return whether a word may follow the user in this command."""
        expects = INFO[self.verb].expects
        return bool(expects) and re.fullmatch(expects, word, re.IGNORECASE) is not None

    def refuse_more(self, words: list[str]) -> None:
        """Refuse words that the command does not take."""
        if words:
            raise self.refuse(
                "mail/too-much",
                "{verb} takes no {word}: {usage}",
                word=shorten(blot(words[0], self.found.secrets)),
            )

    def follow(self) -> Request:
        """Read the boards that a user wants to follow, before or after their name."""
        boards: list[str] = []
        while self.words and read_board(self.words[0]):
            boards.append(self.words[0])
            self.skip()
        self.take_user(may_be=not self.words or not self.is_expected(self.words[0]))
        self.check_password()
        boards += [word for word in self.words if read_board(word)]
        self.refuse_more([word for word in self.words if not read_board(word)])
        first = read_board(boards[0]) if boards else None
        self.board = first[0] if first else self.place.board
        return self.request(tuple(_written_board(word) for word in boards[1:]))

    def challenge_answer(self, number: str) -> Request:
        at = self.words.index(number)
        del self.words[at], self.written[at]
        self.take_user(may_be=True)
        self.check_password()
        self.refuse_more(self.words)
        return self.request((number.lower(),))

    def preview(self) -> Request:
        """Read a preview, on a board or on a new one."""
        if self.is_new_board():
            self.skip()
            count = self.words[0] if self.words and self.words[0].isdecimal() else ""
            self.skip(len(count) and 1)
            self.take_secret()
            moves, _ = read_moves(self.words)
            return self.request(moves, {"new": count, **self.options})
        self.take_board()
        follows = self.words[1] if len(self.words) > 1 else ""
        first = self.words[0] if self.words else ""
        is_before = is_token(follows) or (not is_move(first) and is_move(follows))
        if is_before and USERID.fullmatch(first):  # the userid is optional here
            self.user = first
            self.skip()
        self.take_secret()
        moves, ply = read_moves(self.words)
        self.ply = self.ply if ply is None else ply
        return self.request(moves)

    def is_new_board(self) -> bool:
        """Return whether a preview is of a new board: the first word after the options is `new`."""
        return next((word for word in self.words if word[0] != "-"), "").lower() == "new"

    def take_options(self) -> None:
        """Remove the options from the words, at any place.

        Raises:
            _RefusedError: an option is set twice.
        """
        self.words, self.options, twice = take_options(self.words, self.game)
        self.written = list(self.words)
        if twice:
            raise self.refuse("option/twice", "{name} is set twice", name=twice[0])

    # Other commands.

    def look(self) -> Request | None:
        """Read a command that needs no authentication."""
        if self.verb is Verb.MULTIPLE:
            raise self.refuse("mail/multiple", "`multiple` stands alone, before the commands")
        if self.verb is Verb.PUZZLE:
            return self.puzzle()
        if self.verb in (Verb.TOURNAMENT, Verb.SIMUL):
            return self.event()
        tokens = [index for index, word in enumerate(self.words) if is_token(word)]
        if tokens and tokens[0] and USERID.fullmatch(self.words[tokens[0] - 1]):
            self.user = self.words[tokens[0] - 1]
        self.take_secret()
        words = self.words
        options: dict[str, str] = {}
        if self.verb in _LISTS:
            words, options = _without_which(words)
        if self.verb is Verb.SHOW:
            words = self.boards(words)
        elif self.verb in (Verb.HELP, Verb.LIST):
            words = [word.lower() for word in words]
        if not words and self.verb in (Verb.SHOW, Verb.ALL_SHOW):
            raise self.refuse("mail/too-few", "say more: {usage}")
        return self.request(tuple(words), options)

    def puzzle(self) -> Request:
        """Read a command about a puzzle: perhaps userid and token, then the puzzle and moves."""
        first = self.words[0] if self.words else ""
        has_token = len(self.words) > 1 and is_token(self.words[1])
        is_puzzle = _PUZZLE.fullmatch(first) is not None or bool(take_game([first])[0])
        if has_token and not is_puzzle:
            self.user = first
            self.skip()
        self.take_secret()
        return self.request(tuple(self.words))

    def event(self) -> Request:
        """Read a command about an event: userid and token may be anywhere among the words."""
        at = next((index for index, word in enumerate(self.words) if is_token(word)), 0)
        if at and USERID.fullmatch(self.words[at - 1]):
            self.user = self.words[at - 1]
            del self.words[at - 1], self.written[at - 1]
        self.take_secret()
        return self.request(tuple(word.lower() for word in self.words))

    def boards(self, words: list[str]) -> list[str]:
        """Store the first board to show, and normalise all."""
        if not words and self.place.board is not None:
            self.board = self.place.board
            return [str(self.board)]
        shown = [_written_board(word) for word in words]
        first = read_board(words[0]) if words else None
        if first:
            self.board, self.ply = first
        return shown

    def at_user(self) -> Request:
        """Read a command on the user's own account."""
        info = INFO[self.verb]
        first = self.words[0] if self.words else ""
        fits = self.is_expected(first)
        takes_names = self.verb in (Verb.CHALLENGE, Verb.MESSAGE)
        if not self.place.user and fits and not takes_names:
            raise self.refuse("mail/no-user", "your userid is missing: {usage}")
        self.take_user(may_be=not fits and self.verb is not Verb.BROADCAST)
        if self.verb is Verb.CHANGE_PASSWORD:
            self.found.secrets += self.words
            return self.request()
        if self.verb is Verb.BROADCAST:
            self.check_free_text()
            return self.request(text=" ".join(self.written))
        text = self.text_after_colon() if self.verb is Verb.MESSAGE else ""
        words, options = self.words, dict(self.options)
        self.check_words(info, words)
        if self.verb in _LISTS:
            words, which = _without_which(words)
            options |= which
            words = [_written_board(word) for word in words]
        elif not takes_names and "@" not in info.expects:
            words = [word.lower() for word in words]
        return self.request(tuple(words), options, text)

    def check_free_text(self) -> None:
        """Refuse text in the line without a token: its first word may be a password."""
        if self.words and self.says_user and not self.secret:
            self.refuse_password()

    def check_words(self, info: CommandInfo, words: list[str]) -> None:
        """Refuse unknown words, the first one as a password."""
        has_proof = bool(self.secret) or (self.place.user and not self.says_user)
        if self.verb is Verb.MESSAGE and not has_proof and len(words) > info.fewest:
            self.refuse_password()
        for index, word in enumerate(words):
            if self.is_expected(word):
                continue
            if index == 0 and not self.secret and len(word) >= _SHORTEST_PASSWORD:
                self.words = words
                self.refuse_password()
            raise self.refuse(
                "mail/unknown-word",
                "unexpected {word}: {usage}",
                word=shorten(blot(word, self.found.secrets)),
            )
        if len(words) < info.fewest:
            raise self.refuse("mail/too-few", "say more: {usage}")

    def text_after_colon(self) -> str:
        """Read the text after the first word that ends with a colon."""
        for index, word in enumerate(self.words):
            if word.endswith(":"):
                text = " ".join(self.written[index + 1 :])
                self.words = [*self.words[:index], word.rstrip(":")]
                self.words = [word for word in self.words if word]
                return text
        self.words = [word.rstrip(",;") for word in self.words if word.rstrip(",;")]
        return ""


def _could_be_move(word: str) -> bool:
    """Return whether a word is a move or part of one."""
    parts = [part for part in re.split(r"[,;.-]", word) if part]
    return (
        word.lower() in VERBS
        or is_move(word)
        or all(is_move(part) or part.isdecimal() for part in parts)
    )


def _plain(move: str) -> str:
    """Return a word in a list of moves; swap and pass are in lower case."""
    return move.lower() if move.lower() in VERBS else move


def _written_board(word: str) -> str:
    """Return a board in the usual form, any other word unchanged."""
    board = read_board(word)
    if board is None:
        return word
    return str(board[0]) if board[1] is None else f"{board[0]}#{board[1]}"


def _without_which(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Remove and return the words that select matches."""
    chosen = [word.lower() for word in words if word.lower() in _WHICH]
    rest = [word for word in words if word.lower() not in _WHICH]
    return rest, {"which": chosen[-1]} if chosen else {}
