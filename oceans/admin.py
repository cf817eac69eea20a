"""What staff may see and mend of play.

Shuffles, sealed answers, orders, notes and the log of moves are not here at all, so nothing on these pages tells a
card, a seed or a plan. The rest is read, and changed by actions that are verbs.

Staff play too: of games that do not say whom they wait for, nothing here tells it either before they are over. What
would is left out of lists and searches, not only of what they print (docs/decisions/0005-staff-play-too.md).
"""

from typing import Any

from django.contrib import admin, messages
from django.db.models import BigIntegerField, Exists, Model, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import news
from accounts.admin import LeaveAdmin, NoticeAdmin
from accounts.models import Leave, Notice
from oceans import play
from oceans.models import Chat, Effect, Match, Offer, Outage, Seat, ServiceClock, TimeOut
from oceans.rules.games import GAMES, by_slug

TURN_NEWS = (news.Kind.YOUR_TURN, news.Kind.RUNNING_OUT, news.Kind.TIMED_OUT)
"""News that somebody has been asked. Their context names the match."""


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
        clocks = ["is_due", "deadline_s", "effective_s", "bank_s", "misses"]
        return ["number", "user", *([] if obj is None or _has_unnamed_waits(obj) else clocks), "score", "place"]


def _has_unnamed_waits(match: Match) -> bool:
    try:
        return by_slug(match.game).has_unnamed_waits
    except KeyError:
        return False


def _secretive(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Those of the matches that may still say, by what became of their clocks, who was asked."""
    slugs = [game.slug for game in GAMES if game.has_unnamed_waits]
    return matches.filter(game__in=slugs, status__in=(Match.Status.RUNNING, Match.Status.PARKED))


class ShownWhenOver(ReadOnly, admin.ModelAdmin):
    """Rows that would tell who was asked are listed when the game is over, and the page says so."""

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        told = _("Without what tells who is asked in a running game that does not say it.")
        return super().changelist_view(request, {"subtitle": told, **(extra_context or {})})


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

    @admin.action(description=gettext_lazy("Let stopped games go on"), permissions=["unpark"])
    def let_go_on(self, request: HttpRequest, chosen: QuerySet[Match]) -> None:
        """Let parked matches go on with their clocks as they stood."""
        for match_id in chosen.filter(status=Match.Status.PARKED).order_by("pk").values_list("pk", flat=True):
            play.unpark(match_id=match_id, now=timezone.now())
            self.message_user(request, _("Game m-%(number)d goes on.") % {"number": match_id}, messages.SUCCESS)

    def has_unpark_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("oceans.change_match")


@admin.register(TimeOut)
class TimeOutAdmin(ShownWhenOver):
    """What was judged, as of which deadline, and when."""

    list_display = ["match", "user", "outcome", "deadline_s", "judged_s", "judged_at", "spent_days"]
    list_filter = ["outcome"]
    search_fields = ["=match__id", "user__username"]
    list_select_related = ["match", "user"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[TimeOut]:
        return super().get_queryset(request).exclude(match__in=_secretive(Match.objects.all()))


admin.site.unregister([Leave, Notice])


@admin.register(Leave)
class LeaveTaken(LeaveAdmin):
    """Leave that was taken. Days that were spent automatically stand with the time-outs."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Leave]:
        return super().get_queryset(request).filter(is_automatic=False)


@admin.register(Notice)
class NoticesWithoutTurns(ShownWhenOver, NoticeAdmin):
    """The outbox, without news about turns of such games, and without days of leave of those who play them."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Notice]:
        number = Cast(KeyTextTransform("match", OuterRef("context")), BigIntegerField())
        of_turn = Q(Exists(_secretive(Match.objects.filter(pk=number))), kind__in=TURN_NEWS)
        players = Seat.objects.filter(match__in=_secretive(Match.objects.all())).values("user")
        of_leave = Q(kind=news.Kind.LEAVE_SPENT, user__in=players)
        return super().get_queryset(request).exclude(of_turn).exclude(of_leave)


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
