"""Changes of studies: every change goes through these functions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, Sum
from django.utils.translation import gettext as _
from prometheus_client.core import GaugeMetricFamily, Metric

from antipodes.errors import Fault, InputError
from antipodes.records import Record
from antipodes.web.accounts.masking import passed_on, passed_on_json
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_speak
from antipodes.web.accounts.services import find_players
from antipodes.web.platform import metrics, pubsub, write_probe
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import CountLimit, count_limit, rate_limit, take
from antipodes.web.relations.services import check_may_meet
from antipodes.web.studies.chapters import Chapter, catch_up, move_view, opened, record_text
from antipodes.web.studies.edits import (
    MOVES,
    apply,
    comment_places,
    find_node,
    place_of,
    size_of,
)
from antipodes.web.studies.models import (
    ChapterRow,
    CommentAuthorRow,
    EditRow,
    StudyMemberRow,
    StudyRow,
    Visibility,
)
from antipodes.web.studies.permissions import may_manage, may_write
from antipodes.web.studies.schemas import Edit

STUDIES = count_limit("studies", 200, per="user", what="studies of one owner")
CHAPTERS = count_limit("study-chapters", 64, per="study", what="chapters of a study")
MEMBERS = count_limit("study-members", 50, per="study", what="members of a study")
NEW_STUDIES = rate_limit("new-studies", "10/minute;60/day", per="user", what="studies made")
EDITS = rate_limit(
    "study-edits",
    "300/minute;20000/day",
    per="user",
    what="edits of studies; a kilobyte stored, or 100 moves read for one, counts as one",
)

_LONGEST_TITLE = 100
_MOVES_OF_EDIT = 100  # of a chapter, which take as long to read as an edit to make


def create_study(
    user: User, title: str, visibility: str, record: Record, chapter_title: str = ""
) -> StudyRow:
    """Make a study with one chapter.

    Raises:
        InputError: the title is empty; a guest wants a public study; the user is muted, or has too
            many studies; or the record is too long.
        TooManyError: the user has made too many studies.
    """
    check_may_speak(user)
    title = _clean_title(user, title)
    _check_visibility(user, visibility)
    if StudyRow.objects.filter(owner=user).count() >= STUDIES.value:
        raise _full(_("You have %(most)d studies; delete one first.") % {"most": STUDIES.value})
    chapter = _new_chapter(user, chapter_title or _("Chapter 1"), record)
    take(NEW_STUDIES, str(user.pk))
    take(EDITS, str(user.pk), cost=_cost(chapter.nbytes))
    at = now()
    with transaction.atomic():
        study = StudyRow.objects.create(
            title=title, owner=user, visibility=visibility, made_at=at, changed_at=at
        )
        _store_chapter(study, chapter)
    return study


def add_chapter(study: StudyRow, user: User, title: str, record: Record) -> ChapterRow:
    """Add a chapter at the end.

    Raises:
        InputError: the user may not write, the title is empty, or the study or the record is too
            long.
        TooManyError: the user has made too many edits.
    """
    _check_writer(study, user)
    number = study.chapters_made + 1
    chapter = _new_chapter(
        user, title.strip() or _("Chapter %(number)d") % {"number": number}, record
    )
    take(EDITS, str(user.pk), cost=_cost(chapter.nbytes))
    with transaction.atomic():
        latest = StudyRow.objects.select_for_update().get(pk=study.pk)
        if latest.chapters.count() >= CHAPTERS.value:
            message = _("A study has at most %(most)d chapters.")
            raise _full(message % {"most": CHAPTERS.value})
        _store_chapter(latest, chapter)
    announce(study.slug)
    return chapter


def _new_chapter(user: User, title: str, record: Record) -> ChapterRow:
    """Return a chapter that is not stored yet."""
    if size_of(record.root) - 1 > MOVES.value:
        message = _("A chapter has at most %(most)d moves, but this game has %(count)d.")
        raise _full(message % {"most": MOVES.value, "count": size_of(record.root) - 1})
    text = passed_on_json(user, record_text(record))
    return ChapterRow(
        title=_clean_title(user, title),
        game_id=record.game.id,
        data=text,
        nbytes=len(text.encode()),
    )


def _store_chapter(study: StudyRow, chapter: ChapterRow) -> None:
    """Store a new chapter; the caller has locked or made the study."""
    check_room(study, chapter.nbytes)
    study.chapters_made += 1
    StudyRow.objects.filter(pk=study.pk).update(
        chapters_made=study.chapters_made,
        changed_at=now(),
        version=F("version") + 1,
        nbytes=F("nbytes") + chapter.nbytes,
    )
    chapter.study = study
    # Numbers are never given again, so that an old link leads to no other chapter.
    chapter.number = chapter.place = study.chapters_made
    chapter.save()


def rename_chapter(chapter: ChapterRow, user: User, title: str) -> None:
    """Rename a chapter.

    Raises:
        InputError: the user may not write, or the title is empty.
    """
    _check_writer(chapter.study, user)
    ChapterRow.objects.filter(pk=chapter.pk).update(title=_clean_title(user, title))
    announce(chapter.study.slug)


def move_chapter(chapter: ChapterRow, user: User, by: int) -> None:
    """Move a chapter up (-1) or down (1) in the order of the chapters.

    Raises:
        InputError: the user may not write.
    """
    _check_writer(chapter.study, user)
    with transaction.atomic():
        StudyRow.objects.select_for_update().get(pk=chapter.study_id)
        order = list(ChapterRow.objects.filter(study=chapter.study_id))
        index = next((i for i, one in enumerate(order) if one.pk == chapter.pk), None)
        if index is None:
            return
        order.insert(max(0, index + by), order.pop(index))
        for place, other in enumerate(order, start=1):
            ChapterRow.objects.filter(pk=other.pk).update(place=place)
    announce(chapter.study.slug)


def delete_chapter(chapter: ChapterRow, user: User) -> None:
    """Delete a chapter with all its edits; a study keeps at least one chapter.

    Raises:
        InputError: the user may not manage the study, or it is the only chapter.
    """
    _check_owner(chapter.study, user)
    with transaction.atomic():
        StudyRow.objects.select_for_update().get(pk=chapter.study_id)
        # Counted under the lock of the study: two writers could each delete one of the last two.
        if ChapterRow.objects.filter(study=chapter.study_id).count() == 1:
            message = _("A study has at least one chapter; delete the study instead.")
            raise InputError([Fault("studies/last-chapter", message)])
        stored = ChapterRow.objects.get(pk=chapter.pk)
        StudyRow.objects.filter(pk=chapter.study_id).update(nbytes=F("nbytes") - stored.nbytes)
        stored.delete()
    announce(chapter.study.slug)


def edit_chapter(slug: str, number: int, user: User | None, key: str, edit: Edit) -> None:
    """Edit a chapter, once for each key, and announce it.

    Raises:
        ChapterRow.DoesNotExist: there is no such chapter.
        InputError: the user may not write, or the edit is refused; nothing has changed.
        TooManyError: the user has made too many edits.
    """
    if user is None:
        raise not_a_writer()
    write_probe.check()
    row = ChapterRow.objects.select_related("study").get(study__slug=slug, number=number)
    _check_writer(row.study, user)
    # Clients send an edit until it is answered; a repeated one costs its writer nothing.
    if row.edit_rows.filter(key=key).exists():
        return
    take(EDITS, str(user.pk), cost=_cost(size_of_edit(edit)))
    if "text" in edit:
        edit = {**edit, "text": passed_on(user, edit["text"])}
    # Read and write whole chapters without a lock: that takes long, and SQLite has one writer.
    with opened(row, partial(_charge_writer, user)) as chapter:
        with transaction.atomic():
            latest = locked(row)
            _check_writer(latest.study, user)
            # Look again under the lock: the same edit may arrive twice at once.
            if not latest.edit_rows.filter(key=key).exists():
                _store_edit(latest, chapter, user, key, edit)
        if is_to_fold(latest, edit):
            fold_edits(latest, chapter)


def _cost(nbytes: int) -> int:
    """Return as how many edits so many bytes count."""
    return max(1, nbytes // 1024)


def _charge_writer(user: User, moves: int) -> None:
    """Charge a writer for a chapter that has to be read from the database."""
    if moves >= _MOVES_OF_EDIT:
        take(EDITS, str(user.pk), cost=moves // _MOVES_OF_EDIT)


def remove_comment(chapter: ChapterRow, path: list[int], key: str) -> None:
    """Remove the comment at a position, for moderators."""
    with opened(chapter) as known, transaction.atomic():
        row = locked(chapter)
        catch_up(known, row)
        node = find_node(known.record, path)
        if node is not None:
            edit = {"kind": "comment", "path": path, "text": ""}
            _store_edit(row, known, None, key, edit)


def _store_edit(row: ChapterRow, chapter: Chapter, user: User | None, key: str, edit: Edit) -> None:
    """Store an edit, and announce it after the commit."""
    if store_edit(row, chapter, user, key, edit):
        message = {"type": "chapter.edited", "chapter": row.number, "edits": row.edits}
        transaction.on_commit(partial(pubsub.send_to_group, group_of(row.study.slug), message))


# The study itself.


def change_study(study: StudyRow, user: User, title: str, visibility: str) -> None:
    """Rename a study, and choose who may read it.

    Raises:
        InputError: the user does not own it, the title is empty, a guest wants a public study, or
            the user is muted and more than hides it.
    """
    _check_owner(study, user)
    _check_visibility(user, visibility)
    if visibility not in (Visibility.PRIVATE, study.visibility):
        check_may_speak(user)  # to new readers
    title = _clean_title(user, title, before=study.title)
    StudyRow.objects.filter(pk=study.pk).update(title=title, visibility=visibility)
    announce(study.slug)


def delete_study(study: StudyRow, user: User) -> None:
    """Delete a study.

    Raises:
        InputError: the user does not own it.
    """
    _check_owner(study, user)
    study.delete()
    announce(study.slug)


def invite(study: StudyRow, user: User, names: Sequence[str], *, can_write: bool) -> list[User]:
    """Invite players as readers or writers; change the role of those who are members already.

    Raises:
        InputError: the user does not own the study or is muted, a name is unknown, one of them has
            blocked the other, or there would be too many members.
    """
    _check_owner(study, user)
    check_may_speak(user)
    players, unknown = find_players(names)
    if unknown:
        message = _("No such player: %(names)s.") % {"names": ", ".join(unknown)}
        raise InputError([Fault("studies/no-such-player", message)])
    people = [one for one in players if one.pk != user.pk]
    check_may_meet(user, people)
    with transaction.atomic():
        StudyRow.objects.select_for_update().get(pk=study.pk)
        for invited in people:
            StudyMemberRow.objects.update_or_create(
                study=study, user=invited, defaults={"can_write": can_write}
            )
        # Counted after the change, which the error undoes: some may have been members already.
        if study.members.count() > MEMBERS.value:
            message = _("A study has at most %(most)d members.") % {"most": MEMBERS.value}
            raise _full(message)
    announce(study.slug)
    return people


def remove_member(study: StudyRow, user: User, member: int) -> None:
    """Remove a member; members may leave, and owners remove anyone.

    Raises:
        InputError: the user is neither.
    """
    if member != user.pk:
        _check_owner(study, user)
    study.members.filter(user=member).delete()
    announce(study.slug)


def announce(slug: str) -> None:
    """Tell clients that the study, its members or its chapters have changed, after the commit."""
    message = {"type": "study.changed"}
    transaction.on_commit(partial(pubsub.send_to_group, group_of(slug), message))


def group_of(slug: str) -> str:
    """Return the channel layer group of a study."""
    return f"study-{slug}"


def _clean_title(user: User, title: str, before: str = "") -> str:
    cleaned = " ".join(passed_on(user, title, before=before).split())[:_LONGEST_TITLE]
    if not cleaned:
        raise InputError([Fault("studies/title", _("Give it a title."))])
    return cleaned


def _check_visibility(user: User, visibility: str) -> None:
    if visibility not in Visibility.values:
        message = _("There is no visibility %(name)s.") % {"name": visibility[:20]}
        raise InputError([Fault("studies/visibility", message)])
    if visibility == Visibility.PUBLIC and user.is_guest:
        raise InputError([Fault("studies/visibility", _("Public studies need an account."))])


def _check_writer(study: StudyRow, user: User) -> None:
    if not may_write(study, user):
        raise not_a_writer()
    check_may_speak(user)


def not_a_writer() -> InputError:
    """Return the error for a user who may not edit a study."""
    return InputError([Fault("studies/not-a-writer", _("You may not edit this study."))])


def _check_owner(study: StudyRow, user: User) -> None:
    if not may_manage(study, user):
        message = _("Only the owner of the study may do that.")
        raise InputError([Fault("studies/not-the-owner", message)])


def _full(message: str) -> InputError:
    return InputError([Fault("studies/full", message)])


STUDY_SIZE = count_limit(
    "study-size", 8_192, per="study", what="kilobytes of a study, with its latest edits"
)
STUDIES_SIZE = count_limit(
    "studies-size",
    65_536,
    per="user",
    what="kilobytes of all studies of one owner; an eighth of that for guests",
)

_GUESTS_HAVE = 8  # times less room
_STORED_EDITS = 50  # after which the whole chapter is written again
_KEPT_EDITS = 50  # that the chapter has: for clients that lack them, or send them again
_NEARLY = 32 * 1024  # bytes of room in a study that is nearly full
_ROW = 200  # bytes of a row beside its data


def size_of_edit(edit: Edit) -> int:
    """Return how many bytes an edit has in the database."""
    return _ROW + len(json.dumps(edit, ensure_ascii=False).encode())


def check_room(study: StudyRow, nbytes: int) -> None:
    """Check that a study, and all of its owner, may grow by some bytes.

    Raises:
        InputError: they may not.
    """
    kilobytes = STUDY_SIZE.value
    if study.nbytes + nbytes > kilobytes * 1024:
        message = _("A study has at most %(most)d kB; delete some of it, or begin another.")
        raise _too_large(STUDY_SIZE, message % {"most": kilobytes})
    kilobytes = STUDIES_SIZE.value // (_GUESTS_HAVE if study.owner.is_guest else 1)
    total = StudyRow.objects.filter(owner=study.owner_id).aggregate(total=Sum("nbytes"))["total"]
    if (total or 0) + nbytes > kilobytes * 1024:
        message = _("All studies of one owner have at most %(most)d kB; delete one first.")
        raise _too_large(STUDIES_SIZE, message % {"most": kilobytes})


def _too_large(limit: CountLimit, message: str) -> InputError:
    metrics.note_limit(limit.name)
    return InputError([Fault("studies/full", message)])


def locked(row: ChapterRow) -> ChapterRow:
    """Lock a chapter and return it as it is now; on SQLite transactions begin with a lock."""
    rows = ChapterRow.objects.select_related("study__owner")
    return rows.select_for_update(of=("self",)).get(pk=row.pk)


def store_edit(row: ChapterRow, chapter: Chapter, user: User | None, key: str, edit: Edit) -> bool:
    """Apply an edit to a locked chapter and store it; return whether anything changed.

    Raises:
        InputError: the edit is refused, or there is no room for it; nothing has changed.
    """
    catch_up(chapter, row)
    data = _stored_form(chapter.record, edit)
    nbytes = size_of_edit(data)
    # What makes room is allowed in a full study, too.
    if not _frees(edit):
        check_room(row.study, nbytes)
    if not apply(chapter.record, edit):
        return False
    EditRow.objects.create(
        chapter=row, number=row.edits, user=user, key=key, data=data, made_at=now()
    )
    if edit["kind"] == "comment":
        _note_author(row, user, edit)
    row.edits += 1
    row.nbytes += nbytes
    row.save(update_fields=["edits", "nbytes"])
    chapter.edits, chapter.size = row.edits, size_of(chapter.record.root)
    StudyRow.objects.filter(pk=row.study_id).update(
        version=F("version") + 1, changed_at=now(), nbytes=F("nbytes") + nbytes
    )
    return True


def _stored_form(record: Record, edit: Edit) -> dict[str, Any]:
    """Return an edit without what its writer saw before, and its move, if legal, with its text."""
    data: dict[str, Any] = {name: value for name, value in edit.items() if name != "before"}
    node = find_node(record, edit["path"]) if edit["kind"] == "add" else None
    if node is not None and node.position.why_illegal(edit["move"]) is None:
        data.update(move_view(node.position, edit["move"]))
    return data


def _frees(edit: Edit) -> bool:
    """Return whether an edit makes a chapter smaller."""
    return edit["kind"] == "remove" or (edit["kind"] == "comment" and not edit["text"])


def _note_author(row: ChapterRow, user: User | None, edit: Edit) -> None:
    place = place_of(edit["path"])
    if user is None or not edit["text"]:
        row.authors.filter(place=place).delete()
    else:
        CommentAuthorRow.objects.update_or_create(chapter=row, place=place, defaults={"user": user})


def is_to_fold(row: ChapterRow, edit: Edit) -> bool:
    """Return whether a chapter should be written with its edits, the latest of which is given."""
    is_nearly_full = row.study.nbytes > STUDY_SIZE.value * 1024 - _NEARLY
    return row.edits - row.data_edits >= _STORED_EDITS or (is_nearly_full and _frees(edit))


def fold_edits(row: ChapterRow, chapter: Chapter) -> None:
    """Write a chapter with its edits, drop all but the latest of these, and count its bytes.

    The text is written without a lock, since it takes long.
    """
    text = record_text(chapter.record)
    places = set(comment_places(chapter.record))
    with transaction.atomic():
        latest = locked(row)
        # Another process has written a later state while this one wrote the text.
        if latest.data_edits >= chapter.edits:
            return
        latest.edit_rows.filter(number__lt=chapter.edits - _KEPT_EDITS).delete()
        authors = dict(latest.authors.values_list("place", "pk"))
        gone = [authors[place] for place in authors.keys() - places]
        latest.authors.filter(pk__in=gone).delete()
        before = latest.nbytes
        latest.data, latest.data_edits = text, chapter.edits
        latest.nbytes = len(text.encode()) + _ROW * len(places & authors.keys())
        latest.nbytes += sum(map(size_of_edit, latest.edit_rows.values_list("data", flat=True)))
        latest.save(update_fields=["data", "data_edits", "nbytes"])
        StudyRow.objects.filter(pk=row.study_id).update(nbytes=F("nbytes") + latest.nbytes - before)


def stored_bytes() -> Iterator[Metric]:
    """Yield the bytes that all studies have in the database."""
    total = StudyRow.objects.aggregate(total=Sum("nbytes"))["total"] or 0
    yield GaugeMetricFamily(
        "antipodes_study_bytes", "Bytes of studies in the database", value=total
    )
