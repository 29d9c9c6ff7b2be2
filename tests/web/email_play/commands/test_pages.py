"""The account page about play by mail."""

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse

from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.commands import preferences as by_mail
from antipodes.web.email_play.models import MailTokenRow
from antipodes.web.email_play.reply_addresses import address_owner, reply_address

BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def ann(people):
    user = people[0]
    user.set_password("a long enough word")
    user.save()
    return user


@pytest.fixture
def signed_in(client, ann, reachable):
    client.force_login(ann, BACKEND)
    return client


def page(client):
    return client.get(reverse("by-mail")).content.decode()


def test_the_page_says_where_to_write_and_is_linked_from_the_account(signed_in):
    shown = page(signed_in)
    assert "play@play.example" in shown
    assert reverse("by-mail") in signed_in.get(reverse("account")).content.decode()


def test_play_by_mail_is_switched_on_and_off(signed_in, ann):
    assert "You do not play by mail." in page(signed_in)
    signed_in.post(reverse("by-mail"), {"on": "yes"})
    assert by_mail.plays_by_mail(ann)
    assert "You play by mail." in page(signed_in)
    signed_in.post(reverse("by-mail"), {"on": "no"})
    assert not by_mail.plays_by_mail(ann)


def test_a_token_is_shown_once_and_is_revoked(signed_in, ann):
    where = reverse("new-mail-token")
    signed_in.post(
        f"{reverse('account_reauthenticate')}?next={where}", {"password": "a long enough word"}
    )
    made = signed_in.post(where, {"name": "at home"}).content.decode()
    text = made.split('value="mt-')[1].split('"')[0]
    assert mail_tokens.user_of(f"mt-{text}") == ann
    shown = page(signed_in)
    assert "at home" in shown
    assert text not in shown
    row = MailTokenRow.objects.get()
    signed_in.post(reverse("revoke-mail-token", args=[row.pk]))
    assert mail_tokens.user_of(f"mt-{text}") is None


def test_revoking_all_reply_addresses(signed_in, ann, begin):
    address = reply_address(ann, begin())
    assert address_owner(address) is not None
    signed_in.post(reverse("revoke-mail-addresses"))
    assert address_owner(address) is None


def test_the_page_says_that_a_site_receives_no_mail(signed_in, settings):
    settings.MAIL_HOST = ""
    shown = page(signed_in)
    assert "receives no mail" in shown
    assert "mailto:" not in shown


@pytest.mark.parametrize("language", ["de", "fr"])
def test_the_page_is_translated(signed_in, language):
    signed_in.cookies["language"] = language
    shown = page(signed_in)
    assert "Play by mail" not in shown


def test_the_page_tells_what_was_switched(signed_in):
    for on, text in (("yes", "You now play by mail."), ("no", "You no longer play by mail.")):
        answer = signed_in.post(reverse("by-mail"), {"on": on})
        assert answer.headers["Location"] == reverse("by-mail")
        shown = signed_in.get(reverse("by-mail")).context["messages"]
        assert [(one.level_tag, str(one)) for one in shown] == [("success", text)]
    signed_in.post(reverse("revoke-mail-addresses"))
    shown = signed_in.get(reverse("by-mail")).context["messages"]
    revoked = "All reply addresses are revoked. New mails have new ones."
    assert [(one.level_tag, str(one)) for one in shown] == [("info", revoked)]


def test_the_page_has_the_confirmed_address_of_the_account(signed_in, ann, settings):
    EmailAddress.objects.create(user=ann, email="new@example.org", verified=False, primary=False)
    context = signed_in.get(reverse("by-mail")).context
    assert context["address"].email == "ann@example.org"
    EmailAddress.objects.create(user=ann, email="other@example.org", verified=True, primary=False)
    assert signed_in.get(reverse("by-mail")).context["address"].email == "ann@example.org"
    assert (context["is_on"], context["stopped"], context["person"]) == (False, None, ann)
    assert not context["stays_here"]
    settings.EMAIL_BACKEND = "antipodes.web.email_play.inbound.maildir.MaildirBackend"
    assert signed_in.get(reverse("by-mail")).context["stays_here"]
