"""What competition does by itself, every half minute: steps that may be done twice at once, by any number of runners.

They are registered with the tick of the site, after play and before mail.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from tournaments import event_news, ladders, nights, running

STEPS: Final[dict[str, Callable[[datetime], int]]] = {
    "ladders": ladders.sweep,
    "kings": ladders.crown,
    "events": running.sweep,
    "announced": event_news.announce,
    "sleepers": event_news.warn_sleepers,
    "nights": nights.close,
}
"""By name; each returns how much it did."""


def steps(now: datetime) -> dict[str, int]:
    """Do all steps at an instant; how much each did."""
    return {name: step(now) for name, step in STEPS.items()}
