"""Laws of the audit of dependencies."""

from tools.audit import report

GOOD = {"name": "calm", "version": "1.0", "vulns": []}
KNOWN_BAD = {"name": "pycrypto", "version": "2.6.1", "vulns": [{"id": "PYSEC-2017-94"}]}
UNKNOWN = {"name": "hidden", "skip_reason": "not found on PyPI"}
FLAW = {"id": "PYSEC-2026-1", "fix_versions": ["1.1"]}


def test_a_known_vulnerability_fails_and_says_what_to_do(capsys):
    assert report([GOOD, KNOWN_BAD, {"name": "rash", "version": "1.0", "vulns": [FLAW]}]) == 1
    assert "rash 1.0: PYSEC-2026-1, fixed in 1.1" in capsys.readouterr().out


def test_without_any_all_is_well(capsys):
    assert report([GOOD, UNKNOWN, KNOWN_BAD]) == 0
    assert "1 dependencies audited, 1 unknown to the index: 0 with" in capsys.readouterr().out


def test_where_the_index_says_nothing_that_is_said_and_not_taken_for_good_news(capsys):
    assert report([UNKNOWN]) == 0
    assert report("connection refused") == 0
    told = capsys.readouterr().out
    assert "NOT AUDITED: the index tells nothing of 1" in told
    assert "NOT AUDITED: connection refused" in told


def test_an_index_without_known_vulnerabilities_is_not_taken_for_good_news(capsys):
    assert report([GOOD, {**KNOWN_BAD, "vulns": []}]) == 0
    assert "NOT AUDITED: the index lists no vulnerabilities" in capsys.readouterr().out


def test_a_vulnerability_counts_whatever_the_index_does_not_list():
    bad = {"name": "rash", "version": "1.0", "vulns": [FLAW]}
    assert report([bad, {"name": "pycrypto", "skip_reason": "not found"}]) == 1
