"""What staff may see and mend of play.

Shuffles, sealed answers, orders, notes and the log of moves are not here at all, so nothing on these pages tells a
card, a seed or a plan. The rest is read, and changed by actions that are verbs.
"""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from oceans import play
from oceans.models import Chat, Effect, Match, Offer, Outage, Seat, ServiceClock, TimeOut
from oceans.rules.games import by_slug


class ReadOnly:
    """Rows that are looked at; play alone writes them."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class Seats(ReadOnly, admin.TabularInline):
    """Who sits where, and the clocks where they tell nothing that is secret."""

    model = Seat

    def get_fields(self, request: HttpRequest, obj: Match | None = None) -> list[str]:
        clocks = [] if obj is None or _has_unnamed_waits(obj) else ["is_due", "deadline_s", "effective_s", "bank_s"]
        return ["number", "user", *clocks, "misses", "score", "place"]


def _has_unnamed_waits(match: Match) -> bool:
    try:
        return by_slug(match.game).has_unnamed_waits
    except KeyError:
        return False


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    """Matches by what everybody may know of them."""

    list_display = ["__str__", "game", "status", "pace", "event", "started_at", "finished_at", "ended_by", "attempts"]
    list_filter = ["status", "ended_by", "game", "pace"]
    search_fields = ["=id", "event", "label", "seats__user__username"]
    inlines = [Seats]
    actions = ["let_go_on"]
    show_full_result_count = False

    def get_exclude(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return ["story", "due_s"] if obj is not None and _has_unnamed_waits(obj) else ["story"]

    @admin.action(description=_("Let stopped games go on"), permissions=["unpark"])
    def let_go_on(self, request: HttpRequest, chosen: QuerySet[Match]) -> None:
        """Let parked matches go on with their clocks as they stood."""
        for match_id in chosen.filter(status=Match.Status.PARKED).order_by("pk").values_list("pk", flat=True):
            play.unpark(match_id=match_id, now=timezone.now())
            self.message_user(request, _("Game m-%(number)d goes on.") % {"number": match_id}, messages.SUCCESS)

    def has_unpark_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("oceans.change_match")


@admin.register(TimeOut)
class TimeOutAdmin(ReadOnly, admin.ModelAdmin):
    """What was judged, as of which deadline, and when."""

    list_display = ["match", "user", "outcome", "deadline_s", "judged_s", "judged_at", "spent_days"]
    list_filter = ["outcome"]
    search_fields = ["=match__id", "user__username"]
    list_select_related = ["match", "user"]


@admin.register(Offer)
class OfferAdmin(ReadOnly, admin.ModelAdmin):
    """Offers, without the tokens of private links."""

    list_display = ["match", "poster", "invitee", "state", "posted_at", "expires_at"]
    list_filter = ["state"]
    search_fields = ["=match__id", "poster__username", "invitee__username"]
    list_select_related = ["match", "poster", "invitee"]
    exclude = ["token"]


@admin.register(Chat)
class ChatAdmin(ReadOnly, admin.ModelAdmin):
    """Talk at matches. A line that must not stay can be deleted."""

    list_display = ["match", "room", "user", "text", "said_at"]
    search_fields = ["=match__id", "user__username", "text"]
    list_select_related = ["match", "user"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("oceans.delete_chat")


@admin.register(ServiceClock, Outage)
class TimeAdmin(ReadOnly, admin.ModelAdmin):
    """The service clock and the spans in which it stood."""


@admin.register(Effect)
class EffectAdmin(ReadOnly, admin.ModelAdmin):
    """What is owed to the rest of the site."""

    list_display = ["kind", "ref", "created_at", "done_at", "attempts"]
    list_filter = ["kind", "attempts"]
