"""Who may import whom (docs/architecture.md), read from the sources, imports inside functions too; and which documents
they point at."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from oceans.rules.games import GAMES

ROOT = Path(__file__).parent.parent
OURS = ("oceans", "accounts", "tournaments")

PURE = frozenset(
    {"__future__", "abc", "base64", "bisect", "collections", "contextlib", "copy", "dataclasses", "enum", "fractions"}
    | {"functools", "hashlib", "heapq", "hmac", "itertools", "json", "math", "operator", "re", "string", "textwrap"}
    | {"types", "typing", "unicodedata"}
)
"""What of the standard library a module without clock, files and chance may use."""

STRICT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]["overrides"][0]["module"]
PURE_TOURNAMENTS = [module for module in STRICT if module.startswith("tournaments.")]
"""The modules that are typed strictly are those that compute without a database."""


def sources() -> dict[str, Path]:
    """Every module of ours by its dotted name."""
    found = {}
    for app in OURS:
        for path in (ROOT / app).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


SOURCES = sources()


def imports(module: str) -> Iterator[str]:
    """The dotted names a module imports; for `from a import b` where b is a module of ours, `a.b`."""
    path = SOURCES[module]
    package = module.split(".") if path.stem == "__init__" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:
                name = f"{source}.{alias.name}"
                yield name if name in SOURCES else source


def matching(*patterns: str) -> list[str]:
    """The modules named by patterns; `a.*` means everything below `a`, and `a` alone only that module."""
    return [module for module in SOURCES if any(fnmatchcase(module, pattern) for pattern in patterns)]


def is_within(module: str, places: tuple[str, ...] | list[str]) -> bool:
    """Whether a module is one of the places or lies below one."""
    return any(module == place or module.startswith(place + ".") for place in places)


def breaches(modules: list[str], allowed=None, refused=()) -> list[str]:
    """The imports of these modules that are refused, or outside what is allowed."""
    assert modules, "the rule names modules that do not exist"
    return [
        f"{module} imports {name}"
        for module in modules
        for name in imports(module)
        if is_within(name, refused) or (allowed is not None and not is_within(name, allowed))
    ]


def test_rules_are_pure():
    assert breaches(matching("oceans.rules", "oceans.rules.*"), allowed=["oceans.rules", *PURE]) == []


def test_deadline_arithmetic_is_pure():
    allowed = [*PURE, "datetime", "zoneinfo", "oceans.clock"]
    assert breaches(matching("oceans.clock", "oceans.clock.*"), allowed=allowed) == []


def test_pairing_standings_and_ratings_are_pure():
    allowed = [*PURE, "datetime", "networkx", *PURE_TOURNAMENTS]
    assert breaches(PURE_TOURNAMENTS, allowed=allowed) == []


def test_bots_see_only_what_a_seat_sees():
    allowed = [
        *PURE,
        "random",
        "oceans.bots",
        *("oceans.rules." + name for name in ("look", "asks", "moves", "cards")),
        *("oceans.rules." + name for name in ("ranking", "rows", "hand_values", "small_hands", "low_hands")),
    ]
    assert breaches(matching("oceans.bots", "oceans.bots.*"), allowed=allowed) == []


def test_nothing_imports_tournaments():
    assert breaches(matching("oceans", "oceans.*", "accounts", "accounts.*"), refused=["tournaments"]) == []


def test_accounts_know_nothing_of_play():
    assert breaches(matching("accounts", "accounts.*"), refused=["oceans"]) == []


def test_tournaments_use_the_narrow_door_to_play():
    modules = [module for module in matching("tournaments", "tournaments.*") if module not in PURE_TOURNAMENTS]
    allowed = ["oceans.play", "oceans.queries", "oceans.signals", "oceans.site", "oceans.refusals"]
    allowed += ["oceans.strengths", "oceans.tick"]
    of_play = [module for module in matching("oceans", "oceans.*") if not is_within(module, allowed)]
    assert breaches(modules, refused=[module for module in of_play if module != "oceans"]) == []


def test_pages_and_mail_cannot_name_hidden_state():
    pages = matching(
        *("oceans.views", "oceans.views.*", "oceans.forms", "oceans.mail", "oceans.mail.*", "oceans.api"),
        *("oceans.templatetags.*", "oceans.admin"),
    )
    hidden = ["oceans.ledger", *("oceans.rules." + name for name in ("engine", "table", "chance"))]
    assert breaches(pages, refused=hidden) == []


def test_only_writers_readers_and_tools_touch_the_ledger():
    allowed = matching("oceans.play", "oceans.play.*", "oceans.queries", "oceans.queries.*", "oceans.management.*")
    others = [module for module in SOURCES if module not in allowed and module != "oceans.ledger"]
    assert breaches(others, refused=["oceans.ledger"]) == []


def test_one_game_never_imports_another():
    """A game may have a module of parts beside it, named after it: guts, guts_orders."""
    games = matching("oceans.rules.games.*")
    for game in games:
        others = [other for other in games if not other.startswith(f"{game}_") and not game.startswith(f"{other}_")]
        assert breaches([game], refused=others) == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_game_has_a_transcript(game):
    assert (ROOT / "tests/rules/transcripts" / f"{game.slug}.txt").is_file()


@pytest.mark.parametrize("module", matching("oceans.rules.games.*"))
def test_every_game_has_tests(module):
    assert (ROOT / "tests/rules/games" / f"test_{module.split('.')[-1]}.py").is_file()


def test_the_list_of_pure_modules_names_only_the_standard_library():
    assert sys.stdlib_module_names >= PURE


def test_documents_that_sources_and_documents_point_at_exist():
    places = [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]
    places += [
        file for folder in ("oceans", "accounts", "tournaments", "tests") for file in ROOT.glob(f"{folder}/**/*.py")
    ]
    missing = set()
    for place in places:
        text = place.read_text(encoding="utf-8")
        pointed_at = {ROOT / name for name in re.findall(r"\bdocs/[\w/.-]+\.md\b", text)}
        if place.suffix == ".md":
            pointed_at |= {place.parent / name for name in re.findall(r"\]\(([\w/.-]+\.md)[)#]", text)}
        missing |= {f"{place.relative_to(ROOT)}: {target}" for target in pointed_at if not target.exists()}
    assert missing == set()
