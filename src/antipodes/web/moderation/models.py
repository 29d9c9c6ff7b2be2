"""Models of reports, sanctions, deleted chat lines and the audit log."""

from __future__ import annotations

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.studies.models import StudyRow

_USER = settings.AUTH_USER_MODEL


class ReportRow(models.Model):
    """A player's report of another player, a chat line, a match or a study."""

    class Reason(models.TextChoices):
        """Reason of a report."""

        INSULT = "insult", _("insults or threats")
        SPAM = "spam", _("advertising or spam")
        NAME = "name", _("offensive name")
        CHEATING = "cheating", _("computer assistance in a rated game")
        SANDBAGGING = "sandbagging", _("losing or winning on purpose")
        STALLING = "stalling", _("stalling or leaving games")
        OTHER = "other", _("something else")

    class State(models.TextChoices):
        """State of a report."""

        OPEN = "open", _("open")
        ACTED = "acted", _("acted on")
        DISMISSED = "dismissed", _("dismissed")

    by = models.ForeignKey(_USER, null=True, on_delete=models.SET_NULL, related_name="reports_made")
    about = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="reports_about")
    match = models.ForeignKey(
        MatchRow, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    line = models.ForeignKey(
        ChatLine, null=True, blank=True, on_delete=models.SET_NULL, related_name="reports"
    )
    study = models.ForeignKey(
        StudyRow, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    place = models.JSONField(
        default=dict, blank=True, help_text="in the study: part, chapter and path"
    )
    quote = models.TextField(blank=True, help_text="the reported text")
    reason = models.CharField(max_length=20, choices=Reason.choices)
    text = models.TextField(blank=True, help_text="in the reporter's words")
    made_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=12, choices=State.choices, default=State.OPEN)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        _USER, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        """Oldest first; the permission makes a user a moderator."""

        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["made_at", "id"]
        indexes = [models.Index(fields=["state", "made_at"])]
        permissions = [("moderate", "Can act on reports and people")]

    def __str__(self) -> str:
        return f"{self.about}: {self.get_reason_display()}"


class HiddenLineRow(models.Model):
    """A chat line that moderators have deleted; only they can still read it."""

    line = models.OneToOneField(ChatLine, on_delete=models.CASCADE, related_name="hidden")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Names in the admin."""

        verbose_name = _("deleted chat line")
        verbose_name_plural = _("deleted chat lines")

    def __str__(self) -> str:
        return str(self.line)


class ForbiddenChangeError(TypeError):
    """An attempt to change or delete entries of the audit log."""


class AuditRows(models.QuerySet["AuditRow"]):
    """Queryset that can add and read rows only."""

    def _refuse(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise ForbiddenChangeError("the audit log is append-only")

    update = delete = bulk_update = update_or_create = _refuse

    def bulk_create(self, objs: Any, *args: Any, **kwargs: Any) -> Any:
        """Add rows, without replacing existing ones."""
        if kwargs.get("update_conflicts"):
            self._refuse()
        return super().bulk_create(objs, *args, **kwargs)


class AuditRow(models.Model):
    """One action of a staff member.

    Names and keys are copied, so that an entry outlives the accounts it refers to.
    """

    at = models.DateTimeField(default=timezone.now, db_index=True)
    by_key = models.BigIntegerField(null=True)
    by_name = models.CharField(_("by"), max_length=150)
    act = models.CharField(max_length=60)
    about_key = models.BigIntegerField(null=True, db_index=True)
    about_name = models.CharField(_("about"), max_length=150, blank=True)
    what = models.CharField(
        max_length=500, blank=True, help_text="the object acted on, and details"
    )
    reason = models.TextField(blank=True)

    objects = AuditRows.as_manager()

    class Meta:
        """Newest first."""

        verbose_name = _("staff action")
        verbose_name_plural = _("audit log")
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.by_name}: {self.act} {self.about_name}".strip()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Add the row.

        Raises:
            ForbiddenChangeError: the row exists already.
        """
        if not self._state.adding:
            raise ForbiddenChangeError("the audit log is append-only")
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *_args: object, **_kwargs: object) -> NoReturn:
        """Refuse.

        Raises:
            ForbiddenChangeError: always.
        """
        raise ForbiddenChangeError("the audit log is append-only")


class SanctionRow(models.Model):
    """A sanction of moderators against a user, with the reason that the user reads."""

    class Kind(models.TextChoices):
        """Kind of sanction."""

        WARNING = "warning", _("warning")
        MUTE = "mute", _("mute")
        SUSPENSION = "suspension", _("suspension")
        RENAMING = "renaming", _("new name")
        LINE = "line", _("chat line deleted")
        VOID = "void", _("rating voided")
        STUDY = "study", _("study hidden")
        TEXT = "text", _("text in a study deleted")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sanctions"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    reason = models.TextField(help_text="visible to the user")
    what = models.CharField(max_length=500, blank=True, help_text="the line, name or game")
    match = models.ForeignKey(
        MatchRow,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="sanctions",
    )
    study = models.ForeignKey(
        StudyRow, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True, blank=True, help_text="empty if permanent")
    lifted_at = models.DateTimeField(null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    report = models.ForeignKey(
        ReportRow,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="sanctions",
    )

    class Meta:
        """Newest first."""

        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering = ["-made_at", "-id"]
        indexes = [models.Index(fields=["user", "kind"])]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_kind_display()}"

    @property
    def is_restriction(self) -> bool:
        """Whether the sanction is a mute or a suspension, which last for a time."""
        return self.kind in {self.Kind.MUTE, self.Kind.SUSPENSION}

    @property
    def is_in_force(self) -> bool:
        """Whether the user is muted or suspended now, the game is void, or the study hidden."""
        if self.kind == self.Kind.VOID:
            return self.lifted_at is None and self.match_id is not None
        if self.kind == self.Kind.STUDY:
            return self.lifted_at is None and self.study_id is not None
        if not self.is_restriction or self.lifted_at is not None:
            return False
        return self.until is None or self.until > timezone.now()
