from collections import Counter
from math import log2

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


def fill_endless(apps, _schema_editor):
    """Note when players of endless events were paired last, and the results that made their scores."""
    Tournament = apps.get_model("tournaments", "Tournament")
    Pairing = apps.get_model("tournaments", "Pairing")
    for event in Tournament.objects.filter(format="infinity"):
        paired, results = {}, {}
        rows = Pairing.objects.filter(round__tournament=event).select_related("round")
        for row in rows.order_by("round__opened_at"):
            paired.update(dict.fromkeys(row.players, row.round.opened_at))
        for row in rows.exclude(field=None).order_by("decided_at", "pk"):
            for player, result in zip(row.players, row.points, strict=True):
                results.setdefault(player, []).append((result, row.field, row.decided_at))
        for entrant in event.entrants.all():
            entrant.paired_at = paired.get(entrant.user_id)
            old, steps = 1.0, []
            for result, players, decided_at in results.get(entrant.user_id, []):
                steps.append([old, result, players])
                entrant.scored_at = decided_at
                weight = 2 * log2(players)
                old = round((old * (weight - 1) + result) / weight, 6)
            entrant.steps = steps[-5:]
            entrant.save(update_fields=["paired_at", "steps", "scored_at"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_rungs_by_order_key")]

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
        migrations.AddField(model_name="entrant", name="steps", field=models.JSONField(blank=True, default=list)),
        migrations.AddField(model_name="entrant", name="scored_at", field=models.DateTimeField(blank=True, null=True)),
        migrations.AddField(model_name="entrant", name="paired_at", field=models.DateTimeField(blank=True, null=True)),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(fill_endless, migrations.RunPython.noop, elidable=True),
    ]
