"""The keys that put the rungs of a ladder in order. There is room between them, so that who moves changes no other row;
where the room is used up, the whole ladder gets new keys. Call these under the ladder's lock only."""

from typing import Final

from django.db import connection
from django.db.models import Max, Subquery

from tournaments.models import Rung

STEP: Final = 2**40
"""From one key to the next where nobody has moved. Forty players in a row can move in at one place, and 64 bits hold
eight million such steps above or below all others, before there is no room."""


def below_all(ladder_id: int) -> int:
    """The key of a new rung at the bottom. One query."""
    last = Rung.objects.filter(ladder=ladder_id, left_at=None).aggregate(last=Max("order_key"))["last"]
    return (last or 0) + STEP


def key_at(rung: Rung, old: int, new: int) -> int:
    """The key with which a rung goes from one position to another, between its new neighbours. One query, which passes
    those who stand between; three where room had to be made."""
    others = Rung.objects.filter(ladder=rung.ladder_id, left_at=None)
    own = Subquery(Rung.objects.filter(pk=rung.pk).values("order_key"))
    if new < old:
        passed, step = others.filter(order_key__lt=own).order_by("-order_key"), -STEP
    else:
        passed, step = others.filter(order_key__gt=own).order_by("order_key"), STEP
    distance = abs(new - old)
    keys = passed.values_list("order_key", flat=True)[distance - 1 : distance + 1]
    near, *beyond = [key for key in keys if key is not None]
    if not beyond:
        return near + step
    if abs(beyond[0] - near) > 1:
        return (near + beyond[0]) // 2
    renumber(rung.ladder_id)
    return key_at(rung, old, new)


def renumber(ladder_id: int) -> None:
    """Make room between all rungs, in their order. Django would count the ranks for each row anew: one statement."""
    table = connection.ops.quote_name(Rung._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET order_key = ranked.number * %s FROM"
            f" (SELECT id, ROW_NUMBER() OVER (ORDER BY order_key) AS number FROM {table}"
            f" WHERE ladder_id = %s AND left_at IS NULL) AS ranked WHERE ranked.id = {table}.id",
            [STEP, ladder_id],
        )
