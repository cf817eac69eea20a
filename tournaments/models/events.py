"""Events: who entered, what was paired, which matches were played for it, and who stayed away."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Tournament(models.Model):
    """One event from its announcement to its places. Its row is the lock of everything in it."""

    class Format(models.TextChoices):
        ROUND_ROBIN = "round-robin", _("Everyone plays everyone")
        KNOCK_OUT = "knock-out", _("Knockout")
        SWISS = "swiss", _("Swiss")
        CUP = "cup", _("Groups, then knockout")
        TABLES = "tables", _("Tables")
        MINI_CUP = "mini-cup", _("Mini cup")
        LEAGUE = "league", _("League")
        INFINITY = "infinity", _("Endless")

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        OPEN = "open", _("open for entries")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    class Starts(models.TextChoices):
        FULL = "full", _("when it is full")
        DATE = "date", _("on a date I set")
        HAND = "hand", _("when I say so")

    class Access(models.TextChoices):
        ANYONE = "anyone", _("Anyone")
        INVITED = "invited", _("Players I invite")
        PASSWORD = "password", _("Anyone with the password")

    name = models.CharField(_("name"), max_length=80)
    text = models.TextField(_("text"), max_length=2000, blank=True)
    format = models.CharField(max_length=12, choices=Format)
    shape = models.JSONField(default=dict)
    """What the format asks, by the names of shapes.py; a cup also keeps the seeds of its bracket here."""
    game = models.SlugField(max_length=40)
    pace = models.SlugField(max_length=20)
    weekend = models.BooleanField(default=False)
    leave_allowed = models.CharField(max_length=4, default="all")
    rated = models.BooleanField(default=True)

    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    is_announced = models.BooleanField(default=True)
    """Whether others than its directors may know of it: not of a draft without an opening time."""
    is_paused = models.BooleanField(default=False)
    opens_at = models.DateTimeField(null=True, blank=True)
    """When entries open by themselves, once it is announced; None where that was at once, or is by hand."""
    closes_at = models.DateTimeField(null=True, blank=True)
    """When entries close; None where that is at the start."""
    starts = models.CharField(max_length=4, choices=Starts, default=Starts.FULL)
    starts_at = models.DateTimeField(null=True, blank=True)
    was_put_off = models.BooleanField(default=False)
    """Whether too few had entered at the first date, so that entries stayed open for another week."""
    most = models.PositiveSmallIntegerField(null=True, blank=True)
    """The most entrants; None where there is no limit."""
    access = models.CharField(max_length=8, choices=Access, default=Access.ANYONE)
    password = models.CharField(max_length=128, blank=True)
    """Hashed."""
    conditions = models.JSONField(default=dict, blank=True)
    """What entry.Conditions asks, by name."""
    seed = models.CharField(max_length=32, blank=True)
    """128 random bits in hex, drawn at the start: lots can be checked with it."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    """The director; None for events of the site."""
    directors = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+", blank=True)
    """Whom the director has named beside himself."""
    are_games_open = models.BooleanField(default=False)
    """Whether everybody may watch the games of a private event."""
    series = models.SlugField(max_length=60, blank=True)
    """What this is an edition of: the same league, cup or mini cup again. Blank for an event of its own."""
    edition = models.PositiveIntegerField(default=1)
    ticket_to = models.SlugField(max_length=60, blank=True)
    """Of a mini cup: the series for which its winner gets a ticket, if there is a next level."""
    by_ticket = models.BooleanField(default=False)
    """Whether one enters only with a ticket for its series."""
    entered = models.PositiveIntegerField(default=0)
    """How many are in."""
    undecided = models.PositiveIntegerField(default=0)
    """How many of its pairings wait for a result."""
    made_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    """When the tick must look at it next: entries that open or close, a start, a pairing of the endless event."""
    failed_at = models.DateTimeField(null=True, blank=True)
    """Since when it cannot be carried on because of an error."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["series", "edition"], condition=~Q(series=""), name="edition_once"),
            models.CheckConstraint(
                condition=Q(most=None) | Q(entered__lte=models.F("most")), name="event_not_overfull"
            ),
            models.CheckConstraint(
                condition=Q(is_announced=True) | Q(state__in=["draft", "cancelled"]), name="event_known_when_open"
            ),
        ]
        indexes = [
            models.Index(fields=["state", "-made_at"], name="event_list"),
            models.Index(fields=["due_at"], name="event_due", condition=Q(due_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def is_to_come(self) -> bool:
        """Whether it has not begun, nor been called off."""
        return self.state in (self.State.DRAFT, self.State.OPEN)

    @property
    def is_running(self) -> bool:
        return self.state == self.State.RUNNING

    @property
    def is_over(self) -> bool:
        return self.state in (self.State.FINISHED, self.State.CANCELLED)

    @property
    def is_endless(self) -> bool:
        return self.format == self.Format.INFINITY

    @property
    def is_private(self) -> bool:
        return self.access != self.Access.ANYONE

    @property
    def is_closed_to_strangers(self) -> bool:
        """Whether only those who play here, directors and staff see its games and its talk."""
        return self.is_private and not self.are_games_open


class Invitation(models.Model):
    """Somebody who may enter an event that is for invited players only."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "user"], name="invited_once")]

    def __str__(self) -> str:
        return f"{self.user_id} to {self.tournament_id}"


class Entrant(models.Model):
    """A player in an event."""

    class State(models.TextChoices):
        IN = "in", _("in")
        WITHDRAWN = "withdrawn", _("withdrawn")
        EXCLUDED = "excluded", _("excluded")
        WAITING = "waiting", _("waits for the next edition")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=9, choices=State, default=State.IN)
    seed = models.PositiveIntegerField(null=True, blank=True)
    """The start number, 1 for the strongest; known from the start on."""
    level = models.PositiveSmallIntegerField(default=1)
    group = models.PositiveSmallIntegerField(default=1)
    """In leagues and cups: where the entrant plays at first."""
    rating = models.FloatField(null=True, blank=True)
    """At the start."""
    misses = models.PositiveSmallIntegerField(default=0)
    is_paused = models.BooleanField(default=False)
    """Not paired until he says that he is still here: he did not show up."""
    late_in = models.PositiveSmallIntegerField(default=0)
    """In a Swiss: the first round this entrant could take part in, if not the first of all."""
    wanted = models.PositiveSmallIntegerField(default=1)
    """In the endless event: how many matches he wants to have running."""
    score = models.FloatField(null=True, blank=True)
    """In the endless event."""
    steps = models.JSONField(default=list, blank=True)
    """In the endless event: the last results that made the score, each as (score before, result, players then)."""
    scored_at = models.DateTimeField(null=True, blank=True)
    """When the newest of them was decided."""
    paired_at = models.DateTimeField(null=True, blank=True)
    """In the endless event: when he was last given an opponent."""
    place = models.PositiveIntegerField(null=True, blank=True)
    is_shared = models.BooleanField(default=False)
    entered_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user"], name="entered_once"),
            models.UniqueConstraint(
                fields=["tournament", "seed"], condition=Q(seed__isnull=False), name="start_number_once"
            ),
        ]
        indexes = [
            models.Index(fields=["user", "state"], name="entries_of_user"),
            models.Index(fields=["user", "place"], name="places_of_user", condition=Q(place__lte=3)),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.tournament_id}"


class Round(models.Model):
    """One round of an event; of a knock-out, all matches at one distance from the final."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    opened_at = models.DateTimeField()
    late_at = models.DateTimeField(null=True, blank=True)
    """From when the round is overdue."""
    limit_at = models.DateTimeField(null=True, blank=True)
    """When what is still open is closed."""
    is_late = models.BooleanField(default=False)
    was_extended = models.BooleanField(default=False)
    undecided = models.PositiveIntegerField(default=0)
    """How many of its pairings wait for a result; with the last one it is over."""
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="round_once")]

    def __str__(self) -> str:
        return f"{self.tournament_id} round {self.number}"


class Pairing(models.Model):
    """Who meets whom in a round: two players, a table, or one player with a bye.

    `players` are user ids, of two the first seat first. `points` are theirs, doubled (2 for a win); at a table the
    ranks of the game. `how` is open, played, forfeit, overdue, or bye.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    board = models.PositiveIntegerField()
    level = models.PositiveSmallIntegerField(default=1)
    group = models.PositiveSmallIntegerField(default=0)
    """The group it belongs to, 0 outside of groups."""
    players = models.JSONField(default=list)
    games = models.PositiveSmallIntegerField(default=1)
    """Best of so many."""
    lacking = models.PositiveSmallIntegerField(default=0)
    """How many games of it are still to be opened."""
    points = models.JSONField(default=list)
    how = models.SlugField(max_length=8, default="open")
    winner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    """In a knock-out: who goes on."""
    field = models.PositiveIntegerField(null=True, blank=True)
    """In the endless event: how many players it had when this counted for their scores."""
    decided_at = models.DateTimeField(null=True, blank=True)
    """When it was first decided; a ruling that decides it otherwise leaves it."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "board"], name="board_once")]
        indexes = [
            models.Index(fields=["round"], name="pairing_open", condition=Q(how="open")),
            models.Index(fields=["round", "board"], name="pairing_lacking", condition=Q(lacking__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.round_id}.{self.board} {self.players}"

    @property
    def is_open(self) -> bool:
        return self.how == "open"


class EventMatch(models.Model):
    """A match played for a pairing, and what came of it.

    `ranks` are by player in the order of the pairing; `reason` is its finish reason, blank while it runs, and
    `reopened` where a director has ruled that it be played again.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="matches")
    number = models.PositiveSmallIntegerField()
    match = models.OneToOneField("oceans.Match", on_delete=models.PROTECT, related_name="+")
    reason = models.SlugField(max_length=20, blank=True)
    ranks = models.JSONField(default=list)
    moved = models.JSONField(default=list)
    given_up_by = models.JSONField(default=list)
    """Who would call it off, of those who play it, where it is left over after others have decided its pairing."""
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pairing", "number"], name="match_of_pairing_once")]

    def __str__(self) -> str:
        return f"match {self.number} of {self.pairing_id}"


class Ruling(models.Model):
    """Something a director decided, for everybody to read; only ever added."""

    class Kind(models.TextChoices):
        SET_RESULT = "set-result", _("result set")
        REOPEN = "reopen", _("game played again")
        EXTEND = "extend", _("round extended")
        WITHDRAW = "withdraw", _("player withdrawn")
        EXCLUDE = "exclude", _("player put out")
        REINSTATE = "reinstate", _("player taken back in")
        REPLACE = "replace", _("player replaced")
        REPAIR_ROUND = "repair-round", _("round paired anew")
        VOID_RATING = "void-rating", _("game not rated")
        SETTINGS = "settings", _("settings changed")
        PAUSE = "pause", _("pairing paused")
        RESUME = "resume", _("pairing resumed")
        CANCEL = "cancel", _("called off")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rulings")
    kind = models.CharField(max_length=12, choices=Kind)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    about = models.CharField(max_length=200, blank=True)
    """Whom or what it concerns, with what was before."""
    why = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["tournament", "-made_at"], name="ruling_list")]

    def __str__(self) -> str:
        return f"{self.kind} in {self.tournament_id}"


class Talk(models.Model):
    """Something said on the page of an event."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="talk")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=500)
    said_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["tournament", "-said_at"], name="event_talk"),
            models.Index(fields=["user", "said_at"], name="event_talk_of_user"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.tournament_id}: {self.text}"


class Ticket(models.Model):
    """An entry to a mini cup of the next level, won in one below."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    series = models.SlugField(max_length=60)
    """What it opens: any edition of these."""
    won_in = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="tickets")
    won_at = models.DateTimeField()
    used_in = models.ForeignKey(Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    is_revoked = models.BooleanField(default=False)
    """Whether a ruling has given the win to somebody else after it was used: it is not given back."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["won_in", "user"], name="ticket_once"),
            models.UniqueConstraint(
                fields=["used_in", "user"], condition=Q(used_in__isnull=False), name="one_ticket_for_an_entry"
            ),
        ]
        indexes = [models.Index(fields=["user", "series"], name="tickets_unused", condition=Q(used_in__isnull=True))]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.series}"


class Award(models.Model):
    """Something won for good, shown on the winner's page."""

    class Kind(models.TextChoices):
        FIRST = "first", _("first place")
        SECOND = "second", _("second place")
        THIRD = "third", _("third place")
        CHAMPION = "champion", _("champion")
        CUP = "cup", _("cup winner")
        KING = "king", _("king of the ladder")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="awards")
    ladder = models.ForeignKey(
        "tournaments.Ladder", on_delete=models.CASCADE, null=True, blank=True, related_name="awards"
    )
    won_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "kind", "user"], condition=Q(tournament__isnull=False), name="award_once"
            ),
        ]
        indexes = [models.Index(fields=["user", "-won_at"], name="awards_of_user")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind}"
