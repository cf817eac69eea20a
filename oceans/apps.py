"""The oceans app: play, and the frame of the site."""

from django.apps import AppConfig
from django.conf import settings
from django.core.management import call_command
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class OceansConfig(AppConfig):
    """Matches and everything around them."""

    name = "oceans"
    verbose_name = _("Play")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import closing, notices
        from oceans import (
            celery,  # noqa: F401  (shared_task binds to the app that exists when it is called)
            feeds,
            mail,
            offers,
            play,
            tasks,
            totals,
        )
        from oceans.play import leaves
        from oceans.signals import match_finished

        closing.register(offers.withdraw_all)
        closing.register(play.withdraw_user)
        closing.register(play.forget_notes)
        leaves.register()
        mail.register()
        feeds.register()
        match_finished.connect(totals.count, dispatch_uid="oceans.totals.count")
        notices.waiting.connect(tasks.hint, dispatch_uid="oceans.tasks.hint")

        if settings.CACHES["default"]["BACKEND"].endswith("DatabaseCache"):
            post_migrate.connect(make_cache_table, sender=self)


def make_cache_table(using: str, **_kwargs: object) -> None:
    """Make the table of the cache that web processes share where there is no Redis; does nothing if it is there."""
    call_command("createcachetable", database=using, verbosity=0)
