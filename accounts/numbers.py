"""Whole numbers as browsers send them."""


def whole(text: str, digits: int) -> int | None:
    """The number a text is written as with the digits 0 to 9, at most so many; None if it is not."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
