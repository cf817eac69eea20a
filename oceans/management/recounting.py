"""Whether the totals of players are what their matches give."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import CharField, Count, Exists, F, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Cast

from oceans import totals
from oceans.models import Effect, Match, Seat, TimeOut, Totals

BATCH: Final = 1_000
"""How many people's totals are counted together: few enough that no statement takes long."""


@dataclass(frozen=True, slots=True)
class WrongTotals:
    """Somebody's totals that are not what the matches in them give."""

    user_id: int
    username: str
    stored: Sequence[int]
    counted: Sequence[int]

    def __str__(self) -> str:
        stored, counted = (
            ", ".join(f"{figure} {n}" for figure, n in zip(Totals.FIGURES, figures, strict=True))
            for figures in (self.stored, self.counted)
        )
        return f"totals of {self.username}: stored is {stored}, but the matches give {counted}"


def wrong_totals() -> Iterator[WrongTotals]:
    """Everybody's totals that differ. They are compared where they are read, so matches may end meanwhile."""
    stored = {f"stored_{figure}": F(f"user__totals__{figure}") for figure in Totals.FIGURES}
    last = Seat.objects.aggregate(last=Max("user_id"))["last"] or 0
    for start in range(0, last, BATCH):
        seats = Seat.objects.filter(user_id__gt=start, user_id__lte=start + BATCH)
        for row in _counted(seats.values("user_id", username=F("user__username"), **stored)).order_by("user_id"):
            before = [row[name] or 0 for name in stored]
            after = [row[figure] for figure in Totals.FIGURES]
            if before != after:
                yield WrongTotals(row["user_id"], row["username"], before, after)


def left_out() -> list[int]:
    """Matches that are over, are in nobody's totals, and that no news will bring there any more."""
    waiting = Effect.objects.filter(kind=Effect.MATCH_FINISHED, ref=Cast(OuterRef("pk"), CharField()), done_at=None)
    over = Match.objects.filter(~Exists(waiting), started_at__isnull=False, finished_at__isnull=False)
    return list(over.filter(is_in_totals=False).order_by("pk").values_list("pk", flat=True))


def recount() -> int:
    """Add what was left out, and count totals that differ anew, while matches go on ending; return how many of both."""
    missing = left_out()
    for match_id in missing:
        totals.count(match_id=match_id)
    wrong = [one.user_id for one in wrong_totals()]
    for start in range(0, len(wrong), BATCH):
        _count_anew(wrong[start : start + BATCH])
    return len(missing) + len(wrong)


def _count_anew(users: Sequence[int]) -> None:
    with transaction.atomic():
        Totals.objects.bulk_create([Totals(user_id=user_id) for user_id in users], ignore_conflicts=True)
        # Whoever adds a match waits from here on, and is either counted below or adds to what is stored.
        list(Totals.objects.select_for_update(no_key=True).filter(user__in=users).order_by("user_id"))
        rows = _counted(Seat.objects.filter(user__in=users).values("user_id"))
        Totals.objects.bulk_create(
            [Totals(**row) for row in rows],
            update_conflicts=True,
            unique_fields=["user"],
            update_fields=Totals.FIGURES,
        )


def _counted(seats: QuerySet[Seat, dict[str, object]]) -> QuerySet[Seat, dict[str, object]]:
    """The figures of people from their matches, in groups of the values that `seats` has."""
    others = Seat.objects.filter(match=OuterRef("match"), place=1).exclude(pk=OuterRef("pk"))
    late = TimeOut.objects.filter(match=OuterRef("match"), user=OuterRef("user"), outcome__in=TimeOut.OWN_FAULT)
    is_late, finished = Q(Exists(late)), Q(match__status=Match.Status.FINISHED)
    return seats.filter(match__is_in_totals=True).annotate(
        won=Count("pk", filter=finished & Q(~Exists(others), place=1)),
        drawn=Count("pk", filter=finished & Q(Exists(others), place=1)),
        lost=Count("pk", filter=finished & Q(place__gt=1)),
        late=Count("pk", filter=is_late),
        cancelled=Count("pk", filter=is_late & ~finished),
    )
