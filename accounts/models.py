"""People, their former names and leave, and the outbox of notices to them."""

import zoneinfo
from datetime import datetime

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import leave
from accounts.names import LONGEST


class People(UserManager["User"]):
    """Finds people by name without regard to case, as the names are unique without regard to case."""

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(username__iexact=username)


class Theme(models.TextChoices):
    """Light or dark pages."""

    AUTO = "auto", _("Auto")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class Suits(models.TextChoices):
    """How many colours tell the four suits apart."""

    TWO = "2", _("Two colours")
    FOUR = "4", _("Four colours")


class AfterMove(models.TextChoices):
    """Where a player lands after a move that passed the turn."""

    STAY = "stay", _("Stay, and show the next game as a button")
    NEXT = "next", _("Go to the next game, unless a hand or game just ended")
    LIST = "list", _("Back to the list")


class TurnMail(models.TextChoices):
    """How often a player hears that games wait."""

    ABSENCE = "absence", _("One mail, then quiet")
    DAILY = "daily", _("Once a day")
    EVERY = "every", _("Every move")
    NEVER = "never", _("Only before time runs out")


class User(AbstractUser):
    """A person, a guest of one browser, or a house bot.

    The name follows accounts/names.py and is unique without regard to case. A closed account keeps its row, so that
    finished games stay, but nothing in it tells whose it was.
    """

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]

    username = models.CharField(
        _("name"), max_length=LONGEST, unique=True, error_messages={"unique": _("This name is taken.")}
    )
    is_guest = models.BooleanField(default=False)
    is_bot = models.BooleanField(default=False)
    renamed_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    last_seen_at = models.DateTimeField(null=True, blank=True)
    """Last visit, exact to accounts.middleware.PRECISION. Others are shown the day at most."""

    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    theme = models.CharField(_("colours"), max_length=5, choices=Theme, default=Theme.AUTO)
    suits = models.CharField(_("suits"), max_length=1, choices=Suits, default=Suits.TWO)
    after_move = models.CharField(_("after my move"), max_length=5, choices=AfterMove, default=AfterMove.STAY)
    keys_on = models.BooleanField(_("single-key shortcuts (d deals, n next game)"), default=False)

    turn_mail = models.CharField(_("how often"), max_length=8, choices=TurnMail, default=TurnMail.ABSENCE)
    digest_hour = models.PositiveSmallIntegerField(_("daily list at"), default=8)
    quiet_from = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_to = models.TimeField(_("quiet until"), null=True, blank=True)
    news = models.JSONField(default=dict, blank=True)
    """Switches by kind and channel, see accounts/news.py; what is missing has its default."""
    address_refused_at = models.DateTimeField(null=True, blank=True)
    """When a mail server said for good that it will not take mail for this person; None while mail works."""

    rated_from = models.DateTimeField(null=True, blank=True)
    """Until then no rated games by offer: too many were left without a move."""

    auto_leave = models.BooleanField(_("if a clock runs out, take a day of leave for me"), default=True)

    sign_outs = models.PositiveIntegerField(default=0)
    """How often all sessions of this person were ended at once."""

    objects = People()  # type: ignore[misc]

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [
            models.UniqueConstraint(
                Lower("username"), name="username_unique_without_case", violation_error_message=_("This name is taken.")
            ),
            models.CheckConstraint(condition=Q(digest_hour__lt=24), name="digest_hour_is_an_hour"),
        ]
        indexes = [
            models.Index(fields=["last_seen_at"], name="idle_guests", condition=Q(is_guest=True, closed_at=None)),
        ]

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The name for pages and mails; closed accounts are all called the same."""
        return str(_("deleted player")) if self.closed_at else self.username

    def get_full_name(self) -> str:
        return self.shown_name

    def get_short_name(self) -> str:
        return self.shown_name

    def get_session_auth_hash(self) -> str:
        """What every session must show: it ends when the password changes, and when all are ended at once."""
        return f"{super().get_session_auth_hash()}{self.sign_outs or ''}"

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The zone this person's times are shown in."""
        return zoneinfo.ZoneInfo(self.time_zone)

    @property
    def is_reachable(self) -> bool:
        """Whether mail can go to this person at all; the single kinds have their own switches."""
        has_proved_address = bool(self.email) and not self.is_guest
        return has_proved_address and self.is_active and not self.address_refused_at


class FormerName(models.Model):
    """A name somebody had before. Old links lead to the present name; nobody else may take it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="former_names")
    name = models.CharField(max_length=LONGEST)
    given_up_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(Lower("name"), name="former_name_unique_without_case")]

    def __str__(self) -> str:
        return self.name


class AddressChange(models.Model):
    """A mail address that an account had, for as long as that one can take the change back and a little longer."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="address_changes")
    old = models.EmailField()
    changed_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["changed_at"], name="address_changes_by_age")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.changed_at:%Y-%m-%d}"


class Feed(models.Model):
    """A feed that a person has switched on. Its secret address is made from the serial (accounts/feeds.py)."""

    class Kind(models.TextChoices):
        NEWS = "news", _("News feed")
        DATES = "dates", _("Calendar")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="feeds")
    kind = models.CharField(max_length=5, choices=Kind)
    serial = models.CharField(max_length=32, unique=True)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind"], name="one_feed_of_a_kind")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind}"


class Block(models.Model):
    """Somebody does not want to meet somebody; see accounts/blocking.py."""

    blocker = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    blocked = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["blocker", "blocked"], name="blocked_once"),
            models.CheckConstraint(condition=~Q(blocker=F("blocked")), name="nobody_blocks_himself"),
        ]

    def __str__(self) -> str:
        return f"{self.blocker_id} blocks {self.blocked_id}"


class PushAddress(models.Model):
    """A browser in which a person has switched notifications on, and how they are encrypted for it."""

    LONGEST = 500

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="push_addresses")
    endpoint = models.CharField(max_length=LONGEST, unique=True)
    key = models.CharField(max_length=100)
    secret = models.CharField(max_length=30)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.user_id}: {self.made_at:%Y-%m-%d}"


class Leave(models.Model):
    """One stretch of leave, in whole days of 24 hours (docs/correspondence.md, 3).

    Booked while `begun_at` is None, running until `ended_at` is set. `days` is what it costs; ending early lowers it.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="leaves")
    starts_at = models.DateTimeField()
    days = models.PositiveSmallIntegerField()
    is_automatic = models.BooleanField(default=False)
    begun_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(ended_at=None, is_automatic=False), name="one_leave_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None) | Q(begun_at__isnull=False), name="only_begun_leave_ends"
            ),
        ]
        indexes = [models.Index(fields=["starts_at"], name="leave_open", condition=Q(ended_at=None))]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.days} d from {self.starts_at:%Y-%m-%d}"

    @property
    def until(self) -> datetime:
        """When it is over, if nobody ends it sooner."""
        return leave.ends_at(self.begun_at or self.starts_at, self.days)


class Notice(models.Model):
    """One piece of news to one person: the outbox. Written in the transaction of the event, sent by notices.dispatch.

    Exactly one row per event and reader, by `dedup`. `context` holds ids and public facts only; what the mail says is
    composed when it is sent. `message` is the composed mail, kept only until the row has ended, so that a repeat is
    the same mail.
    """

    class State(models.TextChoices):
        PENDING = "pending"
        CLAIMED = "claimed"
        SENT = "sent"
        SKIPPED = "skipped"
        FAILED = "failed"
        UNKNOWN = "unknown"

    TERMINAL = (State.SENT, State.SKIPPED, State.FAILED, State.UNKNOWN)

    dedup = models.CharField(max_length=200, unique=True)
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True, related_name="notices")
    address = models.EmailField(blank=True)
    """Only for mail that goes to an address instead of a person, such as a code for a sign-up."""
    kind = models.CharField(max_length=20)
    context = models.JSONField(default=dict)
    message = models.JSONField(null=True, blank=True)
    message_id = models.CharField(max_length=120, blank=True)

    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    faults = models.PositiveSmallIntegerField(default=0)
    """How often composing it failed."""
    ambiguous = models.PositiveSmallIntegerField(default=0)
    """How many sendings ended without an answer."""
    lease_token = models.UUIDField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField()
    tried_at = models.DateTimeField(null=True, blank=True)
    """When the last sending began."""
    pushed_at = models.DateTimeField(null=True, blank=True)
    """When it was pushed to browsers, at most once."""
    created_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["due_at", "id"], name="notice_due", condition=Q(state="pending")),
            models.Index(fields=["leased_until"], name="notice_leased", condition=Q(state="claimed")),
            models.Index(fields=["user", "tried_at"], name="notice_tried", condition=Q(tried_at__isnull=False)),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="claimed", lease_token__isnull=False, leased_until__isnull=False)
                | (~Q(state="claimed") & Q(lease_token=None, leased_until=None)),
                name="notice_leased_while_claimed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dedup} {self.state}"

    @property
    def recipient(self) -> str:
        """The address this goes to, and if it has gone, went to unless the person has changed it since."""
        return self.address or (self.user.email if self.user else "")

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will be done about it."""
        return self.state in self.TERMINAL


class MailBreaker(models.Model):
    """Whether the mail server can be reached: one row. After several failed connections one sender a minute tries
    again.
    """

    failures = models.PositiveIntegerField(default=0)
    probe_at = models.DateTimeField(null=True, blank=True)
    """Nobody connects before this instant; None while the server answers."""

    def __str__(self) -> str:
        return "closed" if self.probe_at is None else f"open, next probe {self.probe_at:%H:%M:%S}"

    def is_open(self, now: datetime) -> bool:
        """Whether sending must wait at this instant."""
        return self.probe_at is not None and now < self.probe_at


class LocalMail(models.Model):
    """A mail kept on this machine instead of being sent, for the mailbox page of a site that has no mail server."""

    to = models.CharField(max_length=254)
    subject = models.CharField(max_length=255)
    text = models.TextField()
    html = models.TextField(blank=True)
    headers = models.JSONField(default=dict)
    kept_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = [F("id").desc()]

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"
