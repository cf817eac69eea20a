from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Count, Exists, OuterRef, Q

BATCH = 1_000
FIGURES = ("won", "drawn", "lost", "late", "cancelled")
LATE = ("lost", "drawn", "cancelled", "forfeited", "retired")


def fill(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Add up how the matches that are over came out, each person's at once, and mark them as added."""
    Match, Seat, TimeOut, Totals = (apps.get_model("oceans", name) for name in ("Match", "Seat", "TimeOut", "Totals"))
    Match.objects.filter(started_at__isnull=False, finished_at__isnull=False).update(is_in_totals=True)
    others = Seat.objects.filter(match=OuterRef("match"), place=1).exclude(pk=OuterRef("pk"))
    late = TimeOut.objects.filter(match=OuterRef("match"), user=OuterRef("user"), outcome__in=LATE)
    seats = Seat.objects.filter(match__is_in_totals=True).alias(is_shared=Exists(others), is_late=Exists(late))
    figures = seats.values("user_id").annotate(
        won=Count("pk", filter=Q(place=1, is_shared=False)),
        drawn=Count("pk", filter=Q(place=1, is_shared=True)),
        lost=Count("pk", filter=Q(place__gt=1)),
        late=Count("pk", filter=Q(is_late=True)),
        cancelled=Count("pk", filter=Q(is_late=True, place=None)),
    )
    # Where an upgrade stopped after 0006, games that ended since have made totals.
    Totals.objects.bulk_create(
        (Totals(**one) for one in figures.order_by("user_id").iterator()),
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["user"],
        update_fields=FIGURES,
    )


def empty(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Forget the totals, so that they can be filled again."""
    apps.get_model("oceans", "Totals").objects.all().delete()
    apps.get_model("oceans", "Match").objects.filter(is_in_totals=True).update(is_in_totals=False)


class Migration(migrations.Migration):
    """Apart from 0006, whose lock on all matches must not last as long as this takes."""

    dependencies = [("oceans", "0006_totals")]

    operations = [migrations.RunPython(fill, empty)]
