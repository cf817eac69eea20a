"""The rows of play: matches, seats, logs, shuffles, offers, and the service clock.

The log and what decks derive from are the truth; `ledger.record` keeps every derived column in step with them, and
`manage.py rederive` can rebuild those. Times named `..._s` are seconds of service time (see ServiceClock), times
named `..._at` are instants.
"""

from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

CHAT_LENGTH: Final = 500
NOTE_LENGTH: Final = 4000


class Match(models.Model):
    """One playing of a game by two to twelve seats, from the offer of it to its result."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")
        PARKED = "parked", _("stopped for repair")

    class EndedBy(models.TextChoices):
        """How a match came to its end; those of a cancelled one are also the reasons FS1 publishes."""

        PLAYED = "played", _("played to the end")
        RESIGNED = "resigned", _("resignation")
        TIME = "time", _("time")
        DRAWN_ON_TIME = "drawn-on-time", _("both out of time")
        NEVER_MOVED = "never-moved", _("first move never made")
        ABANDONED = "abandoned", _("nobody came back")
        WITHDRAWN = "withdrawn", _("offer withdrawn")
        DECLINED = "declined", _("invitation declined")
        EXPIRED = "expired", _("offer expired")
        ACCOUNT_CLOSED = "account-closed", _("a player left the site")
        BY_STAFF = "by-staff", _("ended by the staff")

    game = models.SlugField(max_length=40)
    rules_version = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    seat_count = models.PositiveSmallIntegerField()
    pace = models.SlugField(max_length=20)
    weekend = models.BooleanField(default=False)
    """Whether clocks stand on Saturdays and Sundays (UTC)."""
    leave_allowed = models.CharField(max_length=4, default="all")
    """`all`, `none`, or the number of days a seat may use in this match."""
    rated = models.BooleanField(default=False)
    open_archive = models.BooleanField(default=True)
    """Whether all cards become public when the match ends."""
    patience = models.PositiveSmallIntegerField(default=2)
    """Default moves in a row after which a seat is retired; two-seat matches end with the first."""
    label = models.CharField(max_length=120, blank=True)
    event = models.CharField(max_length=60, blank=True)
    """The key an event opened this match under; blank for a match between people who met in the waiting room."""
    rematch_of = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="rematch", editable=False
    )

    commitment = models.CharField(max_length=64, blank=True, editable=False)
    """FS1's C in hex, public from the moment the match can be joined. Also tells apart matches of one number."""
    are_seats_drawn = models.BooleanField(default=True)
    """Whether seats were drawn by FS1; in a rematch they are turned instead, in an event given by its rules."""
    is_private = models.BooleanField(default=False)
    """Whether only those who play it, and those whom its event lets in, may see it."""

    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    deal_no = models.PositiveIntegerField(default=0)
    turn = models.PositiveIntegerField(default=0)
    log_length = models.PositiveIntegerField(default=0)
    due_s = models.BigIntegerField(null=True, blank=True)
    """The earliest second of service time at which a seat may be timed out."""
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    moved_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.CharField(max_length=14, choices=EndedBy, blank=True)
    result = models.JSONField(null=True, blank=True)
    """Places and score by seat, once finished."""
    story = models.JSONField(null=True, blank=True)
    """The public story, stored when the match ends, so that archives never need retired rules."""
    unrated_because = models.SlugField(max_length=20, blank=True)
    """Why a match agreed as rated does not count after all."""

    attempts = models.PositiveSmallIntegerField(default=0)
    """Failed attempts in a row to play on without a person."""
    parked_at = models.DateTimeField(null=True, blank=True)

    # What the doors in access.py read along for the viewer; no columns.
    viewer: int | None
    own_order: str | None
    own_order_body: dict[str, Any] | None
    own_note: str | None
    own_afterwards: str | None
    waiting: int

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        constraints = [
            models.CheckConstraint(condition=Q(seat_count__gte=1, seat_count__lte=12), name="match_has_seats"),
            models.CheckConstraint(
                condition=Q(due_s=None) | Q(status="running"), name="only_running_matches_run_out_of_time"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["finished", "cancelled"], finished_at__isnull=False)
                | (~Q(status__in=["finished", "cancelled"]) & Q(finished_at=None)),
                name="match_ended_has_its_time",
            ),
        ]
        indexes = [
            models.Index(fields=["due_s"], name="match_due", condition=Q(due_s__isnull=False)),
            models.Index(fields=["event"], name="match_of_event", condition=~Q(event="")),
            models.Index(fields=["-finished_at", "-id"], name="match_ended", condition=Q(status="finished")),
            models.Index(fields=["-moved_at", "-id"], name="match_running", condition=Q(status="running")),
        ]

    def __str__(self) -> str:
        return f"{self.fair_id} {self.game} {self.status}"

    @property
    def fair_id(self) -> str:
        """The match id of FS1, hashed into every commitment of the match."""
        return f"m-{self.pk}"

    @property
    def rules_id(self) -> str:
        """The rules id of FS1."""
        return f"{self.game}/{self.rules_version}"

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING

    @property
    def is_over(self) -> bool:
        return self.status in (self.Status.FINISHED, self.Status.CANCELLED)


class Seat(models.Model):
    """A numbered place at a match and who sits there, with the seat's clock.

    A clock runs while `deadline_s` is set, which is exactly while the seat must answer and has not.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seats")
    joined = models.PositiveSmallIntegerField()
    """The order of joining, from 0: the participant's number in FS1."""

    is_due = models.BooleanField(default=False)
    turn_since_at = models.DateTimeField(null=True, blank=True)
    bank_s = models.BigIntegerField(default=0)
    """Time left when the clock last stood; 0 where each turn has time of its own."""
    started_s = models.BigIntegerField(null=True, blank=True)
    deadline_s = models.BigIntegerField(null=True, blank=True)
    notice_s = models.BigIntegerField(null=True, blank=True)
    """When the final reminder of this turn had gone out or could not go out."""
    effective_s = models.BigIntegerField(null=True, blank=True)
    """When the seat may be timed out: the deadline, or later where notice came late."""
    remind_s = models.BigIntegerField(null=True, blank=True)
    """When the final reminder is due; None once it is owed."""

    misses = models.PositiveSmallIntegerField(default=0)
    """Default moves in a row."""
    has_moved = models.BooleanField(default=False)
    leave_days = models.PositiveSmallIntegerField(default=0)
    """Days of leave used in this match."""
    seen_number = models.PositiveIntegerField(default=0)
    """The last log entry that existed when the player looked."""
    score = models.IntegerField(default=0)
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    reply_s = models.PositiveBigIntegerField(null=True, blank=True)
    """The median time this player took for a visit, known once the match is over."""
    ended_at = models.DateTimeField(null=True, blank=True)
    """`finished_at` of the match, here so that a player's lists need no other table."""
    end_seen_at = models.DateTimeField(null=True, blank=True)

    # What play reads along with a seat and keeps beside it; no columns.
    is_bot: bool
    email: str
    has_company: bool
    stored: dict[str, Any]

    # What queries read along with a seat, of its user and of the service clock; no columns.
    username: str
    is_guest: bool
    closed_at: datetime | None
    service_s: int
    last_wall: datetime | None
    down_since: datetime | None
    hold_s: int
    paused: bool

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="seat_once"),
            models.UniqueConstraint(fields=["match", "user"], name="one_seat_each"),
            models.CheckConstraint(condition=Q(is_due=True) | Q(deadline_s=None), name="clock_runs_while_due"),
        ]
        indexes = [
            models.Index(fields=["user", "deadline_s", "id"], name="seat_due", condition=Q(is_due=True)),
            models.Index(fields=["effective_s"], name="seat_out_of_time", condition=Q(effective_s__isnull=False)),
            models.Index(fields=["remind_s"], name="seat_remind", condition=Q(remind_s__isnull=False)),
            models.Index(fields=["user"], name="seat_playing", condition=Q(ended_at=None)),
            models.Index(fields=["user", "-ended_at", "-match"], name="seat_history"),
            models.Index(
                fields=["user"], name="seat_end_unseen", condition=Q(ended_at__isnull=False, end_seen_at=None)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}.{self.number}"


class Shuffle(models.Model):
    """What the decks of a match derive from, together with a master key that is not in the database."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="+")
    key_number = models.PositiveSmallIntegerField()
    nonce = models.BinaryField(max_length=32, unique=True)

    # What the ledger reads along of a participant; no columns.
    entropy: bytes | None
    source: str | None

    def __str__(self) -> str:
        return f"shuffle of {self.match_id}"


class SeatEntropy(models.Model):
    """One who joined a match, in order, and the part of the shuffle that comes from there."""

    class Source(models.TextChoices):
        OWN = "own"
        SERVER = "server"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    index = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    entropy = models.BinaryField(max_length=64)
    source = models.CharField(max_length=6, choices=Source)
    commitment = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="participant_once"),
            models.UniqueConstraint(fields=["match", "user"], name="joins_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}: participant {self.index}"


class Cause(models.TextChoices):
    """What made an entry of the log."""

    SEAT = "seat"
    FORCED = "forced"
    ORDER = "order"
    CLOCK = "clock"
    RETIRE = "retire"
    DRAW = "draw"


class MoveLog(models.Model):
    """One input of a match. Cards are not logged: they follow from the shuffle."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()
    deal_no = models.PositiveIntegerField()
    turn = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    text = models.CharField(max_length=200, blank=True)
    cause = models.CharField(max_length=6, choices=Cause)
    made_at = models.DateTimeField()
    waited_s = models.PositiveBigIntegerField(null=True, blank=True)
    """How long the seat took, on the first move of a visit; None on others and on moves no person made."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="entry_once"),
            models.UniqueConstraint(
                fields=["match", "turn", "seat"],
                condition=~Q(cause__in=["retire", "draw"]),
                name="one_answer_a_turn",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}#{self.number} seat {self.seat}: {self.text}"


class SealedAnswer(models.Model):
    """An answer that waits for the others; its owner may replace it until they are in."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    turn = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=200)
    cause = models.CharField(max_length=6, choices=Cause)
    made_at = models.DateTimeField()
    waited_s = models.PositiveBigIntegerField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_sealed_answer")]

    def __str__(self) -> str:
        return f"{self.match_id}.{self.seat} at turn {self.turn}"


class Order(models.Model):
    """A standing order of a seat, as its class writes it; None but its owner ever sees it."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField()
    kind = models.SlugField(max_length=40)
    body = models.JSONField(default=dict)
    placed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_order_a_seat")]

    def __str__(self) -> str:
        return f"{self.match_id}.{self.seat}: {self.kind}"


class Offer(models.Model):
    """An open match that others may join: in the waiting room, by invitation, or by a private link."""

    class State(models.TextChoices):
        OPEN = "open"
        TAKEN = "taken"
        WITHDRAWN = "withdrawn"
        DECLINED = "declined"
        EXPIRED = "expired"

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="offer")
    poster = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="offers")
    invitee = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    token = models.CharField(max_length=32, unique=True, null=True, blank=True)
    """What a private link ends in."""
    only_strangers = models.BooleanField(default=False)
    """Only for people who have never played a match against the poster."""
    min_rating = models.PositiveSmallIntegerField(null=True, blank=True)
    max_rating = models.PositiveSmallIntegerField(null=True, blank=True)
    """Only for people whose rating in the game lies between these; None is no limit."""
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    posted_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    # What queries read along of those who joined; no columns.
    taken: int
    has_joined: bool

    class Meta:
        indexes = [
            models.Index(
                F("match").desc(), name="offer_in_waiting_room", condition=Q(state="open", invitee=None, token=None)
            ),
            models.Index(fields=["poster"], name="offer_of_poster", condition=Q(state="open")),
            models.Index(fields=["poster", "posted_at"], name="offer_posted"),
            models.Index(fields=["invitee"], name="offer_to_invitee", condition=Q(state="open")),
            models.Index(fields=["expires_at"], name="offer_expires", condition=Q(state="open")),
        ]

    def __str__(self) -> str:
        return f"offer of {self.match_id} {self.state}"

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def is_public(self) -> bool:
        """Whether it stands in the waiting room."""
        return self.invitee_id is None and self.token is None


class Chat(models.Model):
    """A line said at a match: by players to each other, or among those who watch."""

    class Room(models.TextChoices):
        PLAYERS = "players", _("players")
        WATCHERS = "watchers", _("watchers")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    room = models.CharField(max_length=8, choices=Room)
    text = models.CharField(max_length=CHAT_LENGTH)
    said_at = models.DateTimeField()

    # What queries read along of the user; no columns.
    username: str
    is_bot: bool
    is_guest: bool
    closed_at: datetime | None

    class Meta:
        indexes = [models.Index(fields=["match", "room", "id"], name="chat_of_match")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.user_id}"


class Note(models.Model):
    """What a person wrote about a match: a note that stays private for ever, and words for all once it is over."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(blank=True, validators=[MaxLengthValidator(NOTE_LENGTH)])
    afterwards = models.TextField(blank=True, validators=[MaxLengthValidator(NOTE_LENGTH)])
    """Shown to its author during play, to everybody afterwards."""
    written_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="one_note_each")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.user_id}"


class TimeOut(models.Model):
    """A seat's time ran out: what was judged, as of which deadline, and when."""

    class Outcome(models.TextChoices):
        LOST = "lost"
        DRAWN = "drawn"
        CANCELLED = "cancelled"
        FORFEITED = "forfeited"
        DEFAULT_MOVE = "default-move"
        RETIRED = "retired"
        LEAVE_SPENT = "leave-spent"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="time_outs")
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="time_outs")
    turn = models.PositiveIntegerField()
    started_s = models.BigIntegerField()
    deadline_s = models.BigIntegerField()
    effective_s = models.BigIntegerField()
    judged_s = models.BigIntegerField()
    judged_at = models.DateTimeField()
    outcome = models.CharField(max_length=12, choices=Outcome)
    spent_days = models.PositiveSmallIntegerField(default=0)
    """Days of leave spent instead of the match."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "turn", "seat", "deadline_s"], name="time_out_judged_once"),
            models.CheckConstraint(
                condition=Q(judged_s__gte=F("effective_s"), effective_s__gte=F("deadline_s")),
                name="time_out_not_early",
            ),
        ]
        indexes = [models.Index(fields=["user", "judged_at"], name="time_out_of_user")]

    def __str__(self) -> str:
        return f"{self.match_id}.{self.seat} {self.outcome}"


class NoShow(models.Model):
    """Somebody saw the cards of a match against people and left it, or its clock, without a move."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="no_show_once")]
        indexes = [models.Index(fields=["user", "at"], name="no_show_of_user")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.user_id}"


class ServiceClock(models.Model):
    """The one clock all deadlines are counted on: seconds during which the site could be used (one row).

    It goes forward with each tick by at most LONGEST_STEP, never back, and not at all over an outage.
    """

    LONGEST_STEP: Final = timedelta(seconds=300)

    service_s = models.BigIntegerField(default=0)
    last_wall = models.DateTimeField()
    down_since = models.DateTimeField(null=True, blank=True)
    hold_s = models.PositiveBigIntegerField(default=0)
    """Seconds by which clocks still stand after an outage."""
    paused = models.BooleanField(default=False)
    last_tick_at = models.DateTimeField(null=True, blank=True)
    figures = models.JSONField(default=dict)
    """What the last tick did and found, for health pages and metrics."""
    mass_held_since_s = models.BigIntegerField(null=True, blank=True)
    """Since when an unlikely number of time-outs waits for a person to confirm them; None in normal times."""

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="one_service_clock")]

    def __str__(self) -> str:
        return f"{self.service_s} s"

    def at(self, now: datetime) -> int:
        """Service time at an instant since the last tick: where a turn that begins now starts."""
        if self.paused or self.down_since or self.hold_s:
            return self.service_s
        since = min(max(now - self.last_wall, timedelta()), self.LONGEST_STEP)
        return self.service_s + int(since.total_seconds())


class Outage(models.Model):
    """A span during which no clock ran."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    cause = models.SlugField(max_length=20)
    credited_s = models.PositiveBigIntegerField(default=0)
    """How long clocks stood on afterwards."""
    at_s = models.BigIntegerField(default=0)
    """The second of service time that lasted all the while."""
    is_made_good = models.BooleanField(default=True)
    """Whether every clock that ran has got the time it is owed after a long outage."""

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(ended_at__gte=F("began_at")), name="outage_has_a_span")]

    def __str__(self) -> str:
        return f"{self.cause} {self.began_at:%Y-%m-%d %H:%M}"


class Effect(models.Model):
    """Something a transition owes to the rest of the site, such as ratings; done once, at the latest by the tick."""

    MATCH_FINISHED: Final = "match-finished"

    kind = models.SlugField(max_length=40)
    ref = models.CharField(max_length=40)
    created_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "ref"], name="effect_once")]
        indexes = [models.Index(fields=["id"], name="effect_undone", condition=Q(done_at=None))]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}"
