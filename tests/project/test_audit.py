"""Tests of the audit of dependencies."""

from tools.audit import report

GOOD = {"name": "calm", "version": "1.0", "vulns": []}
KNOWN_BAD = {"name": "pycrypto", "version": "2.6.1", "vulns": [{"id": "PYSEC-2017-94"}]}
UNKNOWN = {"name": "hidden", "skip_reason": "not found on PyPI"}
FLAW = {"id": "PYSEC-2026-1", "fix_versions": ["1.1"]}


def test_a_known_vulnerability_fails_and_says_what_to_do(capsys):
    assert report([GOOD, KNOWN_BAD, {"name": "rash", "version": "1.0", "vulns": [FLAW]}]) == 1
    assert "rash 1.0: PYSEC-2026-1, fixed in 1.1" in capsys.readouterr().out


def test_without_vulnerabilities_the_audit_passes(capsys):
    assert report([GOOD, UNKNOWN, KNOWN_BAD]) == 0
    assert "1 dependencies audited, 1 unknown to the index: 0 with" in capsys.readouterr().out


def test_missing_data_of_the_index_is_reported(capsys):
    assert report([UNKNOWN]) == 0
    assert report("connection refused") == 0
    output = capsys.readouterr().out
    assert "NOT AUDITED: the index has no data on 1" in output
    assert "NOT AUDITED: connection refused" in output


def test_an_index_without_any_vulnerabilities_is_reported(capsys):
    assert report([GOOD, {**KNOWN_BAD, "vulns": []}]) == 0
    assert "NOT AUDITED: the index lists no vulnerabilities" in capsys.readouterr().out


def test_a_vulnerability_counts_even_if_the_index_is_incomplete():
    bad = {"name": "rash", "version": "1.0", "vulns": [FLAW]}
    assert report([bad, {"name": "pycrypto", "skip_reason": "not found"}]) == 1
