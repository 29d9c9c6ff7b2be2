"""Authentication results: only those of the own mail server count."""

import pytest

from antipodes.mail.incoming import MailVerdict, find_verdict

MTA = "mx.games.example"


def verdict(*fields, domain="home.example", trusted=(MTA,)):
    pairs = [(name, value) for field in fields for name, _, value in [field.partition(": ")]]
    lowered = [(name.lower(), value) for name, value in pairs]
    return find_verdict(lowered, trusted=trusted, domain=domain)


def results(text, mta=MTA):
    return f"Authentication-Results: {mta}; {text}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("dmarc=pass header.from=home.example", MailVerdict.PASS),
        ("dmarc=fail (p=none) header.from=home.example", MailVerdict.FAIL),
        ("spf=pass smtp.mailfrom=a@other.example; dmarc=fail header.from=home.example", "fail"),
        ("dkim=pass header.d=home.example", MailVerdict.PASS),
        ("dkim=pass header.i=@mail.home.example", MailVerdict.PASS),
        ("dkim=pass header.d=other.example", MailVerdict.NONE),
        ("dkim=pass header.d=example", MailVerdict.NONE),
        ("dkim=pass header.d=ome.example", MailVerdict.NONE),
        ('spf=pass smtp.mailfrom="ann@home.example"', MailVerdict.PASS),
        ("spf=softfail smtp.mailfrom=home.example", MailVerdict.NONE),
        ("spf=hardfail", MailVerdict.FAIL),
        ("SPF=Fail; DKIM=None", MailVerdict.FAIL),
        ("dkim=fail header.d=home.example; dkim=pass header.d=home.example", MailVerdict.PASS),
        ("dkim=temperror; spf=neutral", MailVerdict.NONE),
        ("dmarc=none", MailVerdict.NONE),
        ("none", MailVerdict.NONE),
        ("iprev=fail; auth=pass", MailVerdict.NONE),
        ('dkim/1=fail reason="bad; really"', MailVerdict.FAIL),
        ("", MailVerdict.NONE),
    ],
)
def test_verdicts(text, found):
    assert verdict(results(text)) == found


def test_only_the_own_server_is_trusted():
    assert verdict(results("dmarc=fail", mta="evil.example")) is MailVerdict.NONE
    assert verdict(results("dmarc=fail"), trusted=()) is MailVerdict.NONE
    assert verdict(results("dmarc=fail"), trusted=("", " ")) is MailVerdict.NONE
    assert verdict(results("dmarc=fail", mta=f"{MTA.upper()} 1")) is MailVerdict.FAIL
    assert verdict(results("dmarc=fail", mta=f"(a (comment) {MTA}")) is MailVerdict.NONE


def test_fields_below_those_of_another_server_are_ignored():
    received = "Received: from evil.example"
    forged = results("dmarc=pass header.from=home.example")
    assert verdict(results("spf=fail"), received, forged) is MailVerdict.FAIL
    assert verdict(received, results("spf=fail"), received, forged) is MailVerdict.FAIL
    assert verdict(received, forged) is MailVerdict.PASS


@pytest.mark.parametrize(
    ("text", "domain", "found"),
    [
        ("dkim=pass header.d=home.example", "mail.home.example", MailVerdict.PASS),
        ("dkim=pass header.d=home.example", "HOME.example", MailVerdict.PASS),
        ("dkim=pass header.d=home.example", "", MailVerdict.NONE),
        ("dkim=pass header.d=localhost", "localhost", MailVerdict.PASS),
        ("dkim=pass header.d=localhost", "a.localhost", MailVerdict.NONE),
        ("spf=pass smtp.mailfrom=ann@home.example.", "home.example", MailVerdict.PASS),
        ("spf=pass smtp.mailfrom=other.example; dkim=fail", "home.example", MailVerdict.NONE),
        ("dmarc=bestguesspass; dkim=fail", "home.example", MailVerdict.FAIL),
    ],
)
def test_a_result_is_valid_for_the_domain_of_the_sender(text, domain, found):
    assert verdict(results(text), domain=domain) is found


def test_results_in_several_fields_count_together():
    fields = (results("spf=fail"), results("dkim=pass header.d=home.example"))
    assert verdict(*fields) is MailVerdict.PASS
