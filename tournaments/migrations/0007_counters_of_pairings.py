from collections import Counter

from django.db import migrations, models

UNCOUNTED = ("aborted", "cancelled", "reopened")


def fill(apps, _schema_editor):
    """Count what waits for a result, and the games that are still to be opened."""
    Pairing = apps.get_model("tournaments", "Pairing")
    Round = apps.get_model("tournaments", "Round")
    Tournament = apps.get_model("tournaments", "Tournament")
    in_rounds, in_events = Counter(), Counter()
    for pairing in Pairing.objects.filter(how="open").select_related("round__tournament").prefetch_related("matches"):
        event = pairing.round.tournament
        in_rounds[pairing.round_id] += 1
        in_events[event.pk] += 1
        pairing.lacking = lacking(event, pairing)
        if pairing.lacking:
            pairing.save(update_fields=["lacking"])
    for model, counted in ((Round, in_rounds), (Tournament, in_events)):
        for pk, undecided in counted.items():
            model.objects.filter(pk=pk).update(undecided=undecided)


def lacking(event, pairing):
    """How many games a pairing waits for: all of a match at once or one by one, extra ones always one by one."""
    counted = [one for one in pairing.matches.all() if one.ended_at is None or one.reason not in UNCOUNTED]
    is_running = any(one.ended_at is None for one in counted)
    if len(counted) < pairing.games:
        return int(not is_running) if event.shape.get("in_turn") else pairing.games - len(counted)
    return int(not is_running and pairing.group == 0 and event.format in ("knock-out", "cup"))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_tickets_of_mini_cups")]

    operations = [
        migrations.AddField(model_name="tournament", name="undecided", field=models.PositiveIntegerField(default=0)),
        migrations.AddField(model_name="round", name="undecided", field=models.PositiveIntegerField(default=0)),
        migrations.AddField(model_name="pairing", name="lacking", field=models.PositiveSmallIntegerField(default=0)),
        migrations.AddIndex(
            model_name="pairing",
            index=models.Index(
                condition=models.Q(("lacking__gt", 0)), fields=["round", "board"], name="pairing_lacking"
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
