"""Help by mail, which covers every command, game and option."""

import re

import pytest

from antipodes.errors import InputError, UnknownGameError
from antipodes.games.examples import finished_position
from antipodes.games.registry import game_ids, make_game, offered_rows
from antipodes.games.texts import game_notes, short_rules
from antipodes.mail import COMMANDS, Mail, MailVerdict, read_requests
from antipodes.mail.layout import board_subject, game_help, help_topics, mail_examples, write_help
from antipodes.mail.layout.helping import _alternatives
from antipodes.mail.layout.text import WIDTH
from tests.cases import for_each


def plain(text):
    """Return a text without its line ends and indents."""
    return " ".join(text.split())


@for_each("topic", ["", "help", "index", *help_topics()])
def test_help_begins_with_its_topic_and_fits_into_a_terminal(topic):
    text = write_help(topic)
    wanted = "index" if topic in ("", "help") else topic
    assert text.splitlines()[0] == f"Help: {wanted}"
    assert max(map(len, text.splitlines())) <= WIDTH


def test_each_usage_of_the_index_is_one_entry():
    index = plain(write_help())
    for info in COMMANDS:
        for usage in _alternatives(info.usage):
            assert usage.count("[") == usage.count("]"), info.verb
            assert plain(usage) in index, info.verb
    assert len(_alternatives("tournament [list | join [N | M]] | simul")) == 2


@for_each("info", COMMANDS, ids=lambda info: info.verb.value)
def test_every_command_has_a_page_and_is_in_the_index(info):
    for text in (write_help(), write_help(info.names[0]) if info.verb != "help" else write_help()):
        assert plain(info.summary) in plain(text)
        assert plain(info.usage.split(" | ")[0]) in plain(text)


def test_a_command_of_two_words_is_found_by_the_first():
    assert "change address" in write_help("change")
    assert "change password" in write_help("CHANGE")


@pytest.mark.parametrize("game_id", game_ids())
def test_the_help_of_a_game_has_rules_picture_and_options(game_id):
    text = plain(game_help(game_id))
    rules = short_rules(game_id)
    assert all(plain(part) in text for part in (rules.byline, *rules.paragraphs))
    for name, _default, allowed, meaning in offered_rows(game_id):
        assert f"-{name}={allowed.replace(' | ', '|')}" in text
        assert plain(meaning) in text
    assert re.search(r"Picture: .*\bafter move 2\b", game_help(game_id))


@pytest.mark.parametrize("game_id", game_ids())
def test_the_help_of_a_game_has_its_notes_and_a_finished_game(game_id):
    text = plain(game_help(game_id))
    for section in game_notes(game_id):
        assert section.title in text
        for block in section.blocks:
            assert plain(block.text) in text
            assert all(plain(" ".join(row)) in text for row in block.rows)
    finished = finished_position(game_id)
    assert finished is not None
    assert finished.caption() in text
    assert finished.picture() in game_help(game_id)


def test_the_help_of_antipod_has_the_facts_of_the_inventors_help():
    text = plain(game_help("antipod"))
    for fact in ("Corpus Callosum", "Bill Taylor", "Richard Rognlie", "without them the game is"):
        assert fact in text


def test_the_help_of_antipod_has_the_classic_name_of_the_size_and_its_range():
    assert "-side=4..10 or, as on the classic server, -radius=4..10" in plain(game_help("antipod"))


def test_the_help_of_antipalos_has_the_sizes_and_rods_of_each_ruleset():
    text = plain(game_help("antipalos"))
    assert "-size=boxed: 12|14|16|18|20; mail: 3..26" in text
    assert "-rods=boxed: 1..24; mail: 0" in text


@pytest.mark.parametrize("game_id", game_ids())
def test_examples_are_valid_commands(game_id):
    token = "mt-" + "a" * 24
    examples = [line.strip() for line in mail_examples(game_id)[1::2]]
    move, *commands = (line.replace("TOKEN", token) for line in examples)
    start = make_game(game_id).initial()
    assert start.parse_move(move) in start.legal_moves
    assert commands[0] == f"{board_subject(game_id, 101, 'ann')} {move}"
    for command in commands[1:]:
        reading = read_requests(mail(command))
        assert not reading.faults, command
        (request,) = reading.requests
        assert request.game == game_id
    (moved,) = read_requests(mail(commands[1])).requests
    assert (moved.board, moved.user, moved.secret) == (101, "ann", token)
    assert start.parse_move(" ".join(moved.words)) == start.parse_move(move)


def mail(subject):
    """Return a mail with a Subject and nothing else."""
    return Mail(
        message_id="<1@example.org>",
        sender="ann@example.org",
        sender_name="",
        recipients=(),
        subject=subject,
        text="",
        own_text="",
        in_reply_to="",
        references=(),
        size=1,
        automatic="",
        verdict=MailVerdict.NONE,
    )


def test_unknown_topics_are_refused():
    with pytest.raises(InputError) as caught:
        write_help("chess")
    assert caught.value.code == "mail/unknown-topic"
    assert "'chess'" in str(caught.value)
    with pytest.raises(UnknownGameError):
        game_help("chess")
