"""Forms of events: the shape of what people send; whether it makes sense is judged by running.py."""

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.queries import player_named
from oceans import queries
from oceans.refusals import BadRequest
from tournaments import event_words, shapes
from tournaments.event_rows import is_one_table
from tournaments.event_steps import RATED_FROM
from tournaments.models import Tournament

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

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
    Format.CUP: _("Groups of up to 4 to 8, then the best two. 4 to 64 players"),
    Format.TABLES: _("Games for three to six, points by place. 3 to 64 players"),
}


NAMES = 200
"""So many players can be named in one field."""
PACING = {"": _("all at once"), "round": _("one round at a time"), "2": "2", "3": "3", "4": "4", "6": "6"}
CONDITIONS = ("min_rating", "max_rating", "no_provisional", "min_games", "min_age_days", "most_timeouts")
SHAPE = (
    *("cycles", "pacing", "by_lots", "games", "in_turn", "third_place", "rounds", "limit"),
    *("target", "smallest", "largest", "scale", "final_table"),
)
FOR = {
    **dict.fromkeys(("cycles", "pacing", "by_lots"), "round-robin"),
    **dict.fromkeys(("games", "in_turn", "third_place"), "knock-out cup"),
    "rounds": "swiss tables",
    "limit": "cup",
    **dict.fromkeys(("target", "smallest", "largest", "scale", "final_table"), "tables"),
}
"""For which formats a detail is shown."""
SAID = (
    *("game", "rated", "format", *SHAPE, "pace", "most", "starts", "starts_at", "opens_at", "closes_at", "access"),
    *CONDITIONS,
)
"""What the sentence about an event is made from."""
ALWAYS_OPEN = ("name", "text", "directors", "are_games_open")
"""What can be changed while an event runs."""
OPEN_WHEN_ENTERED = (*ALWAYS_OPEN, "most", "starts_at", "closes_at", "password", "invited", *CONDITIONS)
"""What can be changed when somebody has entered."""


def _instant(label: "StrOrPromise") -> forms.DateTimeField:
    """A date with a time of day, which may be left out."""
    widget = forms.DateTimeInput({"type": "datetime-local"}, "%Y-%m-%dT%H:%M")
    return forms.DateTimeField(label=label, required=False, widget=widget)


class EventForm(forms.Form):
    """A new tournament, or the settings of one that is not over."""

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
    pacing = forms.ChoiceField(
        label=_("Games at the same time, per player"), choices=list(PACING.items()), required=False
    )
    by_lots = forms.BooleanField(label=_("Start numbers by lots, not by rating"), required=False)
    games = forms.TypedChoiceField(
        label=_("Games of a knockout match"),
        choices=[(1, "1"), (3, "3"), (5, "5")],
        coerce=int,
        initial=1,
        required=False,
    )
    in_turn = forms.BooleanField(label=_("Games of a match one after the other"), required=False)
    third_place = forms.BooleanField(label=_("Play for third place"), required=False)
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=100, required=False)
    limit = forms.IntegerField(
        label=_("Players in a group, at most"), min_value=4, max_value=8, initial=6, required=False
    )
    target = forms.IntegerField(label=_("Players at a table"), min_value=3, max_value=6, initial=4, required=False)
    smallest = forms.IntegerField(label=_("Smallest table"), min_value=3, max_value=6, required=False)
    largest = forms.IntegerField(label=_("Largest table"), min_value=3, max_value=6, required=False)
    scale = forms.RegexField(label=_("Points by place"), regex=r"^\d{1,3}(-\d{1,3}){2,5}$", required=False)
    final_table = forms.BooleanField(label=_("A final table of the best"), required=False)
    pace = forms.ChoiceField(label=_("Clock"), choices=[(pace, PACE_NAMES[pace]) for pace in shapes.PACES])
    leave = forms.BooleanField(label=_("Holidays stop the clock"), required=False, initial=True)
    weekend = forms.BooleanField(label=_("Pause on weekends"), required=False)
    name = forms.CharField(label=_("Name of the tournament"), max_length=80)
    text = forms.CharField(
        label=_("A few words about it"), max_length=2000, required=False, widget=forms.Textarea({"rows": 3})
    )
    most = forms.IntegerField(label=_("Players, at most"), min_value=2, max_value=5000, initial=8, required=False)
    starts = forms.ChoiceField(label=_("Starts"), choices=Tournament.Starts, initial=Tournament.Starts.FULL)
    starts_at = _instant(_("Date (UTC)"))
    opens_at = _instant(_("Entries open (UTC)"))
    closes_at = _instant(_("Entries close (UTC)"))
    access = forms.ChoiceField(
        label=_("Who may join"), choices=Tournament.Access, initial=Tournament.Access.ANYONE, widget=forms.RadioSelect
    )
    password = forms.CharField(label=_("Password"), max_length=100, required=False)
    invited = forms.CharField(label=_("Names of those invited, with commas"), max_length=5000, required=False)
    are_games_open = forms.BooleanField(label=_("Everybody may watch its games"), required=False)
    directors = forms.CharField(label=_("Further directors, with commas"), max_length=400, required=False)
    min_rating = forms.IntegerField(label=_("Rating from"), min_value=0, max_value=4000, required=False)
    max_rating = forms.IntegerField(label=_("Rating up to"), min_value=0, max_value=4000, required=False)
    min_games = forms.IntegerField(label=_("Rated games, at least"), min_value=1, max_value=10_000, required=False)
    min_age_days = forms.IntegerField(
        label=_("Days since signing up, at least"), min_value=1, max_value=3650, required=False
    )
    most_timeouts = forms.IntegerField(
        label=_("Lost on time, at most (percent)"), min_value=0, max_value=100, required=False
    )
    no_provisional = forms.BooleanField(label=_("Only settled ratings"), required=False)

    def __init__(self, data: QueryDict | None = None, *, by: User, event: Tournament | None = None) -> None:
        super().__init__(data, initial=_of(event) if event else None)
        self.by, self.event = by, event
        games = self.fields["game"]
        assert isinstance(games, forms.ChoiceField)
        games.choices = [(one.slug, one.name) for one in queries.games()]
        if event is not None:
            formats = self.fields["format"]
            assert isinstance(formats, forms.ChoiceField)
            if event.format not in shapes.MEMBERS_OFFER:
                formats.choices = [(event.format, Format(event.format).label)]
            open_ones = OPEN_WHEN_ENTERED if event.is_to_come else ALWAYS_OPEN
            for name, field in self.fields.items():
                field.disabled = bool(event.entered or not event.is_to_come) and name not in open_ones
            self.fields["opens_at"].disabled = not event.is_draft

    def clean_invited(self) -> list[int]:
        """The invited, by id."""
        return _people(self.cleaned_data["invited"])

    def clean_directors(self) -> list[int]:
        """Those who direct it too, by id."""
        return _people(self.cleaned_data["directors"])

    def clean_scale(self) -> list[int]:
        """Points by place, first place first."""
        return [int(points) for points in self.cleaned_data["scale"].split("-")] if self.cleaned_data["scale"] else []

    def details(self) -> list[tuple[forms.BoundField, str]]:
        """The details of the shape, each with the formats it is for."""
        return [(self[name], FOR[name]) for name in SHAPE]

    def has_wrong_details(self) -> bool:
        """Whether a detail was refused, so that they must be shown."""
        return any(name in self.errors for name in SHAPE)

    def shape(self) -> dict[str, Any]:
        """The details that were chosen, by the names of shapes.py."""
        chosen = self.cleaned_data
        plain = ("cycles", "games", "in_turn", "third_place", "rounds", "limit")
        tables = ("target", "smallest", "largest", "scale", "final_table")
        found = {name: chosen[name] for name in (*plain, *tables)}
        pacing = chosen["pacing"]
        found |= {"serial": pacing == "round", "at_a_time": int(pacing) if pacing.isdigit() else None}
        found["numbers"] = "lots" if chosen["by_lots"] else None
        return {name: value for name, value in found.items() if value not in (None, "", [])}

    def terms(self) -> dict[str, Any]:
        """What running.create takes; for an event that is there, what directing.change takes of it."""
        chosen = self.cleaned_data
        named = ("game", "rated", "format", "pace", "weekend", "name", "text", "most", "starts", "access")
        terms = {
            **{name: chosen[name] for name in named},
            "shape": self.shape(),
            "conditions": {name: chosen[name] for name in CONDITIONS if chosen[name] not in (None, False)},
            "starts_at": self._kept("starts_at") if chosen["starts"] == Tournament.Starts.DATE else None,
            "opens_at": self._kept("opens_at"),
            "closes_at": self._kept("closes_at"),
            "leave_allowed": "all" if chosen["leave"] else "none",
            "are_games_open": chosen["are_games_open"],
        }
        if self.event is not None:
            locked = {name for name, field in self.fields.items() if field.disabled}
            locked |= {"shape"} if "format" in locked else set()
            locked |= {"leave_allowed"} if "leave" in locked else set()
            locked |= {"conditions"} if "min_rating" in locked else set()
            terms = {name: value for name, value in terms.items() if name not in locked}
        people = {name: chosen[name] for name in ("password", "invited", "directors")}
        return {**terms, **people}

    def _kept(self, name: str) -> datetime | None:
        """The instant that was chosen. One that comes back as the page showed it, without its seconds, has not changed:
        that of an event that was put off has some."""
        chosen: datetime | None = self.cleaned_data[name]
        before: datetime | None = getattr(self.event, name, None)
        is_same = before is not None and chosen == before.replace(second=0, microsecond=0)
        return before if is_same else chosen

    def in_words(self) -> str:
        """What the choices come to, or the first thing that keeps them from fitting together; blank for what never
        ends."""
        if self.is_bound:
            for name in SAID:
                if name in self.errors:
                    return f"{self[name].label}: {self.errors[name][0]}"
        else:
            usual = {name: field.initial for name, field in self.fields.items()}
            self.cleaned_data = {**usual, "pacing": "", **self.initial, "scale": []}
        chosen = self.cleaned_data
        players = chosen["most"] or (self.event.entered if self.event else 0)
        game = chosen["game"] or queries.games()[0].slug
        if chosen["format"] == Format.INFINITY:
            return ""
        by = shapes.measured_by(self.event, self.by) if self.event else self.by
        try:
            shape = shapes.checked(self._wish(game, players), by, timezone.now())
        except BadRequest as refused:
            return str(refused)
        if players < 2:
            return str(_("Say how many players may enter: then this says how many games it comes to."))
        maker = self.event.made_by if self.event else self.by
        is_rated = chosen["rated"] and shapes.may_be_rated(chosen["access"], maker)
        if maker is not None and not maker.is_staff and players < RATED_FROM:
            is_rated = False
        sentence = event_words.sentence(
            chosen["format"],
            shape,
            players,
            game,
            chosen["pace"] or shapes.PACES[0],
            is_rated=is_rated,
            is_one_table=self.event is not None and is_one_table(self.event),
        )
        return str(_("In words: %(sentence)s") % {"sentence": sentence})

    def _wish(self, game: str, players: int) -> shapes.Wish:
        """What is asked for; of an event that is there without its times, which may have passed."""
        chosen = self.cleaned_data
        conditions = {name: chosen[name] for name in CONDITIONS if chosen[name]}
        wish = shapes.Wish(
            chosen["format"], game, self.shape(), players or None, Tournament.Starts.HAND, None, conditions
        )
        if self.event is not None:
            return wish
        starts_at = chosen["starts_at"] if chosen["starts"] == Tournament.Starts.DATE else None
        times = {"opens_at": chosen["opens_at"], "closes_at": chosen["closes_at"]}
        return replace(wish, starts=chosen["starts"], starts_at=starts_at, **times)


def _people(text: str) -> list[int]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if len(names) > NAMES:
        raise forms.ValidationError(_("Name at most %(most)d players at a time."), params={"most": NAMES})
    found = {}
    for name in names:
        user = player_named(name)
        if user is None:
            raise forms.ValidationError(_("There is no player called %(name)s."), params={"name": name})
        found[user.pk] = user
    return list(found)


def _of(event: Tournament) -> dict[str, Any]:
    """What the form shows of an event that is there."""
    shape = event.shape
    named = ("game", "rated", "format", "pace", "weekend", "name", "text", "most", "starts", "access")
    return {
        **{name: getattr(event, name) for name in (*named, "starts_at", "opens_at", "closes_at")},
        **{name: shape[name] for name in SHAPE if name in shape and name != "scale"},
        **{name: event.conditions.get(name) for name in CONDITIONS},
        "pacing": "round" if shape.get("serial") else str(shape.get("at_a_time") or ""),
        "by_lots": shape.get("numbers") == "lots",
        "scale": "-".join(map(str, shape.get("scale", []))),
        "leave": event.leave_allowed != "none",
        "are_games_open": event.are_games_open,
        "directors": ", ".join(event.directors.values_list("username", flat=True)),
    }
