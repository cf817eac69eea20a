"""Matches and their seats."""

from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


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
        BY_AGREEMENT = "by-agreement", _("called off by agreement")

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
    is_in_totals = models.BooleanField(default=False, db_default=False, editable=False)
    """Whether the totals of those who played it have taken in how it ended."""

    attempts = models.PositiveSmallIntegerField(default=0)
    """Failed attempts in a row to play on without a person."""
    parked_at = models.DateTimeField(null=True, blank=True)

    # What the doors in access.py read along for the viewer; no columns.
    viewer: int | None
    order_kind: str | None
    order_body: Any
    own_orders: tuple[tuple[str, dict[str, Any]], ...]
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


class Hindsight(models.Model):
    """What the choices of a match that is over were worth, once that has been worked out because somebody asked."""

    MOST_ATTEMPTS: ClassVar[int] = 3
    """After so many failures in a row a match is left alone until somebody asks again."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="hindsight")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    asked_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    taken_at = models.DateTimeField(null=True, blank=True)
    """When a tick took it up that has not put it down again: it is at work, or it failed."""
    made_at = models.DateTimeField(null=True, blank=True)
    choices = models.JSONField(null=True, blank=True)
    """As `bots.hindsight.Choice.written` gives them, in the order of the log."""

    class Meta:
        indexes = [models.Index(fields=["asked_at"], name="hindsight_waiting", condition=Q(made_at=None))]

    def __str__(self) -> str:
        return f"hindsight of {self.match_id}"

    @property
    def has_failed(self) -> bool:
        return self.made_at is None and self.attempts >= self.MOST_ATTEMPTS


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
    held_s = models.BigIntegerField(null=True, blank=True)
    """What the clock holds again when it stops, whatever happens until then; set where nobody is told who is asked."""
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
