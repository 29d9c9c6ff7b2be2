"""Stored data of play by e-mail: its deletion and export."""

import json

import pytest

from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.data_export import export_data
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.models import InboundMailRow, MailPlayRow, MailThreadRow, MailTokenRow
from antipodes.web.email_play.reply_addresses import address_owner, reply_address

pytestmark = pytest.mark.django_db


def test_deleting_an_account_deletes_its_mail_data(post, ann, row, by_mail):
    token = mail_tokens.make_token(ann, "mutt")
    address = reply_address(ann, row)
    post.reply(ann, row, "submit f4\n\nHello")
    delete_account(ann)
    for table in (MailPlayRow, MailThreadRow, MailTokenRow):
        assert not table.objects.filter(user=ann).exists()
    assert mail_tokens.user_of(token) is None
    assert address_owner(address) is None
    stored = [str(one) for one in InboundMailRow.objects.values()]
    assert stored
    assert all("example.org" not in one and "Hello" not in one for one in stored)


def test_the_data_export_has_the_mail_data_without_secrets(post, people, slow, by_mail):
    token = mail_tokens.make_token(people[0], "mutt")
    post.reply(people[0], slow(), "submit f4")
    text = "".join(export_data(people[0], str))
    rows = json.loads(text)["rows"]
    assert rows["email_play.mailtokenrow"][0]["name"] == "mutt"
    assert rows["email_play.mailthreadrow"][0]["draft_ply"] == 0
    assert rows["email_play.mailplayrow"][0]["is_on"] is True
    assert token not in text
    assert "digest" not in rows["email_play.mailtokenrow"][0]
