"""Games and positions that users paste or upload: records of any format, links, and pictures."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from threading import Lock

from django.core.files import File

from antipodes.errors import Fault, InputError
from antipodes.games.position import Game
from antipodes.records import Record, read_leniently, record_titles
from antipodes.records.pictures import picture_text, read_picture
from antipodes.web.analysis.position_queries import MAX_MOVES, Line
from antipodes.web.platform.limits import count_limit, rate_limit

IMPORTS = rate_limit(
    "imports", "30/minute;300/hour", per="address", what="games and positions imported"
)
IMPORT_SIZE = count_limit("import-size", 128, per="file", what="kilobytes of an imported game")

_KILOBYTE = 1024
_MOST_NODES = 5_000
_MOST_FAULTS = 20  # that are shown
_MOST_TITLES = 500  # of games of one file that are offered

# Long records are played through one after another: several at once would keep all other requests
# waiting for the interpreter's lock.
_reading = Lock()


@dataclass(frozen=True, slots=True)
class Imported:
    """Game or position that was read.

    Attributes:
        line: the main line of a record, or the position of a picture.
        record: the record; ``None`` for a picture.
        faults: what could not be read; the line ends before its first illegal move.
        left_out: number of further faults.
        titles: players and event of each game in the file.
    """

    line: Line
    record: Record | None = None
    faults: tuple[Fault, ...] = ()
    left_out: int = 0
    titles: tuple[str, ...] = ()

    @property
    def game(self) -> Game:
        return self.line.game

    @property
    def variations(self) -> int:
        """The number of variations beside the main line."""
        if self.record is None:
            return 0
        return sum(max(0, len(node.children) - 1) for node in self.record.walk())

    @property
    def comments(self) -> int:
        if self.record is None:
            return 0
        return bool(self.record.comment) + sum(bool(one.comment) for one in self.record.walk())


def read_import(source: str | bytes, game: int | None = None) -> Imported:
    """Read a record in SGF or JSON, a HexWorld link, or a picture of a board in text.

    Args:
        source: text or bytes.
        game: its number in a file of several games, counted from 1; without it the first one is
            read, and a fault reports the others.

    Raises:
        InputError: it is too large, or none of these; with everything that is wrong and where.
    """
    size = len(source.encode(errors="replace") if isinstance(source, str) else source)
    if size > IMPORT_SIZE.value * _KILOBYTE:
        raise _too_large(size)
    with _reading:
        picture = picture_text(source)
        if picture is not None:
            position = read_picture(picture)
            return Imported(Line.of(position.game, position.to_setup()))
        titles = tuple(record_titles(source)[:_MOST_TITLES])
        record, faults = read_leniently(source, game=game)
        if len(list(islice(record.walk(), _MOST_NODES + 1))) > _MOST_NODES:
            fault = Fault.of(
                "study/too-long", "a game of more than {most} moves is too long", most=_MOST_NODES
            )
            raise InputError([fault])
        moves = tuple(map(int, record.moves()))[:MAX_MOVES]
        line = Line.of(record.game, record.start, moves)
    left_out = max(0, len(faults) - _MOST_FAULTS)
    return Imported(line, record, faults[:_MOST_FAULTS], left_out, titles)


def _too_large(size: int) -> InputError:
    fault = Fault.of(
        "study/too-long",
        "the file has {size} kB; {most} kB are allowed",
        size=-(-size // _KILOBYTE),
        most=IMPORT_SIZE.value,
    )
    return InputError([fault])


def source_of(text: str, file: File[bytes] | None) -> str | bytes:
    """Return what is in an uploaded file, or else pasted text.

    Raises:
        InputError: there is neither.
    """
    if file is not None:
        return bytes(file.read(IMPORT_SIZE.value * _KILOBYTE + 1))
    if not text.strip():
        raise InputError([Fault("study/nothing", "paste a game or choose a file")])
    return text
