"""Fuzz games and options: they make a game, or are refused."""

from hypothesis import given
from hypothesis import strategies as st

from antipodes.errors import InvalidOptionsError, UnknownGameError
from antipodes.games.registry import game_class, game_ids, make_game
from tests.fuzz.tally import attempt
from tests.fuzz.texts import ANYTHING, JSON, damaged

NAMES = sorted({info.name for game_id in game_ids() for info in game_class(game_id).option_table()})
WORDS = sorted(
    {word for g in game_ids() for info in game_class(g).option_table() for word in info.values}
)
VALUES = (
    st.integers(-3, 30)
    | st.integers(-3, 30).map(str)
    | st.sampled_from(WORDS)
    | damaged(st.sampled_from(WORDS))
    | JSON
)
OPTIONS = st.dictionaries(st.sampled_from(NAMES) | ANYTHING, VALUES, max_size=4)


@given(st.sampled_from(game_ids()), OPTIONS)
def test_options_are_read_or_refused(game_id, options):
    game = attempt("options", make_game, game_id, options, errors=InvalidOptionsError)
    if game is not None:
        chosen = game.options.as_dict()
        assert make_game(game_id, chosen) == game
        assert make_game(game_id, {name: str(value) for name, value in chosen.items()}) == game
        assert all(type(value) in (int, str) for value in chosen.values())
        hash(game)


@given(st.sampled_from(game_ids()), st.data())
def test_likely_options_are_read_or_refused(game_id, data):
    """Only the combination of valid values may be wrong."""
    table = game_class(game_id).option_table()
    options = {
        info.name: data.draw(
            st.sampled_from(info.values) if info.values else st.integers(info.low, info.high)
        )
        for info in table
        if data.draw(st.booleans())
    }
    game = attempt("options", make_game, game_id, options, errors=InvalidOptionsError)
    if game is not None:
        assert game.initial().ply == 0
        assert {name: getattr(game.options, name) for name in options} == options


@given(damaged(st.sampled_from(game_ids())) | ANYTHING)
def test_game_ids_are_read_or_refused(text):
    found = attempt("options", game_class, text, errors=UnknownGameError)
    if found is not None:
        assert found.id in game_ids()
