"""How people behave in events: what the entry bar counts, who stays away, and who guesses at passwords."""

from typing import Final

from django.conf import settings
from django.db import models


class PasswordTry(models.Model):
    """A password for a private event that did not fit."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["user", "at"], name="password_tries")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.at}"


LATE: Final = "late"
"""The kind of a time-out outside of events, which bars from none."""


class Ending(models.Model):
    """The end of a match for one player: a time-out in an event or elsewhere, a no-show, or a normal end. All are the
    share of losses on time that an event may ask about."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    match = models.ForeignKey("oceans.Match", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=8)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "match"], name="ended_once")]
        indexes = [models.Index(fields=["user", "at"], name="endings_of_user")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind}"


class Attendance(models.Model):
    """Misses of one player in a row, without a move of his own in between. The third makes the account dormant."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+")
    in_a_row = models.PositiveSmallIntegerField(default=0)
    missed_at = models.DateTimeField(null=True, blank=True)
    dormant_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.in_a_row}"
