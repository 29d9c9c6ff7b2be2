"""Pages of studies: lists, chapters, settings, and the actions of their forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.core.numbers import read_number
from antipodes.errors import InputError
from antipodes.games.registry import game_class, game_ids, make_game
from antipodes.records import Record
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user, ensure_user
from antipodes.web.analysis.effort import DEFAULT_EFFORT, EFFORTS
from antipodes.web.analysis.imports import Imported, read_import
from antipodes.web.analysis.position_queries import Line, read_line
from antipodes.web.platform.error_views import refused
from antipodes.web.platform.form_errors import FormFaults
from antipodes.web.platform.translations import error_message, translate
from antipodes.web.studies import embeds, services
from antipodes.web.studies.chapters import board_of
from antipodes.web.studies.models import ChapterRow, StudyRow, Visibility
from antipodes.web.studies.permissions import (
    chapter_for,
    is_listed,
    may_manage,
    may_write,
    of_member,
    study_for,
)


class ChapterForm(forms.Form):
    """Title and beginning of a chapter: an imported game, or the start of a game."""

    chapter = forms.CharField(
        label=gettext_lazy("Title of the chapter"), max_length=100, required=False
    )
    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    text = forms.CharField(
        label=gettext_lazy("Begin with a game"),
        required=False,
        widget=forms.Textarea({"rows": 4, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "SGF, JSON, a HexWorld link or a picture; empty for the start of the game."
        ),
    )

    def __init__(self, data: Any = None, **initial: Any) -> None:
        """Offer all games."""
        super().__init__(data, initial=initial)
        games = [(one, translate(game_class(one).title)) for one in game_ids()]
        self.fields["game"].choices = games  # type: ignore[attr-defined]  # it is a choice field
        self.imported: Imported | None = None

    def clean_text(self) -> str:
        """Read the game, so that its faults are shown here."""
        text: str = self.cleaned_data["text"]
        if text.strip():
            try:
                self.imported = read_import(text)
            except InputError as error:
                raise forms.ValidationError(error_message(error)) from None
        return text

    def record(self) -> Record:
        found = self.imported
        if found is None:
            return Record(make_game(self.cleaned_data.get("game") or game_ids()[0]))
        return found.record or Record(found.game, found.line.setup)


class StudyForm(ChapterForm):
    """Title and visibility of a new study, and its first chapter."""

    title = forms.CharField(label=gettext_lazy("Title"), max_length=100)
    visibility = forms.ChoiceField(label=gettext_lazy("Visible to"), initial=Visibility.UNLISTED)
    field_order = ("title", "visibility", "game", "chapter", "text")

    def __init__(self, user: User | None, data: Any = None, **initial: Any) -> None:
        """Offer public studies to accounts only."""
        super().__init__(data, **initial)
        set_visibilities(self, user)


class SettingsForm(forms.Form):
    """Title and visibility of a study."""

    title = forms.CharField(label=gettext_lazy("Title"), max_length=100)
    visibility = forms.ChoiceField(label=gettext_lazy("Visible to"))

    def __init__(self, user: User, data: Any = None, **initial: Any) -> None:
        """Offer public studies to accounts only."""
        super().__init__(data, initial=initial)
        set_visibilities(self, user)


def set_visibilities(form: forms.Form, user: User | None) -> None:
    """Offer the visibilities that a user may choose."""
    is_guest = user is None or user.is_guest
    form.fields["visibility"].choices = [  # type: ignore[attr-defined]  # it is a choice field
        choice for choice in Visibility.choices if not (is_guest and choice[0] == Visibility.PUBLIC)
    ]


_ON_A_PAGE = 30


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """List public studies, or the user's own with ``mine`` in the query."""
    user = current_user(request)
    mine = "mine" in request.GET and user is not None
    rows = StudyRow.objects.select_related("owner").order_by("-changed_at")
    rows = rows.filter(of_member(user) if mine and user is not None else is_listed())
    words = request.GET.get("q", "").strip()[:100]
    if words:
        rows = rows.filter(title__icontains=words)
    page = Paginator(rows, _ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "mine": mine, "words": words}
    return render(request, "studies/index.html", context)


@require_http_methods(["GET", "POST"])
def new_study(request: HttpRequest) -> HttpResponse:
    """Ask for title and beginning of a study; when posted, make it.

    The query may have a position, as the analysis has it.
    """
    user = current_user(request)
    given = {**request.GET.dict(), **request.POST.dict()}
    line = _line_in(given)
    initial = {"game": given.get("game", ""), "text": given.get("text", "")}
    is_sent = request.method == "POST" and "title" in request.POST
    form = StudyForm(user, request.POST if is_sent else None, **initial)
    if form.is_bound and form.is_valid():
        data = form.cleaned_data
        record = form.record() if form.imported or line is None else _record_of(line)
        with FormFaults(form) as faults:
            study = services.create_study(
                ensure_user(request), data["title"], data["visibility"], record, data["chapter"]
            )
        if not faults.found:
            return redirect("study", slug=study.slug)
    context = {"form": form, "line": line}
    return render(request, "studies/new.html", context)


def _line_in(given: dict[str, str]) -> Line | None:
    """Return the position in a query, if it has one."""
    own = {"title", "visibility", "chapter", "text", "csrfmiddlewaretoken"}
    query = {name: value for name, value in given.items() if name not in own}
    if not {"moves", "setup"} & query.keys():
        return None
    try:
        return read_line(query)
    except InputError as error:
        raise Http404(error_message(error)) from None


def _record_of(line: Line) -> Record:
    record = Record(line.game, line.setup)
    node = record.root
    for move in line.moves:
        node = node.add(move)
    return record


@require_GET
def study(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the first chapter."""
    found = study_for(request, slug)
    first = found.chapters.first()
    if first is None:
        raise Http404("there is no chapter")
    return redirect("study-chapter", slug=slug, number=first.number)


@require_GET
@ensure_csrf_cookie
def chapter(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    row = chapter_for(request, slug, number)
    user = current_user(request)
    context = {
        "study": row.study,
        "chapter": row,
        "chapters": row.study.chapters.all(),
        "can_write": may_write(row.study, user),
        "can_manage": may_manage(row.study, user),
        "efforts": EFFORTS,
        "usual_effort": DEFAULT_EFFORT,
        "preview": embeds.preview_of(request, row),
        **board_of(row),
    }
    return render(request, "studies/chapter.html", context)


@require_http_methods(["GET", "POST"])
def new_chapter(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for title and beginning of a chapter; when posted, add it."""
    study, user = _for_writer(request, slug)
    last = study.chapters.last()
    form = ChapterForm(request.POST or None, game=last.game_id if last else "")
    if form.is_bound and form.is_valid():
        with FormFaults(form) as faults:
            added = services.add_chapter(study, user, form.cleaned_data["chapter"], form.record())
        if not faults.found:
            return redirect("study-chapter", slug=slug, number=added.number)
    return render(request, "studies/new_chapter.html", {"study": study, "form": form})


def _for_writer(request: HttpRequest, slug: str) -> tuple[StudyRow, User]:
    """Return a study and a user who may write it.

    Raises:
        Http404: they may not.
    """
    found, user = study_for(request, slug), current_user(request)
    if user is None or not may_write(found, user):
        raise Http404("there is no such page")
    return found, user


@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show title, visibility, members and chapters to the owner; when posted, change the study."""
    study, user = _for_writer(request, slug)
    if not may_manage(study, user):
        raise Http404("there is no such page")
    known = {"title": study.title, "visibility": study.visibility}
    form = SettingsForm(user, request.POST or None, **known)
    if form.is_bound and form.is_valid():
        with FormFaults(form) as faults:
            services.change_study(study, user, **form.cleaned_data)
        if not faults.found:
            return redirect("study-settings", slug=slug)
    context = {
        "study": study,
        "form": form,
        "members": study.members.select_related("user"),
        "chapters": study.chapters.all(),
    }
    return render(request, "studies/settings.html", context)


@require_POST
def act(request: HttpRequest, slug: str, action: str) -> HttpResponse:
    """Do something with a study, and return to its settings."""
    study, user = study_for(request, slug), current_user(request)
    if action not in _ACTIONS or user is None:
        raise Http404("there is no such action")
    try:
        back = _ACTIONS[action](study, user, request.POST)
    except InputError as error:
        return refused(request, error)
    if back is None:
        return HttpResponseRedirect(f"/study/{slug}/settings/")
    messages.success(request, back[1])
    return HttpResponseRedirect(back[0])


_Answer = tuple[str, str] | None  # where to go instead of the settings, and a message
_Action = Callable[[StudyRow, User, Any], _Answer]


def _chapter_in(study: StudyRow, data: Any) -> ChapterRow:
    number = read_number(data.get("chapter", ""))
    row = get_object_or_404(ChapterRow, study=study, number=-1 if number is None else number)
    row.study = study
    return row


def _invite(study: StudyRow, user: User, data: Any) -> _Answer:
    names = [name.strip() for name in data.get("names", "").split(",") if name.strip()]
    services.invite(study, user, names, can_write=data.get("role") == "writer")
    return None


def _remove_member(study: StudyRow, user: User, data: Any) -> _Answer:
    member = read_number(data.get("member", ""))
    services.remove_member(study, user, -1 if member is None else member)
    return None if may_manage(study, user) else ("/studies/?mine", "")


def _rename_chapter(study: StudyRow, user: User, data: Any) -> _Answer:
    services.rename_chapter(_chapter_in(study, data), user, data.get("title", ""))
    return None


def _move_chapter(study: StudyRow, user: User, data: Any) -> _Answer:
    by = -1 if data.get("to") == "up" else 1
    services.move_chapter(_chapter_in(study, data), user, by)
    return None


def _delete_chapter(study: StudyRow, user: User, data: Any) -> _Answer:
    services.delete_chapter(_chapter_in(study, data), user)
    return None


def _delete(study: StudyRow, user: User, _data: Any) -> _Answer:
    services.delete_study(study, user)
    return "/studies/?mine", _("You deleted %(title)s.") % {"title": study.title}


_ACTIONS: dict[str, _Action] = {
    "invite": _invite,
    "remove-member": _remove_member,
    "rename-chapter": _rename_chapter,
    "move-chapter": _move_chapter,
    "delete-chapter": _delete_chapter,
    "delete": _delete,
}
