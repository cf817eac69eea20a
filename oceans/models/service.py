"""Time: the clock on which deadlines are counted, what ran out, what is owed after a match."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from oceans.models.matches import Match


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

    OWN_FAULT: Final = (Outcome.LOST, Outcome.DRAWN, Outcome.CANCELLED, Outcome.FORFEITED, Outcome.RETIRED)
    """Outcomes that end a match for the player."""

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
