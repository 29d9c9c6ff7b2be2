"""WebSocket consumer: receives edits of a chapter, broadcasts the edits of all writers."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from antipodes.core.array_cache import ArrayCache
from antipodes.errors import Fault, InputError
from antipodes.web.connections import commands
from antipodes.web.connections.commands import Call
from antipodes.web.connections.consumers import NOT_FOUND, CommandSocket
from antipodes.web.platform.limits import TooManyError
from antipodes.web.platform.schemas import read_as
from antipodes.web.studies.chapters import Piece, tree_of, tree_parts
from antipodes.web.studies.models import ChapterRow, EditRow
from antipodes.web.studies.permissions import may_read, may_write
from antipodes.web.studies.reading_costs import ReadingCost
from antipodes.web.studies.schemas import EDIT_MESSAGE, Edit, StudyMessage
from antipodes.web.studies.services import edit_chapter, group_of, not_a_writer

_TRY_AGAIN_LATER = 1013  # close code
_MOST_EDITS = 200  # sent one by one; a client that lacks more gets the whole chapter

_sent: ArrayCache[tuple[str, int, int, int], Piece] = ArrayCache(4 * 1024 * 1024)


class StudySocket(CommandSocket):
    """The socket of one client that reads a chapter.

    The server sends the chapter with its tree, then all edits in their order, each with its
    number; see `antipodes.web.studies.schemas`.
    """

    code = "studies/message"
    burst = 60
    queue = commands.slow

    async def connect(self) -> None:
        """Join the study's group, and send the chapter."""
        self.prepare()
        where = self.scope["url_route"]["kwargs"]
        self.slug, self.number = where["slug"], int(where["number"])
        self.edits = 0
        # Subscribe before reading the chapter, so that no edit is missed.
        await self.join(group_of(self.slug))
        await self.accept()
        await self.study_changed({}, with_tree=True)

    def call_of(self, data: dict[str, Any]) -> Call:
        """Return the function that makes an edit."""
        if self.user is None:
            raise not_a_writer()
        message = read_as(EDIT_MESSAGE, data, self.code)
        return partial(self._edit, message.key, message.edit)

    def _edit(self, key: str, edit: Edit) -> None:
        try:
            edit_chapter(self.slug, self.number, self.reload_user(), key, edit)
        except ChapterRow.DoesNotExist:
            fault = Fault("studies/gone", "this chapter was deleted")
            raise InputError([fault]) from None

    async def chapter_edited(self, message: dict[str, Any]) -> None:
        """Send the edits that the client lacks."""
        if message["chapter"] != self.number or message["edits"] <= self.edits:
            return
        # All readers lack the same edits: one of them reads these for all.
        key = self.slug, self.number, self.edits, message["edits"]
        missing = await commands.in_slow_thread(partial(_sent.get, key, self._missing))()
        if missing.size:
            self.edits = missing.edits
            await self.send(missing.text)
        else:
            await self.study_changed({}, with_tree=True)

    def _missing(self) -> Piece:
        """Return a message of the edits that the client lacks; empty if too many, or some gone."""
        rows = EditRow.objects.filter(
            chapter__study__slug=self.slug, chapter__number=self.number, number__gte=self.edits
        )
        edit_rows = list(rows.select_related("user")[: _MOST_EDITS + 1])
        if len(edit_rows) > _MOST_EDITS or not edit_rows or edit_rows[0].number > self.edits:
            return Piece.of_text("", self.edits)
        edits = [
            {**row.data, "number": row.number, "by": row.user.name if row.user else ""}
            for row in edit_rows
        ]
        message = {"type": "edits", "edits": edits}
        text = json.dumps(message, separators=(",", ":"))
        return Piece.of_text(text, edit_rows[-1].number + 1)

    async def study_changed(self, _message: dict[str, Any], *, with_tree: bool = False) -> None:
        """Send title, chapters and permissions; close the socket if the study is gone."""
        try:
            study = await commands.in_slow_thread(self._study)(with_tree=with_tree)
        except TooManyError:
            await self.close(_TRY_AGAIN_LATER)
            return
        if study is None:
            await self.close(NOT_FOUND)
            return
        view, tree = study
        if tree is not None:
            self.edits = tree.edits
            nodes = b"".join(tree_parts(tree)).decode()
            await self.send(f'{{"type":"tree","tree":{nodes}}}')
        await self.send_object(view)

    def _study(self, *, with_tree: bool) -> tuple[StudyMessage, Piece | None] | None:
        rows = ChapterRow.objects.select_related("study")
        row = rows.filter(study__slug=self.slug, number=self.number).first()
        if row is None or not may_read(row.study, self.user):
            return None
        chapters = ChapterRow.objects.filter(study=row.study).values("number", "title", "game_id")
        view: StudyMessage = {
            "type": "study",
            "title": row.study.title,
            "chapters": list(chapters),
            "canWrite": may_write(row.study, self.user),
        }
        charge = ReadingCost(self.connection.address)
        return view, tree_of(row, charge) if with_tree else None
