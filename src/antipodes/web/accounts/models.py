"""Users, their profiles, languages and tokens, and the accounts that bots play for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.utils.translation import gettext_lazy as _

from antipodes.web.accounts.confusables import SkeletonField, skeleton
from antipodes.web.accounts.usernames import check_shape, taken

BOT = "bot"  # as the first name of an account: a program plays for it


if TYPE_CHECKING:
    _Users = UserManager["User"]
else:
    _Users = UserManager


class Users(_Users):
    """All users, found by names that look alike too."""

    def alike(self, name: str) -> models.QuerySet[User]:
        """Return the user whose name could be taken for this one, if there is one."""
        return self.filter(skeleton=skeleton(name))

    def create_superuser(self, username: str, *args: Any, **fields: Any) -> User:
        """Make a superuser.

        Raises:
            ValidationError: the name cannot be one, or looks like that of another account.
        """
        check_shape(username)
        if self.alike(username).exists():
            raise taken(username)
        return super().create_superuser(username, *args, **fields)


class User(AbstractUser):
    """Somebody with an account, a guest who may make one later, or a level of the computer.

    A guest is a user without a password; signing up turns the same row into an account, and so
    all games stay.
    """

    username = models.CharField(
        _("username"), max_length=150, unique=True, validators=[check_shape]
    )
    skeleton = SkeletonField(of="username", help_text="what names that look alike share")
    is_guest = models.BooleanField(default=False)
    computer = models.CharField(
        max_length=40, blank=True, help_text="player that moves by itself, such as computer:3"
    )

    objects: ClassVar[Users] = Users()

    def clean(self) -> None:
        """Refuse a name that looks like that of another account.

        Raises:
            ValidationError: it does.
        """
        super().clean()
        if User.objects.alike(self.username).exclude(pk=self.pk).exists():
            raise taken(self.username)

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """Save the row; the skeleton follows the name."""
        if update_fields is not None and "username" in update_fields:
            update_fields = {*update_fields, "skeleton"}
        super().save(*args, update_fields=update_fields, **options)

    @property
    def name(self) -> str:
        """What to call the player; bots are marked wherever their name is shown."""
        if self.is_computer:
            from antipodes.web.platform.translations import computer_words

            return computer_words(self.first_name)
        return f"{self.username} (bot)" if self.is_bot else self.username

    @property
    def is_computer(self) -> bool:
        """Whether the computer makes this player's moves."""
        return bool(self.computer)

    @property
    def is_bot(self) -> bool:
        """Whether the account is that of a program; `web.api.bots` looks after that.

        It stands in the row itself, so that lists of names need not ask for it.
        """
        return self.first_name == BOT and not self.is_computer


class TokenBase(models.Model):
    """What is kept of a token of any kind; the token itself is shown once and kept nowhere."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="%(app_label)s_tokens"
    )
    name = models.CharField(max_length=60, help_text="what its owner calls it")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token")
    ending = models.CharField(max_length=8, help_text="its last characters, to tell it from others")
    made_at = models.BigIntegerField(help_text="milliseconds since 1970")
    used_at = models.BigIntegerField(null=True, help_text="the hour in which it was last used")

    class Meta:
        """The newest first; each kind of tokens has its own table."""

        abstract = True
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        """Show its name and end."""
        return f"{self.name} …{self.ending}"


class ApiTokenRow(TokenBase):
    """A token for a program that speaks for an account."""

    scopes = models.JSONField(default=list, help_text="what it may be used for")
    expires_at = models.BigIntegerField(null=True, help_text="milliseconds since 1970, or never")


class BotRow(models.Model):
    """An account that a program plays for; its owner has said so."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bot"
    )
    since = models.BigIntegerField(help_text="milliseconds since 1970")

    def __str__(self) -> str:
        """Name the account."""
        return str(self.user)


class LanguageRow(models.Model):
    """The language of an account: for its mails and notices, and for its next browser.

    Attributes:
        user: whose.
        code: as in ``settings.LANGUAGES``.
        is_chosen: whether the person chose it; else it is what their browser asked for last.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="language"
    )
    code = models.CharField(max_length=16)
    is_chosen = models.BooleanField(default=False)

    def __str__(self) -> str:
        """Say whose and which."""
        return f"{self.user}: {self.code}"


class ProfileRow(models.Model):
    """What people tell about themselves."""

    class Availability(models.TextChoices):
        """What somebody would like to play, or whether they are away."""

        UNTOLD = "", _("I do not say")
        LOOKING = "looking", _("looking for a game")
        CORRESPONDENCE = "correspondence", _("for correspondence games only")
        BUSY = "busy", _("no new games at present")
        AWAY = "away", _("away")

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
        db_default=True,
        help_text="Antipalos is read from one's own side, not from the first seat's",
    )
    changed_at = models.BigIntegerField(default=0, help_text="milliseconds since 1970")

    def __str__(self) -> str:
        """Name the user."""
        return f"profile of {self.user_id}"
