"""The register of a round's bets: the same answers as a walk through all of them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from studio.domain.columns import Columns
from studio.table.ledger import EXACT, Rows, accepted
from studio.table.register import Bets, Ids, Seats
from studio.table.seating import seated
from studio.table.state import Batch, Round

PLAYERS = ("ann", "bo", "cy", "di")
KINDS = ("main", "pair", "bust_bonus")
STAKES = st.sampled_from([1, 7, 1_000, EXACT, 2**70])
ROWS = st.lists(
    st.tuples(st.sampled_from(PLAYERS), st.sampled_from(KINDS), STAKES), min_size=1, max_size=4
)
STEPS = st.lists(ROWS | st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=12)
"""A batch of bets, or two bets that are taken back."""
NO_ROUND = Round(id="r1", number=1, called=1, shoe_no=1, opened_us=0)


def placed(current: Round, number: int, rows: list[tuple[str, str, int]]) -> Round:
    columns = Columns(
        tuple(f"{number}-{place}" for place in range(len(rows))),
        *(tuple(column) for column in zip(*rows, strict=True)),
    )
    batch = Batch(id=f"b{number}", columns=columns, pending=False)
    return replace(current, batches=(*current.batches, batch))


def withdrawn(current: Round, picked: tuple[int, int]) -> Round:
    ids = [bet for batch in current.batches for bet in batch.columns.ids]
    out = {ids[place % len(ids)] for place in picked} if ids else set()
    return replace(
        current,
        batches=tuple(replace(b, columns=b.columns.without(out)) for b in current.batches),
    )


def same(bets: Bets, current: Round) -> None:
    """The register against the bets one by one."""
    rows = list(accepted(current).rows())
    for player in PLAYERS:
        own = [row for row in rows if row[1] == player]
        assert bets.of(player) == {row[2] for row in own}
        for kind in KINDS:
            assert bets.stake(kind, player) == sum(row[3] for row in own if row[2] == kind)
    for kind in KINDS:
        assert bets.players(kind) == len({row[1] for row in rows if row[2] == kind})
    every = [f"{n}-{place}" for n in range(13) for place in range(4)]
    assert bets.known(every) == {row[0] for row in rows}
    for batch in current.batches:
        for bet in batch.columns.ids:
            assert batch.id in bets.having([bet])


@given(STEPS, st.data())
def test_whatever_is_placed_and_taken_back_the_register_knows_what_is_left(
    steps: list[list[tuple[str, str, int]] | tuple[int, int]], data: st.DataObject
) -> None:
    bets, current = Bets(), NO_ROUND
    for number, step in enumerate(steps):
        if isinstance(step, list):
            current = placed(current, number, step)
        else:
            current = withdrawn(current, step)
        if data.draw(st.booleans()):
            same(bets.follow(current), current)
    same(bets.follow(current), current)
    fewer = replace(current, batches=current.batches[1:])
    same(bets.follow(fewer), fewer)
    same(bets.follow(replace(NO_ROUND, id="r2")), NO_ROUND)
    same(bets.follow(None), NO_ROUND)


@given(st.lists(ROWS, min_size=1, max_size=6))
def test_a_seat_has_its_player_and_stake_and_the_rows_name_seats(
    batches: list[list[tuple[str, str, int]]],
) -> None:
    current = NO_ROUND
    for number, rows in enumerate(batches):
        current = placed(current, number, rows)
    seating = seated("main", (batch.columns for batch in current.batches))
    current = replace(current, bets_closed=True, seating=seating)
    bets = Bets().follow(current)
    seats = Seats().follow(seating, bets)
    assert seats.count == bets.players("main")
    for seat, player in enumerate(seating.players):
        assert seats.get(player) == seat
        assert seats.of([player]).tolist() == [seat]
        assert int(seats.stakes[seat]) == bets.stake("main", player)
    assert "nobody" not in seats
    made = Rows.joined(bets.rows(current)).seated(seats.seat_of)
    told = zip(made.kind.tolist(), made.who.tolist(), made.stake.tolist(), strict=True)
    for (_, player, kind, stake), (code, seat, amount) in zip(
        accepted(current).rows(), told, strict=True
    ):
        assert (made.kinds[code], amount) == (kind, stake)
        assert seat == (seats.get(player) if player in seats else -1)


def test_seats_of_an_earlier_round_are_nobodys_in_the_next() -> None:
    first = placed(NO_ROUND, 0, [("ann", "main", 5)])
    bets, seats = Bets().follow(first), Seats()
    seats.follow(seated("main", [first.batches[0].columns]), bets)
    assert "ann" in seats
    second = placed(replace(NO_ROUND, id="r2"), 1, [("bo", "main", 5), ("ann", "main", 5)])
    bets.follow(second)
    assert "ann" not in seats.follow(second.seating, bets)


@given(st.lists(st.lists(st.text(max_size=3), max_size=9), max_size=9))
def test_an_id_is_found_in_every_batch_that_has_it(batches: list[list[str]]) -> None:
    ids = Ids()
    for number, some in enumerate(batches):
        ids.add(some, number)
    for number, some in enumerate(batches):
        for each in some:
            assert number in ids.batches([each])
    assert ids.batches(["long enough"]) == set()
