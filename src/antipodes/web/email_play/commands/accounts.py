"""Accounts by mail: opened, moved to another address, left.

What changes an account is confirmed by a reply to a letter: a mail token alone, which may be lost,
plays games but does not take an account away. Whether an address has an account here is told to
nobody but its owner.
"""

from __future__ import annotations

from collections.abc import Sequence

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.urls import reverse

from antipodes.errors import InputError
from antipodes.mail.layout import write_games, write_news
from antipodes.mail.requests import Verb
from antipodes.notation.text import shorten
from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.models import User
from antipodes.web.accounts.usernames import check_name, taken
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.commands.confirmations import make_slip
from antipodes.web.email_play.commands.emails import paragraphs, write
from antipodes.web.email_play.commands.lines import game_lines, subject
from antipodes.web.email_play.commands.players import stop_following, switch
from antipodes.web.email_play.context import CommandContext, EmailContent, handles
from antipodes.web.email_play.models import ConfirmationRow
from antipodes.web.email_play.reply_addresses import command_address
from antipodes.web.email_play.sender_limits import (
    is_verified,
    take_for_all,
    take_for_domain,
    take_for_sender,
)
from antipodes.web.matches.access import played_by
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.notifications import undeliverable
from antipodes.web.notifications.emails import absolute_url, address_of
from antipodes.web.notifications.preferences import stop_mail
from antipodes.web.platform.limits import rate_limit, take

Kinds = ConfirmationRow.Kind

_SIGNUPS = rate_limit(
    "mail-signups", "3/day", per="mail address", what="sign-up mails to an address"
)
_SIGNUPS_OF_SENDER = rate_limit(
    "mail-signups-of-sender", "5/day", per="sender", what="sign-up mails that a sender asks for"
)
_SIGNUPS_OF_DOMAIN = rate_limit(
    "mail-signups-of-domain",
    "30/hour;150/day",
    per="domain",
    what="sign-up mails that senders of a domain ask for",
)
_SIGNUPS_OF_ALL = rate_limit(
    "mail-signups-of-all", "1000/hour;5000/day", per="site", what="sign-up mails by play by mail"
)
_CHANGES = rate_limit(
    "mail-account-changes", "5/day", per="user", what="changes of an account by mail"
)
_MOST_LINES = 100
_LONGEST = 254  # characters of an address
_OLD, _NEW = "old", "new"  # whose consent to a change of the address is asked for


@handles(Verb.SIGNUP)
def signup(context: CommandContext) -> None:
    """Send a letter to a new player; a reply to it opens the account."""
    name = context.request.user or next(iter(context.request.words), "")
    address = _address(
        [word for word in context.request.words if "@" in word] or [context.mail.sender]
    )
    _check_free(name)
    is_sender = address.lower() == context.mail.sender.lower()
    take_for_sender(_SIGNUPS_OF_SENDER, context.mail)
    take_for_domain(_SIGNUPS_OF_DOMAIN, context.mail)
    take_for_all(_SIGNUPS_OF_ALL, context.mail)
    # What strangers ask for does not count for the owner of an address, if that is known.
    owner = "owner" if is_sender and is_verified(context.mail) else "anybody"
    take(_SIGNUPS, f"{owner} {address.lower()}")
    known = _owner_of(address)
    if known is not None:
        letter = _already_here(known, name)
        slip = None
    else:
        slip = make_slip(Kinds.SIGNUP, name=name, address=address)
        letter = _please_confirm_account(name)
    mail = context.mail if is_sender else None
    write(address, None, letter, key=f"signup {context.key}", slip=slip, mail=mail)
    if not is_sender:
        said = [f"A letter is on its way to {address}; a reply to it opens the account."]
        context.reply(subject("your new account"), write_news(said))


def _check_free(name: str) -> None:
    if not name:
        raise InputError.single("mail/no-name", "say how you want to be called: signup NAME")
    try:
        check_name(name)
        if User.objects.alike(name).exists():
            raise taken(name)
    except ValidationError as error:
        raise InputError.single("mail/name", " ".join(error.messages)) from None


def _address(words: Sequence[str]) -> str:
    """Return the one address that is named.

    Raises:
        InputError: it is none, or there are several.
    """
    if len(words) != 1:
        raise InputError.single("mail/one-address", "an account has one address: write just one")
    address = words[0].strip("<>,;")
    try:
        validate_email(address)
    except ValidationError:
        address = address[: _LONGEST + 1]
        message = f"{shorten(address)} is no address for mail"
        raise InputError.single("mail/no-address", message) from None
    if len(address) > _LONGEST:
        raise InputError.single("mail/no-address", f"{shorten(address)} is too long an address")
    return address


def _owner_of(address: str) -> User | None:
    found = EmailAddress.objects.filter(email__iexact=address, verified=True)
    row = found.select_related("user").first()
    return None if row is None else row.user


def _please_confirm_account(name: str) -> EmailContent:
    return EmailContent(
        subject=subject(f"an account for {name}"),
        text=paragraphs(
            write_news([f"Somebody, you we hope, wants to play here as {name} with this address."]),
            [
                "Reply with the word confirm in the first line, and the account is yours.",
                "If it was not you, do nothing: after three days this is forgotten.",
            ],
            [f"What is played here, and how: {absolute_url(reverse('home'))}"],
        ),
    )


def _already_here(user: User, name: str) -> EmailContent:
    reset = absolute_url(reverse("account_reset_password"))
    return EmailContent(
        subject=subject(f"you have an account: {user.username}"),
        text=paragraphs(
            write_news(
                [
                    f"Somebody, you we hope, wants to play here as {name} with this address.",
                    f"It belongs to the account {user.username} already, so nothing is done.",
                ]
            ),
            [
                f"To sign in on the site with a new password: {reset}",
                "There your account's page has mail tokens for play by mail.",
            ],
        ),
    )


def confirm_signup(context: CommandContext, slip: ConfirmationRow) -> None:
    """Open the account that a letter was about."""
    _check_free(slip.name)
    if _owner_of(slip.address) is not None:
        raise InputError.single("mail/answered", "this address has an account already")
    user = User(username=slip.name, email=slip.address)
    user.set_unusable_password()
    try:
        with transaction.atomic():
            user.save()
            EmailAddress.objects.create(user=user, email=slip.address, verified=True, primary=True)
    except IntegrityError:
        raise InputError.single("mail/name", " ".join(taken(slip.name).messages)) from None
    switch(user, on=True)
    token = mail_tokens.make_token(user, "from your first letter")
    letter = _welcome(user, token)
    write(slip.address, user, letter, key=f"welcome {user.pk}", mail=context.mail)


def _welcome(user: User, token: str) -> EmailContent:
    name, to = user.username, command_address()
    return EmailContent(
        subject=subject(f"welcome, {name}"),
        text=paragraphs(
            write_news([f"Welcome, {name}. You play by mail now."]),
            [
                f"Your mail token: {token}",
                "It stands after your name in commands. Keep it: it is not shown again.",
                "Whoever has it can play in your name, but not take your account away.",
            ],
            [
                f"Write commands in the Subject of a mail to {to}, for example:",
                f"  antipod seek {name} {token}",
                f"  hex challenge {name} {token} computer",
                "  help",
            ],
            [
                "When it is your turn, a letter with the board comes; reply with your move.",
                "To sign in on the site too, choose a password there:",
                absolute_url(reverse("account_reset_password")),
            ],
        ),
    )


@handles(Verb.ADD, Verb.CHANGE_ADDRESS)
def change_address(context: CommandContext) -> None:
    """Let an account have another address, once both the old and the new one have agreed."""
    user = context.require_user()
    address = _address([word for word in context.request.words if "@" in word])
    take(_CHANGES, str(user.pk))
    old = address_of(user)
    if old is not None and old.lower() == address.lower():
        raise InputError.single("mail/one-address", f"{address} is your address already")
    if old is None:
        _ask_new_address(context, user, address)
        context.reply(
            subject("your address"), write_news([f"A letter is on its way to {address}."])
        )
        return
    slip = make_slip(Kinds.ADDRESS, user=user, address=address, name=_OLD)
    letter = EmailContent(
        subject=subject(f"another address for {user.username}"),
        text=paragraphs(
            write_news([f"Mail to {user.username} shall go to {address} from now on."]),
            [
                "Reply with the word confirm in the first line, and that address is asked too.",
                "If it was not you, do nothing, and make new mail tokens on your account's page:",
                "somebody has one of yours.",
                absolute_url(reverse("by-mail")),
            ],
        ),
    )
    write(old, user, letter, key=f"old address {slip.pk}", slip=slip)
    said = ["A letter is on its way to your present address; reply to it from there."]
    context.reply(subject("your address"), write_news(said))


def _ask_new_address(context: CommandContext, user: User, address: str) -> None:
    """Write to a new address; that it belongs to somebody else here is told to them alone."""
    take(_SIGNUPS, f"change {address.lower()}")
    known = _owner_of(address)
    if known is not None:
        letter = EmailContent(
            subject=subject("your address stays yours"),
            text=write_news(
                [
                    f"The account {user.username} wanted to have this address.",
                    f"It is that of your account {known.username}, so nothing is changed.",
                ]
            ),
        )
        write(address, None, letter, key=f"taken address {context.key}")
        return
    slip = make_slip(Kinds.ADDRESS, user=user, address=address, name=_NEW)
    letter = EmailContent(
        subject=subject(f"an address for {user.username}"),
        text=paragraphs(
            write_news([f"The account {user.username} shall have this address from now on."]),
            [
                "Reply with the word confirm in the first line, and it does.",
                "If that is not your account, do nothing.",
            ],
        ),
    )
    write(address, None, letter, key=f"new address {slip.pk}", slip=slip)


def confirm_address(context: CommandContext, slip: ConfirmationRow) -> None:
    """Ask the new address, or let the account have it."""
    user = slip.user
    assert user is not None
    if slip.name == _OLD:
        _ask_new_address(context, user, slip.address)
        said = [f"A letter is on its way to {slip.address}; a reply to it makes the change."]
        context.reply(subject("your address"), write_news(said))
        return
    if _owner_of(slip.address) not in (None, user):
        raise InputError.single("mail/answered", "this address has another account already")
    old = address_of(user)
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=slip.address, verified=True, primary=True)
    undeliverable.resume_delivery(user, slip.address)
    user.email = slip.address
    user.save(update_fields=["email"])
    said = [f"Mail to {user.username} goes to this address from now on."]
    done = EmailContent(subject=subject("your address"), text=write_news(said))
    write(slip.address, user, done, key=f"address {slip.pk}", mail=context.mail)
    if old is not None:
        farewell = [f"Mail to {user.username} comes to this address no longer, as you wanted."]
        letter = EmailContent(subject=subject("your address"), text=write_news(farewell))
        write(old, user, letter, key=f"address before {slip.pk}")


@handles(Verb.CHANGE_PASSWORD)
def change_password(_call: CommandContext) -> None:
    """Say where passwords are changed."""
    where = absolute_url(reverse("account_change_password"))
    reset = absolute_url(reverse("account_reset_password"))
    message = (
        f"passwords never travel by mail; change yours on the site: {where}"
        f" or, without the old one: {reset}"
    )
    raise InputError.single("mail/password", message)


@handles(Verb.SIGNOFF)
def signoff(context: CommandContext) -> None:
    """Let somebody get no mail any more; nothing is resigned, and what remains is told."""
    user = context.require_user()
    switch(user, on=False)
    stop_following(user)
    stop_mail(user)
    rows = MatchRow.objects.filter(pk__in=played_by(user), ended_at=None)
    lines = game_lines(rows.select_related("series").prefetch_related(seated())[:_MOST_LINES])
    away = absolute_url(reverse("away"))
    text = paragraphs(
        write_games(
            "You get no mail any more, but for answers to your own. These games of yours go on,"
            " and their clocks run.",
            lines,
        ),
        [
            "Nothing was resigned. To end a game: resign BOARD YOU TOKEN.",
            f"To let the clocks stand still for a while: vacation YOU TOKEN 14 days, or {away}",
            "To get mail again: digest YOU TOKEN each.",
        ],
    )
    context.reply(subject("you are signed off"), text)


@handles(Verb.DELETE)
def delete(context: CommandContext) -> None:
    """Ask by a letter whether somebody wants to be deleted."""
    user = context.require_user()
    if user.is_staff or user.is_superuser:
        message = "accounts of the staff are not deleted by mail"
        raise InputError.single("mail/staff", message)
    to = address_of(user)
    if to is None:
        where = absolute_url(reverse("farewell"))
        message = f"no address of yours is confirmed; delete the account on the site: {where}"
        raise InputError.single("mail/no-confirmed-address", message)
    take(_CHANGES, str(user.pk))
    slip = make_slip(Kinds.DELETE, user=user, address=to)
    letter = EmailContent(
        subject=subject(f"shall {user.username} be deleted?"),
        text=paragraphs(
            write_news(
                [
                    f"The account {user.username} shall be deleted.",
                    "Games that go on are resigned or called off.",
                    "Finished games stay for your opponents, without your name.",
                    "Nobody can bring any of it back.",
                ]
            ),
            [
                "Reply with the word confirm in the first line if you mean it.",
                "If you do not, do nothing: after three days this is forgotten.",
                f"Take your data along first: {absolute_url(reverse('own-data'))}",
            ],
        ),
    )
    write(to, user, letter, key=f"delete {slip.pk}", slip=slip)
    if context.mail.sender.lower() != to.lower():
        said = ["A letter is on its way to your address; a reply to it deletes the account."]
        context.reply(subject("your account"), write_news(said))


def confirm_deletion(context: CommandContext, slip: ConfirmationRow) -> None:
    """Delete an account; what stays of it has no name."""
    user, to, number = slip.user, slip.address, slip.pk
    assert user is not None
    delete_account(user)
    letter = EmailContent(
        subject=subject("you are deleted"), text=write_news(["You are deleted. Fare well!"])
    )
    context.reader = context.user = None
    write(to, None, letter, key=f"deleted {number}", mail=context.mail)


def called_off(context: CommandContext, slip: ConfirmationRow) -> None:
    """Do nothing of what a letter asked about."""
    said = ["Nothing is done: you have said no."]
    if slip.kind != Kinds.SIGNUP:
        said.append("If it was not you who asked for it, somebody has a mail token of yours.")
        said.append(f"Make new ones on your account's page: {absolute_url(reverse('by-mail'))}")
    context.reply(subject("nothing is done"), write_news(said))
