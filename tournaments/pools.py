"""Constants of rating by pool: the usual ones, but for what the setting RATING_PARAMS says (docs/competition.md, 2).

Stored ratings do not follow a change by themselves: `manage.py ratings` tells, and with --rebuild replays the log.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from oceans import queries
from tournaments.rate import DEFAULTS, Params
from tournaments.result_log import OVERALL

MAY_DIFFER: Final = ("rd0", "c")


def params_of(pool: str) -> Params:
    """The constants of one pool."""
    return _read(settings.RATING_PARAMS.get(pool, {}))


def own_params() -> dict[str, Params]:
    """The pools that have constants of their own."""
    return {pool: params_of(pool) for pool in settings.RATING_PARAMS}


def _read(given: Mapping[str, Any]) -> Params:
    """Raises ValueError or TypeError if these are no constants that a pool may have of its own."""
    unknown = given.keys() - set(MAY_DIFFER)
    if unknown:
        raise ValueError(f"{', '.join(sorted(unknown))}: only {' and '.join(MAY_DIFFER)} may differ.")
    return replace(DEFAULTS, **{name: float(value) for name, value in given.items()})


@register
def check_params(*, app_configs: Sequence[Any] | None, **_kwargs: Any) -> list[CheckMessage]:
    """Whether the setting names pools that there are, and constants that make sense."""
    pools = {game.slug for game in queries.games()} | {OVERALL}
    faults: list[CheckMessage] = []
    for pool, given in settings.RATING_PARAMS.items():
        if pool not in pools:
            faults.append(Error(f"RATING_PARAMS: there is no game called {pool}.", id="tournaments.E001"))
            continue
        try:
            _read(given)
        except (AttributeError, TypeError, ValueError) as fault:
            hint = 'Write it like {"oe-mini": {"rd0": 150, "c": 3}}.'
            faults.append(Error(f"RATING_PARAMS, {pool}: {fault}", hint=hint, id="tournaments.E002"))
    return faults
