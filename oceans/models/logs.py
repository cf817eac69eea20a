"""What a match follows from: its shuffle, its log, answers that wait, standing orders."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from oceans.models.matches import Match


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
    """A standing order of a seat, as its class writes it, one of each kind; none but its owner ever sees it."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField()
    kind = models.SlugField(max_length=40)
    body = models.JSONField(default=dict)
    placed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seat", "kind"], name="one_order_of_a_kind")]

    def __str__(self) -> str:
        return f"{self.match_id}.{self.seat}: {self.kind}"
