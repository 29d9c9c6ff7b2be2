"""Refused commands: the answer has the code of the fault, names it, and nothing changes."""

from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import MatchRow
from tests.cases import for_each

LONG = f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 60}.org"
# What precedes the name and the token of ann, what follows them, the code, and a part of the text.
CASES = (
    ("challenge", "bob", "mail/no-game", ""),
    ("hex challenge", "bob --rated=on --unrated=on", "mail/options", "rated or unrated, not both"),
    ("hex challenge", "bob --within=soon", "mail/options", "within is 'soon'"),
    ("hex challenge", "bob --points=0", "mail/options", "whole number above 0"),
    ("hex challenge", "bob --private=perhaps", "mail/options", "perhaps"),
    ("hex challenge", "bob --swap=perhaps", "option/unknown-value", "perhaps"),
    ("antipod limit", "99999", "lobby/limit", "not '99999'"),
    ("reject", "c999", "mail/no-challenge", "no challenge 999 for you"),
    ("message", "nemo", "mail/unknown-user", "no user 'nemo'"),
    ("digest", "daily 24", "mail/digest", "'24' is not an hour"),
    ("unsubscribe", "", "mail/no-number", "by its number"),
    ("subscribe", "999", "mail/no-such-board", "no board 999"),
    ("add", "one@example.org two@example.org", "mail/one-address", "write just one"),
    ("add", LONG, "mail/no-address", "aaa"),
    ("add", "one@example", "mail/no-address", "'one@example' is not an e-mail"),
    ("show", "7 x", "mail/no-number", "'ann' is not the number of a board"),
    ("add", "ANN@example.org", "mail/one-address", "is your address already"),
)


@for_each("before, after, code, words", CASES)
def test_a_wrong_command_is_refused_with_its_reason(ann, before, after, code, words):
    text = ann.ask(before, after).text
    assert code in text, text
    assert words in text, text
    assert not ChallengeRow.objects.exists()
    assert not MatchRow.objects.exists()
