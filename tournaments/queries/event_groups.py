"""Which group of a large league a page shows, and where the others are."""

from dataclasses import dataclass
from typing import Final

from accounts.queries import player_named
from tournaments.event_rows import Group
from tournaments.models import Entrant, Tournament

TOGETHER: Final = 8
"""So many groups fit on one page; with more each has a page of its own."""


@dataclass(frozen=True, slots=True)
class GroupLink:
    """A group, as an address names it."""

    level: int
    group: int

    @property
    def key(self) -> str:
        return f"{self.level}.{self.group}"


@dataclass(frozen=True, slots=True)
class Groups:
    """The group that is shown, its neighbours, the reader's own, and the first one of each level."""

    here: GroupLink
    previous: GroupLink | None
    next: GroupLink | None
    own: GroupLink | None
    levels: tuple[GroupLink, ...]


def groups_shown(event: Tournament, own: Entrant | None, asked: Group | None) -> Groups | None:
    """The group that was asked for, else the reader's own, else the first; None where all are shown. One query."""
    if event.format != Tournament.Format.LEAGUE or event.started_at is None:
        return None
    found = event.entrants.exclude(seed=None).order_by("level", "group").values_list("level", "group").distinct()
    links = [GroupLink(level, group) for level, group in found]
    if len(links) <= TOGETHER:
        return None
    own_link = GroupLink(own.level, own.group) if own is not None and own.seed is not None else None
    wanted = GroupLink(*asked) if asked is not None else own_link
    at = links.index(wanted) if wanted in links else 0
    firsts = {link.level: link for link in reversed(links)}
    return Groups(
        here=links[at],
        previous=links[at - 1] if at else None,
        next=links[at + 1] if at + 1 < len(links) else None,
        own=own_link if own_link != links[at] else None,
        levels=tuple(firsts[level] for level in sorted(firsts)),
    )


def group_of(event: Tournament, name: str) -> Group | None:
    """The group of a player; None if nobody of that name plays in the event. Three queries at most."""
    player = player_named(name.strip())
    if player is None:
        return None
    return event.entrants.exclude(seed=None).filter(user=player).values_list("level", "group").first()
