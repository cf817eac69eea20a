"""The tournaments app: ratings, ladders and events, on top of play."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    """Competition. Knows play by its verbs, queries and one signal; nothing imports it."""

    name = "tournaments"
    verbose_name = _("Competition")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import closing
        from oceans import queries, strengths, tick
        from oceans.signals import match_finished
        from tournaments import dates, ladders, mail, receivers, running, ticking
        from tournaments.queries import ratings

        match_finished.connect(receivers.record, dispatch_uid="tournaments.receivers.record")
        closing.register(running.close_account)
        closing.register(ladders.leave_all)
        mail.register()
        dates.register()
        queries.let_watch(running.may_watch)
        strengths.register(ratings.strengths_of, ratings.chance_of)
        for name, step in ticking.STEPS.items():
            tick.register(name, step)
