"""Forms of the settings pages. They check shape; what is allowed is decided where it is done."""

import zoneinfo
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts import leave, news
from accounts.models import Suits, Theme, TurnMail, User
from accounts.news import Channel, Kind

_REGIONS = ("Africa/", "America/", "Antarctica/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/")


@cache
def zone_choices() -> list[tuple[str, str]]:
    """Time zones by the names of their cities, UTC first."""
    cities = sorted(name for name in zoneinfo.available_timezones() if name.startswith(_REGIONS))
    return [("UTC", "UTC"), *((name, name.replace("_", " ")) for name in cities)]


WAITING = (Kind.YOUR_TURN, Kind.DIGEST)
"""The kinds that one question, how often, turns on and off together."""
PUSHED = tuple(kind for kind in news.SWITCHABLE if kind != Kind.DIGEST)
SWITCHES = tuple(kind for kind in news.SWITCHABLE if kind not in WAITING)


class LookForm(forms.Form):
    """Colours and suits, from the foot of any page."""

    theme = forms.ChoiceField(choices=Theme, required=False)
    suits = forms.ChoiceField(choices=Suits, required=False)


class PlayingForm(forms.ModelForm):
    """How the site looks and behaves for a person."""

    time_zone = forms.ChoiceField(
        label=_("Time zone"), choices=zone_choices, help_text=_("All times are shown in this zone.")
    )

    class Meta:
        model = User
        fields = ["time_zone", "after_move", "keys_on", "theme", "suits"]
        widgets = {"after_move": forms.RadioSelect, "theme": forms.RadioSelect, "suits": forms.RadioSelect}


class MailForm(forms.ModelForm):
    """When the site writes, and about what."""

    digest_hour = forms.TypedChoiceField(
        label=_("Daily list at"), coerce=int, choices=[(hour, f"{hour:02}:00") for hour in range(24)]
    )

    class Meta:
        model = User
        fields = ["turn_mail", "digest_hour", "quiet_from", "quiet_to"]
        labels = {"quiet_from": _("Not from"), "quiet_to": _("until")}
        widgets = {
            "turn_mail": forms.RadioSelect,
            "quiet_from": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
            "quiet_to": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not any(news.wants(self.instance, kind) for kind in WAITING):
            self.initial["turn_mail"] = TurnMail.NEVER
        for kind in SWITCHES:
            self.fields[_switch_name(kind)] = forms.BooleanField(
                label=kind.label,
                required=False,
                initial=news.wants(self.instance, kind),
                help_text=news.PROMISES[kind].hint,
            )

    def switches(self) -> Iterator[forms.BoundField]:
        """The fields that turn one kind of mail on or off."""
        return (self[_switch_name(kind)] for kind in SWITCHES)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if (cleaned.get("quiet_from") is None) != (cleaned.get("quiet_to") is None):
            self.add_error("quiet_to", _("Give both ends of the quiet hours, or neither."))
        return cleaned

    def save(self, commit: bool = True) -> User:
        for kind in WAITING:
            news.switch(self.instance, kind, Channel.MAIL, self.cleaned_data["turn_mail"] != TurnMail.NEVER)
        for kind in SWITCHES:
            news.switch(self.instance, kind, Channel.MAIL, self.cleaned_data[_switch_name(kind)])
        user = super().save(commit=False)
        if commit:
            user.save(update_fields=[*self.Meta.fields, "news"])
        return user


class PushForm(forms.Form):
    """What notifications in browsers are about."""

    kinds = forms.MultipleChoiceField(
        label=_("Notify me about"),
        choices=[(kind.value, kind.label) for kind in PUSHED],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    def save(self, user: User) -> None:
        for kind in PUSHED:
            news.switch(user, kind, Channel.PUSH, kind in self.cleaned_data["kinds"])
        user.save(update_fields=["news"])


def _switch_name(kind: Kind) -> str:
    return f"mail-{kind}"


class HolidayForm(forms.Form):
    """Leave from one day to another, both whole days where the person is."""

    first = forms.DateField(label=_("From"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    last = forms.DateField(
        label=_("Until, that day included"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        first, last = cleaned.get("first"), cleaned.get("last")
        if first and last and not timedelta() <= last - first <= leave.MOST * leave.DAY:
            self.add_error(
                "last", _("Choose a day on or after the first one, at most %(most)d days later.") % {"most": leave.MOST}
            )
        return cleaned

    def stretch(self, zone: zoneinfo.ZoneInfo, now: datetime) -> tuple[datetime, int]:
        """When the leave begins and how many days of 24 hours it takes; today means now, and days that are over
        take none."""
        first: date = self.cleaned_data["first"]
        last: date = self.cleaned_data["last"]
        begins = datetime.combine(first, time(), tzinfo=zone)
        ends = datetime.combine(last, time.max, tzinfo=zone)
        begins = max(begins, now)
        return begins, -((begins - ends) // leave.DAY)


class RenameForm(forms.Form):
    """Another name for oneself."""

    name = forms.CharField(label=_("New name"), max_length=64, widget=forms.TextInput(attrs={"autocomplete": "off"}))


class CloseForm(forms.Form):
    """The name, typed again, before an account is closed."""

    name = forms.CharField(
        label=_("Type your name to confirm"), max_length=64, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name.lower() != self.user.username.lower():
            raise forms.ValidationError(_("This is not your name. Type it as it is shown above."))
        return name
