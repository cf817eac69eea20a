from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("oceans", "0008_hindsight"),
    ]

    operations = [
        migrations.AlterField(
            model_name="match",
            name="ended_by",
            field=models.CharField(
                blank=True,
                choices=[
                    ("played", "played to the end"),
                    ("resigned", "resignation"),
                    ("time", "time"),
                    ("drawn-on-time", "both out of time"),
                    ("never-moved", "first move never made"),
                    ("abandoned", "nobody came back"),
                    ("withdrawn", "offer withdrawn"),
                    ("declined", "invitation declined"),
                    ("expired", "offer expired"),
                    ("account-closed", "a player left the site"),
                    ("by-staff", "ended by the staff"),
                    ("by-agreement", "called off by agreement"),
                ],
                max_length=14,
            ),
        ),
    ]
