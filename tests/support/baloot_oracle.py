"""Baloot a second time, written from RULES.md 4 with nothing of the code under test.

Cards are their codes, suits and words their letters; flags are a plain dictionary of public names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

Flags = Mapping[str, Any]
SUITS = "CDHS"
RUNS = "AKQJT987"
ROUND_SUN, ROUND_HOKUM = 26, 16


# -- 4.2 bidding -----------------------------------------------------------------------------------


def bidding(flags: Flags, dealer: int, face: str, calls: Sequence[tuple[int, str]]) -> Any:
    """What the calls so far have led to.

    ``("ask", step, seat, options, seats that may show)``, ``("passed",)``, ``("shown", seat)``, or
    ``("bought", mode, trump, caller, receiver, ashkal, round)``.
    """
    heard = list(calls)
    turn = [(dealer + 1 + k) % 4 for k in range(4)]
    spoken, found = 0, ("", "")
    while True:
        if spoken == 8:
            return ("passed",)
        second, place = divmod(spoken, 4)
        offer = {"pass", "sun"} | ashkal(flags, face, place, second)
        offer |= {f"hokum:{s}" for s in SUITS if s != face[1]} if second else {"hokum"}
        showing = turn[place:] if flags["kawesh"] == "same_dealer" and not second else []
        if not heard:
            return ("ask", "bidding", turn[place], offer, showing)
        found = heard.pop(0)
        if found[1] == "kawesh":
            return ("shown", found[0])
        if found[1] != "pass":
            break
        spoken += 1
    word = found[1]
    if word in ("sun", "ashkal"):
        return claims(flags, turn, place, word, second + 1, heard)
    return over_hokum(flags, face, turn, place, word, second, heard)


def over_hokum(
    flags: Flags,
    face: str,
    turn: list[int],
    place: int,
    word: str,
    second: int,
    heard: list[tuple[int, str]],
) -> Any:
    """After a hokum: a sun of others, else the caller's confirmation."""
    for step in range(1, 4):
        other = (place + step) % 4
        offer = {"pass", "sun"}
        if other < place and second:
            if flags["hokum2_asks"] == "unspoken" or step == 2:
                continue
        else:
            offer |= ashkal(flags, face, other, second)
        if not heard:
            return ("ask", "bidding", turn[other], offer, [])
        said = heard.pop(0)[1]
        if said != "pass":
            return claims(flags, turn, other, said, second + 1, heard)
    if not heard:
        return ("ask", "confirm", turn[place], {"hokum", "sun"}, [])
    seat = turn[place]
    if heard.pop(0)[1] == "sun":
        return ("bought", "sun", None, seat, seat, False, second + 1)
    trump = word[-1] if ":" in word else face[1]
    return ("bought", "hokum", trump, seat, seat, False, second + 1)


def ashkal(flags: Flags, face: str, place: int, second: int) -> set[str]:
    """Ashkal belongs to the third and fourth to speak, not on an ace."""
    allowed = place >= 2 and face[0] != "A" and (not second or flags["ashkal_round2"])
    return {"ashkal"} if allowed else set()


def claims(
    flags: Flags, turn: list[int], place: int, word: str, number: int, heard: list[Any]
) -> Any:
    """The window in which others may take a sun."""
    for step in range(1, 4):
        other = (place + step) % 4
        if flags["sun_reclaim"] == "earlier_opponents" and (step == 2 or other > place):
            continue
        if not heard:
            return ("ask", "claim", turn[other], {"take", "leave"}, [])
        if heard.pop(0)[1] == "take":
            return ("bought", "sun", None, turn[other], turn[other], False, number)
    caller = turn[place]
    receiver = turn[(place + 2) % 4] if word == "ashkal" else caller
    return ("bought", "sun", None, caller, receiver, word == "ashkal", number)


def shows(five: Iterable[str]) -> bool:
    """Whether a first five may be shown."""
    return not {card[0] for card in five} & set("AKQJT")


# -- 4.3 raises ------------------------------------------------------------------------------------


def raising(
    flags: Flags, mode: str, caller: int, scores: Sequence[int], said: Sequence[tuple[int, str]]
) -> Any:
    """``("ask", step, seat, options)`` or ``("play", multiplier, gahwa, closed, last raiser)``."""
    heard = list(said)
    own, other = scores[caller % 2], scores[1 - caller % 2]
    doubles = {
        "over100_under100": own > 100 and other < 100,
        "over100_upto100": own > 100 and other <= 100,
        "from100_under100": own >= 100 and other < 100,
    }[flags["sun_double"]]
    plain = ("play", 1, False, False, None)
    if mode == "sun" and not doubles:
        return plain
    seats = [[(caller + 1) % 4, (caller + 3) % 4], [caller], [], [caller]]
    now: Any = plain
    for level, word in enumerate(("double", "triple", "four", "gahwa")):
        if mode == "sun" and level:
            return now
        raised = None
        for seat in seats[level]:
            if not heard:
                return ("ask", "raise", seat, {"pass", word})
            if heard.pop(0)[1] == word:
                raised = seat
                break
        if raised is None:
            return now
        if level == 0:
            seats[2] = [raised]
        closed = False
        if mode == "hokum" and word != "gahwa":
            if flags["closed"] == "x2_x4":
                closed = word in ("double", "four")
            else:
                if not heard:
                    return ("ask", "closed", raised, {"open", "closed"})
                closed = heard.pop(0)[1] == "closed"
        times = 1 if word == "gahwa" else level + 2
        now = ("play", times, word == "gahwa", closed, raised % 2)
    return now


# -- 4.4 play --------------------------------------------------------------------------------------


def height(card: str, trump: str | None) -> int:
    """How high a card is in its suit."""
    return ("78QKTA9J" if card[1] == trump else "789JQKTA").index(card[0])


def takes(trick: Sequence[tuple[int, str]], trump: str | None) -> tuple[int, str]:
    """Who wins a trick, and with what."""
    led = trick[0][1][1]
    cuts = [p for p in trick if p[1][1] == trump]
    return max(
        cuts or [p for p in trick if p[1][1] == led], key=lambda each: height(each[1], trump)
    )


def allowed(
    flags: Flags,
    hand: Sequence[str],
    trick: Sequence[tuple[int, str]],
    seat: int,
    trump: str | None,
    *,
    closed: bool,
) -> set[str]:
    """The cards of a hand that may be played."""
    mine = set(hand)
    hokum = {card for card in mine if card[1] == trump}
    if not trick:
        return mine - hokum if closed and mine - hokum else mine
    led = trick[0][1][1]
    suited = {card for card in mine if card[1] == led}
    who, best = takes(trick, trump)
    bound = trump is not None and flags["void"] == "must_trump" and (who - seat) % 2 == 1
    if suited:
        if bound and led == trump:
            over = {card for card in suited if height(card, trump) > height(best, trump)}
            return over or suited
        return suited
    if not bound or not hokum:
        return mine
    if best[1] != trump:
        return hokum
    over = {card for card in hokum if height(card, trump) > height(best, trump)}
    return over or (hokum if flags["under_trump"] == "must" else mine)


def count(card: str, trump: str | None) -> int:
    """Card points."""
    if card[1] == trump and card[0] in "J9":
        return {"J": 20, "9": 14}[card[0]]
    return {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(card[0], 0)


# -- 4.5 projects ----------------------------------------------------------------------------------

Project = tuple[str, str, str, frozenset[str]]
"""Word, form, top rank, cards."""
ORDER = ("four_hundred", "hundred", "fifty", "sira")
ROUND_POINTS = {"four_hundred": 40, "hundred": 20, "fifty": 10, "sira": 4}
"""In sun; half of it in hokum."""
RAW = {"four_hundred": 200, "hundred": 100, "fifty": 50, "sira": 20}


def rank_of(project: Project) -> tuple[int, int, int]:
    """The lower, the better."""
    return ORDER.index(project[0]), int(project[1] == "four"), RUNS.index(project[2])


def holdings(hand: Sequence[str], mode: str) -> Iterator[list[Project]]:
    """All projects of a hand, for each choice of fours that are kept together."""
    fours = [r for r in "AKQJT" if sum(card[0] == r for card in hand) == 4]
    for kept in product((True, False), repeat=len(fours)):
        taken = "".join(r for r, keep in zip(fours, kept, strict=True) if keep)
        found: list[Project] = [
            (
                "four_hundred" if r == "A" and mode == "sun" else "hundred",
                "four",
                r,
                frozenset(r + suit for suit in SUITS),
            )
            for r in taken
        ]
        for suit in SUITS:
            marks = "".join(r if r + suit in hand and r not in taken else "." for r in RUNS)
            for run in re.findall(r"[^.]{3,}", marks):
                parts = (run[:5], run[5:]) if len(run) == 8 else (run,)
                for part in parts:
                    word = {3: "sira", 4: "fifty"}.get(len(part), "hundred")
                    cards = frozenset(r + suit for r in part)
                    found.append((word, "run", part[0], cards))
        yield found


def announceable(hand: Sequence[str], mode: str, most: int) -> set[str]:
    """Every announcement that a hand allows."""
    words = {"none"}
    for found in holdings(hand, mode):
        for number in range(1, most + 1):
            for some in combinations(found, number):
                words.add("+".join(sorted((p[0] for p in some), key=ORDER.index)))
    return words


def meant(hand: Sequence[str], mode: str, word: str, trump: str | None) -> list[Project]:
    """The projects that an announcement of this hand means, best first."""
    wanted = Counter(word.split("+")) if word != "none" else Counter[str]()
    pair = {f"K{trump}", f"Q{trump}"}
    fitting = [
        sorted(some, key=rank_of)
        for found in holdings(hand, mode)
        for some in combinations(found, sum(wanted.values()))
        if Counter(p[0] for p in some) == wanted
    ]
    return min(fitting, key=lambda way: [(rank_of(p), bool(pair & p[3])) for p in way])


def compared(
    flags: Flags, announced: Mapping[int, list[Project]], order: Sequence[int]
) -> int | None:
    """Side whose projects count."""
    all_of = [(rank_of(p), order.index(s), s % 2) for s, own in announced.items() for p in own]
    if not all_of:
        return None
    best = min(all_of)
    equal = {side for rank, _, side in all_of if rank == best[0]}
    return None if flags["project_tie"] == "cancel" and len(equal) == 2 else best[2]


# -- 4.6 and 4.7 -----------------------------------------------------------------------------------


def round_points(flags: Flags, mode: str, abnat: Sequence[int]) -> list[int]:
    """Card points as round points."""
    if mode == "sun":
        return [2 * (c // 10) + (c % 10 >= 5) + (c % 10 > 5) for c in abnat]
    found = [c // 10 + (c % 10 > 5) for c in abnat]
    if abnat[0] % 10 == abnat[1] % 10 == 6 and flags["hokum_round"] != "individual":
        more = 0 if abnat[0] > abnat[1] else 1
        found[more if flags["hokum_round"] == "pair16" else 1 - more] -= 1
    return found


def written(flags: Flags, play: Mapping[str, Any]) -> dict[str, Any]:
    """What is written for a round.

    `play` has mode, buyer, abnat, won, gp, raw, baloot (all but the first by side), mult, raiser,
    gahwa.
    """
    mode, buyer, mult = play["mode"], play["buyer"], play["mult"]
    cards = round_points(flags, mode, play["abnat"])
    gp, raw, baloot = play["gp"], play["raw"], play["baloot"]
    times = min(mult, 2) if flags["projects_raised"] == "at_most_double" else mult
    if 8 in play["won"]:
        side = play["won"].index(8)
        own = [side] if flags["kaboot_projects"] == "winner" else [0, 1]
        if flags["kaboot_raised"] == "plain":
            mult = times = 1
        full = (44 if mode == "sun" else 25) * mult
        full += sum(gp[s] * times + 2 * baloot[s] for s in own)
        return result(side, buyer, kaboot=side, final={side: full}, gahwa=play["gahwa"])
    whole = (ROUND_SUN if mode == "sun" else ROUND_HOKUM) * mult + sum(gp) * times
    total = [cards[s] + gp[s] for s in (0, 1)]
    count_raw = [play["abnat"][s] + raw[s] for s in (0, 1)]
    with_baloot = [count_raw[s] + 20 * baloot[s] for s in (0, 1)]
    if flags["compare"] == "raw":
        by = with_baloot if flags["baloot_compares"] else count_raw
    else:
        by = [total[s] + 2 * baloot[s] * flags["baloot_compares"] for s in (0, 1)]
    made = decided(flags, play, by, with_baloot)
    if not made:
        side = 1 - buyer
        return result(side, buyer, final={side: whole + 2 * sum(baloot)}, gahwa=play["gahwa"])
    final = {s: 2 * baloot[s] for s in (0, 1)}
    if play["mult"] > 1:
        final[buyer] += whole
    else:
        final = {s: final[s] + total[s] for s in (0, 1)}
    return result(buyer, buyer, final=final, gahwa=play["gahwa"])


def decided(
    flags: Flags, play: Mapping[str, Any], by: Sequence[int], with_baloot: Sequence[int]
) -> bool:
    """Whether the buyers made it."""
    buyer = play["buyer"]
    ahead = by[buyer] - by[1 - buyer]
    if ahead or flags["tie"] == "buyer_fails":
        return ahead > 0
    by_buyer = play["raiser"] == buyer
    if flags["tie"] == "stands":
        return not ((play["mult"] > 1 or play["gahwa"]) and by_buyer)
    if play["mult"] > 1:
        return not by_buyer
    ahead = with_baloot[buyer] - with_baloot[1 - buyer]
    return ahead > 0 or (ahead == 0 and play["mode"] == "sun")


def result(
    winner: int,
    buyer: int,
    *,
    final: Mapping[int, int],
    gahwa: bool,
    kaboot: int | None = None,
) -> dict[str, Any]:
    """The fields of a score that are compared."""
    return {
        "winner": winner,
        "failed": winner != buyer,
        "kaboot": kaboot,
        "final": [final.get(0, 0), final.get(1, 0)],
        "game_won_by_gahwa": winner if gahwa else None,
    }


def game_won(flags: Flags, scores: Sequence[int], by_gahwa: int | None) -> int | None:
    """Who has won the game."""
    if by_gahwa is not None:
        return by_gahwa
    if max(scores) < flags["target"] or scores[0] == scores[1]:
        return None
    return int(scores[1] > scores[0])


def round_result(flags: Flags, play: Mapping[str, Any]) -> dict[str, Any]:
    """The whole result of a round that was played out.

    `play` has `bought` and `raised` as `bidding` and `raising` gave them, `hands` by seat, `said`
    (announcement by seat), `tricks` as lists of (seat, card).
    """
    _, mode, trump, caller, *_ = play["bought"]
    _, mult, gahwa, _, raiser = play["raised"]
    abnat, won = [0, 0], [0, 0]
    for number, trick in enumerate(play["tricks"]):
        side = takes(trick, trump)[0] % 2
        won[side] += 1
        abnat[side] += sum(count(card, trump) for _, card in trick) + 10 * (number == 7)
    announced = {
        seat: meant(play["hands"][seat], mode, word, trump) for seat, word in play["said"].items()
    }
    order = [seat for seat, _ in play["tricks"][0]]
    side = compared(flags, announced, order)
    gp, raw, baloot = [0, 0], [0, 0], [0, 0]
    for seat, own in announced.items():
        if seat % 2 == side:
            gp[seat % 2] += sum(ROUND_POINTS[p[0]] // (1 + (mode == "hokum")) for p in own)
            raw[seat % 2] += sum(RAW[p[0]] for p in own)
    pair = {f"K{trump}", f"Q{trump}"}
    for seat, hand in play["hands"].items():
        if trump and pair <= set(hand):
            blocking = announced.get(seat, [])
            if flags["baloot_overlap"] == "hundred":
                blocking = [p for p in blocking if p[0] == "hundred" and seat % 2 == side]
            baloot[seat % 2] = int(not any(pair & p[3] for p in blocking))
    score = written(
        flags,
        {
            "mode": mode,
            "buyer": caller % 2,
            "abnat": abnat,
            "won": won,
            "gp": gp,
            "raw": raw,
            "baloot": baloot,
            "mult": mult,
            "raiser": raiser,
            "gahwa": gahwa,
        },
    )
    return {
        "abnat": abnat,
        "tricks_won": won,
        "project_team": side,
        "project_points": gp,
        "baloot": baloot,
        "score": score,
    }
