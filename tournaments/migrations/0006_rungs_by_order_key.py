from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import F

STEP = 2**40
"""From one key to the next at first; order_keys.py says what it is for."""


def spread(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Give each rung a key in the order of the positions. Who has left has neither."""
    apps.get_model("tournaments", "Rung").objects.update(order_key=F("position") * STEP)


def count(_apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Give each member the position that the order of the keys gives it."""
    editor.execute(
        "UPDATE tournaments_rung SET position = ranked.position FROM"
        " (SELECT id, ROW_NUMBER() OVER (PARTITION BY ladder_id ORDER BY order_key) AS position"
        " FROM tournaments_rung WHERE left_at IS NULL) AS ranked WHERE ranked.id = tournaments_rung.id"
    )


class Migration(migrations.Migration):
    """Each constraint goes before and comes after what it speaks of is changed, in both directions."""

    dependencies = [("tournaments", "0005_tickets_of_mini_cups")]

    operations = [
        migrations.RemoveConstraint(model_name="rung", name="members_have_a_rung"),
        migrations.RemoveIndex(model_name="rung", name="rung_order"),
        migrations.AddField(model_name="rung", name="order_key", field=models.BigIntegerField(blank=True, null=True)),
        migrations.RunPython(spread, count),
        migrations.RemoveField(model_name="rung", name="position"),
        migrations.AddIndex(
            model_name="rung",
            index=models.Index(
                condition=models.Q(("left_at", None)), fields=["ladder", "order_key"], name="rung_order"
            ),
        ),
        migrations.AddConstraint(
            model_name="rung",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("left_at", None), ("order_key__isnull", False)),
                    models.Q(("left_at__isnull", False), ("order_key", None)),
                    _connector="OR",
                ),
                name="members_have_a_rung",
            ),
        ),
    ]
