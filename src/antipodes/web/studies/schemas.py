"""Schemas of what writers and readers of a study tell the site, and are told, over a WebSocket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from pydantic import (
    AfterValidator,
    ConfigDict,
    Discriminator,
    Field,
    Strict,
    Tag,
    TypeAdapter,
    with_config,
)
from typing_extensions import TypedDict

from antipodes.errors import Fault, InputError
from antipodes.notation.text import shorten
from antipodes.records import Mark
from antipodes.web.platform.limits import count_limit
from antipodes.web.platform.schemas import ByValue, RequestSchema, Whole, closed

COMMENT = count_limit("study-comment", 4_000, per="move", what="characters of a study's comment")
_MOST_PLIES = 1_500

# Shapes on cells, and the properties of SGF that they are stored as.
CellShape = Literal["circle", "triangle", "square", "cross"]
SHAPES: Mapping[CellShape | Literal["arrow"], str] = {
    "circle": "CR",
    "triangle": "TR",
    "square": "SQ",
    "cross": "MA",
    "arrow": "AR",
}

_strict = with_config(ConfigDict(strict=True))  # keys that are not known are left out


def _short(text: str) -> str:
    if len(text) > COMMENT.value:
        raise ValueError(f"a comment has at most {COMMENT.value} characters")
    return text


def _form_of(shape: object) -> str:
    is_arrow = isinstance(shape, list | tuple) and [*shape[:1]] == ["arrow"]
    return "arrow" if is_arrow else "cell"


Number = Annotated[int, Field(ge=0, lt=10**9)]
Path = Annotated[list[Number], Field(max_length=_MOST_PLIES, description="moves to the node")]
Text = Annotated[str, AfterValidator(_short)]
Shape = Annotated[
    Annotated[tuple[CellShape, Number], Strict(False), Tag("cell")]
    | Annotated[tuple[Literal["arrow"], Number, Number], Strict(False), Tag("arrow")],
    Discriminator(_form_of),
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
    mark: ByValue[Mark] | None


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
Edit = Mapping[str, Any]  # read, or as it was stored


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


class EditMessage(RequestSchema):
    """Make an edit of a chapter."""

    key: Key
    edit: Annotated[
        AddEdit | CommentEdit | MarkEdit | ShapeEdit | PromoteEdit | RemoveEdit,
        Field(discriminator="kind"),
    ]


EDIT_MESSAGE = TypeAdapter(EditMessage)


# --- messages of the server -----------------------------------------------------------------


@closed
class EditOut(TypedDict):
    """An edit that was made: the fields of its kind, and by whom."""

    kind: EditKind
    path: Path
    move: NotRequired[Number]
    text: NotRequired[Annotated[str, Field(description="of the move or the comment")]]
    color: NotRequired[str]
    mark: NotRequired[Mark | None]
    shape: NotRequired[Shape]
    on: NotRequired[bool]
    seen: NotRequired[Number]
    number: Whole
    by: str


class NodeMoveOut(TypedDict, total=False):
    """The move to a node; the first node has none."""

    move: Whole
    text: str
    color: str


@closed
class NodeOut(NodeMoveOut):
    """A node of a tree; each comes after its parent, and the first one has none."""

    parent: NotRequired[Annotated[Whole, Field(description="index of the parent")]]
    comment: NotRequired[str]
    mark: NotRequired[Mark]
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
