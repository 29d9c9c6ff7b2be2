"""Account commands: sign up, change the address, sign off, delete the account.

Changes of an account need a reply to a confirmation e-mail, so a lost mail token cannot take an
account over. Whether an address has an account is revealed to its owner only.
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
from antipodes.notation.text import shorten
from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.models import User
from antipodes.web.accounts.usernames import check_name, name_taken
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.commands.emails import (
    create_confirmation,
    game_lines,
    paragraphs,
    send,
    subject,
)
from antipodes.web.email_play.commands.preferences import (
    set_play_by_mail,
    unsubscribe_from_everything,
)
from antipodes.web.email_play.context import CommandContext, EmailContent
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
_MAX_LINES = 100
_MAX_ADDRESS = 254  # characters
_OLD, _NEW = "old", "new"  # the address whose owner must confirm a change


def signup(context: CommandContext) -> None:
    """Send a confirmation e-mail to a new player; a reply to it creates the account."""
    words = context.request.words
    name = context.request.user or next(iter(words), "")
    address = _parse_address([word for word in words if "@" in word] or [context.mail.sender])
    _check_available(name)
    is_sender = address.lower() == context.mail.sender.lower()
    take_for_sender(_SIGNUPS_OF_SENDER, context.mail)
    take_for_domain(_SIGNUPS_OF_DOMAIN, context.mail)
    take_for_all(_SIGNUPS_OF_ALL, context.mail)
    # Requests by strangers must not use up the limit of a verified owner of the address.
    counted_for = "owner" if is_sender and is_verified(context.mail) else "anybody"
    take(_SIGNUPS, f"{counted_for} {address.lower()}")
    owner = _owner_of(address)
    confirmation = None
    if owner is not None:
        content = _account_exists(owner, name)
    else:
        confirmation = create_confirmation(Kinds.SIGNUP, name=name, address=address)
        content = _confirm_signup(name)
    mail = context.mail if is_sender else None
    key = f"signup {context.key}"
    send(address, None, content, key=key, confirmation=confirmation, mail=mail)
    if not is_sender:
        text = f"A mail was sent to {address}; a reply to it creates the account."
        context.reply(subject("your new account"), write_news([text]))


def _check_available(name: str) -> None:
    if not name:
        raise InputError.single("mail/no-name", "choose a user name: signup NAME")
    try:
        check_name(name)
        if User.objects.alike(name).exists():
            raise name_taken(name)
    except ValidationError as error:
        raise InputError.single("mail/name", " ".join(error.messages)) from None


def _parse_address(words: Sequence[str]) -> str:
    """Return the one e-mail address among the words of a command.

    Raises:
        InputError: it is not valid, or there are several.
    """
    if len(words) != 1:
        raise InputError.single("mail/one-address", "an account has one address: write just one")
    address = words[0].strip("<>,;")
    try:
        validate_email(address)
    except ValidationError:
        message = f"{shorten(address)} is not an e-mail address"
        raise InputError.single("mail/no-address", message) from None
    if len(address) > _MAX_ADDRESS:
        raise InputError.single("mail/no-address", f"the address {shorten(address)} is too long")
    return address


def _owner_of(address: str) -> User | None:
    verified = EmailAddress.objects.filter(email__iexact=address, verified=True)
    row = verified.select_related("user").first()
    return None if row is None else row.user


def _confirm_signup(name: str) -> EmailContent:
    return EmailContent(
        subject=subject(f"an account for {name}"),
        text=paragraphs(
            write_news([f"A mail, hopefully yours, asks for an account {name} with this address."]),
            [
                "To create it, reply with the word confirm in the first line.",
                "If you did not ask for it, ignore this mail: the request expires in three days.",
            ],
            [f"The games and their rules: {absolute_url(reverse('home'))}"],
        ),
    )


def _account_exists(user: User, name: str) -> EmailContent:
    reset = absolute_url(reverse("account_reset_password"))
    return EmailContent(
        subject=subject(f"you have an account: {user.username}"),
        text=paragraphs(
            write_news(
                [
                    f"A mail, hopefully yours, asks for an account {name} with this address.",
                    f"The address belongs to your account {user.username}, so none was created.",
                ]
            ),
            [
                f"To sign in on the site with a new password: {reset}",
                "The page of your account there has mail tokens for play by mail.",
            ],
        ),
    )


def confirm_signup(context: CommandContext, confirmation: ConfirmationRow) -> None:
    """Create the account that a confirmation e-mail was about."""
    name, address = confirmation.name, confirmation.address
    _check_available(name)
    if _owner_of(address) is not None:
        raise InputError.single("mail/answered", "this address already has an account")
    user = User(username=name, email=address)
    user.set_unusable_password()
    try:
        with transaction.atomic():
            user.save()
            EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    except IntegrityError:
        raise InputError.single("mail/name", " ".join(name_taken(name).messages)) from None
    set_play_by_mail(user, on=True)
    token = mail_tokens.make_token(user, "from your first mail")
    content = _welcome(user, token)
    send(address, user, content, key=f"welcome {user.pk}", mail=context.mail)


def _welcome(user: User, token: str) -> EmailContent:
    name, to = user.username, command_address()
    return EmailContent(
        subject=subject(f"welcome, {name}"),
        text=paragraphs(
            write_news([f"Welcome, {name}. You can play by mail now."]),
            [
                f"Your mail token: {token}",
                "In commands it follows your name. Keep it: it is not shown again.",
                "Everyone who has it can play for you, but cannot take over your account.",
            ],
            [
                f"Write commands in the Subject of a mail to {to}, for example:",
                f"  antipod seek {name} {token}",
                f"  hex challenge {name} {token} computer",
                "  help",
            ],
            [
                "When it is your turn, you get a mail with the board; reply with your move.",
                "To sign in on the site too, choose a password:",
                absolute_url(reverse("account_reset_password")),
            ],
        ),
    )


def change_address(context: CommandContext) -> None:
    """Change the address of an account after replies from both the old and the new one."""
    user = context.require_user()
    address = _parse_address([word for word in context.request.words if "@" in word])
    take(_CHANGES, str(user.pk))
    old = address_of(user)
    if old is not None and old.lower() == address.lower():
        raise InputError.single("mail/one-address", f"{address} is your address already")
    if old is None:
        _ask_new_address(context, user, address)
        text = f"A mail was sent to {address}."
        context.reply(subject("your address"), write_news([text]))
        return
    confirmation = create_confirmation(Kinds.ADDRESS, user=user, address=address, name=_OLD)
    content = EmailContent(
        subject=subject(f"another address for {user.username}"),
        text=paragraphs(
            write_news([f"A mail asks to change the address of {user.username} to {address}."]),
            [
                "If you agree, reply with the word confirm in the first line.",
                "Then the new address gets a mail to confirm, too.",
                "If you did not ask for it, do nothing, and revoke your mail tokens.",
                f"One of them was used: {absolute_url(reverse('by-mail'))}",
            ],
        ),
    )
    send(old, user, content, key=f"old address {confirmation.pk}", confirmation=confirmation)
    text = "A mail was sent to your present address; reply to it from there."
    context.reply(subject("your address"), write_news([text]))


def _ask_new_address(context: CommandContext, user: User, address: str) -> None:
    """E-mail the new address; the owner of its account, if it has one, is the only one to know."""
    take(_SIGNUPS, f"change {address.lower()}")
    owner = _owner_of(address)
    if owner is not None:
        content = EmailContent(
            subject=subject("your address stays yours"),
            text=write_news(
                [
                    f"The account {user.username} asked for this address.",
                    f"It belongs to your account {owner.username}, so nothing was changed.",
                ]
            ),
        )
        send(address, None, content, key=f"taken address {context.key}")
        return
    confirmation = create_confirmation(Kinds.ADDRESS, user=user, address=address, name=_NEW)
    content = EmailContent(
        subject=subject(f"an address for {user.username}"),
        text=paragraphs(
            write_news([f"The account {user.username} asks for this address."]),
            [
                "If you agree, reply with the word confirm in the first line.",
                "If it is not your account, ignore this mail.",
            ],
        ),
    )
    send(address, None, content, key=f"new address {confirmation.pk}", confirmation=confirmation)


def confirm_address(context: CommandContext, confirmation: ConfirmationRow) -> None:
    """Continue a change of address after a reply: ask the new address, or make the change."""
    user, address = confirmation.user, confirmation.address
    assert user is not None
    if confirmation.name == _OLD:
        _ask_new_address(context, user, address)
        text = f"A mail was sent to {address}; a reply to it makes the change."
        context.reply(subject("your address"), write_news([text]))
        return
    if _owner_of(address) not in (None, user):
        raise InputError.single("mail/answered", "this address belongs to another account")
    old = address_of(user)
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    undeliverable.resume_delivery(user, address)
    user.email = address
    user.save(update_fields=["email"])
    text = f"Mail for {user.username} is now sent to this address."
    content = EmailContent(subject=subject("your address"), text=write_news([text]))
    send(address, user, content, key=f"address {confirmation.pk}", mail=context.mail)
    if old is not None:
        text = f"Mail for {user.username} is no longer sent to this address, as you asked."
        content = EmailContent(subject=subject("your address"), text=write_news([text]))
        send(old, user, content, key=f"address before {confirmation.pk}")


def change_password(_context: CommandContext) -> None:
    """Refuse, and link the page where passwords are changed."""
    change = absolute_url(reverse("account_change_password"))
    reset = absolute_url(reverse("account_reset_password"))
    message = (
        f"never send a password by mail; change yours on the site: {change}"
        f" or, if you have forgotten it: {reset}"
    )
    raise InputError.single("mail/password", message)


def signoff(context: CommandContext) -> None:
    """Stop all e-mail to the sender, and list the games in progress; none is resigned."""
    user = context.require_user()
    set_play_by_mail(user, on=False)
    unsubscribe_from_everything(user)
    stop_mail(user)
    rows = MatchRow.objects.filter(pk__in=played_by(user), ended_at=None)
    lines = game_lines(rows.select_related("series").prefetch_related(seated())[:_MAX_LINES])
    away = absolute_url(reverse("vacation"))
    text = paragraphs(
        write_games(
            "You get no more mail except responses to your commands. Your games in progress"
            " continue, and their clocks are running.",
            lines,
        ),
        [
            "No game was resigned. To resign one: resign BOARD YOU TOKEN.",
            f"To stop your clocks for a while: vacation YOU TOKEN 14 days, or {away}",
            "To get mail again: digest YOU TOKEN each.",
        ],
    )
    context.reply(subject("you are signed off"), text)


def delete(context: CommandContext) -> None:
    """Send an e-mail that asks the owner to confirm the deletion of the account."""
    user = context.require_user()
    if user.is_staff or user.is_superuser:
        message = "staff accounts cannot be deleted by mail"
        raise InputError.single("mail/staff", message)
    to = address_of(user)
    if to is None:
        page = absolute_url(reverse("delete-account"))
        message = f"you have no confirmed address; delete the account on the site: {page}"
        raise InputError.single("mail/no-confirmed-address", message)
    take(_CHANGES, str(user.pk))
    confirmation = create_confirmation(Kinds.DELETE, user=user, address=to)
    content = EmailContent(
        subject=subject(f"delete the account {user.username}?"),
        text=paragraphs(
            write_news(
                [
                    f"A mail asks to delete the account {user.username}.",
                    "Games in progress will be resigned or cancelled.",
                    "Finished games stay visible to your opponents, without your name.",
                    "This cannot be undone.",
                ]
            ),
            [
                "To delete your account, reply with the word confirm in the first line.",
                "To keep it, ignore this mail: the request expires in three days.",
                f"Before you go, you can export your data: {absolute_url(reverse('data-export'))}",
            ],
        ),
    )
    send(to, user, content, key=f"delete {confirmation.pk}", confirmation=confirmation)
    if context.mail.sender.lower() != to.lower():
        text = "A mail was sent to your address; a reply to it deletes the account."
        context.reply(subject("your account"), write_news([text]))


def confirm_deletion(context: CommandContext, confirmation: ConfirmationRow) -> None:
    """Delete an account; its finished games stay without its name."""
    user, to, number = confirmation.user, confirmation.address, confirmation.pk
    assert user is not None
    delete_account(user)
    content = EmailContent(
        subject=subject("your account is deleted"),
        text=write_news(["Your account has been deleted."]),
    )
    context.reader = context.user = None
    send(to, None, content, key=f"deleted {number}", mail=context.mail)


def cancel(context: CommandContext, confirmation: ConfirmationRow) -> None:
    """Acknowledge that the owner of an account or address has refused a request."""
    lines = ["Nothing was changed, as you asked."]
    if confirmation.kind != Kinds.SIGNUP:
        lines.append("If the request was not yours, one of your mail tokens was used.")
        lines.append(f"Revoke them on your account's page: {absolute_url(reverse('by-mail'))}")
    context.reply(subject("nothing was changed"), write_news(lines))
