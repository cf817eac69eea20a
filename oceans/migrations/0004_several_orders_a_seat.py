from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

DEALING = ("stopped", "lasts", "hand_no", "cards", "then", "dealt")


def part(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Make of each order of Ocean's Eleven the orders that its clauses are now. What has stopped lasts as it stands:
    with the hand, as its owner is being asked already."""
    Order = apps.get_model("oceans", "Order")
    for order in Order.objects.filter(kind="hand"):
        body = order.body
        shared = {"lasts": body.get("lasts", "hand"), "hand_no": body.get("hand_no", 0)}
        for kind, terms in () if body.get("stopped") else clauses(body):
            Order.objects.create(
                match_id=order.match_id,
                seat=order.seat,
                kind=kind,
                body={**shared, **terms},
                placed_at=order.placed_at,
            )
        order.body = {name: body[name] for name in DEALING if name in body}
        order.save(update_fields=["body"])


def clauses(body: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The clauses of an order as orders of their own."""
    found = []
    if body.get("ask_at") or body.get("ask_if_wild") or body.get("ask_if_left") is not None:
        reasons = {"reaches": body.get("ask_at", ""), "wild": body.get("ask_if_wild", False)}
        found.append(("ask-first", {**reasons, "left": body.get("ask_if_left")}))
    if body.get("concede_at"):
        found.append(("concede-at", {"reaches": body["concede_at"]}))
    if body.get("richer_by") is not None:
        found.append(("richer", {"by": body["richer_by"]}))
    return found


def withdraw(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Orders of today cannot be said in one: their owners are asked instead."""
    apps.get_model("oceans", "Order").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("oceans", "0003_spans_and_no_shows")]

    operations = [
        migrations.RemoveConstraint(model_name="order", name="one_order_a_seat"),
        migrations.AddConstraint(
            model_name="order",
            constraint=models.UniqueConstraint(fields=("match", "seat", "kind"), name="one_order_of_a_kind"),
        ),
        migrations.RunPython(part, withdraw),
    ]
