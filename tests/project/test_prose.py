"""Tests of prose: no vague persons, no metaphors, no "what is ..." as a subject."""

import pytest

from tests.cases import for_each
from tests.project.prose import WORDS, all_findings, findings

ADVICE = "(list those of a folder: .venv/bin/python -m tests.project.prose FOLDER)"


def test_all_files_use_plain_words():
    places = [str(place) for several in all_findings().values() for place in several]
    assert not places, f"{len(places)} findings {ADVICE}\n" + "\n".join(places[:40])


@for_each("word", WORDS)
def test_a_word_is_found_in_any_case_and_in_names_but_not_inside_other_words(word):
    assert [place.line for place in findings("x.py", f"\n# It is {word.upper()}.\n")] == [2]
    assert len(findings("x.py", f"def test_{word}_is_found(): ...")) == 1
    assert not findings("x.py", f"the{word}x")


@pytest.mark.parametrize(
    "text",
    [
        '"""What a match knows."""',
        '"""What is stored."""',
        "# What is left out stays.",
        "Moves are stored. What was lost is\nsent again.",
        "    plan: what is to be played.",
        "<p>What cannot be read is refused.</p>",
    ],
)
def test_what_is_as_a_subject_is_found(text):
    assert len({place.line for place in findings("x.py", text)}) == 1


@pytest.mark.parametrize(
    "text",
    [
        '"""Return what is left."""',
        "The answer says what is wrong.",
        "What is a virtual connection? It holds.",
        "# What you need",
        "# Decide what has to be sent.",
    ],
)
def test_what_in_questions_and_objects_is_allowed(text):
    assert not findings("x.py", text)


def test_a_finding_names_file_line_words_and_advice():
    (place,) = findings("docs/x.md", "one\nNobody waits.\n")
    assert str(place).startswith("docs/x.md:2: 'nobody': name them: player")
