"""What migrations make of rows that were there before them, and what going back makes of them."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import StateApps

from tournaments import ladders
from tournaments.models import Rung

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def back_at(name: str) -> Iterator[StateApps]:
    """The database as a migration of tournaments left it; up to date again afterwards."""
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes("tournaments")
    executor.migrate([("tournaments", name)])
    try:
        yield executor.loader.project_state([("tournaments", name)]).apps
    finally:
        MigrationExecutor(connection).migrate(newest)


def test_positions_become_keys_of_the_same_order_and_back(ladder, people, now):
    ada, bo, *_others, fay = people
    ladders.leave(ladder_id=ladder.pk, user_id=bo.pk, now=now)
    top = Rung.objects.get(user=ada).order_key
    Rung.objects.filter(user=fay).update(order_key=top - 1)
    with back_at("0005_tickets_of_mini_cups") as apps:
        before = apps.get_model("tournaments", "Rung").objects
        names = before.filter(left_at=None).order_by("position").values_list("position", "user__username")
        assert list(names) == list(enumerate(["fay", "ada", "cleo", "dag", "eli"], start=1))
        assert before.get(user=bo.pk).position is None
        before.filter(user=fay.pk).update(position=6)
    placed = ladder.rungs.placed().filter(left_at=None).order_by("order_key")
    names = list(enumerate(["ada", "cleo", "dag", "eli", "fay"], start=1))
    assert list(placed.values_list("position", "user__username")) == names
    assert Rung.objects.get(user=bo).order_key is None
