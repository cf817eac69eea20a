from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0007_counters_of_events"),
    ]

    operations = [
        migrations.AddField(
            model_name="eventmatch",
            name="given_up_by",
            field=models.JSONField(default=list),
        ),
    ]
