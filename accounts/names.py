"""Which login names are allowed.

A name goes into addresses, mail headers and other people's pages, so it is plain ASCII: letters, digits, `-` and `_`,
3 to 20 of them, beginning with a letter or digit. Look-alikes from other scripts cannot exist, and case never tells
two names apart.
"""

import re
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

SHORTEST: Final = 3
LONGEST: Final = 20

_ALLOWED: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*\Z", re.ASCII)

_RESERVED = """
    about account accounts admin administrator all anonymous api beacon bot bots deleted director everyone ferry game
    games guest guests help host house info ladder ladders lobby login logout mail moderator nobody none null oceans
    official password pebble player players postmaster root rules security server settings signup site slowdeal somebody
    staff static status stranger support system team the-house tournament tournaments turn undefined user users
    webmaster you
"""
RESERVED: Final = frozenset(_RESERVED.split())
"""Names that could be taken for the site itself, in lower case."""

RESERVED_STARTS: Final = ("guest-", "deleted-", "admin-", "staff-", "slowdeal")
"""Beginnings that only the site gives out, in lower case."""


def refusal(name: str) -> str | None:
    """Say in one sentence why nobody may choose this name, or None. Whether it is taken is another question."""
    if not SHORTEST <= len(name) <= LONGEST:
        return _("Choose a name of %(shortest)d to %(longest)d letters.") % {"shortest": SHORTEST, "longest": LONGEST}
    if not _ALLOWED.match(name):
        return _("Use the letters a to z, digits, - and _ only, beginning with a letter or digit.")
    folded = name.lower()
    if folded in RESERVED or folded.startswith(RESERVED_STARTS):
        return _("This name is kept for the site. Choose another one.")
    return None


def check_name(name: str) -> None:
    """Raise ValidationError if nobody may choose this name. A validator for form fields."""
    reason = refusal(name)
    if reason is not None:
        raise ValidationError(reason, code="name")


validators = [check_name]
"""For allauth, which takes the path of a list."""
