"""A whole ladder as a value in memory: every transition with its deadlines and its history (docs/competition.md, 3).

Replays and tests run it; whoever keeps a ladder in rows must come to the same positions. Before any transition the
deadlines due up to its time are applied, so that a late sweep gives the same order as a punctual one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tournaments import rungs
from tournaments.places import Places
from tournaments.players import Player, require_distinct


@dataclass(frozen=True, slots=True)
class Step:
    """One row of the history. `player` is the winner, the challenger of a draw, or who joins, drops or leaves."""

    at: float
    kind: str
    player: Player
    challenge: int | None = None
    other: Player | None = None
    from_rung: int | None = None
    to_rung: int | None = None


@dataclass(slots=True, eq=False)
class Membership:
    """One stay on the ladder; strikes, declines and idle time end with it. Idle time stands still during leave."""

    strikes: list[float] = field(default_factory=list)
    free_decline_at: float | None = None
    idle_before: float = 0
    idle_since: float | None = None
    drops: int = 0

    def wake(self, now: float) -> None:
        """The player did something."""
        self.idle_before, self.drops = 0, 0
        if self.idle_since is not None:
            self.idle_since = now

    def pause(self, now: float) -> None:
        if self.idle_since is not None:
            self.idle_before += now - self.idle_since
            self.idle_since = None

    @property
    def due_at(self) -> float | None:
        """When the next idle step is due, None during leave."""
        if self.idle_since is None:
            return None
        step = rungs.IDLE_DROPS[self.drops] if self.drops < len(rungs.IDLE_DROPS) else rungs.IDLE_OUT
        return self.idle_since + step - self.idle_before


@dataclass(slots=True, eq=False)
class Challenge:
    """An offer and its game. `state`: pending, running, played, declined, declined_free, ignored, cancelled, void.

    `due_at` is None while the target is on leave; `hours_left` then keeps what remains for the answer.
    """

    number: int
    by: Player
    to: Player
    memberships: tuple[Membership, Membership]
    due_at: float | None
    state: str = "pending"
    ended_at: float | None = None
    hours_left: float = 0

    @property
    def is_open(self) -> bool:
        return self.state in ("pending", "running")

    def end(self, state: str, now: float) -> None:
        self.state, self.ended_at, self.due_at = state, now, None


class Ladder:
    """Positions, challenges and history of one ladder.

    Verbs return None, or the code of the refusal with nothing changed. Time never runs backwards.
    """

    def __init__(self, order: Iterable[Player], now: float = 0, *, places: Places | None = None) -> None:
        """All players from the top; or `places`, where only those are known whom the next transitions concern."""
        players = list(order) if places is None else places.players()
        require_distinct(players, "player")
        self.places = places or Places({player: rung for rung, player in enumerate(players, 1)}, len(players))
        self.members = {player: Membership(idle_since=now) for player in players}
        self.challenges: dict[int, Challenge] = {}
        self.history: list[Step] = []
        self.away: set[Player] = set()
        self.left_at: dict[Player, float] = {}
        self.now = now

    @property
    def order(self) -> list[Player]:
        """The players from the top, as far as known."""
        return self.places.players()

    def advance(self, now: float) -> None:
        """Apply all deadlines due up to `now`: unanswered challenges by number, then idle steps from the bottom up."""
        if not now >= self.now:
            raise ValueError(f"Hour {now} comes after hour {self.now} was applied already.")
        while due := self._next_due(now):
            self.now = due[0]
            if isinstance(due[1], Challenge):
                due[1].end("ignored", self.now)
                self._decide(due[1], due[1].by, "ignored", strike=True)
            else:
                self._idle_step(due[1])
        self.now = now

    def join(self, player: Player, now: float) -> str | None:
        self.advance(now)
        if player in self.members:
            return "already_member"
        if not rungs.may_rejoin(self.left_at.get(player), now):
            return "rejoin_wait"
        self.members[player] = Membership(idle_since=None if player in self.away else now)
        self.places.add(player)
        self.history.append(Step(now, "join", player, to_rung=len(self.places)))
        return None

    def leave(self, player: Player, now: float, kind: str = "leave") -> str | None:
        """Leave, or be removed (`kind` removed). Pending challenges are void; a running game goes on without effect."""
        self.advance(now)
        if player not in self.members:
            return "not_member"
        self._remove(player, kind)
        return None

    def challenge(self, number: int, by: Player, to: Player, now: float) -> str | None:
        self.advance(now)
        if number in self.challenges:
            raise ValueError(f"Challenge {number} exists already.")
        if refusal := rungs.refusal(self._claim(by, to), now):
            return refusal
        pair = (self.members[by], self.members[to])
        self.challenges[number] = Challenge(number, by, to, pair, now + rungs.ANSWER_HOURS)
        self.members[by].wake(now)
        return None

    def accept(self, number: int, now: float) -> str | None:
        challenge = self._pending(number, now)
        if challenge is None:
            return "not_pending"
        challenge.state, challenge.due_at = "running", None
        self.members[challenge.to].wake(now)
        return None

    def decline(self, number: int, now: float) -> str | None:
        """Decline a challenge; a second one within 30 days of a free one hands over the rung."""
        challenge = self._pending(number, now)
        if challenge is None:
            return "not_pending"
        membership = self.members[challenge.to]
        membership.wake(now)
        if rungs.is_free_decline(membership.free_decline_at, now):
            membership.free_decline_at = now
            challenge.end("declined_free", now)
        else:
            challenge.end("declined", now)
            self._decide(challenge, challenge.by, "declined")
        return None

    def cancel(self, number: int, now: float) -> str | None:
        challenge = self._pending(number, now)
        if challenge is None:
            return "not_pending"
        challenge.end("cancelled", now)
        return None

    def finish(self, number: int, winner: Player | None, how: str, now: float) -> str | None:
        """Apply the end of an accepted game. `how` is its finish reason; nobody wins a draw.

        An aborted game is void. After a side has left, the game has no effect, even if that side came back.
        """
        self.advance(now)
        challenge = self.challenges.get(number)
        if challenge is None or challenge.state != "running":
            return "not_running"
        if how not in rungs.ENDINGS:
            raise ValueError(f"A ladder game cannot end by {how}.")
        if winner not in (challenge.by, challenge.to, None):
            raise ValueError(f"{winner} does not play in challenge {number}.")
        if how in rungs.WITHOUT_EFFECT:
            challenge.end("void", now)
            return None
        challenge.end("played", now)
        sides = (challenge.by, challenge.to)
        if any(self.members.get(side) is not old for side, old in zip(sides, challenge.memberships, strict=True)):
            return None
        for side in sides:
            if winner in (side, None) or how not in rungs.STRIKING:
                self.members[side].wake(now)
        if winner is None:
            self.history.append(Step(now, "draw", challenge.by, number, challenge.to))
        else:
            kind = how if how in rungs.STRIKING | {"resign"} else "normal"
            self._decide(challenge, winner, kind, strike=how in rungs.STRIKING)
        return None

    def go_away(self, player: Player, now: float) -> None:
        """Leave from the site begins: clocks of this player stand still."""
        self.advance(now)
        if player in self.away:
            return
        self.away.add(player)
        if player in self.members:
            self.members[player].pause(now)
        for challenge in self.challenges.values():
            if challenge.to == player and challenge.due_at is not None:
                challenge.hours_left, challenge.due_at = challenge.due_at - now, None

    def come_back(self, player: Player, now: float) -> None:
        self.advance(now)
        if player not in self.away:
            return
        self.away.remove(player)
        if player in self.members:
            self.members[player].idle_since = now
        for challenge in self.challenges.values():
            if challenge.to == player and challenge.state == "pending":
                challenge.due_at = now + challenge.hours_left

    def seen_moving(self, player: Player, now: float) -> None:
        """The player made a move in some game of the site."""
        self.advance(now)
        if player in self.members:
            self.members[player].wake(now)

    def why_not(self, by: Player, to: Player, now: float) -> str | None:
        """The code of the refusal that a challenge would meet, with deadlines as they were applied last."""
        return rungs.refusal(self._claim(by, to), now)

    def position(self, player: Player) -> int | None:
        return self._rung(player) if player in self.members else None

    def _next_due(self, now: float) -> tuple[float, Challenge | Player] | None:
        due: list[tuple[float, int, int, Challenge | Player]] = [
            (challenge.due_at, 0, number, challenge)
            for number, challenge in self.challenges.items()
            if challenge.due_at is not None
        ]
        for player, membership in self.members.items():
            if membership.due_at is not None:
                due.append((membership.due_at, 1, -self._rung(player), player))
        first = min(due, key=lambda item: item[:3], default=None)
        return (first[0], first[3]) if first and first[0] <= now else None

    def _idle_step(self, player: Player) -> None:
        membership = self.members[player]
        if membership.drops == len(rungs.IDLE_DROPS):
            self._remove(player, "idle_out")
            return
        membership.drops += 1
        old = self._rung(player)
        new = min(len(self.places), old + rungs.idle_drop(len(self.places)))
        self.places.move(player, new)
        self.history.append(Step(self.now, "idle_drop", player, from_rung=old, to_rung=new))

    def _decide(self, challenge: Challenge, winner: Player, kind: str, strike: bool = False) -> None:
        """Put the winner above the loser; then the strike, which may remove the loser."""
        loser = challenge.to if winner == challenge.by else challenge.by
        old = self._rung(winner)
        new = rungs.climb(old, self._rung(loser))
        self.places.move(winner, new)
        self.history.append(Step(self.now, kind, winner, challenge.number, loser, old, new))
        if strike:
            membership = self.members[loser]
            membership.strikes = [*rungs.standing_strikes(membership.strikes, self.now), self.now]
            if len(membership.strikes) >= rungs.STRIKES_OUT:
                self._remove(loser, "struck_out")

    def _remove(self, player: Player, kind: str) -> None:
        self.history.append(Step(self.now, kind, player, from_rung=self._rung(player)))
        self.places.drop(player)
        del self.members[player]
        self.left_at[player] = self.now
        for challenge in self.challenges.values():
            if challenge.state == "pending" and player in (challenge.by, challenge.to):
                challenge.end("void", self.now)

    def _claim(self, by: Player, to: Player) -> rungs.Claim:
        between = [c for c in self.challenges.values() if {c.by, c.to} == {by, to}]
        ends = [c.ended_at for c in between if c.ended_at is not None and c.state != "void"]
        opened = [c for c in self.challenges.values() if c.is_open]
        return rungs.Claim(
            position=self.position(by),
            target=self.position(to),
            own_leave=by in self.away,
            target_leave=to in self.away,
            pair_open=any(c.is_open for c in between),
            pair_ended_at=max(ends, default=None),
            own_open=sum(c.by == by and c.to not in self.away for c in opened),
            against_target=sum(c.to == to and c.by not in self.away for c in opened),
        )

    def _pending(self, number: int, now: float) -> Challenge | None:
        self.advance(now)
        challenge = self.challenges.get(number)
        return challenge if challenge is not None and challenge.state == "pending" else None

    def _rung(self, player: Player) -> int:
        return self.places.of(player)
