"""How clubs are kept: members with their roles, who waits at the door, and links that open it."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from antipodes.web.accounts.confusables import SkeletonField

_TIME = "milliseconds since 1970"


def new_token() -> str:
    """Return a random name for the address of an invitation, which nobody can guess."""
    return secrets.token_urlsafe(16)


class Entry(models.TextChoices):
    """How people become members."""

    OPEN = "open", _("Open: whoever wants to joins")
    REQUEST = "request", _("By request: an officer lets people in")
    INVITED = "invited", _("By invitation only")


class Role(models.TextChoices):
    """What a member may do."""

    OWNER = "owner", _("owner")
    OFFICER = "officer", _("officer")
    MEMBER = "member", _("member")

    @property
    def leads(self) -> bool:
        """Whether this one looks after members."""
        return self is not Role.MEMBER


class ClubRow(models.Model):
    """A club."""

    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=60)
    skeleton = SkeletonField(of="name", help_text="what names that look alike share")
    description = models.TextField(max_length=2_000, blank=True)
    entry = models.CharField(max_length=8, choices=Entry.choices, default=Entry.OPEN)
    is_public = models.BooleanField(
        default=True, help_text="everybody may see its page, or its members alone"
    )
    made_at = models.BigIntegerField(help_text=_TIME)

    class Meta:
        """Names differ by more than capital letters."""

        ordering = ["name"]
        constraints = [models.UniqueConstraint(Lower("name"), name="one_club_of_a_name")]

    def __str__(self) -> str:
        """Name it."""
        return self.name


class MemberRow(models.Model):
    """Somebody in a club."""

    club = models.ForeignKey(ClubRow, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=8, choices=Role.choices, default=Role.MEMBER)
    since = models.BigIntegerField(help_text=_TIME)

    class Meta:
        """Everybody once, and one owner at most."""

        ordering = ["since", "id"]
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="member_once"),
            models.UniqueConstraint(
                fields=["club"], condition=models.Q(role="owner"), name="one_owner_of_a_club"
            ),
        ]

    def __str__(self) -> str:
        """Name the member and the club."""
        return f"{self.user}, {self.role} of {self.club}"


class PendingMemberRow(models.Model):
    """Somebody at the door of a club: invited by name, or asking to be let in."""

    club = models.ForeignKey(ClubRow, on_delete=models.CASCADE, related_name="at_door")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="club_doors"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="who has invited; nobody, where the user asks",
    )
    words = models.CharField(max_length=300, blank=True, help_text="of whoever asks")
    at = models.BigIntegerField(help_text=_TIME)

    class Meta:
        """Everybody once, the earliest first."""

        ordering = ["at", "id"]
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="at_the_door_once")]

    def __str__(self) -> str:
        """Name who stands there."""
        return f"{self.user} at {self.club}"


class InviteLinkRow(models.Model):
    """A link by which people become members."""

    club = models.ForeignKey(ClubRow, on_delete=models.CASCADE, related_name="links")
    token = models.CharField(max_length=32, unique=True, default=new_token)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_at = models.BigIntegerField(help_text=_TIME)
    expires_at = models.BigIntegerField(null=True, help_text=_TIME)
    uses_left = models.PositiveIntegerField(null=True, help_text="without bound if empty")

    class Meta:
        """The newest first."""

        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        """Name the club."""
        return f"link to {self.club}"
