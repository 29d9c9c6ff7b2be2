"""Reports, sanctions and the audit log of the staff."""

from __future__ import annotations

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from antipodes.web.matches.models import ChatLine, MatchRow

_USER = settings.AUTH_USER_MODEL


class ReportRow(models.Model):
    """Somebody asks moderators to look at a person, a line of a chat, or a match."""

    class Reason(models.TextChoices):
        """What is wrong."""

        INSULT = "insult", _("insults or threats")
        SPAM = "spam", _("advertising or spam")
        NAME = "name", _("an offensive name")
        CHEATING = "cheating", _("help by a program in a rated game")
        SANDBAGGING = "sandbagging", _("losing or winning on purpose")
        STALLING = "stalling", _("letting the clock run, or leaving games")
        OTHER = "other", _("something else")

    class State(models.TextChoices):
        """How far it has come."""

        OPEN = "open", _("open")
        ACTED = "acted", _("something was done")
        DISMISSED = "dismissed", _("dismissed")

    by = models.ForeignKey(_USER, null=True, on_delete=models.SET_NULL, related_name="reports_made")
    about = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="reports_about")
    match = models.ForeignKey(
        MatchRow, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    line = models.ForeignKey(
        ChatLine, null=True, blank=True, on_delete=models.SET_NULL, related_name="reports"
    )
    said = models.CharField(max_length=500, blank=True, help_text="the reported line")
    reason = models.CharField(max_length=20, choices=Reason.choices)
    text = models.TextField(blank=True, help_text="in the reporter's words")
    made_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=12, choices=State.choices, default=State.OPEN)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        _USER, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        """What waits longest comes first; those who may act on reports are moderators."""

        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["made_at", "id"]
        indexes = [models.Index(fields=["state", "made_at"])]
        permissions = [("moderate", "Can act on reports and people")]

    def __str__(self) -> str:
        """Say about whom, and why."""
        return f"{self.about}: {self.get_reason_display()}"


class HiddenLineRow(models.Model):
    """A line of a chat that moderators have deleted: kept for them, and shown to nobody else."""

    line = models.OneToOneField(ChatLine, on_delete=models.CASCADE, related_name="hidden")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """What it is called."""

        verbose_name = _("deleted line of a chat")
        verbose_name_plural = _("deleted lines of chats")

    def __str__(self) -> str:
        """Show the words."""
        return str(self.line)


class ForbiddenChangeError(TypeError):
    """Somebody has tried to change what is written down for good."""


class AuditRows(models.QuerySet["AuditRow"]):
    """Rows that are added and read, and nothing else."""

    def _refuse(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise ForbiddenChangeError("the audit log is only added to")

    update = delete = bulk_update = update_or_create = _refuse

    def bulk_create(self, objs: Any, *args: Any, **kwargs: Any) -> Any:
        """Add rows; none of them replaces another."""
        if kwargs.get("update_conflicts"):
            self._refuse()
        return super().bulk_create(objs, *args, **kwargs)


class AuditRow(models.Model):
    """One act of somebody of the staff. Names and keys are copied: it outlives what it tells of."""

    at = models.DateTimeField(default=timezone.now, db_index=True)
    by_key = models.BigIntegerField(null=True)
    by_name = models.CharField(_("by"), max_length=150)
    act = models.CharField(max_length=60)
    about_key = models.BigIntegerField(null=True, db_index=True)
    about_name = models.CharField(_("about"), max_length=150, blank=True)
    what = models.CharField(max_length=500, blank=True, help_text="what was acted on, and how")
    reason = models.TextField(blank=True)

    objects = AuditRows.as_manager()

    class Meta:
        """The newest first."""

        verbose_name = _("act of the staff")
        verbose_name_plural = _("audit log")
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        """Say who did what to whom."""
        return f"{self.by_name}: {self.act} {self.about_name}".strip()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Add the row.

        Raises:
            ForbiddenChangeError: it is there already.
        """
        if not self._state.adding:
            raise ForbiddenChangeError("the audit log is only added to")
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *_args: object, **_kwargs: object) -> NoReturn:
        """Refuse.

        Raises:
            ForbiddenChangeError: always.
        """
        raise ForbiddenChangeError("nothing is deleted from the audit log")


class SanctionRow(models.Model):
    """What moderators have done about somebody, with the reason that the person reads."""

    class Kind(models.TextChoices):
        """What was done."""

        WARNING = "warning", _("warning")
        MUTE = "mute", _("no chat")
        SUSPENSION = "suspension", _("suspension")
        RENAMING = "renaming", _("new name")
        LINE = "line", _("line of a chat deleted")
        VOID = "void", _("game not counted for ratings")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="measures"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    reason = models.TextField(help_text="the person reads it")
    what = models.CharField(max_length=500, blank=True, help_text="the line, name or game meant")
    match = models.ForeignKey(
        MatchRow,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="measures",
    )
    made_at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True, blank=True, help_text="empty: for ever")
    lifted_at = models.DateTimeField(null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    report = models.ForeignKey(
        ReportRow,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="measures",
    )

    class Meta:
        """The newest first."""

        verbose_name = _("measure")
        verbose_name_plural = _("measures")
        ordering = ["-made_at", "-id"]
        indexes = [models.Index(fields=["user", "kind"])]

    def __str__(self) -> str:
        """Say what was done to whom."""
        return f"{self.user}: {self.get_kind_display()}"

    @property
    def is_lasting(self) -> bool:
        """Whether it keeps the person from something as long as it holds."""
        return self.kind in {self.Kind.MUTE, self.Kind.SUSPENSION}

    @property
    def is_in_force(self) -> bool:
        """Whether it keeps the person from something now, or its game from being counted."""
        if self.kind == self.Kind.VOID:
            return self.lifted_at is None and self.match_id is not None
        if not self.is_lasting or self.lifted_at is not None:
            return False
        return self.until is None or self.until > timezone.now()
