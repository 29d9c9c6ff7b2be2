"""Models of clubs, members and their roles, invitations and requests, and invite links."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from antipodes.web.accounts.confusables import SkeletonField

_TIME = "milliseconds since 1970"


def new_token() -> str:
    """Return a random token for the address of an invite link."""
    return secrets.token_urlsafe(16)


class Entry(models.TextChoices):
    """How players become members."""

    OPEN = "open", _("Open: anyone can join")
    REQUEST = "request", _("By request: an officer accepts new members")
    INVITED = "invited", _("By invitation only")


class Role(models.TextChoices):
    """Role of a member."""

    OWNER = "owner", _("owner")
    OFFICER = "officer", _("officer")
    MEMBER = "member", _("member")

    @property
    def leads(self) -> bool:
        """Whether the role may admit and remove members."""
        return self is not Role.MEMBER


class ClubRow(models.Model):
    """A club."""

    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=60)
    skeleton = SkeletonField(of="name", help_text="equal for names that look alike")
    description = models.TextField(max_length=2_000, blank=True)
    entry = models.CharField(max_length=8, choices=Entry.choices, default=Entry.OPEN)
    is_public = models.BooleanField(
        default=True, help_text="visible to everyone, or to members only"
    )
    made_at = models.BigIntegerField(help_text=_TIME)

    class Meta:
        """Names are unique regardless of case."""

        ordering = ["name"]
        constraints = [models.UniqueConstraint(Lower("name"), name="one_club_of_a_name")]

    def __str__(self) -> str:
        return self.name


class MemberRow(models.Model):
    """A member of a club."""

    club = models.ForeignKey(ClubRow, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=8, choices=Role.choices, default=Role.MEMBER)
    since = models.BigIntegerField(help_text=_TIME)

    class Meta:
        """One row per member, and at most one owner."""

        ordering = ["since", "id"]
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="member_once"),
            models.UniqueConstraint(
                fields=["club"], condition=models.Q(role="owner"), name="one_owner_of_a_club"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.role} of {self.club}"


class PendingMemberRow(models.Model):
    """A user who is invited to a club by name, or who asks to join it."""

    club = models.ForeignKey(ClubRow, on_delete=models.CASCADE, related_name="pending_members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="pending_memberships"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="the inviter; empty for a request to join",
    )
    message = models.CharField(max_length=300, blank=True, help_text="from the user who asks")
    at = models.BigIntegerField(help_text=_TIME)

    class Meta:
        """One row per user, the earliest first."""

        ordering = ["at", "id"]
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="pending_once")]

    def __str__(self) -> str:
        return f"{self.user} at {self.club}"


class InviteLinkRow(models.Model):
    """A link that makes its users members."""

    club = models.ForeignKey(ClubRow, on_delete=models.CASCADE, related_name="links")
    token = models.CharField(max_length=32, unique=True, default=new_token)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_at = models.BigIntegerField(help_text=_TIME)
    expires_at = models.BigIntegerField(null=True, help_text=_TIME)
    uses_left = models.PositiveIntegerField(null=True, help_text="unlimited if empty")

    class Meta:
        """The newest first."""

        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return f"link to {self.club}"
