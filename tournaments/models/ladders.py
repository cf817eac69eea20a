"""Ladders: who stands where, who challenged whom, and how it came about."""

from collections.abc import Collection

from django.conf import settings
from django.db import models
from django.db.models import Count, OuterRef, Q, Subquery, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext_lazy as _


class Ladder(models.Model):
    """One ladder of a two-player pool. Its row is the lock of everything on it."""

    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(_("name"), max_length=80)
    game = models.SlugField(max_length=40, unique=True)
    pace = models.SlugField(max_length=20, default="classic")
    seq = models.PositiveIntegerField(default=0)
    """How many steps of history there are."""
    applied_at = models.DateTimeField()
    """Up to when deadlines have been applied; no later step has an earlier time."""
    top = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    top_since = models.DateTimeField(null=True, blank=True)
    """Who stands on the first rung, and since when."""

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Rungs(models.QuerySet["Rung"]):
    """Rungs, and on demand their `position`: 1 at the top, None once the player has left."""

    def placed(self) -> "Rungs":
        """With the position of each. Each counts those above by itself, which suits one rung or a few."""
        above = Rung.objects.filter(ladder=OuterRef("ladder"), left_at=None, order_key__lte=OuterRef("order_key"))
        return self.annotate(position=Subquery(above.values("ladder").annotate(count=Count("*")).values("count")))

    def placed_of(self, users: Collection[int]) -> "Rungs":
        """Of the members of one ladder those of these users, with their positions. All are numbered once, which suits
        any number of users; the second condition, never true, keeps the first one from narrowing what is numbered."""
        numbered = self.annotate(position=Window(RowNumber(), order_by="order_key"))
        return numbered.filter(Q(user__in=users) | Q(position__lt=1))


class Rung(models.Model):
    """One stay of a player on a ladder. The members stand in the order of their keys, with room between for others; the
    numbers of their positions are counted (`placed`), so that who moves changes no other row."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="rungs")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    order_key = models.BigIntegerField(null=True, blank=True)
    """The smallest is at the top; None once the player has left."""
    joined_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)
    best = models.PositiveIntegerField()
    """The best position that own steps led to in this stay; a better one because others left is in LadderDay."""
    strikes = models.JSONField(default=list)
    """When strikes fell, in hours since 1970."""
    free_decline_at = models.DateTimeField(null=True, blank=True)
    idle_before = models.FloatField(default=0)
    """Idle hours before the leave that is running or has just ended."""
    idle_since = models.DateTimeField(null=True, blank=True)
    """None while the player is on leave."""
    drops = models.PositiveSmallIntegerField(default=0)
    active_at = models.DateTimeField()
    """The last sign of life that is known here."""
    due_at = models.DateTimeField(null=True, blank=True)
    """When the next idle step is due."""
    position: int | None
    """Only there where it was counted."""

    objects = Rungs.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ladder", "user"], condition=Q(left_at=None), name="on_a_ladder_once"),
            models.CheckConstraint(
                condition=Q(left_at=None, order_key__isnull=False) | Q(left_at__isnull=False, order_key=None),
                name="members_have_a_rung",
            ),
        ]
        indexes = [
            models.Index(fields=["ladder", "order_key"], name="rung_order", condition=Q(left_at=None)),
            models.Index(fields=["due_at"], name="rung_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["user"], name="rung_of_user", condition=Q(left_at=None)),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} on {self.ladder_id}"


class Challenge(models.Model):
    """An offer of a ladder game and what became of it."""

    class State(models.TextChoices):
        PENDING = "pending", _("waits for an answer")
        RUNNING = "running", _("being played")
        PLAYED = "played", _("played")
        DECLINED = "declined", _("declined")
        DECLINED_FREE = "declined_free", _("declined, free")
        IGNORED = "ignored", _("not answered")
        CANCELLED = "cancelled", _("taken back")
        VOID = "void", _("without effect")

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="challenges")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    by_rung = models.ForeignKey(Rung, on_delete=models.CASCADE, related_name="+")
    to_rung = models.ForeignKey(Rung, on_delete=models.CASCADE, related_name="+")
    low = models.PositiveBigIntegerField()
    high = models.PositiveBigIntegerField()
    """The two players by id, so that a pair is one pair whoever challenges."""
    state = models.CharField(max_length=13, choices=State, default=State.PENDING)
    made_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    """When a pending challenge counts as ignored; None while the target is on leave."""
    hours_left = models.FloatField(default=0)
    """What was left for the answer when that leave began."""
    ended_at = models.DateTimeField(null=True, blank=True)
    match = models.OneToOneField("oceans.Match", on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["ladder", "low", "high"],
                condition=Q(state__in=["pending", "running"]),
                name="one_open_challenge_a_pair",
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], name="challenge_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["to", "state"], name="challenge_to"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} against {self.to_id}: {self.state}"

    @property
    def is_pending(self) -> bool:
        return self.state == self.State.PENDING


class LadderStep(models.Model):
    """One row of a ladder's history, only ever added; the positions follow from them."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="steps")
    seq = models.PositiveIntegerField()
    at = models.DateTimeField()
    kind = models.SlugField(max_length=12)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    from_rung = models.PositiveIntegerField(null=True, blank=True)
    to_rung = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["ladder", "seq"], name="ladder_step_once")]
        indexes = [models.Index(fields=["player", "ladder"], name="ladder_step_of")]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind} {self.player_id}"


class LadderDay(models.Model):
    """Where a player stood at the end of a day (UTC); only for days on which that had changed. None: not on it."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    day = models.PositiveIntegerField()
    position = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["ladder", "user", "day"], name="ladder_place_a_day")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.position} on {self.day}"


class LadderWish(models.Model):
    """A player asks for a ladder of a game that has none."""

    game = models.SlugField(max_length=40)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="ladder_wished_once")]

    def __str__(self) -> str:
        return f"{self.user_id} wishes for {self.game}"
