"""The Celery app of a site with Redis. Tasks are only hints: what is lost, the next tick finds in the database."""

import os

from celery import Celery
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "oceans.settings")

app = Celery("oceans")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def wait_for_work(**_kwargs: object) -> None:
    """Let workers wait longer for Redis than a page may, and try again: they ask by a call that blocks for a second."""
    patient = {"socket_timeout": 5, "max_retries": None}
    app.conf.broker_transport_options = {**app.conf.broker_transport_options, **patient}
