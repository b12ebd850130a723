"""Write the manual's pages "What to do when …" from the policy and the English catalogue.

Run as `make reference`; a test fails while docs/manual/when-dealer.md and when-supervisor.md are
not what this writes. The words are those of the screens, so a page never says otherwise than the
console.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from studio.domain.faults import FaultCode  # noqa: E402 - the path of the checkout comes first
from studio.table import coverage, policy  # noqa: E402
from studio.table.ledger import BEST_FOR_PLAYER, void_method  # noqa: E402
from studio.table.profiles import PROFILES  # noqa: E402
from studio.table.row import Row, Void, When  # noqa: E402
from studio.table.rows import HOUSE  # noqa: E402
from studio.table.rows_baloot import DEALING, DEALT_OUT, PACKETS, SHOWING, TURNING  # noqa: E402

DEALER = ROOT / "docs/manual/when-dealer.md"
SUPERVISOR = ROOT / "docs/manual/when-supervisor.md"
WORDS: dict[str, str | dict[str, str]] = json.loads(
    (ROOT / "web/ui/messages/en.json").read_text(encoding="utf-8")
)
NAMES = {
    "device": "*the device*",
    "zone": "*its place*",
    "card": "*the card*",
    "count": "*n*",
    "name": "*name*",
}
"""What stands where a screen fills a value in."""
PHASES = {
    "closed": "the table is closed",
    "idle": "no coup is open",
    "shoe": "a shoe is made or ended",
    "betting": "bets are open",
    "decision": "players choose",
    "dealing": "cards are due",
    "result": "the result is shown",
}
ROUNDS = {"open": "a coup is open", "settled": "the coup is paid", "voided": "the coup is void"}
GAMES = {
    "baccarat": "punto banco",
    "baloot": "Baloot",
    "blackjack": "blackjack",
    "boundless-blackjack": "Boundless Blackjack",
}
TOGETHER = {
    PACKETS: "packets are dealt",
    DEALING: "packets or the open card are dealt",
    TURNING: "a card of a rack is due in the trick, or the open card at its buyer",
    SHOWING: "a card that was dealt is turned, in the trick or where it lies",
    DEALT_OUT: "all packets are dealt",
}
"""Steps that are said in one."""
FACES = {"up": "a card was due face up", "down": "a card was due face down"}
CAUSES = {
    "ace_shown": "it is an ace",
    "clock_chose": "the clock chose the card for a silent seat",
    "rack": "it was taken from a rack while nobody was to turn one",
    "left_over": "the card came before the last one of the round and found no use",
    "own_skipped": "the dealer's own card was due, and that zone has a card to come",
    "lane_skipped": "a player's card was due, and that zone has a card to come",
    "OVERDRAW": "the shoe reports OVERDRAW",
    "outside": "the card is in no coup",
    "not_asked": "it lies in a hand that has no third card",
    "shown_early": "a card that lies face down shows its face before it is turned",
    "unnumbered": "the shoe does not number its reports (`serial-text`)",
    "reason.call.foreign_card": "the dealer said: a damaged or foreign card",
}
SOURCES = {
    frozenset({"shoe"}): "Told at tables with a shoe that reads.",
    frozenset({"camera"}): "Told at tables with a camera.",
    frozenset({"shoe", "camera"}): "Told at tables with both a shoe that reads and a camera.",
}
VOIDS = {
    Void.LAST: "While a coup is open it may be void, where nothing else helps.",
    Void.FIRST: "**Void is the policy's own answer**; the others are lawful too.",
    Void.ONLY: "**Void is the only answer** while the coup is open.",
    Void.NEVER: "No void for this alone.",
}
DEALER_HEAD = """\
# What to do when … (dealers)

<!-- Written by `make reference` from the policy and the words of the console. Do not edit. -->

The console says all of this in its large words at the moment itself. Read them, do that, touch
nothing else. You need not know which fault it is: *hands off* is right for every one of them.
"""
SUPERVISOR_HEAD = """\
# What to do when … (supervisors)

<!-- Written by `make reference` from the policy and the words of the console. Do not edit. -->

One part for each row of the house's policy, with its number as it stands in the head of a case.
Answers are in the policy's order; the first is its own. *Two people* marks what a second person
must approve. Where more than one row is about the same fault, the first that fits counts.

The profiles `ukgc-like`, `nj-like`, `agco-like` and `singapore-like` are **unofficial templates**:
no regulator has read them. What they do otherwise stands at the end.
"""


def say(code: str) -> str:
    """The English words of a message code, with names where a screen fills values in."""
    found = WORDS[code]
    text = found["other"] if isinstance(found, dict) else found
    return re.sub(r"\{(\w+)\}", lambda name: NAMES.get(name[1], f"*{name[1]}*"), text)


def step(code: str) -> str:
    """The words of a step, as a condition."""
    return f"the step is *{say(f'step.{code}')}*"


def moment(when: When) -> str:
    """When a row applies, in words; empty for always."""
    parts = [" or ".join(f"{GAMES[game]} is dealt" for game in when.games)]
    parts.append(" or ".join(PHASES[phase] for phase in when.phases))
    parts.append(" or ".join(ROUNDS[each] for each in when.rounds))
    together = TOGETHER.get(when.steps)
    parts.append(together or " or ".join(step(each) for each in when.steps))
    parts.append(" or ".join(CAUSES[each] for each in when.causes))
    parts.append(" or ".join(FACES[each] for each in when.faces))
    if when.exposed is not None:
        parts.append("the card was seen" if when.exposed else "nobody saw the card")
    if when.further is not None:
        parts.append("a further card is out" if when.further else "no further card is out")
    return ", and ".join(part for part in parts if part)


def people(profile: str, name: str) -> str:
    """The mark of what two people must agree on."""
    return " *Two people.*" if policy.people(profile, name) > 1 else ""


def answers(row: Row, profile: str) -> Iterator[str]:
    """The numbered answers of a row, and what is refused."""
    for number, name in enumerate(row.repairs, start=1):
        worded = row.worded(name)
        words = f"**{say(f'repair.{worded}')}**. {say(f'effect.{worded}')}{people(profile, name)}"
        yield f"{number}. {words}"
    if row.repairs:
        yield ""
    for name, reason in row.refused:
        yield f"*{say(f'repair.{name}')}* is refused: {lower(say(reason))}."
        yield ""


def lower(text: str) -> str:
    """The same with a small first letter."""
    return text[:1].lower() + text[1:]


def part(row: Row, profile: str = "house", *, level: str = "##") -> list[str]:
    """One row as a part of the page; where only the shared hand is dealt, of a round."""
    lines = _part(row, profile, level)
    if row.when.games in ((coverage.SHARED_HAND,), (coverage.BALOOT,)):
        return [line.replace("coup", "round") for line in lines]
    return lines


def _part(row: Row, profile: str, level: str) -> list[str]:
    """The lines of a row."""
    lines = [f"{level} {row.row} · {say(f'row.{row.row}')}", ""]
    condition = moment(row.when)
    told = f"**{say(f'hold.{row.stem}.what')}**"
    needs = coverage.NEEDS.get(row.code, frozenset())
    where = f" {SOURCES[needs]}" if needs else ""
    lines += [f"{told}{f', when {condition}' if condition else ''}.{where}", ""]
    if not row.holds:
        return [*lines, "The table goes on; it stands in the journal as a note.", ""]
    lines += [f"The dealer reads: *{say(f'hold.{row.stem}.do')}*", "", *answers(row, profile)]
    rest = [VOIDS[row.void]]
    if row.ends_shoe:
        rest.append("Ending the shoe is offered as well.")
    if row.device and row.code is not FaultCode.DEVICE_UNTESTED:
        rest.append("A void does not answer it, and after one the device must pass its self-test.")
    return [*lines, " ".join(rest), ""]


def dealer_page() -> str:
    """The page for dealers: what the console says, each sentence once."""
    lines = [DEALER_HEAD, "| when | do |", "| -- | -- |"]
    stems = dict.fromkeys(row.stem for row in HOUSE if row.holds)
    lines += [f"| {say(f'hold.{stem}.what')} | {say(f'hold.{stem}.do')} |" for stem in stems]
    lines += ["", "## What stops nothing", ""]
    for row in (each for each in HOUSE if not each.holds):
        condition = moment(row.when)
        words = say(f"row.{row.row}")
        lines.append(f"- {words}{f', when {condition}' if condition else ''}: go on as shown.")
    lines += ["", *ordinary()]
    return "\n".join(lines).rstrip() + "\n"


def ordinary() -> Iterator[str]:
    """Rows that the course of the table answers by itself."""
    for number, words in coverage.ORDINARY.items():
        yield f"- {say(f'row.{number}')}: {words}."


def profiles() -> Iterator[str]:
    """What the templates do otherwise."""
    for profile in PROFILES.values():
        if profile.name == "house":
            continue
        yield f"## Profile `{profile.name}` (unofficial)"
        yield ""
        yield f"Written after {profile.source}."
        yield ""
        if void_method(profile.name) == BEST_FOR_PLAYER:
            yield (
                "A void gives each player the larger of what the cards on the felt already decide "
                "and all stakes."
            )
            yield ""
        for row in profile.rows:
            yield from part(row, profile.name, level="###")


def supervisor_page() -> str:
    """The page for supervisors: every row of the policy, then the templates."""
    lines = [SUPERVISOR_HEAD]
    for row in HOUSE:
        lines += part(row)
    lines += ["## What needs nobody", "", *ordinary(), ""]
    for game in coverage.GAMES:
        lines += [f"## What cannot happen where {GAMES[game]} is dealt", ""]
        lines += [f"- {row}: {reason}." for row, reason in coverage.IMPOSSIBLE[game].items()]
        lines.append("")
    lines += profiles()
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    """Write both pages; 0."""
    DEALER.write_text(dealer_page(), encoding="utf-8")
    SUPERVISOR.write_text(supervisor_page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
