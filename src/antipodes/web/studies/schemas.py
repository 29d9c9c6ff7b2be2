"""Schemas of what writers and readers of a study tell the site, and are told, over a WebSocket."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, WithJsonSchema, with_config
from typing_extensions import TypedDict

from antipodes.errors import Fault, InputError
from antipodes.notation.text import shorten
from antipodes.records import Mark
from antipodes.web.platform.limits import count_limit
from antipodes.web.platform.schemas import Whole, closed, read_as

COMMENT = count_limit("study-comment", 4_000, per="move", what="characters of a study's comment")
_MOST_PLIES = 1_500

# Shapes on cells, and the properties of SGF that they are stored as.
SHAPES = {"circle": "CR", "triangle": "TR", "square": "SQ", "cross": "MA", "arrow": "AR"}

_strict = with_config(ConfigDict(strict=True))  # keys that are not known are left out


def _short(text: str) -> str:
    if len(text) > COMMENT.value:
        raise ValueError(f"a comment has at most {COMMENT.value} characters")
    return text


def _known(mark: str) -> str:
    return Mark(mark).value


def _complete(shape: list[int | str]) -> list[int | str]:
    kind, *cells = shape or [""]
    numbers = [isinstance(cell, int) and 0 <= cell < 10**9 for cell in cells]
    if kind not in SHAPES or len(cells) != 1 + (kind == "arrow") or not all(numbers):
        raise ValueError("a shape is a kind and a cell, or an arrow with two cells")
    return shape


Number = Annotated[int, Field(ge=0, lt=10**9)]
Path = Annotated[list[Number], Field(max_length=_MOST_PLIES, description="moves to the node")]
Text = Annotated[str, AfterValidator(_short)]
MarkName = Annotated[
    str, AfterValidator(_known), WithJsonSchema({"enum": [mark.value for mark in Mark]})
]
Shape = Annotated[
    list[int | str],
    AfterValidator(_complete),
    WithJsonSchema(
        {
            "type": "array",
            "prefixItems": [{"enum": [*SHAPES]}, {"type": "integer"}, {"type": "integer"}],
            "minItems": 2,
            "maxItems": 3,
        }
    ),
]


@_strict
class AddEdit(TypedDict):
    """Add a move after a node."""

    kind: Literal["add"]
    path: Path
    move: Number


@_strict
class CommentEdit(TypedDict):
    """Replace the comment of a node; ``before`` is the one that its writer has seen."""

    kind: Literal["comment"]
    path: Path
    text: Text
    before: Text


@_strict
class MarkEdit(TypedDict):
    """Mark a move, or remove its mark."""

    kind: Literal["mark"]
    path: Path
    mark: MarkName | None


@_strict
class ShapeEdit(TypedDict):
    """Add a shape to a position, or remove it."""

    kind: Literal["shape"]
    path: Path
    shape: Shape
    on: bool


@_strict
class PromoteEdit(TypedDict):
    """Make the line to a node the main line."""

    kind: Literal["promote"]
    path: Path


@_strict
class RemoveEdit(TypedDict):
    """Remove a branch, of which the writer has seen a number of nodes."""

    kind: Literal["remove"]
    path: Path
    seen: Number


EditKind = Literal["add", "comment", "mark", "shape", "promote", "remove"]
ReadEdit: TypeAlias = AddEdit | CommentEdit | MarkEdit | ShapeEdit | PromoteEdit | RemoveEdit
Edit = dict[str, Any]  # read, or as it was stored
_EDIT: TypeAdapter[Any] = TypeAdapter(Annotated[ReadEdit, Field(discriminator="kind")])


def read_edit(data: object) -> Edit:
    """Return an edit from a client's data, with exactly the fields of its kind.

    Raises:
        InputError: it is no edit.
    """
    edit: Edit = read_as(_EDIT, data, "studies/edit")
    return edit


def wrong(name: str, value: object) -> InputError:
    """Return the error for a field of an edit that does not fit the chapter."""
    fault = Fault.of(
        "studies/edit",
        "{name} of the edit is {value}, which cannot be",
        name=name,
        value=shorten(str(value)),
    )
    return InputError([fault])


Key = Annotated[str, Field(min_length=1, max_length=64, description="a repeated key does nothing")]


class EditMessage(TypedDict):
    """Make an edit; the answer repeats the key."""

    key: Key
    edit: Annotated[ReadEdit, Field(discriminator="kind")]


class Envelope(TypedDict):
    """An edit whose form is not known yet."""

    key: Key
    edit: Any


ENVELOPE = TypeAdapter(Envelope)


# --- messages of the server -----------------------------------------------------------------


@closed
class EditOut(TypedDict):
    """An edit that was made: the fields of its kind, and by whom."""

    kind: EditKind
    path: Path
    move: NotRequired[Number]
    text: NotRequired[Annotated[str, Field(description="of the move or the comment")]]
    color: NotRequired[str]
    mark: NotRequired[MarkName | None]
    shape: NotRequired[Shape]
    on: NotRequired[bool]
    seen: NotRequired[Number]
    number: Whole
    by: str


@closed
class NodeOut(TypedDict):
    """A node of a tree; each comes after its parent, and the first one has none."""

    parent: NotRequired[Annotated[Whole, Field(description="index of the parent")]]
    move: NotRequired[Whole]
    text: NotRequired[str]
    color: NotRequired[str]
    comment: NotRequired[str]
    mark: NotRequired[MarkName]
    shapes: NotRequired[list[Shape]]


@closed
class TreeOut(TypedDict):
    """A chapter's tree, after a number of edits."""

    edits: Whole
    nodes: list[NodeOut]


@closed
class TreeMessage(TypedDict):
    """The whole tree: on connection, and to a client that lacks many edits."""

    type: Literal["tree"]
    tree: TreeOut


@closed
class EditsMessage(TypedDict):
    """Edits that the client lacks, in their order."""

    type: Literal["edits"]
    edits: list[EditOut]


@closed
class ChapterLineOut(TypedDict):
    """A chapter in the list of a study."""

    number: Whole
    title: str
    game_id: str


@closed
class StudyMessage(TypedDict):
    """Title, chapters and permissions: on connection, and after each change."""

    type: Literal["study"]
    title: str
    chapters: list[ChapterLineOut]
    canWrite: bool


StudyNews: TypeAlias = TreeMessage | EditsMessage | StudyMessage
