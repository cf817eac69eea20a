import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("oceans", "0005_clocks_held"),
    ]

    operations = [
        migrations.CreateModel(
            name="Totals",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="totals",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("won", models.PositiveIntegerField(default=0)),
                ("drawn", models.PositiveIntegerField(default=0)),
                ("lost", models.PositiveIntegerField(default=0)),
                ("late", models.PositiveIntegerField(default=0)),
                ("cancelled", models.PositiveIntegerField(default=0)),
            ],
            options={"verbose_name_plural": "totals"},
        ),
        migrations.AddField(
            model_name="match",
            name="is_in_totals",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
