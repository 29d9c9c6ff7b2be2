"""Commands that show boards, lists and ratings, and never private data of others."""

import re

import pytest

from antipodes.clocks import DAY
from antipodes.games.registry import game_ids, make_game
from antipodes.mail.layout import ChallengeLine, GameLine
from antipodes.match import ANY, Abort, ConditionalMoves, Resign, SetConditionalMoves, Terms
from antipodes.web.archive.models import GameRow
from antipodes.web.archive.services import archive_match
from antipodes.web.challenges import services
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.email_play.commands import listings
from antipodes.web.email_play.commands.emails import challenge_line, game_lines
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.platform.clock import now
from antipodes.web.ratings import services as ratings
from antipodes.web.ratings.models import RatingChange, RatingRow
from tests.web.email_play.commands.conftest import hide, play

STRANGER = "stranger@example.org"


@pytest.mark.parametrize("words", ["help", "help move", "antipod help", "HELP hex", "Re: help **"])
def test_help_needs_no_account(post, words):
    assert len(post.only(STRANGER, words).text) > 200


def test_help_on_an_unknown_topic_is_refused(post):
    assert "mail/unknown-topic" in post.only(STRANGER, "help chess").text


def test_the_list_counts_public_boards_only(post, board):
    board()
    hide(board("antipod"))
    lines = post.only(STRANGER, "list").text.splitlines()
    by_game = {line.split()[0]: line.split()[-1] for line in lines if line.startswith("  ")}
    assert by_game["hex"] == "1"
    assert by_game["antipod"] == "0"
    assert str(board()) in post.only(STRANGER, "list hex").text


def test_a_private_board_does_not_exist_for_others(post, players, board):
    number = board()
    hide(number)
    missing = post.only(STRANGER, f"show {number + 1}")
    private = post.only(STRANGER, f"show {number}")
    assert "mail/no-such-board" in private.text
    assert private.text.replace(str(number), "N") == missing.text.replace(str(number + 1), "N")
    assert "no board" not in players[0].ask("showas", f"{number}").text
    assert "0 boards" in post.only(STRANGER, "all show ann").text
    assert "Games: 0" in post.only(STRANGER, "games ann").text


def test_only_showas_shows_conditional_moves(post, players, board):
    number = board()
    row = MatchRow.objects.get(pk=number)
    answer = row.game.initial().parse_move("k11")
    plan = ConditionalMoves.line(ANY, int(answer))
    carry_out(row.slug, SetConditionalMoves(seat=1, ply=0, key="p", moves=plan))
    ann, bob, *_ = players
    assert "k11" in bob.ask("showas", f"{number}").text
    assert "k11" in bob.ask("showas").text
    assert "k11" not in ann.ask("showas", f"{number}").text
    assert "k11" not in post.only(STRANGER, f"show {number}").text
    assert "k11" not in post.only(STRANGER, "show bob").text


def test_showas_needs_a_token(post, board):
    board()
    assert "mail/no-proof" in post.only(STRANGER, "showas ann").text


def test_boards_are_listed_with_current_ones_first_and_the_latest_ended_before_others(
    post, people, board, clocks
):
    boards = [board() for _ in range(4)]
    for number in (boards[2], boards[0], boards[3]):
        clocks.advance(60_000)
        carry_out(MatchRow.objects.get(pk=number).slug, Resign(seat=0, ply=0, key="r"))
    text = post.only(STRANGER, "games ann all").text
    listed = re.findall(r"^  (\d+) ", text, re.MULTILINE)
    assert listed == [str(boards[number]) for number in (1, 3, 0, 2)]


def test_boards_are_listed_by_their_state(post, people, board):
    over, going_on = board(), board("antipod")
    carry_out(MatchRow.objects.get(pk=over).slug, Resign(seat=0, ply=0, key="r"))
    play(going_on, "d4")

    def listed(words):
        text = post.only(STRANGER, f"games {words}").text
        return {number for number in (over, going_on) if f"\n  {number} " in text}

    assert listed("ann all") == {over, going_on}
    assert listed("ann active") == {going_on}
    assert listed("ann inactive") == {over}
    assert listed("bob next") == {going_on}
    assert listed("ann next") == set()
    assert listed("cy") == set()


def test_all_show_shows_boards_of_all_games(post, board):
    one, other = board(), board("antipod")
    shown = post.only(STRANGER, "all show ann next").text
    assert "2 boards of ann" in shown
    assert f"Board {one}" in shown
    assert f"Board {other}" in shown
    only = post.only(STRANGER, "hex show ann").text
    assert f"Board {other}" not in only


def test_unknown_users_are_refused(post, people):
    assert "mail/unknown-user" in post.only(STRANGER, "games zoe").text
    assert "mail/unknown-user" in post.only(STRANGER, "hex history zoe").text


def test_the_boards_of_one_mail_are_limited(post, players, board, monkeypatch):
    monkeypatch.setattr(listings, "_MAX_BOARDS", 2)
    ann, *_ = players
    numbers = [board() for _ in range(3)]
    assert len(ann.say("showas", f"{numbers[0]} {numbers[1]}")) == 2
    refused = ann.ask("showas", " ".join(map(str, numbers))).text
    told = "mail/too-many-boards; 3 boards are too many for one mail; at most 2"
    assert told in " ".join(refused.split())
    shown = post.command(STRANGER, f"show {numbers[0]} {numbers[1]}")
    assert len(shown) == 2  # the board of the command counts once
    names = post.only(STRANGER, "show ann").text
    assert "The first 2 boards of ann; games ann lists all." in " ".join(names.split())
    assert sum(f"Board {number}" in names for number in numbers) == 2
    MatchRow.objects.filter(pk=numbers[2]).delete()
    assert "2 boards of ann." in post.only(STRANGER, "show ann").text


def test_of_several_boards_each_must_be_there(post, players, board):
    number = board()
    # Not from a stranger: the reply would leave out long words of the mail, also numbers.
    *_, refused = players[0].say("showas", f"{number} {number + 1}")
    assert f"mail/no-such-board; there is no board {number + 1}" in refused.text


def test_a_list_without_names_is_that_of_its_sender(post, players, board):
    board()
    ann, *_ = players
    assert "Boards of ann." in post.only(ann.address, f"games {ann.token}").text
    assert "mail/no-proof" in post.only(ann.address, "games").text


def rows_of(letter, table):
    """Return the cells of the first table with a name, without its heads."""
    lines = letter.text.partition(f"{table}: ")[2].partition("\n\n")[0].splitlines()[2:]
    return [re.split(r"\s{2,}", line.strip()) for line in lines]


def begin_rated(players, options=(), resigned_by=None):
    """Begin a rated match of Hex, and rate it if a seat resigns after two moves."""
    game = make_game("hex", dict(options))
    terms = Terms(game=game, players=tuple(str(user.pk) for user in players), rated=True)
    row = begin_match(terms, players)
    if resigned_by is not None:
        play(row.pk, "a1", "b2")
        carry_out(row.slug, Resign(seat=resigned_by, ply=2, key="r"))
        ratings.rate(MatchRow.objects.get(pk=row.pk))
    return row


def test_the_history_has_rated_games_with_ratings_and_then_other_games(post, people, board):
    ann, bob, *_ = people
    rated = [begin_rated([ann, bob], resigned_by=seat) for seat in (0, 1)]
    casual, other = board(), board("antipod", side=4)
    for number in (casual, other):
        carry_out(MatchRow.objects.get(pk=number).slug, Abort(seat=0, ply=0, key="a"))
    board()  # in progress
    changes = {one.match_id: one for one in RatingChange.objects.filter(user=ann)}
    lines = []
    for row, result in zip(reversed(rated), ("won", "lost"), strict=True):
        change = changes[row.pk]
        before, after = round(change.value_before), round(change.value)
        values = [str(before), str(after), f"{after - before:+d}"]
        lines.append([str(row.pk), "hex", "bob", result, *values])
    of_hex = post.only(STRANGER, "hex history ann")
    assert [row[1:] for row in rows_of(of_hex, "History")] == lines
    assert [row[0] for row in rows_of(of_hex, "Games")] == [str(casual)]
    assert of_hex.text.count("of ann: Hex, the latest first.") == 2
    of_all = post.only(STRANGER, "history ann")
    assert [row[0] for row in rows_of(of_all, "Games")] == [str(other), str(casual)]
    assert of_all.text.count("of ann: all games, the latest first.") == 2
    of_antipod = post.only(STRANGER, "antipod history ann")
    assert rows_of(of_antipod, "History") == []
    of_cy = post.only(STRANGER, "history cy")
    assert "Other finished games" not in of_cy.text
    assert [one.subject for one in post.command(STRANGER, "hex history ann bob")] == [
        "Antipodes: history of ann",
        "Antipodes: history of bob",
    ]
    hide(rated[1].pk)
    [hidden, shown] = rows_of(post.only(STRANGER, "hex history ann"), "History")
    assert (hidden[3], shown[3]) == ("-", "bob")


def test_standings_have_one_table_for_each_pool_with_ratings(post, people, monkeypatch):
    ann, bob, cy, _ = people
    assert "mail/no-game" in post.only(STRANGER, "standings").text
    empty = post.only(STRANGER, "hex standings")
    assert empty.text.count("News: ") == 1
    assert "News: Hex, correspondence or no clock, standard board.\n\nStandings: 0\n" in empty.text
    begin_rated([ann, bob], resigned_by=1)
    shown = post.only(STRANGER, "hex standings")
    title = "Hex, correspondence or no clock, standard board."
    assert re.findall("News: (.*)", shown.text) == [title]
    rating = {one.user: one for one in RatingRow.objects.filter(pool__board_class="standard")}
    first, second = rows_of(shown, "Standings")
    assert first == ["1", "ann", f"{round(rating[ann].value)}?", first[3], "1"]
    assert second[:3] == ["2", "bob", f"{round(rating[bob].value)}?"]
    assert abs(int(first[3].removeprefix("+-")) - rating[ann].deviation) <= 1
    one = post.only(STRANGER, "standings hex bob")
    assert [row[1] for row in rows_of(one, "Standings")] == ["bob"]
    monkeypatch.setattr("antipodes.web.ratings.selectors.PAGE_SIZE", 1)
    cut = post.only(STRANGER, "hex standings")
    assert "News: Hex, correspondence or no clock, standard board; the first 1 of 2." in cut.text
    begin_rated([cy, bob], {"size": 8}, resigned_by=1)
    titles = re.findall("News: (.*)", post.only(STRANGER, "hex standings cy").text)
    assert titles == ["Hex, correspondence or no clock, small board.", title]


def test_a_list_of_a_game_has_its_challenges_and_boards_the_last_changed_first(post, board):
    boards = [board() for _ in range(2)]
    over, other = board(), board("antipod")
    carry_out(MatchRow.objects.get(pk=over).slug, Abort(seat=0, ply=0, key="a"))
    MatchRow.objects.filter(pk=boards[0]).update(changed_at=now() + 1_000)
    both = post.command(STRANGER, "hex list HEX antipod")
    assert [one.subject for one in both] == ["Antipodes: list of hex", "Antipodes: list of antipod"]
    assert [row[0] for row in rows_of(both[0], "Games")] == [str(boards[0]), str(boards[1])]
    assert [row[0] for row in rows_of(both[1], "Games")] == [str(other)]
    assert "News: Open challenges of Hex; to accept one: accept NUMBER." in both[0].text


def test_the_list_of_all_games_counts_challenges_and_boards(post, ann, board):
    for options in ("-size=8", "-size=9"):
        ann.say("hex seek", options)
    ann.say("hex challenge", "bob")
    board("antipod")
    over = board("antipode")
    carry_out(MatchRow.objects.get(pk=over).slug, Abort(seat=0, ply=0, key="a"))
    counts = {row[0]: row[2:] for row in rows_of(post.only(STRANGER, "list"), "Games")}
    assert list(counts) == list(game_ids())
    assert (counts["hex"], counts["antipod"], counts["antipode"]) == (
        ["2", "0"],
        ["0", "1"],
        ["0", "0"],
    )


def test_boards_of_a_user_are_the_current_ones_and_those_of_the_last_90_days(post, board, clocks):
    old, new, running, changed = board(), board(), board(), board()
    for number in (old, new):
        carry_out(MatchRow.objects.get(pk=number).slug, Abort(seat=0, ply=0, key="a"))
    MatchRow.objects.filter(pk=old).update(ended_at=clocks.wall - 90 * DAY)
    MatchRow.objects.filter(pk=new).update(ended_at=clocks.wall - 90 * DAY + 1)
    MatchRow.objects.filter(pk=changed).update(changed_at=clocks.wall + 1)

    def listed(words):
        letter = post.only(STRANGER, f"games {words}")
        assert "News: Boards of ann.\n" in letter.text
        return [int(row[0]) for row in rows_of(letter, "Games")]

    assert sorted(listed("ann")) == sorted([new, running, changed])
    assert listed("ann active") == listed("ann next") == [changed, running]
    assert listed("ann inactive") == [new, old]
    assert sorted(listed("ANN ann all")) == sorted([old, new, running, changed])


def test_a_board_is_shown_as_it_is_without_a_number_of_moves_or_with_the_last(post, board):
    number = board()
    play(number, "a1", "b2")
    for words in (f"show {number}", f"show {number}#2"):
        letter = post.only(STRANGER, words)
        assert f"Board {number}" in letter.subject
        assert "This is the board after" not in letter.text
        assert "2. b2" in " ".join(letter.text.split())
        assert (letter.thread, bool(letter.html)) == ("", True)
    for ply in (0, 1):
        shown = post.only(STRANGER, f"show {number}#{ply}").text
        assert f"News: This is the board after {ply} of 2 moves." in shown
        assert "2. b2" not in " ".join(shown.split())
    assert "mail/no-such-ply" in post.only(STRANGER, f"show {number}#3").text


def test_help_has_all_its_topics_and_a_game_its_rules(post):
    letter = post.only(STRANGER, "help move resign")
    assert letter.subject == "Antipodes: help move resign"
    assert ("Help: move" in letter.text, "Help: resign" in letter.text) == (True, True)
    for words, subject in (
        ("hex help", "help on hex"),
        ("help", "help"),
        ("hex help move", "help move"),
    ):
        assert post.only(STRANGER, words).subject == f"Antipodes: {subject}"


def test_lines_of_boards_have_players_turn_time_and_result(people, board, clocks, row):
    play(row.pk, "a1")
    row.refresh_from_db()
    clocks.advance(5_000)
    casual = MatchRow.objects.get(pk=board("antipod", side=4))
    over = MatchRow.objects.get(pk=board())
    play(over.pk, "a1", "b2", "c3")
    carry_out(over.slug, Resign(seat=1, ply=3, key="r"))
    over.refresh_from_db()
    archive_match(over)
    names = ("ann", "bob")
    assert row.deadline is not None
    assert game_lines([row, casual, over]) == [
        GameLine(
            number=row.pk, game_id="hex", players=names, turn="bob", moves=1,
            deadline=row.deadline, left=row.deadline - clocks.wall,
        ),
        GameLine(number=casual.pk, game_id="antipod", players=names, turn="ann", moves=0),
        GameLine(
            number=over.pk, game_id="hex", players=names, turn="", moves=3, result=over.result
        ),
    ]  # fmt: skip
    GameRow.objects.filter(match=over).update(moves=9)
    assert [one.moves for one in game_lines([over])] == [9]


def test_lines_of_challenges_have_options_players_and_free_seats(ann, bob):
    ann.say("antipalos challenge", "ann bob computer-2 cy -seats=team --private=on --clock=5d/move")
    row = ChallengeRow.objects.get()
    services.join(row.slug, bob.user)
    row.points = 9
    assert challenge_line(row) == ChallengeLine(
        number=row.pk,
        game_id="antipalos",
        options="seats=team, points=9, private=on",
        by="ann",
        control="5d/move",
        rated=False,
        invited=("bob", "cy"),
        joined=("bob",),
        free=1,
    )
    bob.say("hex seek")
    seek = ChallengeRow.objects.latest("pk")
    assert challenge_line(seek) == ChallengeLine(
        number=seek.pk, game_id="hex", options="", by="bob", control="21d/move", rated=True, free=1
    )
