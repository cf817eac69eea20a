"""Competition for staff: mostly to read. Ladders are made here, and results ruled on."""

from collections.abc import Callable
from datetime import datetime

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from oceans.refusals import Refusal
from tournaments import ratings
from tournaments.models import Ladder, RatingEvent, Tournament


class ReadOnly(admin.ModelAdmin):
    """Rows that only the verbs write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Tournament)
class TournamentAdmin(ReadOnly):
    """Events; what can be done to one is on its page, where staff see the director's buttons."""

    list_display = ["name", "format", "game", "state", "entered", "made_by", "made_at", "due_at"]
    list_filter = ["state", "format"]
    search_fields = ["name"]
    exclude = ["password"]


@admin.register(Ladder)
class LadderAdmin(admin.ModelAdmin):
    """Ladders: a new one needs a name, an address, a game and a pace."""

    list_display = ["name", "game", "pace", "top", "seq"]
    fields = ["name", "slug", "game", "pace"]

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Ladder, form: object, change: bool) -> None:
        if not change:
            obj.applied_at = timezone.now()
        super().save_model(request, obj, form, change)


@admin.register(RatingEvent)
class RatingEventAdmin(ReadOnly):
    """The log of results, with the ruling that one does not count."""

    list_display = ["match", "kind", "pool", "day", "reason", "code", "by", "why"]
    list_filter = ["kind", "code"]
    search_fields = ["=match__id"]
    actions = ["void", "unvoid"]

    @admin.action(description=_("Rule that these results do not count"))
    def void(self, request: HttpRequest, chosen: QuerySet[RatingEvent]) -> None:
        """Void results and rate again from their days on."""
        self._rule(request, chosen, ratings.void)

    @admin.action(description=_("Let these results count after all"))
    def unvoid(self, request: HttpRequest, chosen: QuerySet[RatingEvent]) -> None:
        """Take such rulings back."""
        self._rule(request, chosen, ratings.unvoid)

    def _rule(
        self,
        request: HttpRequest,
        chosen: QuerySet[RatingEvent],
        verb: Callable[[int, int | None, str, datetime], None],
    ) -> None:
        for match_id in set(chosen.values_list("match", flat=True)):
            try:
                verb(match_id, request.user.pk, "", timezone.now())
            except Refusal as refused:
                self.message_user(request, f"{match_id}: {refused}")
