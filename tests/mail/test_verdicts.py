"""Authentication results: only those of the own mail server count."""

import pytest

from antipodes.mail.incoming import Verdict, find_verdict

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
        ("dmarc=pass header.from=home.example", Verdict.PASS),
        ("dmarc=fail (p=none) header.from=home.example", Verdict.FAIL),
        ("spf=pass smtp.mailfrom=a@other.example; dmarc=fail header.from=home.example", "fail"),
        ("dkim=pass header.d=home.example", Verdict.PASS),
        ("dkim=pass header.i=@mail.home.example", Verdict.PASS),
        ("dkim=pass header.d=other.example", Verdict.NONE),
        ("dkim=pass header.d=example", Verdict.NONE),
        ("dkim=pass header.d=ome.example", Verdict.NONE),
        ('spf=pass smtp.mailfrom="ann@home.example"', Verdict.PASS),
        ("spf=softfail smtp.mailfrom=home.example", Verdict.NONE),
        ("spf=hardfail", Verdict.FAIL),
        ("SPF=Fail; DKIM=None", Verdict.FAIL),
        ("dkim=fail header.d=home.example; dkim=pass header.d=home.example", Verdict.PASS),
        ("dkim=temperror; spf=neutral", Verdict.NONE),
        ("dmarc=none", Verdict.NONE),
        ("none", Verdict.NONE),
        ("iprev=fail; auth=pass", Verdict.NONE),
        ('dkim/1=fail reason="bad; really"', Verdict.FAIL),
        ("", Verdict.NONE),
    ],
)
def test_verdicts(text, found):
    assert verdict(results(text)) == found


def test_only_the_own_server_is_trusted():
    assert verdict(results("dmarc=fail", mta="evil.example")) is Verdict.NONE
    assert verdict(results("dmarc=fail"), trusted=()) is Verdict.NONE
    assert verdict(results("dmarc=fail"), trusted=("", " ")) is Verdict.NONE
    assert verdict(results("dmarc=fail", mta=f"{MTA.upper()} 1")) is Verdict.FAIL
    assert verdict(results("dmarc=fail", mta=f"(a (comment) {MTA}")) is Verdict.NONE


def test_fields_below_those_of_another_server_are_ignored():
    received = "Received: from evil.example"
    forged = results("dmarc=pass header.from=home.example")
    assert verdict(results("spf=fail"), received, forged) is Verdict.FAIL
    assert verdict(received, results("spf=fail"), received, forged) is Verdict.FAIL
    assert verdict(received, forged) is Verdict.PASS


@pytest.mark.parametrize(
    ("text", "domain", "found"),
    [
        ("dkim=pass header.d=home.example", "mail.home.example", Verdict.PASS),
        ("dkim=pass header.d=home.example", "HOME.example", Verdict.PASS),
        ("dkim=pass header.d=home.example", "", Verdict.NONE),
        ("dkim=pass header.d=localhost", "localhost", Verdict.PASS),
        ("dkim=pass header.d=localhost", "a.localhost", Verdict.NONE),
        ("spf=pass smtp.mailfrom=ann@home.example.", "home.example", Verdict.PASS),
        ("spf=pass smtp.mailfrom=other.example; dkim=fail", "home.example", Verdict.NONE),
        ("dmarc=bestguesspass; dkim=fail", "home.example", Verdict.FAIL),
    ],
)
def test_a_result_is_valid_for_the_domain_of_the_sender(text, domain, found):
    assert verdict(results(text), domain=domain) is found


def test_results_in_several_fields_count_together():
    fields = (results("spf=fail"), results("dkim=pass header.d=home.example"))
    assert verdict(*fields) is Verdict.PASS
