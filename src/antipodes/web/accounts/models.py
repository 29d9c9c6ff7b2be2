"""Models of users, their profiles, languages and tokens, and bot accounts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.utils.translation import gettext_lazy as _

from antipodes.web.accounts.confusables import SkeletonField, skeleton
from antipodes.web.accounts.usernames import check_format, name_taken

BOT = "bot"  # first name of bot accounts


if TYPE_CHECKING:
    _Users = UserManager["User"]
else:
    _Users = UserManager


class Users(_Users):
    """Manager of users."""

    def alike(self, name: str) -> models.QuerySet[User]:
        """Return the user whose name looks like this one, if there is one."""
        return self.filter(skeleton=skeleton(name))

    def create_superuser(self, username: str, *args: Any, **fields: Any) -> User:
        """Make a superuser.

        Raises:
            ValidationError: the name is invalid, or looks like that of another account.
        """
        check_format(username)
        if self.alike(username).exists():
            raise name_taken(username)
        return super().create_superuser(username, *args, **fields)


class User(AbstractUser):
    """A user: an account, a guest, or a level of the computer.

    A guest is a user without a password. Signing up turns the same row into an account, so the
    guest's games remain theirs.
    """

    username = models.CharField(
        _("username"), max_length=150, unique=True, validators=[check_format]
    )
    skeleton = SkeletonField(of="username", help_text="the same for names that look alike")
    is_guest = models.BooleanField(default=False)
    computer = models.CharField(
        max_length=40, blank=True, help_text="the computer's player, such as computer:3"
    )

    objects: ClassVar[Users] = Users()

    def clean(self) -> None:
        """Refuse a name that looks like that of another account.

        Raises:
            ValidationError: it does.
        """
        super().clean()
        if User.objects.alike(self.username).exclude(pk=self.pk).exists():
            raise name_taken(self.username)

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """Save the row; the skeleton follows the name."""
        if update_fields is not None and "username" in update_fields:
            update_fields = {*update_fields, "skeleton"}
        super().save(*args, update_fields=update_fields, **options)

    @property
    def name(self) -> str:
        """The name to show, with a mark for bots."""
        if self.is_computer:
            from antipodes.web.accounts.levels import computer_name

            return computer_name(self.first_name)
        return f"{self.username} (bot)" if self.is_bot else self.username

    @property
    def is_computer(self) -> bool:
        """Whether the computer makes this player's moves."""
        return bool(self.computer)

    @property
    def is_bot(self) -> bool:
        """Whether this is a bot account.

        The mark is in this row, so that lists of names need no further query.
        """
        return self.first_name == BOT and not self.is_computer


class TokenBase(models.Model):
    """Base of all tokens. Only a hash of the text is stored."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="%(app_label)s_tokens"
    )
    name = models.CharField(max_length=60, help_text="the owner's name for it")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token")
    ending = models.CharField(max_length=8, help_text="its last characters, to recognise it")
    made_at = models.BigIntegerField(help_text="milliseconds since 1970")
    used_at = models.BigIntegerField(null=True, help_text="the hour in which it was last used")

    class Meta:
        """The newest first; each kind of token has its own table."""

        abstract = True
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} …{self.ending}"


class ApiTokenRow(TokenBase):
    """An API token."""

    scopes = models.JSONField(default=list, help_text="names of the scopes that it grants")
    expires_at = models.BigIntegerField(null=True, help_text="milliseconds since 1970, or null")


class BotRow(models.Model):
    """A bot account."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bot"
    )
    since = models.BigIntegerField(help_text="milliseconds since 1970")

    def __str__(self) -> str:
        return str(self.user)


class LanguageRow(models.Model):
    """The language of an account, for its mails and notifications, and browsers that sign in.

    Attributes:
        user: the account.
        code: as in ``settings.LANGUAGES``.
        is_chosen: whether the user chose it; else it is the language of the last browser.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="language"
    )
    code = models.CharField(max_length=16)
    is_chosen = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.user}: {self.code}"


class ProfileRow(models.Model):
    """The public profile of a user."""

    class Availability(models.TextChoices):
        """Whether a user is looking for games."""

        UNSPECIFIED = "", _("Not specified")
        LOOKING = "looking", _("Looking for a game")
        CORRESPONDENCE = "correspondence", _("Correspondence games only")
        BUSY = "busy", _("No new games")
        AWAY = "away", _("Away")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="profile"
    )
    about = models.TextField(blank=True, max_length=1_000)
    availability = models.CharField(
        max_length=16, choices=Availability.choices, default="", blank=True
    )
    country = models.CharField(max_length=60, blank=True)
    languages = models.CharField(max_length=100, blank=True)
    own_side = models.BooleanField(
        default=True,
        help_text="show Antipalos from the user's own side, not the first seat's",
    )
    changed_at = models.BigIntegerField(default=0, help_text="milliseconds since 1970")

    def __str__(self) -> str:
        return f"profile of {self.user_id}"
