"""What directors decide about players and games of an event, one function per ruling (docs/competition.md, 13).

Directors never edit results: each decision is a row for everybody to read, and the state of the event follows from it.
One who plays in an event may not rule on his own games, nor on who his opponents are; staff may always. In a bracket a
ruling counts while nobody has moved in the matches that hang on it; later it is written down and changes nothing there.
Standings follow at once, pairings already made do not change; of an event that is over places, badges and titles
follow.
"""

from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from accounts.models import User
from oceans.refusals import Refusal
from tournaments import editions, entering, event_ends, event_matches, plans, ratings, tickets
from tournaments import event_steps as steps
from tournaments.event_rows import Locked, is_knock_out, locked, open_round, value_of
from tournaments.fixtures import FORFEIT, PLAYED
from tournaments.models import Entrant, EventMatch, Pairing, Round, Ruling, Tournament
from tournaments.running import carry_on

Format = Tournament.Format
IN_GROUPS: Final = (Format.ROUND_ROBIN, Format.LEAGUE, Format.CUP, Format.MINI_CUP)
"""Where everybody meets everybody of his group."""


def record(here: Locked, kind: str, by: User, about: str, why: str) -> None:
    """Write a ruling down."""
    Ruling.objects.create(
        tournament=here.event, kind=kind, by=by, about=about[:200], why=why.strip()[:200], made_at=here.now
    )


# Rounds


def extend(*, tournament_id: int, number: int, by: User, now: datetime, why: str = "") -> None:
    """Give a round as much time again, once, before its limit."""
    with locked(tournament_id, now) as here:
        steps.require_director(here.event, by)
        round_ = here.event.rounds.filter(number=number, closed_at=None, limit_at__gt=now).first()
        if round_ is None or round_.was_extended or round_.late_at is None or round_.limit_at is None:
            raise Refusal(_("This round cannot be extended: it is over, or was extended before."))
        span = round_.late_at - round_.opened_at
        round_.late_at, round_.limit_at, round_.was_extended = round_.late_at + span, round_.limit_at + span, True
        round_.is_late = False
        round_.save()
        record(here, Ruling.Kind.EXTEND, by, _("round %(n)d") % {"n": number}, why)


def repair_round(*, tournament_id: int, round_id: int, by: User, now: datetime, why: str = "") -> None:
    """Pair the last round of a Swiss or a table event anew, while nobody has moved in it. Of a round that is not there
    any more that has been done already."""
    with locked(tournament_id, now) as here:
        event = here.event
        steps.require_director(event, by)
        if event.format not in (Format.SWISS, Format.TABLES) or not event.is_running:
            raise Refusal(_("Only rounds of a running Swiss or table event are paired anew."))
        round_ = event.rounds.filter(pk=round_id).first()
        if round_ is None:
            return
        if event.rounds.filter(number__gt=round_.number).exists():
            raise Refusal(_("The next round has been paired: look at it before you pair it anew."))
        pairings = list(round_.pairings.all())
        if any(event_matches.has_moves(pairing) for pairing in pairings):
            raise Refusal(_("Somebody has moved in this round, so its pairings stand."))
        event_matches.remove(here, pairings)
        round_.delete()
        record(here, Ruling.Kind.REPAIR_ROUND, by, _("round %(n)d") % {"n": round_.number}, why)
        steps.go_on(here)
    carry_on(tournament_id, now)


# Players


def withdraw(*, tournament_id: int, user_id: int, by: User, now: datetime, why: str = "") -> None:
    """Take somebody out who asked for it or does not answer: as if he had withdrawn himself."""
    _take_out(tournament_id, user_id, by, now, why, Entrant.State.WITHDRAWN, Ruling.Kind.WITHDRAW)


def exclude(*, tournament_id: int, user_id: int, by: User, now: datetime, why: str = "") -> None:
    """Put somebody out for good: as withdrawn, and never ranked; also after the end."""
    _take_out(tournament_id, user_id, by, now, why, Entrant.State.EXCLUDED, Ruling.Kind.EXCLUDE)


def _take_out(tournament_id: int, user_id: int, by: User, now: datetime, why: str, state: str, kind: str) -> None:
    with locked(tournament_id, now) as here:
        event = here.event
        steps.require_director(event, by)
        entrant = here.entrant(user_id)
        is_in = entrant is not None and entrant.state == Entrant.State.IN
        if entrant is None or not (is_in or (state == Entrant.State.EXCLUDED and entrant.state != state)):
            raise Refusal(_("This player is not in the event."))
        if event.state == Tournament.State.CANCELLED or (event.is_over and state == Entrant.State.WITHDRAWN):
            raise Refusal(_("This event is over."))
        _require_no_stake(here, entrant, by)
        steps.withdraw(here, entrant, state)
        record(here, kind, by, entrant.user.shown_name, why)
        _follow(here)
    carry_on(tournament_id, now)


def reinstate(*, tournament_id: int, user_id: int, by: User, now: datetime, why: str = "") -> None:
    """Take somebody who left a running event, or was put out of one that is open, back in, for what is paired from now
    on. What was forfeited stays so; each such game can be reopened. In a bracket it is too late once somebody was
    paired on from it."""
    with locked(tournament_id, now) as here:
        event = here.event
        steps.require_director(event, by)
        entrant = here.entrant(user_id)
        if entrant is None or not _may_return(event, entrant):
            raise Refusal(_("Only who has left an event that is running, or was put out, can be taken back in."))
        is_late = event.is_running and entrant.seed is None
        if is_late and not entering.is_late_entry(event):
            raise Refusal(_("The event began without this player, so it is too late to take him back in."))
        _require_no_stake(here, entrant, by)
        if user_id == by.pk and not by.is_staff:
            raise Refusal(_("Nobody takes himself back in: ask the staff."))
        last = Pairing.objects.filter(round__tournament=event, how=FORFEIT, group=0).order_by("-round__number")
        lost = next((row for row in last if user_id in row.players and row.winner_id != user_id), None)
        if lost is not None and is_knock_out(event, lost) and _paired_on(here, lost):
            raise Refusal(_("The opponent has been paired on, so it is too late to take this player back in."))
        _require_room(here)
        if event.is_open:
            tickets.use(event, user_id)
        entrant.state, entrant.left_at, entrant.is_paused, entrant.misses = Entrant.State.IN, None, False, 0
        if is_late:
            steps.place_late(event, entrant)
        entrant.save()
        steps.count(event, +1)
        editions.set_date(event, now)
        record(here, Ruling.Kind.REINSTATE, by, entrant.user.shown_name, why)
        if event.is_open and event.starts == Tournament.Starts.FULL and event.entered == event.most:
            steps.start(here)
        elif event.is_running:
            steps.go_on(here)
    carry_on(tournament_id, now)


def _may_return(event: Tournament, entrant: Entrant) -> bool:
    """Whether a director may take somebody back in: of an event that is open, only who cannot enter by himself."""
    if entrant.state == Entrant.State.EXCLUDED:
        return event.is_open or event.is_running
    return event.is_running and entrant.state != Entrant.State.IN


def replace(*, tournament_id: int, user_id: int, with_id: int, by: User, now: datetime, why: str = "") -> None:
    """Let another player take over the place of one who has not moved in the event yet, with its pairings."""
    with locked(tournament_id, now) as here:
        event = here.event
        steps.require_director(event, by)
        old, new = here.entrant(user_id), User.objects.get(pk=with_id)
        if old is None or old.seed is None or old.state == Entrant.State.EXCLUDED or not event.is_running:
            raise Refusal(_("Only a player of a running event can be replaced."))
        if event.is_endless or here.entrant(with_id) is not None:
            raise Refusal(_("%(name)s is or was in this event already.") % {"name": new.shown_name})
        _require_no_stake(here, old, by)
        if _has_moved(here, user_id):
            raise Refusal(_("%(name)s has moved here, so the place stays his.") % {"name": old.user.shown_name})
        if codes := entering.codes_at_start(event, [new], now)[with_id]:
            words = " ".join(entering.sentences(codes, event, new, now))
            raise Refusal(_("%(name)s cannot enter this event.") % {"name": new.shown_name} + f" {words}")
        if old.state != Entrant.State.IN:
            _require_room(here)
        seat = {"seed": old.seed, "level": old.level, "group": old.group, "late_in": old.late_in}
        if old.state == Entrant.State.IN:
            steps.count(event, -1)
        old.state, old.seed, old.left_at = Entrant.State.WITHDRAWN, None, now
        old.save(update_fields=["state", "seed", "left_at"])
        rating = entering.seeding_ratings(event.game, [with_id], now)[with_id]
        Entrant.objects.create(tournament=event, user=new, entered_at=now, rating=rating, **seat)
        steps.count(event, +1)
        for pairing in Pairing.objects.filter(round__tournament=event):
            if user_id in pairing.players:
                _change_player(here, pairing, user_id, with_id)
        if user_id in event.shape.get(plans.SEEDS, ()):
            seeds = [with_id if seed == user_id else seed for seed in event.shape[plans.SEEDS]]
            event.shape = {**event.shape, plans.SEEDS: seeds}
            event.save(update_fields=["shape"])
        names = {"old": old.user.shown_name, "new": new.shown_name}
        record(here, Ruling.Kind.REPLACE, by, _("%(new)s for %(old)s") % names, why)
        steps.go_on(here)
    carry_on(tournament_id, now)


def _require_no_stake(here: Locked, entrant: Entrant, by: User) -> None:
    """Raise Refusal if what becomes of an entrant decides games of the director's own: those of the two that are open,
    and all in a group of both, where the games of who leaves may be struck out."""
    event = here.event
    own = here.entrant(by.pk)
    if by.is_staff or own is None or own.seed is None or entrant.seed is None or entrant.pk == own.pk:
        return
    in_one_group = (own.level, own.group) == (entrant.level, entrant.group) and plans.SEEDS not in event.shape
    open_ones = Pairing.objects.filter(round__tournament=event, how="open").values_list("players", flat=True)
    if (event.format in IN_GROUPS and in_one_group) or any({by.pk, entrant.user_id} <= {*row} for row in open_ones):
        raise Refusal(
            _("%(name)s is an opponent of yours here: ask the staff to rule.") % {"name": entrant.user.shown_name}
        )


def _require_room(here: Locked) -> None:
    """Raise Refusal if nobody more can be in the event."""
    if here.event.most is not None and here.event.entered >= here.event.most:
        raise Refusal(_("This event is full."))


def _change_player(here: Locked, pairing: Pairing, old: int, new: int) -> None:
    """Put another player in a pairing; its running games are called off and opened anew. Of a pairing that is decided,
    games whose end was not taken in yet never are: they were those of the player before."""
    event_matches.call_off(here, pairing, event_matches.REOPENED)
    pairing.players = [new if player == old else player for player in pairing.players]
    if pairing.winner_id == old:
        pairing.winner_id = new
    pairing.save(update_fields=["players", "winner"])


def _has_moved(here: Locked, user_id: int) -> bool:
    """Whether a player has moved in a game of the event."""
    rows = EventMatch.objects.filter(pairing__round__tournament=here.event).select_related("pairing")
    return any(event_matches.has_moved(match, user_id) for match in rows if user_id in match.pairing.players)


# Games


def set_result(
    *, tournament_id: int, number: int, board: int, points: tuple[int, int], by: User, now: datetime, why: str = ""
) -> None:
    """Rule how a pairing of two ended: doubled points of its players, 2-0, 1-1, 0-2, or 0-0 for a forfeit of both.

    A game that still runs is called off. To rule what stands already changes nothing. Raises Refusal with the reason.
    """
    with locked(tournament_id, now) as here:
        pairing = _pairing(here, number, board, by)
        if len(pairing.players) != 2:
            raise Refusal(_("There is no such game between two in this event."))
        if points not in ((2, 0), (1, 1), (0, 2), (0, 0)):
            raise Refusal(_("A game ends 1–0, ½–½, 0–1, or 0–0 where neither came."))
        in_bracket = is_knock_out(here.event, pairing)
        if in_bracket and points == (1, 1):
            raise Refusal(_("Somebody must go on from this game: rule for one of the two, or for neither."))
        how = PLAYED if sum(points) else FORFEIT
        if pairing.how == how and tuple(pairing.points) == points:
            return
        before = " – ".join(map(str, pairing.points)) or _("open")
        about = _about(pairing) + _(", before: %(before)s") % {"before": before}
        if in_bracket and not _free_bracket(here, pairing):
            about = _("%(game)s; without effect on the bracket: the next game had begun") % {"game": about}
            told = here.event.rulings.filter(kind=Ruling.Kind.SET_RESULT, by=by, about=about[:200])
            if not told.filter(why=why.strip()[:200]).exists():
                record(here, Ruling.Kind.SET_RESULT, by, about, why)
            return
        event_matches.rule(here, pairing, points, how)
        if not in_bracket:
            _free_groups(here, pairing)
        record(here, Ruling.Kind.SET_RESULT, by, about, why)
        _follow(here)
    carry_on(tournament_id, now)


def reopen(*, tournament_id: int, number: int, board: int, by: User, now: datetime, why: str = "") -> None:
    """Let a decided pairing be played again: a new game is opened, and what was played counts no more in the event.

    Only in a running event, of the last round where rounds follow on one another, and with both players in it.
    """
    with locked(tournament_id, now) as here:
        event = here.event
        pairing = _pairing(here, number, board, by)
        if not event.is_running or event.is_endless:
            raise Refusal(_("Only games of a running event with an end can be played again."))
        if pairing.is_open or len(pairing.players) < 2:
            raise Refusal(_("This game is still being played."))
        here_now = set(event.entrants.filter(state=Entrant.State.IN).values_list("user", flat=True))
        if not here_now.issuperset(pairing.players):
            raise Refusal(_("A player of this game has left: take him back in first."))
        follows_on = event.format in (Format.SWISS, Format.TABLES) or event.shape.get("serial")
        if follows_on and event.rounds.filter(number__gt=number).exists():
            raise Refusal(_("The next round has been paired, so this game stays as it was; its result can be set."))
        if is_knock_out(event, pairing) and not _free_bracket(here, pairing):
            raise Refusal(_("The next game has begun, so this one stays as it was."))
        if not is_knock_out(event, pairing) and not _free_groups(here, pairing):
            raise Refusal(_("The bracket has begun, so the groups stay as they were; results can be set."))
        event_matches.reopen(here, pairing)
        open_round(here, number, pairing.games)
        record(here, Ruling.Kind.REOPEN, by, _about(pairing), why)
    carry_on(tournament_id, now)


def void_rating(*, tournament_id: int, number: int, board: int, by: User, now: datetime, why: str = "") -> None:
    """Rule that the games of a pairing do not count for ratings; in the event they do."""
    with locked(tournament_id, now) as here:
        pairing = _pairing(here, number, board, by)
        voided = 0
        for match in pairing.matches.exclude(ended_at=None):
            try:
                ratings.void(match.match_id, by.pk, why.strip()[:200], now)
            except Refusal:
                continue
            voided += 1
        if not voided:
            raise Refusal(_("No game of this pairing counts for ratings."))
        record(here, Ruling.Kind.VOID_RATING, by, _about(pairing), why)


def _pairing(here: Locked, number: int, board: int, by: User) -> Pairing:
    """The pairing that a director wants to rule on. Raises Refusal if he may not, or there is none."""
    steps.require_director(here.event, by)
    pairings = Pairing.objects.filter(round__tournament=here.event, round__number=number, board=board)
    found = pairings.select_related("round").first()
    if found is None or here.event.state == Tournament.State.CANCELLED:
        raise Refusal(_("There is no game of this round and board in this event."))
    if by.pk in found.players and not by.is_staff:
        raise Refusal(_("You play in this game yourself: ask the staff to rule on it."))
    return found


def _about(pairing: Pairing) -> str:
    return _("round %(round)d, board %(board)d") % {"round": pairing.round.number, "board": pairing.board}


def _later(here: Locked, pairing: Pairing) -> list[Pairing]:
    """The pairings of the bracket that hang on one of its matches."""
    after = plans.later_matches(value_of(here.event), pairing.round.number, pairing.board)
    rows = Pairing.objects.filter(round__tournament=here.event, group=0).select_related("round")
    return [row for row in rows if (row.round.number, row.board) in after]


def _paired_on(here: Locked, pairing: Pairing) -> bool:
    return bool(_later(here, pairing))


def _free_bracket(here: Locked, pairing: Pairing) -> bool:
    """Take back what was paired on from a match of the bracket; False if somebody has moved there or it is decided."""
    later = _later(here, pairing)
    if here.event.is_over and later:
        return False
    if any(not row.is_open or event_matches.has_moves(row) for row in later):
        return False
    event_matches.remove(here, later)
    return True


def _free_groups(here: Locked, pairing: Pairing) -> bool:
    """After a ruling in a group of a cup: take back a bracket in which nobody has moved, so that it is drawn anew.
    False if it has begun."""
    if here.event.format != Format.CUP or plans.SEEDS not in here.event.shape:
        return True
    bracket = list(Pairing.objects.filter(round__tournament=here.event, group=0))
    if any(not row.is_open or event_matches.has_moves(row) for row in bracket):
        return False
    event_matches.remove(here, bracket)
    Round.objects.filter(tournament=here.event, pairings=None).delete()
    here.event.shape = {name: value for name, value in here.event.shape.items() if name != plans.SEEDS}
    here.event.save(update_fields=["shape"])
    return True


def _follow(here: Locked) -> None:
    """Let the event follow a ruling: go on, or rank again if it is over."""
    if here.event.is_running:
        steps.go_on(here)
    elif here.event.state == Tournament.State.FINISHED:
        event_ends.rank_again(here)
