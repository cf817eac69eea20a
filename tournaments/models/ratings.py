"""Ratings: the log of results, the cards that follow from it, and the history of both."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class RatingEvent(models.Model):
    """One row of the result log, never changed: a finished match, or a later ruling on how it counts.

    The log with its rating days is all there is to know; everything else here can be rebuilt from it.
    """

    class Kind(models.TextChoices):
        RESULT = "result"
        VOID = "void"
        UNVOID = "unvoid"
        RE_RANK = "re-rank"
        RELATED = "related"
        UNRELATED = "unrelated"

    kind = models.CharField(max_length=9, choices=Kind, default=Kind.RESULT)
    match = models.ForeignKey("oceans.Match", on_delete=models.PROTECT, related_name="+")
    pool = models.SlugField(max_length=40)
    day = models.PositiveIntegerField()
    """The rating day, a UTC date as days since 1970; given when the row was applied, never the day of the match."""
    seats = models.JSONField(default=list)
    """For each seat: user, rank, whether it moved, whether it is a bot. Of rulings, only a re-rank has them."""
    rated = models.BooleanField(default=False)
    related = models.BooleanField(default=False)
    streak = models.BooleanField(default=False)
    reason = models.SlugField(max_length=20)
    code = models.SlugField(max_length=20)
    """`ok`, or why the result does not count (docs/competition.md, 2); of the result as it was logged."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    why = models.CharField(max_length=200, blank=True)
    finished_at = models.DateTimeField()
    logged_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match"], condition=Q(kind="result"), name="result_logged_once"),
        ]
        indexes = [
            models.Index(fields=["pool", "day"], name="rating_event_day"),
            models.Index(fields=["day"], name="rating_event_any_day"),
            models.Index(fields=["pool", "match"], name="rating_rulings", condition=~Q(kind="result")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.match_id}: {self.code}"


class CardFigures(models.Model):
    """The figures of a card as of a day: the rating, its deviation on that day, and what was counted."""

    day = models.PositiveIntegerField()
    r = models.FloatField()
    rd = models.FloatField()
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    draws = models.PositiveIntegerField()
    losses = models.PositiveIntegerField()

    class Meta:
        abstract = True


class CardFields(CardFigures):
    """A player in a pool as of a day."""

    pool = models.SlugField(max_length=40)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    peak = models.FloatField(null=True, blank=True)
    """The highest rating after a day on which it was not provisional."""

    class Meta:
        abstract = True


class Rating(CardFields):
    """The newest card of a player in a pool."""

    shown_until = models.PositiveIntegerField(null=True, blank=True)
    """The last day on which the card stands on the leader board if no further result comes; None if it does not."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "user"], name="one_card_each")]
        indexes = [
            models.Index(
                fields=["pool", "-r", "rd", "user"], name="rating_board", condition=Q(shown_until__isnull=False)
            ),
            models.Index(fields=["user"], name="rating_of_user"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.pool}: {self.r:.0f}"


class RatingDay(CardFields):
    """The card as it stood after a day with a result: the history, and where a replay begins."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "user", "day"], name="one_card_a_day")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.pool} on {self.day}: {self.r:.0f}"


class Morning(models.Model):
    """A card on the morning of a day, its deviation grown to it; what opponents are rated against."""

    day = models.PositiveIntegerField()
    start_r = models.FloatField()
    start_rd = models.FloatField()

    class Meta:
        abstract = True


class RatingChange(Morning):
    """What one counted result did to one card."""

    event = models.ForeignKey(RatingEvent, on_delete=models.CASCADE, related_name="changes")
    pool = models.SlugField(max_length=40)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    change = models.FloatField(default=0)
    """Points this result was worth; open until the day is over."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "pool", "user"], name="rated_once")]
        indexes = [models.Index(fields=["pool", "user", "day"], name="change_of_day")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.pool}: {self.change:+.1f}"


class CardShadow(CardFigures):
    """A card in a shadow table, where a replay writes before it takes the place of what is stored. Without indexes and
    references, which would cost more than all the rest."""

    pool = models.SlugField(max_length=40, db_index=False)
    user_id = models.BigIntegerField()
    peak = models.FloatField(null=True)

    class Meta:
        abstract = True


class RatingShadow(CardShadow):
    """Shadow of Rating."""

    shown_until = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "user_id"], name="shadow_card_once")]

    def __str__(self) -> str:
        return f"shadow of {self.user_id} in {self.pool}"


class RatingDayShadow(CardShadow):
    """Shadow of RatingDay."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "user_id", "day"], name="shadow_day_once")]

    def __str__(self) -> str:
        return f"shadow of {self.user_id} in {self.pool} on {self.day}"


class RatingChangeShadow(Morning):
    """Shadow of RatingChange."""

    event_id = models.BigIntegerField()
    pool = models.SlugField(max_length=40, db_index=False)
    user_id = models.BigIntegerField()
    change = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pool", "day", "event_id", "user_id"], name="shadow_change_once")
        ]

    def __str__(self) -> str:
        return f"shadow of {self.user_id} in {self.pool}: {self.change:+.1f}"


class LinkedAccounts(models.Model):
    """Two accounts that belong together, by their players' word or a moderator's: games begun meanwhile do not count.

    `low` and `high` are the two by id, so that a pair is one pair whoever is named first.
    """

    low = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    high = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    why = models.CharField(max_length=200, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("linked accounts")
        verbose_name_plural = _("linked accounts")
        constraints = [
            models.CheckConstraint(condition=Q(low__lt=models.F("high")), name="linked_lower_first"),
            models.CheckConstraint(
                condition=Q(until=None) | Q(until__gt=models.F("since")), name="linked_for_some_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.low_id} and {self.high_id} since {self.since:%Y-%m-%d}"


class Night(models.Model):
    """A day (UTC) whose closing work is done: ranks, daily places, the report for staff."""

    day = models.PositiveIntegerField(unique=True)
    """Days since 1970."""
    done_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"night after day {self.day}"


class FairPlayReport(models.Model):
    """What stands out in the ratings, written each night for a person to look at. Nobody is punished by it."""

    day = models.PositiveIntegerField(unique=True)
    made_at = models.DateTimeField()
    pairs = models.JSONField(default=list)
    """For each: pool, winner, loser, results, share scored, share expected."""
    gains = models.JSONField(default=list)
    """For each: pool, user, points gained, opponents."""

    class Meta:
        verbose_name = _("fair play report")
        verbose_name_plural = _("fair play reports")
        ordering = ["-day"]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d}: {len(self.pairs)} + {len(self.gains)}"


class TitleHeld(models.Model):
    """A permanent rank of ranks.py: reached once, never lost."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    pool = models.SlugField(max_length=40)
    step = models.PositiveSmallIntegerField()
    reached_on = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "pool", "step"], name="rank_reached_once")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.pool}: step {self.step}"
