"""Reading whole numbers from text of users."""

LARGEST = 10**18 - 1  # fits in a signed integer of 64 bits, as in a column of a database


def read_number(text: str, most: int = LARGEST) -> int | None:
    """Return the whole number that a text of ASCII digits is.

    Text of any length is safe: Python's ``int`` also reads other digits and underscores, and raises
    ``ValueError`` for thousands of digits.

    Returns:
        the number, or ``None`` for any other text and for numbers above ``most``.
    """
    if len(text) > len(str(LARGEST)) or not (text.isascii() and text.isdigit()):
        return None
    number = int(text)
    return number if number <= most else None
