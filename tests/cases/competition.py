"""Ratings, ladders and events: each kind of case in the formats of its files, computed by the pure functions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from hmac import compare_digest
from typing import Any

from tournaments import brackets, cups, dropouts, entry, fixtures, leagues, lots, pairing, rate, schedule, tables
from tournaments import result_log as log
from tournaments import standings as table
from tournaments.ladder import Ladder, Step
from tournaments.mini_cups import MiniCup
from tournaments.players import Entrant
from tournaments.tiebreaks import MEETINGS, Outing

Json = dict[str, Any]


def rating_day(case: Json) -> Json:
    params = rate.Params(**{name.lower(): value for name, value in case.get("params", {}).items()})
    before = {name: rate.Rating(card["r"], card["rd"], card["day"]) for name, card in case["players"].items()}
    results = [rate.day_result(row["id"], row["seats"], row["ranks"]) for row in case["results"]]
    outcomes = rate.rate_day(before, case["day"], results, params)
    return {player: _card(outcome.rating) | {"delta": outcome.changes} for player, outcome in outcomes.items()}


def rating_predict(case: Json) -> list[float]:
    def at_rest(pair: list[float]) -> rate.Rating:
        r, rd = pair
        return rate.Rating(r, rd, day=0)

    return [round(rate.chance(at_rest(pair["a"]), at_rest(pair["b"])), 6) for pair in case["pairs"]]


def rating_log(case: Json) -> Json:
    rows = [_logged(row) for row in case["results"]]
    today = case["as_of"]
    return {
        "codes": {row.number: log.code_of(row) for row in rows},
        "pools": {
            pool: {player: _card_on(today, card) for player, card in cards.items()}
            for pool, cards in log.replay(rows).items()
        },
    }


def _logged(row: Json) -> log.LoggedResult:
    seats = tuple(log.LoggedSeat(s["player"], s["rank"], s["moved"], s.get("bot", False)) for s in row["seats"])
    marks = {mark: row.get(mark, False) for mark in ("related", "streak", "void")}
    return log.LoggedResult(row["id"], row["pool"], row["day"], seats, row["rated"], row["reason"], **marks)


def _card(rating: rate.Rating) -> Json:
    return {"r": rating.r, "rd": rating.rd, "day": rating.day}


def _card_on(today: int, card: log.Card) -> Json:
    provisional = card.is_provisional(today)
    return _card(card.rating) | {
        "games": card.games,
        "rd_now": card.rd_on(today),
        "provisional": provisional,
        "shown": rate.shown(card.rating.r, provisional),
    }


def ladder(case: Json) -> Json:
    model = Ladder(case["order"])
    steps = [{"error": _ladder_event(model, event), "order": list(model.order)} for event in case["events"]]
    return {
        "steps": steps,
        "history": [_history_row(step) for step in model.history],
        "challenges": {number: challenge.state for number, challenge in model.challenges.items()},
    }


def _ladder_event(model: Ladder, event: Json) -> str | None:
    verbs: dict[str, Callable[[float], str | None]] = {
        "tick": model.advance,
        "join": lambda t: model.join(event["player"], t),
        "leave": lambda t: model.leave(event["player"], t),
        "active": lambda t: model.seen_moving(event["player"], t),
        "vacation_on": lambda t: model.go_away(event["player"], t),
        "vacation_off": lambda t: model.come_back(event["player"], t),
        "challenge": lambda t: model.challenge(event["id"], event["by"], event["to"], t),
        "accept": lambda t: model.accept(event["id"], t),
        "decline": lambda t: model.decline(event["id"], t),
        "cancel": lambda t: model.cancel(event["id"], t),
        "result": lambda t: model.finish(event["id"], event["winner"], event["how"], t),
    }
    return _known(verbs, event["type"])(event["t"])


def _history_row(step: Step) -> Json:
    row = {"t": step.at, "kind": step.kind, "ch": step.challenge, "player": step.player, "other": step.other}
    row |= {"frm": step.from_rung, "to": step.to_rung}
    return {name: value for name, value in row.items() if value is not None}


def round_robin_schedule(case: Json) -> Json:
    rounds = schedule.berger(case["players"], case["cycles"])
    firsts = schedule.first_seats(rounds)
    return {
        "rounds": [round_.pairs for round_ in rounds],
        "byes": [round_.bye for round_ in rounds],
        "firsts": {number: firsts[number] for number in range(1, case["players"] + 1)},
    }


def round_robin(case: Json) -> Json:
    games = [fixtures.Fixture(game["a"], game["b"], tuple(game["r"]), game["how"]) for game in case["games"]]
    result = table.round_robin(_entrants(case), games, case.get("withdrawn", []))
    return {"standings": [_line(standing) for standing in result.standings], "annulled": result.annulled}


def swiss_standings(case: Json) -> Json:
    sheets = {player: [_outing(outing) for outing in sheet] for player, sheet in case["sheets"].items()}
    return {"standings": [_line(standing) for standing in table.swiss(_entrants(case), sheets)]}


def _outing(outing: Json) -> Outing:
    if outing["kind"] in MEETINGS:
        return Outing(outing["kind"], outing["opp"], outing["r"])
    return Outing(outing["kind"])


def _entrants(case: Json) -> list[Entrant]:
    return [Entrant(row["id"], row["seed"]) for row in case["players"]]


def _line(standing: table.Standing) -> Json:
    line: Json = {name: getattr(standing, name) for name in ("player", "place", "shared", "strict")}
    return line | {name: str(v) if isinstance(v, Fraction) else v for name, v in standing.values.items()}


def swiss_pairing(case: Json) -> Json:
    contenders = [
        pairing.Contender(
            player=row["id"],
            seed=row["seed"],
            points=row["points"],
            met=tuple(row["met"]),
            free_wins=row["free"],
            seats=tuple(row["seats"]),
            active=row.get("active", True),
        )
        for row in case["players"]
    ]
    found = pairing.pair_round(contenders, case["round"])
    cost = found.cost
    return {"pairs": found.pairs, "bye": found.bye, "cost": [cost.meetings, cost.gap, cost.fold]}


def best_of(case: Json) -> Json:
    verdict = brackets.best_of(case["k"], case["games"], case["better_seed"])
    return {
        "decided": verdict.winner is not None,
        "winner": verdict.winner,
        "after": verdict.after,
        "by": verdict.by,
        "score": verdict.score,
    }


def elimination(case: Json) -> Json:
    outcomes = {_match_key(key): winner for key, winner in case["outcomes"].items()}
    bracket = brackets.eliminate(case["seeds"], outcomes)
    return {"rounds": [[_match(match) for match in matches] for matches in bracket.rounds], "places": bracket.places}


def _match_key(text: str) -> brackets.MatchKey:
    try:
        number, match = map(int, text.split("."))
    except ValueError:
        raise ValueError(f"A match is named like 1.2, not {text}.") from None
    return number, match


def _match(match: brackets.BracketMatch) -> Json:
    def name(slot: brackets.Slot) -> Any:
        return None if isinstance(slot, brackets.Gap) else slot

    return {"a": name(match.a), "b": name(match.b), "kind": match.kind, "winner": name(match.winner)}


def league_layout(case: Json) -> Json:
    return {str(size): leagues.layout(size) for size in case["sizes"]}


def league(case: Json) -> Json:
    levels = [
        [
            [leagues.LeagueLine(row["player"], row["place"], row["points"], row["max"]) for row in group]
            for group in level
        ]
        for level in case["levels"]
    ]
    players = [line.player for level in levels for group in level for line in group] + case["new"]
    ratings = {player: case["ratings"][str(player)] for player in players if str(player) in case["ratings"]}
    edition = leagues.next_edition(levels, ratings, case["leaving"], case["new"])
    return {"levels": edition.levels, "moves": edition.moves}


def cup_groups(case: Json) -> Json:
    ratings = {row["id"]: row["rating"] for row in case["entrants"]}
    if len(ratings) < len(case["entrants"]):
        raise ValueError("An entrant is named more than once.")
    return {"groups": cups.draw_groups(ratings, case["limit"])}


def cup_bracket(case: Json) -> Json:
    groups = [
        [cups.GroupLine(row["player"], row["points"], row["max"], row["seed"]) for row in group]
        for group in case["groups"]
    ]
    found = cups.draw_bracket(groups)
    return {"seeds": found.seeds, "first_round": found.first_round, "swaps": found.swaps}


def table_sizes(case: Json) -> Json:
    return {str(size): tables.table_sizes(size, _sizing(case)) for size in case["sizes"]}


def tables_pairing(case: Json) -> Json:
    absent = [row["id"] for row in case["players"] if not row.get("active", True)]
    return {"tables": tables.seat_round(_entrants(case), _sizing(case), _table_rounds(case), absent)}


def tables_standings(case: Json) -> Json:
    rounds = _table_rounds(case)
    return {
        "points": [[list(result.points().values()) for result in round_] for round_ in rounds],
        "standings": [_line(standing) for standing in tables.standings(_entrants(case), rounds)],
    }


def _sizing(case: Json) -> tables.Sizing:
    return tables.Sizing(case["target"], case["min"], case["max"])


def _table_rounds(case: Json) -> list[list[tables.TableResult]]:
    return [
        [
            tables.TableResult(tuple(row["seats"]), tuple(row["ranks"]), frozenset(row.get("no_show", ())))
            for row in round_
        ]
        for round_ in case["rounds"]
    ]


def mini_cup(case: Json) -> Json:
    cup = MiniCup(case["capacity"])
    verbs = {"join": cup.join, "leave": cup.leave, "seen": cup.saw}
    steps, started = [], []
    for event in case["events"]:
        outcome = _known(verbs, event["type"])(event["player"], event["t"])
        if isinstance(outcome, list):
            started.append({"t": event["t"], "players": outcome})
            outcome = None
        steps.append({"error": outcome, "waiting": cup.waiting})
    return {"steps": steps, "started": started}


def dropout(case: Json) -> list[Json]:
    is_miss = {"miss": True, "move": False}
    signs = [
        dropouts.Sign(event["t"], event["player"], _known(is_miss, event["type"]), event.get("tournament"))
        for event in case["events"]
    ]
    return [
        {"t": effect.at, "player": effect.player, "effect": effect.kind, "tournament": effect.event}
        for effect in dropouts.effects(case["entries"], signs)
    ]


def overdue(case: Json) -> list[Json]:
    def side(time: Json) -> fixtures.SideTime:
        return fixtures.SideTime(time["hours"], time["moved"])

    decided = [fixtures.at_hard_limit(side(game["a"]), side(game["b"])) for game in case["games"]]
    return [{"r": score, "how": how} for score, how in decided]


def entry_checks(case: Json) -> list[list[str]]:
    return [_entry_check(check) for check in case["checks"]]


def _entry_check(check: Json) -> list[str]:
    user, asked = check["user"], check["conditions"]
    banned_until = user.get("banned_until")
    applicant = entry.Applicant(
        name=user["name"],
        rating=user["rating"],
        peak=user["peak180"],
        rd=user["rd"],
        games=user["games"],
        age_days=user["age_days"],
        timeouts=user["timeouts90"],
        finished=user["finished90"],
        has_mail=user["email_verified"],
        is_barred=banned_until is not None and banned_until > check["now"],
        is_dormant=user.get("dormant", False),
    )
    conditions = entry.Conditions(
        min_rating=asked.get("min_rating"),
        max_rating=asked.get("max_rating"),
        no_provisional=asked.get("no_provisional", False),
        min_games=asked.get("min_games"),
        min_age_days=asked.get("min_age_days"),
        most_timeouts=asked.get("max_timeout_pct"),
        allowed=asked.get("allow"),
        most_players=asked.get("max_players"),
    )
    password, given = asked.get("password"), check.get("password") or ""
    fits = password is None or compare_digest(password.encode(), given.encode())
    return entry.refusals(applicant, conditions, check["entered"], fits)


def draw_of_lots(case: Json) -> Json:
    seed, purpose = case["seed"], case["purpose"]
    order = lots.draw(seed, purpose, case["ids"])
    return {"order": order, "heads": [lots.lot(seed, purpose, player)[:8] for player in order]}


def _known(choices: dict[str, Any], name: str) -> Any:
    if name not in choices:
        raise ValueError(f"There is no event of type {name}.")
    return choices[name]


KINDS: dict[str, Callable[[Json], Any]] = {
    "rating_day": rating_day,
    "rating_predict": rating_predict,
    "rating_log": rating_log,
    "ladder": ladder,
    "round_robin_schedule": round_robin_schedule,
    "round_robin": round_robin,
    "swiss_standings": swiss_standings,
    "swiss_pairing": swiss_pairing,
    "best_of": best_of,
    "elimination": elimination,
    "league_layout": league_layout,
    "league": league,
    "cup_groups": cup_groups,
    "cup_bracket": cup_bracket,
    "table_sizes": table_sizes,
    "tables_pairing": tables_pairing,
    "tables_standings": tables_standings,
    "mini_cup": mini_cup,
    "dropout": dropout,
    "overdue": overdue,
    "entry": entry_checks,
    "lots": draw_of_lots,
}
