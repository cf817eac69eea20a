"""The Celery app of a site with Redis. Tasks are only hints: what is lost, the next tick finds in the database."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "oceans.settings")

app = Celery("oceans")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
