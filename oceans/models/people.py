"""What people offer, say and note, and how they have fared."""

from datetime import datetime
from typing import Final

from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from oceans.models.matches import Match

CHAT_LENGTH: Final = 500
NOTE_LENGTH: Final = 4000


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


class Totals(models.Model):
    """How the matches of one person came out, added up as they end (oceans/totals.py), so that a page need not count.

    Without a row all figures are 0.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="totals"
    )
    won = models.PositiveIntegerField(default=0)
    """Matches with the first place alone, at tables of any size."""
    drawn = models.PositiveIntegerField(default=0)
    """Matches with the first place shared."""
    lost = models.PositiveIntegerField(default=0)
    """Matches with a lower place."""
    late = models.PositiveIntegerField(default=0)
    """Matches that the person's own clock ended for him: lost, drawn, forfeited, left as retired, or cancelled."""
    cancelled = models.PositiveIntegerField(default=0)
    """Those of the late ones that have no result. Others that were cancelled are in no total."""

    FIGURES: Final = ("won", "drawn", "lost", "late", "cancelled")

    class Meta:
        verbose_name_plural = "totals"

    def __str__(self) -> str:
        return f"totals of {self.user_id}"

    @property
    def finished(self) -> int:
        """Matches with a result."""
        return self.won + self.drawn + self.lost

    @property
    def ended(self) -> int:
        """Matches that count when it is asked how many were played to an end."""
        return self.finished + self.cancelled
