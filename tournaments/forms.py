"""Forms of events: the shape of what people send; whether it makes sense is judged by running.py."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from oceans import queries
from tournaments import shapes
from tournaments.models import Tournament

Format = Tournament.Format

PACE_NAMES = {
    "classic": _("Classic: 10 days, + 36 h a turn"),
    "steady": _("Steady: 3 days, + 36 h a turn"),
    "brisk": _("Brisk: 3 days, + 12 h a turn"),
    "daily": _("Daily: 1 day, + 4 h a turn"),
    "days-1": _("1 day a move"),
    "days-2": _("2 days a move"),
    "days-3": _("3 days a move"),
    "days-5": _("5 days a move"),
    "days-7": _("7 days a move"),
}
HINTS = {
    Format.ROUND_ROBIN: _("Fair, takes longest. 3 to 16 players"),
    Format.KNOCK_OUT: _("Short. 2 to 64 players, best of one, three or five"),
    Format.SWISS: _("Equal scores meet. 4 to 200 players"),
    Format.CUP: _("Groups of up to 4 to 8, the best two go on"),
    Format.TABLES: _("Games for three to six, points by place"),
}


class EventForm(forms.Form):
    """A new tournament."""

    game = forms.ChoiceField(label=_("Game"))
    rated = forms.BooleanField(label=_("Rated"), required=False, initial=True)
    format = forms.ChoiceField(
        label=_("Shape"),
        choices=[(one.value, one.label) for one in shapes.MEMBERS_OFFER],
        initial=Format.ROUND_ROBIN,
        widget=forms.RadioSelect,
    )
    cycles = forms.TypedChoiceField(
        label=_("Everyone plays everyone"),
        choices=[(1, _("once")), (2, _("twice"))],
        coerce=int,
        initial=1,
        required=False,
    )
    serial = forms.BooleanField(label=_("One round at a time"), required=False)
    games = forms.TypedChoiceField(
        label=_("Games of a knockout match"),
        choices=[(1, "1"), (3, "3"), (5, "5")],
        coerce=int,
        initial=1,
        required=False,
    )
    third_place = forms.BooleanField(label=_("Play for third place"), required=False)
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=100, required=False)
    limit = forms.IntegerField(
        label=_("Players in a group, at most"), min_value=4, max_value=8, initial=6, required=False
    )
    target = forms.IntegerField(label=_("Players at a table"), min_value=3, max_value=6, initial=4, required=False)
    pace = forms.ChoiceField(label=_("Clock"), choices=[(pace, PACE_NAMES[pace]) for pace in shapes.PACES])
    leave = forms.BooleanField(label=_("Holidays stop the clock"), required=False, initial=True)
    weekend = forms.BooleanField(label=_("Pause on weekends"), required=False)
    name = forms.CharField(label=_("Name of the tournament"), max_length=80)
    text = forms.CharField(label=_("A few words about it"), max_length=2000, required=False, widget=forms.Textarea)
    most = forms.IntegerField(label=_("Players, at most"), min_value=2, max_value=200, initial=8)
    starts = forms.ChoiceField(label=_("Starts"), choices=Tournament.Starts, initial=Tournament.Starts.FULL)
    starts_at = forms.DateTimeField(
        label=_("Date (UTC)"), required=False, widget=forms.DateTimeInput(attrs={"type": "datetime-local"})
    )
    access = forms.ChoiceField(
        label=_("Who may join"), choices=Tournament.Access, initial=Tournament.Access.ANYONE, widget=forms.RadioSelect
    )
    password = forms.CharField(label=_("Password"), max_length=100, required=False)
    invited = forms.CharField(label=_("Names of those invited, with commas"), max_length=2000, required=False)
    min_rating = forms.IntegerField(label=_("Rating from"), min_value=0, max_value=4000, required=False)
    max_rating = forms.IntegerField(label=_("Rating up to"), min_value=0, max_value=4000, required=False)

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        games = self.fields["game"]
        assert isinstance(games, forms.ChoiceField)
        games.choices = [(one.slug, one.name) for one in queries.games()]

    def clean_invited(self) -> list[int]:
        """The invited, by id."""
        names = [name.strip() for name in self.cleaned_data["invited"].split(",") if name.strip()]
        found = {}
        for name in names[:200]:
            user = User.objects.filter(username__iexact=name, closed_at=None).first()
            if user is None:
                raise forms.ValidationError(_("There is no player called %(name)s."), params={"name": name})
            found[user.pk] = user
        return list(found)

    def terms(self) -> dict[str, Any]:
        """What running.create takes."""
        chosen = self.cleaned_data
        shape = {
            name: chosen[name] for name in ("cycles", "serial", "games", "third_place", "rounds", "limit", "target")
        }
        conditions = {name: chosen[name] for name in ("min_rating", "max_rating") if chosen[name] is not None}
        named = ("game", "rated", "format", "pace", "weekend", "name", "text", "most", "starts", "access", "password")
        by_date = chosen["starts"] == Tournament.Starts.DATE
        return {
            **{name: chosen[name] for name in named},
            "shape": {name: value for name, value in shape.items() if value not in (None, "")},
            "conditions": conditions,
            "invited": chosen["invited"],
            "starts_at": chosen["starts_at"] if by_date else None,
            "leave_allowed": "all" if chosen["leave"] else "none",
        }
