"""Every message code that the table can send; the catalogues must word all of them.

Words belong to the faces. This list is made from the closed sets themselves, so that a new member
asks for its words.
"""

from collections.abc import Iterator
from typing import Final, get_args

from studio.domain import commands as c
from studio.domain.events import Event
from studio.domain.faults import FaultCode
from studio.domain.shoe import Verdict
from studio.games.registry import GAMES
from studio.games.shoe import ShoeStep
from studio.table import coverage, policy
from studio.table.profiles import PROFILES, rows_of
from studio.table.repairs import BY_HAND, DISMISSED
from studio.table.rows import HOUSE

TABLE_STEPS: Final = (
    "open_table",
    "start_shoe",
    "open_bets",
    "wait_bets",
    "wait_result",
    "wait_void",
    "collect",
    "collect_void",
    "hold",
)
"""Steps of the table itself, beside those of the procedures."""
REFUSALS: Final = (
    "approval_gone",
    "approval_not_yours",
    "approval_same_person",
    "approval_same_session",
    "approval_waiting",
    "balance",
    "batch_empty",
    "batch_known",
    "batch_too_large",
    "bench_closed",
    "bet_known",
    "bets_closed",
    "bets_not_open",
    "call_reason",
    "called_already",
    "camera_setup",
    "card_seen",
    "card_unseen",
    "carried_on",
    "cards_do_not_fit",
    "cards_missing",
    "cards_on_felt",
    "cards_too_few",
    "cards_too_many",
    "changes_order",
    "claimed_already",
    "clock_chose",
    "corrects_the_burn",
    "count_out_of_range",
    "cut_card_known",
    "decided_by_it",
    "decisions_do_not_fit",
    "device_not_back",
    "device_not_ready",
    "disconnected",
    "enter_felt",
    "exposed_card",
    "exposed_early",
    "fault_unanswered",
    "felt_differs",
    "felt_missing",
    "felt_turned",
    "felt_unchecked",
    "felt_unexplained",
    "funds_unanswered",
    "hidden_card",
    "hidden_differs",
    "hidden_unknown",
    "hold_taken",
    "impossible_card",
    "known",
    "limits",
    "malformed",
    "no_bets",
    "no_camera",
    "no_card_due",
    "no_card_to_correct",
    "no_contract",
    "no_discards",
    "no_open_round",
    "no_picture",
    "no_right",
    "no_round_begun",
    "no_shoe",
    "no_such_bet",
    "no_such_card",
    "no_such_fault",
    "not_a_card",
    "not_allowed",
    "not_available",
    "not_burned",
    "not_by_policy",
    "not_claimed",
    "not_held",
    "not_idle",
    "not_moved_back",
    "not_offered",
    "not_read_again",
    "not_seated",
    "not_your_table",
    "nothing_to_confirm",
    "nothing_to_count",
    "nothing_to_peek",
    "one_too_many",
    "opposed_bets",
    "other_round",
    "other_rules",
    "procedure_missing",
    "reason_missing",
    "relief_in_round",
    "round_limit",
    "round_not_settled",
    "round_open",
    "round_over",
    "round_unknown",
    "round_void",
    "same_card",
    "same_result",
    "seated_already",
    "setup_in_round",
    "setup_open",
    "shoe_ending",
    "shoe_in_play",
    "shoe_over",
    "shuffled_first",
    "table_closed",
    "table_full",
    "table_held",
    "table_open",
    "test_not_passed",
    "test_running",
    "test_unanswered",
    "void_has_no_cards",
    "void_only",
    "window_closed",
)
"""Reasons for which the table refuses, without their prefix ``refused.``."""
SEEN: Final = ("card", "shoe", "shoe_unread", "cut", "unsure")
PROOFS: Final = ("equal", "at_least", "rows", "once", "ends")
HANDS: Final = ("natural", "draws", "stands", "bust")
THEN: Final = (
    *("deal", "card", "result", "dead", "still_held", "held_again"),
    *("move", "ask", "qayd", "qayd_game", "qayd_none"),
)
"""What an option says of its consequences."""
EFFECTS: Final = (
    *("EndShoe", "paid", "bets_stand", "all_returned", "corrects_result", "none"),
    "qayd_money",
)
FELT: Final = ("same", "other", "gone", "added", "strange")
"""Lines of a comparison of the felt with the journal."""
REVIEW: Final = ("round", "others", "uncounted")
"""Lines of the list of rounds that a case asks to look at again."""


CASES = (
    *("case.called", "case.qayd", "case.qayd.plain", "case.revoke", "case.clock_revoked"),
    *("fault.qayd", "fault.revoke", "hold.qayd.why", "hold.revoke.why", "hold.clock_revoked.why"),
)
"""What a case is about, where its own words say more than the name of the fault."""


def _stems() -> Iterator[str]:
    """Stems of the dealer's sentences of every row of every profile, each once."""
    rows = [row for profile in PROFILES for row in rows_of(profile)]
    yield from dict.fromkeys((*(code.value for code in FaultCode), *(row.stem for row in rows)))


def codes() -> Iterator[str]:
    """Give every code, each once."""
    steps = [*TABLE_STEPS, *(step.value for step in ShoeStep)]
    steps += [step for game in GAMES.values() for step in game.steps]
    for step in dict.fromkeys(steps):
        yield f"step.{step}"
        yield f"tile.step.{step}"
    for stem in (*_stems(), "answered"):
        yield f"hold.{stem}.what"
        yield f"hold.{stem}.do"
    yield "hold.do.leave_card"
    yield from (f"row.{row}" for row in coverage.EVERY)
    yield from (f"felt.{name}" for name in FELT)
    yield from (f"review.{name}" for name in REVIEW)
    yield from (f"then.{name}" for name in THEN)
    yield "repair.EndShoe"
    yield f"repair.{BY_HAND}"
    yield f"repair.{DISMISSED}"
    for name in dict.fromkeys(name for row in HOUSE for _, name in row.words):
        yield f"repair.{name}"
        yield f"effect.{name}"
    for repair in get_args(c.RepairCommand):
        yield f"repair.{repair.__name__}"
        yield f"effect.{repair.__name__}"
    yield from (f"effect.{name}" for name in EFFECTS)
    yield from (f"refused.{name}" for name in REFUSALS)
    yield from (f"seen.{name}" for name in SEEN)
    yield from (f"void.proof.{name}" for name in PROOFS)
    yield from (f"hand.{name}" for name in HANDS)
    yield from policy.REASONS
    yield from policy.CALL_REASONS
    yield from CASES
    for command in sorted({*frozenset().union(*policy.TWO_PERSONS.values()), "RescanRound"}):
        yield f"approval.{command}"
    yield "approval.words"
    yield "wall.too_many_tables"
    yield "wall.no_tile"
    yield "approval.CorrectResult.void"
    yield "approval.CorrectResult.decided"
    yield "approval.DecideQayd.none"
    yield "result.void"
    yield "due.card"
    yield from (f"journal.shoe_ended.{verdict.value}" for verdict in Verdict)
    yield "wallet.waiting"
    for event in get_args(Event):
        yield f"journal.{event.NAME}"
    for game in GAMES.values():
        yield f"game.{game.name}"
        yield from (f"bet.{bet}" for bet in game.bets)
        yield from (f"zone.{zone}" for zone in (*game.zones, "BURN", "DISCARD"))
