"""Strategies for texts: arbitrary ones, and damaged well-formed ones."""

from hypothesis import strategies as st

# Characters of moves, points and pictures, and similar ones.
BITS = st.sampled_from(
    [
        *"abcdefgixyzABFP0123456789*+-/\\. \t\n",
        "\u00a0",
        "\u2009",
        "\u2013",
        "\u2212",
        "\u2217",
        "\uff0a",
        "\u200b",
        "\\*",
        "12",
        "00",
        "-1",
        "swap",
        "--",
        "**",
        "\u0661",
        "\u00b2",
        "\u0130",
        "ſ",
        "ß",
        "\ud800",
        "\0",
        "e\u0301",
        "aa",
        "999999999999999999999",
    ]
)
JUNK = st.lists(BITS, max_size=8).map("".join)
ANYTHING = st.text(max_size=30) | JUNK


@st.composite
def damaged(draw, texts, most=3):
    """Return a text of ``texts`` after a few cuts, insertions, doublings and exchanges."""
    text = draw(texts)
    for _ in range(draw(st.integers(0, most))):
        begin = draw(st.integers(0, len(text)))
        end = min(len(text), begin + draw(st.integers(0, 3)))
        middle = draw(
            st.just("")
            | BITS
            | st.just(text[begin:end] * 2)
            | st.just(text[begin:end][::-1])
            | st.just(text[begin:end].swapcase())
        )
        text = text[:begin] + middle + text[end:]
    return text


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | JUNK | st.text(max_size=8)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
