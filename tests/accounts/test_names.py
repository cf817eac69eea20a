"""Which names may be chosen, over every character there is."""

import sys

import pytest

from accounts import names

ALLOWED = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


@pytest.mark.parametrize(("before", "after", "refused_here"), [("", "xyz", "-_"), ("xy", "z", ""), ("xyz", "", "")])
def test_only_plain_letters_digits_and_two_signs_at_any_place(before, after, refused_here):
    allowed = {chr(code) for code in range(sys.maxunicode + 1) if names.refusal(before + chr(code) + after) is None}
    assert allowed == ALLOWED - set(refused_here)


@pytest.mark.parametrize("name", ["abc", "A-1", "x" * 20, "Walnut", "0_0"])
def test_names_that_may_be_chosen(name):
    assert names.refusal(name) is None


@pytest.mark.parametrize(
    "name", ["", "ab", "x" * 21, "abc\n", "\nabc", "a b", "Admin", "DELETED", "Guest-Room", "deleted-9", "slowdeal2"]
)
def test_names_that_may_not(name):
    assert names.refusal(name)
