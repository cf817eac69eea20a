"""Forms: the shape of what people send. Whether it makes sense is judged by the rules, play and offers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.numbers import whole
from oceans.clock import PACES
from oceans.play.opening import PATIENCE
from oceans.rules.asks import Amount, Ask, Cards, Fields, OneOf, Pick, parse
from oceans.rules.cards import Card
from oceans.rules.game import Game, Length
from oceans.rules.games import GAMES
from oceans.rules.moves import IllegalMove, Move
from oceans.rules.options import BadOptions, Choice, Flag, Kind, Whole, kinds, offered, read_options
from oceans.rules.orders import Order

VERBS: Mapping[str, Promise] = {
    "deal": _("Deal a card"),
    "concede": _("Concede"),
    "in": _("In"),
    "out": _("Out"),
    "check": _("Check"),
    "call": _("Call"),
    "bet": _("Bet"),
    "raise": _("Raise to"),
    "duel": _("Duel"),
    "plan": _("Plan"),
    "fold": _("Fold"),
    "draw": _("Draw"),
    "pass": _("Pass"),
    "open": _("Open"),
    "knock": _("Knock"),
    "show": _("Show"),
    "forget": _("Forget it"),
    "bid": _("Bid"),
    "discard": _("Discard"),
}
"""What buttons say. A verb that is missing here is shown as it is written in the log."""

WHOLE: Mapping[str, Promise] = {"draw": _("Stand pat")}
"""What answers are called that say no more than their verb, where that is not what the verb is called."""

SURE: Mapping[str, Promise] = {"concede": _("Concede %(place)s")}
"""What is asked again before a move that cannot be taken back; `place` is such as "hand 8"."""


def label_of(move: Move) -> str:
    """What the button for a move says: "Deal a card", "Raise to 20"."""
    if move.verb == "raise" and move.amount is not None:
        return str(_("Raise to %(amount)d")) % {"amount": move.amount}
    words = str(VERBS.get(move.verb, move.verb.replace("-", " ").capitalize()))
    rest = str(move).removeprefix(move.verb).strip()
    return f"{words} {rest}" if rest else words


def answer_label(move: Move) -> str:
    """What a whole answer is called once it is given: "Stand pat" for a draw of no cards."""
    return str(WHOLE.get(str(move)) or label_of(move))


@dataclass(frozen=True, slots=True)
class Button:
    """One answer that is a word. `warning` marks those that are asked again before they are sent, as `sure` says."""

    value: str
    label: str
    verb: str
    warning: str = ""
    sure: str = ""


@dataclass(frozen=True, slots=True)
class AmountField:
    """An answer with a number."""

    verb: str
    label: str
    low: int
    high: int
    step: int


@dataclass(frozen=True, slots=True)
class CardsField:
    """An answer with cards of the seat's own."""

    verb: str
    label: str
    cards: tuple[Card, ...]
    fewest: int
    most: int


class FieldsForm(forms.Form):
    """The fields of an answer that has several, such as a betting plan."""

    def __init__(self, ask: Fields, data: QueryDict | None = None, initial: Mapping[str, object] | None = None) -> None:
        super().__init__(data, initial=initial)
        for name, (kind, default) in ask.terms().items():
            self.fields[name] = _option_field(kind, default)


@dataclass(frozen=True, slots=True)
class MoveForm:
    """The form of an ask: its parts by kind, and how to read what was sent back."""

    ask: Ask
    buttons: tuple[Button, ...]
    amounts: tuple[AmountField, ...]
    cards: tuple[CardsField, ...]
    fields: FieldsForm | None = None

    @classmethod
    def of(
        cls,
        ask: Ask,
        warnings: Mapping[str, str],
        place: str = "",
        labels: Mapping[str, str] | None = None,
        values: Mapping[str, object] | None = None,
    ) -> "MoveForm":
        """The form for an ask, with the game's warnings and labels by verb; `place` is where the match stands,
        `values` what fields begin with."""
        if isinstance(ask, Fields):
            return cls(ask, (), (), (), FieldsForm(ask, initial=values))
        asks: Iterable[Ask] = ask.asks if isinstance(ask, OneOf) else (ask,)
        buttons, amounts, cards = [], [], []
        for one in asks:
            if isinstance(one, Pick):
                buttons += [_button(move, warnings.get(move.verb, ""), place, labels or {}) for move in one.choices]
            elif isinstance(one, Amount):
                label = label_of(Move(one.verb))
                amounts.append(AmountField(one.verb, label, one.low, one.high, one.step))
            elif isinstance(one, Cards):
                cards.append(CardsField(one.verb, label_of(Move(one.verb)), one.of, one.fewest, one.most))
        return cls(ask, tuple(buttons), tuple(amounts), tuple(cards))

    @property
    def careful(self) -> tuple[Button, ...]:
        """Answers that are asked again."""
        return tuple(button for button in self.buttons if button.warning)

    @property
    def plain(self) -> tuple[Button, ...]:
        return tuple(button for button in self.buttons if not button.warning)

    def read(self, posted: QueryDict) -> Move:
        """The move that was sent. Raises IllegalMove with a sentence for the player."""
        if isinstance(self.ask, Fields) and not posted.get("move"):
            return self._filled(FieldsForm(self.ask, posted))
        fields = {name: posted.get(name, "") for name in ("move", "amount")}
        return parse(self.ask, fields, tuple(posted.getlist("cards")))

    def _filled(self, form: FieldsForm) -> Move:
        if not form.is_valid():
            name, errors = next(iter(form.errors.items()))
            raise IllegalMove(f"{form.fields[name].label}: {errors[0]}")
        assert isinstance(self.ask, Fields)
        move = self.ask.filled(form.cleaned_data)
        if (reason := self.ask.refuse(move)) is not None:
            raise IllegalMove(reason)
        return move


def _button(move: Move, warning: str, place: str, labels: Mapping[str, str]) -> Button:
    label = labels.get(move.verb) or label_of(move)
    sure = str(SURE[move.verb]) % {"place": place} if move.verb in SURE else label
    return Button(str(move), label, move.verb, warning, sure)


def turn_of(posted: QueryDict) -> int:
    """The turn the page was made at; -1, which no match is at, if what was sent is no number."""
    turn = whole(posted.get("turn", ""), 9)
    return -1 if turn is None else turn


LEAVE_CHOICES = (
    ("all", _("all of it")),
    ("7", _("up to 7 days")),
    ("14", _("up to 14 days")),
    ("none", _("none: clocks run on")),
)
USUAL = "usual"
"""The pace that is usual for the number of players."""
OPPONENTS = (
    ("anyone", _("Anyone")),
    ("named", _("A player I name")),
    ("link", _("Whoever has the private link")),
)


class HistoryForm(forms.Form):
    """Which of somebody's finished games to list. What makes no sense is as if it were not asked."""

    game = forms.ChoiceField(
        label=_("Game"),
        required=False,
        choices=lambda: [("", _("All games")), *((game.slug, game.name) for game in GAMES)],
    )
    result = forms.ChoiceField(
        label=_("Result"),
        required=False,
        choices=[
            ("", _("Any result")),
            ("won", _("Won")),
            ("drawn", _("Drawn")),
            ("lost", _("Lost")),
            ("cancelled", _("Cancelled")),
        ],
    )
    opponent = forms.CharField(label=_("Against"), required=False, max_length=40)
    event = forms.CharField(label=_("Event"), required=False, max_length=80)

    def sought(self) -> dict[str, str]:
        """What was asked for, by the arguments of queries.history_of."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}


class OfferForm(forms.Form):
    """What somebody offers to play. The game is fixed for the form, as each has options of its own, and of those only
    the ones are offered that matter with the values of the others: `data` are values to be judged, `looked` values to
    go on from, as somebody sends them who wants to see what goes with them."""

    weekend = forms.BooleanField(label=_("Pause on weekends"), required=False)
    leave_allowed = forms.ChoiceField(label=_("Holiday that may be used"), choices=LEAVE_CHOICES, initial="all")
    rated = forms.BooleanField(label=_("Rated"), required=False, initial=True)
    opponent = forms.ChoiceField(label=_("Opponent"), choices=OPPONENTS, initial="anyone", widget=forms.RadioSelect)
    name = forms.CharField(label=_("Player name"), max_length=40, required=False)
    only_strangers = forms.BooleanField(label=_("Only somebody I have never played"), required=False)
    min_rating = forms.IntegerField(label=_("Rating from"), min_value=800, max_value=3000, required=False)
    max_rating = forms.IntegerField(label=_("Rating up to"), min_value=800, max_value=3000, required=False)
    entropy = forms.CharField(required=False, max_length=128, widget=forms.HiddenInput)

    def __init__(
        self,
        game: Game,
        paces: Iterable[tuple[str, str]],
        data: QueryDict | None = None,
        looked: QueryDict | None = None,
    ) -> None:
        given = looked if data is None else data
        super().__init__(data)
        self.game = game
        self._posted = {} if given is None else given
        self.fields["pace"] = _pace_field(game.seats, list(paces))
        if len(game.seats) > 1:
            counts = [(count, str(count)) for count in game.seats]
            self.fields["seats"] = forms.TypedChoiceField(label=_("Players"), choices=counts, coerce=int)
        if self.seat_count > 2:
            self.fields["patience"] = _patience_field()
        self._offered = offered(game, self._given(), self.seat_count)
        for name, (kind, default) in self._kinds().items():
            self.fields[f"option-{name}"] = _option_field(kind, default)
        if looked is not None:
            self._go_on_from(looked)

    @property
    def seat_count(self) -> int:
        """The number of players chosen, as far as it can be read."""
        count = whole(self._posted.get("seats", ""), 2)
        return count if count is not None and count in self.game.seats else self.game.seats[0]

    @property
    def chosen_pace(self) -> str:
        """The pace chosen, as far as it can be read."""
        pace = self._posted.get("pace", "") or str(self.fields["pace"].initial)
        return usual_pace(self.seat_count) if pace not in PACES else pace

    @property
    def shown(self) -> str:
        """The names of the options that are fields of this form, for `shown` of what is sent next."""
        return " ".join(self._kinds())

    @property
    def is_changed(self) -> bool:
        """Whether somebody has begun to fill it in."""
        return bool(self._posted)

    def length(self) -> Length | None:
        """How much play the match takes with these values; None if they do not go together."""
        chosen = {name: value for name, value in self._given().items() if name in self._offered}
        try:
            return self.game.length(read_options(self.game, chosen, self.seat_count), self.seat_count)
        except BadOptions:
            return None

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("opponent") == "named" and not cleaned.get("name"):
            self.add_error("name", _("Write the name of the player you mean."))
        if not self.errors:
            try:
                read_options(self.game, self._chosen(self._kinds()), self.seat_count)
            except BadOptions as refused:
                self.add_error(None, str(refused))
        return cleaned

    @property
    def option_fields(self) -> list[forms.BoundField]:
        """The fields that are the game's own."""
        return [self[name] for name in self.fields if name.startswith("option-")]

    def options(self) -> dict[str, object]:
        """The options chosen, by name; what does not matter is left at its default."""
        return self._chosen(self._offered)

    def agreed_pace(self) -> str:
        """The pace to play at."""
        chosen = str(self.cleaned_data["pace"])
        return usual_pace(self.seat_count) if chosen == USUAL else chosen

    def _chosen(self, names: Iterable[str]) -> dict[str, object]:
        given = self._given()
        return {name: self.cleaned_data[f"option-{name}"] for name in names if name in given}

    def _given(self) -> dict[str, object]:
        """The options as they were sent. A box that is not ticked is not sent; whether it was there to be ticked,
        `shown` tells."""
        were_shown = self._posted.get("shown", "").split()
        found: dict[str, object] = {}
        for name, (kind, _default) in kinds(self.game).items():
            sent = self._posted.get(f"option-{name}")
            if sent is not None or (isinstance(kind, Flag) and name in were_shown):
                found[name] = sent or ""
        return found

    def _kinds(self) -> dict[str, tuple[Kind, object]]:
        """The options to make fields of: those that matter, and where values are to be judged all that were sent, so
        that what does not go together is answered and can be seen."""
        if not self.is_bound:
            return self._offered
        every, found = kinds(self.game), {}
        for name, (kind, default) in every.items():
            if name in self._offered or name in self._given():
                fitting = self._offered.get(name, (kind, default))[0]
                found[name] = (fitting if _takes(fitting, self._posted.get(f"option-{name}")) else kind, default)
        return found

    def _go_on_from(self, looked: QueryDict) -> None:
        for name, field in self.fields.items():
            if isinstance(field, forms.BooleanField):
                was_there = not name.startswith("option-") or name.removeprefix("option-") in self._given()
                field.initial = name in looked if was_there else field.initial
            elif name in looked:
                field.initial = looked[name]


class OrderForm(forms.Form):
    """The terms of a standing order of one kind."""

    def __init__(
        self, order: type[Order], data: QueryDict | None = None, initial: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(data, initial=initial, prefix=order.kind)
        self.order = order
        self.is_change = initial is not None
        for name, (kind, default) in order.terms().items():
            self.fields[name] = _option_field(kind, default)


def usual_pace(seats: int) -> str:
    """The pace of a game that names none."""
    return "classic" if seats == 2 else "days-3"


def _pace_field(seats: range, paces: list[tuple[str, str]]) -> forms.ChoiceField:
    usual = usual_pace(seats[-1])
    if seats[0] == 2 < seats[-1]:
        usual = USUAL
        paces = [(USUAL, _("Usual: Classic for two, 3 days a move for more")), *paces]
    return forms.ChoiceField(label=_("Clock"), choices=paces, initial=usual)


def _patience_field() -> forms.TypedChoiceField:
    choices = [(count, str(count)) for count in PATIENCE]
    label = _("Missed turns in a row that end a player's game")
    return forms.TypedChoiceField(label=label, choices=choices, coerce=int, initial=2, required=False, empty_value=2)


def _takes(kind: Kind, sent: str | None) -> bool:
    try:
        kind.read("", sent or "")
    except BadOptions:
        return False
    return True


def _option_field(kind: Choice | Flag | Whole, default: object) -> forms.Field:
    if isinstance(kind, Choice):
        return forms.ChoiceField(
            label=kind.label, choices=kind.values, initial=default, required="" not in dict(kind.values)
        )
    if isinstance(kind, Flag):
        return forms.BooleanField(label=kind.label, initial=default, required=False)
    return forms.IntegerField(
        label=kind.label, min_value=kind.low, max_value=kind.high, initial=default, required=not kind.may_be_none
    )
