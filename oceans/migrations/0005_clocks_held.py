from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import F


def hold(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Let the turns that run now in Jacks or Better cost nobody time: which of them are waits of which nobody is told
    for whom, no column says."""
    running = apps.get_model("oceans", "Seat").objects.filter(match__game="jacks", deadline_s__isnull=False)
    running.update(held_s=F("bank_s"))


class Migration(migrations.Migration):
    dependencies = [("oceans", "0004_several_orders_a_seat")]

    operations = [
        migrations.AddField(model_name="seat", name="held_s", field=models.BigIntegerField(blank=True, null=True)),
        migrations.RunPython(hold, migrations.RunPython.noop),
    ]
