"""Competition for staff: mostly to read. Ladders are made here, and results ruled on."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ActionForm
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.numbers import whole
from oceans import queries
from oceans.refusals import Refusal
from tournaments import ratings
from tournaments.forms import PACE_NAMES
from tournaments.models import FairPlayReport, Ladder, LinkedAccounts, RatingEvent, Ticket, Tournament
from tournaments.queries.ratings import date_of


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


@admin.register(Ticket)
class TicketAdmin(ReadOnly):
    """Tickets for mini cups of a next level, won and used."""

    list_display = ["user", "series", "won_in", "won_at", "used_in", "is_revoked"]
    list_filter = ["series"]


class LadderForm(forms.ModelForm):
    """A ladder of a game that two can play, at a pace there is."""

    game = forms.ChoiceField(label=_("game"))
    pace = forms.ChoiceField(label=_("pace"), choices=PACE_NAMES.items(), initial="classic")

    class Meta:
        model = Ladder
        fields = ["name", "slug", "game", "pace"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"] = forms.ChoiceField(
            label=_("game"), choices=[(game.slug, game.name) for game in queries.games() if 2 in game.seats]
        )

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug == "ask":
            raise ValidationError(_("This address is taken by the page itself: choose another one."))
        return slug


@admin.register(Ladder)
class LadderAdmin(admin.ModelAdmin):
    """Ladders: a new one needs a name, an address, a game of two and a pace."""

    form = LadderForm
    list_display = ["name", "game", "pace", "top", "seq"]
    fields = ["name", "slug", "game", "pace"]

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Ladder, form: object, change: bool) -> None:
        if not change:
            obj.applied_at = timezone.now()
        super().save_model(request, obj, form, change)


class RulingForm(ActionForm):
    """What staff say with a ruling on results."""

    why = forms.CharField(label=_("Why"), max_length=200, required=False)
    ranks = forms.CharField(label=_("Ranks by seat, such as 1 2"), max_length=60, required=False)


@admin.register(RatingEvent)
class RatingEventAdmin(ReadOnly):
    """The log of results, with the rulings on how they count."""

    list_display = ["match", "kind", "pool", "day", "reason", "code", "by", "why"]
    list_filter = ["kind", "code"]
    search_fields = ["=match__id"]
    actions = ["void", "unvoid", "re_rank"]
    action_form = RulingForm

    @admin.action(description=_("Rule that these results do not count"))
    def void(self, request: HttpRequest, chosen: QuerySet[RatingEvent]) -> None:
        """Void results and rate again from their days on."""
        self._rule(request, chosen, ratings.void)

    @admin.action(description=_("Let these results count after all"))
    def unvoid(self, request: HttpRequest, chosen: QuerySet[RatingEvent]) -> None:
        """Take such rulings back."""
        self._rule(request, chosen, ratings.unvoid)

    @admin.action(description=_("Give the seats other ranks"))
    def re_rank(self, request: HttpRequest, chosen: QuerySet[RatingEvent]) -> None:
        """Rank the seats anew, in their order, and rate again from that day on."""
        words = request.POST.get("ranks", "").split()
        ranks = [rank for word in words if (rank := whole(word, 2)) is not None]

        def verb(match_id: int, by: int | None, why: str, now: datetime) -> None:
            ratings.re_rank(match_id, ranks, by, why, now)

        self._rule(request, chosen, verb)

    def _rule(
        self,
        request: HttpRequest,
        chosen: QuerySet[RatingEvent],
        verb: Callable[[int, int | None, str, datetime], None],
    ) -> None:
        for match_id in set(chosen.values_list("match", flat=True)):
            try:
                verb(match_id, request.user.pk, request.POST.get("why", ""), timezone.now())
            except Refusal as refused:
                self.message_user(request, f"{match_id}: {refused}")


@admin.register(FairPlayReport)
class FairPlayReportAdmin(ReadOnly):
    """What stood out in the ratings, night by night."""

    list_display = ["day_read", "pairs_read", "gains_read"]
    fields = ["day_read", "pairs_read", "gains_read"]
    readonly_fields = ["day_read", "pairs_read", "gains_read"]

    @admin.display(description=_("day"), ordering="day")
    def day_read(self, report: FairPlayReport) -> str:
        """The day in letters."""
        return f"{date_of(report.day):%Y-%m-%d}"

    @admin.display(description=_("won nearly everything from one account"))
    def pairs_read(self, report: FairPlayReport) -> str:
        """One line for each pair."""
        names = _names({user for one in report.pairs for user in (one["winner"], one["loser"])})
        line = gettext(
            "%(pool)s: %(winner)s against %(loser)s, %(results)d results, scored %(scored)s, expected %(expected)s"
        )
        return self._lines(
            line % {**one, "winner": names[one["winner"]], "loser": names[one["loser"]]} for one in report.pairs
        )

    @admin.display(description=_("gained much from few accounts"))
    def gains_read(self, report: FairPlayReport) -> str:
        """One line for each account."""
        names = _names({one["user"] for one in report.gains})
        line = gettext("%(pool)s: %(user)s gained %(points)s points, opponents: %(opponents)d")
        return self._lines(line % {**one, "user": names[one["user"]]} for one in report.gains)

    def _lines(self, lines: Iterable[str]) -> str:
        return format_html_join(mark_safe("<br>"), "{}", ((line,) for line in lines)) or "–"


def _names(users: set[int]) -> dict[int, str]:
    return {user.pk: user.shown_name for user in User.objects.filter(pk__in=users)}


class LinkForm(forms.ModelForm):
    """Two accounts and the time in which they belong together."""

    class Meta:
        model = LinkedAccounts
        fields = ["low", "high", "since", "until", "why"]
        labels = {"low": _("one account"), "high": _("the other account")}

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("low") and given.get("high"):
            if given["low"] == given["high"]:
                raise ValidationError(_("Name two different accounts."))
            given["low"], given["high"] = sorted((given["low"], given["high"]), key=lambda user: user.pk)
        if given.get("until") and given.get("since") and given["until"] <= given["since"]:
            raise ValidationError(_("The end must be later than the beginning."))
        return given


@admin.register(LinkedAccounts)
class LinkedAccountsAdmin(admin.ModelAdmin):
    """Accounts that belong together. To change a link, delete it and make it anew: both rate again what it touches."""

    form = LinkForm
    list_display = ["low", "high", "since", "until", "why", "by"]
    raw_id_fields = ["low", "high"]
    search_fields = ["low__username", "high__username"]

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: LinkedAccounts, form: object, change: bool) -> None:
        made = ratings.link(
            obj.low_id,
            obj.high_id,
            since=obj.since,
            until=obj.until,
            by=request.user.pk,
            why=obj.why,
            now=timezone.now(),
        )
        obj.pk = made.pk

    def delete_model(self, request: HttpRequest, obj: LinkedAccounts) -> None:
        ratings.unlink(obj, request.user.pk, timezone.now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[LinkedAccounts]) -> None:
        for linked in queryset:
            self.delete_model(request, linked)
