"""The studio's side of cutcard-line, without a port: order, repeats, gaps, reboots, silence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.framing import Frame, FrameParser
from hardware.line_codec import NO_BOOT, Message, decode
from hardware.line_session import PROBE_S, PROBES, REFILL_S, REFILLS, LineSession
from studio.domain.cards import Card
from studio.domain.observations import (
    CardIdentified,
    CardRead,
    CardUnreadable,
    CutCardOut,
    DeviceFault,
    DeviceFaultCleared,
    DeviceFaultCode,
    DeviceOffline,
    DeviceOnline,
    GateMoved,
    SelfTested,
    SequenceGap,
    WireObservation,
)

BOOT, OTHER = "9F3A12C4", "00C0FFEE"


class Bench:
    """A session with its time moved by hand; keeps what it reports and sends."""

    def __init__(self, known: tuple[str, int] | None = None) -> None:
        self.reports: list[WireObservation] = []
        self.sent: list[Message] = []
        self.now_s = 100.0
        self.clock_us = 5_000_000
        self.log: list[str] = []
        self.session = LineSession(
            name="shoe", report=self._report, send=self._send, known=known, expected_serial="SN1"
        )
        self.session.opened(now_s=self.now_s, clock_us=self.clock_us)

    def _report(self, observation: WireObservation) -> None:
        self.reports.append(observation)
        self.log.append(type(observation).__name__)

    def _send(self, data: bytes) -> None:
        (frame,) = FrameParser().feed(data)
        assert isinstance(frame, Frame)
        self.sent.append(decode(frame.body))
        self.log.append(self.sent[-1].kind)

    def hear(
        self, sequence: int, kind: str, *payload: str, boot: str = BOOT, device: str = "shoe-7"
    ) -> None:
        message = Message(device=device, boot=boot, sequence=sequence, kind=kind, payload=payload)
        self.session.heard(message, at_us=77, now_s=self.now_s, clock_us=self.clock_us)

    def hello(self, sequence: int = 0, boot: str = BOOT) -> None:
        self.hear(sequence, "HELLO", "Model S", "1.0.2", "SN00417", boot=boot)

    def pass_real(self, seconds: float) -> None:
        self.now_s += seconds
        self.session.tick(at_us=88, now_s=self.now_s, clock_us=self.clock_us)

    def pass_clock(self, seconds: float) -> None:
        self.clock_us += round(seconds * 1_000_000)
        self.session.tick(at_us=88, now_s=self.now_s, clock_us=self.clock_us)

    def cards(self) -> list[str]:
        return [str(each.card) for each in self.reports if isinstance(each, CardRead)]

    def gaps(self) -> list[tuple[int, int]]:
        return [(each.first, each.last) for each in self.reports if isinstance(each, SequenceGap)]

    def said(self, kind: str) -> list[int]:
        return [each.sequence for each in self.sent if each.kind == kind]


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    made.hello()
    return made


def test_it_asks_who_is_there_before_it_knows_a_boot_id() -> None:
    made = Bench()
    assert [(each.kind, each.boot, each.device) for each in made.sent] == [("WHO", NO_BOOT, "host")]


def test_the_greeting_carries_what_was_said_and_what_was_expected(bench: Bench) -> None:
    assert bench.reports == [
        DeviceOnline(
            device="shoe",
            at_us=77,
            model="Model S",
            firmware="1.0.2",
            serial="SN00417",
            boot=BOOT,
            rebooted=False,
            expected_serial="SN1",
        )
    ]
    assert bench.said("ACK") == [0]


def test_a_fact_is_acknowledged_only_after_it_was_reported(bench: Bench) -> None:
    bench.log.clear()
    bench.hear(1, "CARD", "7H")
    assert bench.log == ["CardRead", "ACK"]


def test_an_answer_that_cannot_be_sent_does_not_report_the_fact_twice(bench: Bench) -> None:
    def broken(_data: bytes) -> None:
        raise OSError("gone")

    bench.session._send = broken
    with pytest.raises(OSError, match="gone"):
        bench.hear(1, "CARD", "7H")
    bench.session._send = bench._send
    bench.hear(1, "CARD", "7H")
    assert bench.cards() == ["7H"]
    assert bench.said("ACK") == [0, 1]


def test_a_repeated_frame_is_one_fact_and_acknowledged_again(bench: Bench) -> None:
    for _ in range(3):
        bench.hear(1, "CARD", "7H")
    assert bench.cards() == ["7H"]
    assert bench.said("ACK") == [0, 1, 1, 1]


def test_the_same_card_under_a_new_number_is_a_new_card(bench: Bench) -> None:
    bench.hear(1, "CARD", "7H")
    bench.hear(2, "CARD", "7H")
    assert bench.cards() == ["7H", "7H"]


def test_beats_count_and_are_never_acknowledged(bench: Bench) -> None:
    bench.hear(1, "BEAT")
    bench.hear(2, "CARD", "7H")
    assert bench.said("ACK") == [0, 2]
    assert bench.gaps() == []


def test_the_count_goes_on_from_0_after_65535() -> None:
    made = Bench()
    made.hello(65534)
    made.hear(65535, "CARD", "7H")
    made.hear(0, "CARD", "KS")
    made.hear(65535, "CARD", "7H")
    assert made.cards() == ["7H", "KS"]
    assert made.gaps() == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("DRAWN",), CardRead(device="shoe", at_us=77, boot=BOOT, sequence=1, card=None)),
        (
            ("IDENT", "0", "KS"),
            CardIdentified(
                device="shoe", at_us=77, boot=BOOT, sequence=1, of=0, card=Card.parse("KS")
            ),
        ),
        (
            ("BAD", "blurred"),
            CardUnreadable(device="shoe", at_us=77, boot=BOOT, sequence=1, cause="blurred"),
        ),
        (("CUT",), CutCardOut(device="shoe", at_us=77, boot=BOOT, sequence=1)),
        (
            ("FAULT", "JAM", "stuck"),
            DeviceFault(device="shoe", at_us=77, code=DeviceFaultCode.JAM, text="stuck"),
        ),
        (
            ("FAULT", "FIRE"),
            DeviceFault(device="shoe", at_us=77, code=DeviceFaultCode.OTHER, text="FIRE"),
        ),
        (("CLEAR", "JAM"), DeviceFaultCleared(device="shoe", at_us=77, code=DeviceFaultCode.JAM)),
        (("LOCKED",), GateMoved(device="shoe", at_us=77, locked=True)),
        (("UNLOCKED",), GateMoved(device="shoe", at_us=77, locked=False)),
        (
            ("TESTED", "PASS", "well"),
            SelfTested(device="shoe", at_us=77, passed=True, text="well"),
        ),
        (("TESTED", "FAIL"), SelfTested(device="shoe", at_us=77, passed=False, text="")),
    ],
)
def test_each_kind_of_frame_is_the_observation_it_stands_for(
    bench: Bench, words: tuple[str, ...], expected: WireObservation
) -> None:
    bench.hear(1, *words)
    assert bench.reports[1:] == [expected]


@pytest.mark.parametrize("code", ["1H", "7h", "??", "XX", "", "CUT", "7H "])
def test_an_unknown_card_code_is_an_unreadable_card_and_never_a_value(
    bench: Bench, code: str
) -> None:
    bench.hear(1, "CARD", code)
    (report,) = bench.reports[1:]
    assert isinstance(report, CardUnreadable)
    assert "is not a card" in report.cause


@pytest.mark.parametrize("payload", [("x", "7H"), ("0", "77"), (), ("-1", "7H")])
def test_an_identity_that_names_nothing_is_a_fault_of_the_device(
    bench: Bench, payload: tuple[str, ...]
) -> None:
    bench.hear(1, "IDENT", *payload)
    (report,) = bench.reports[1:]
    assert isinstance(report, DeviceFault)
    assert "names no draw and card" in report.text


def test_an_unknown_kind_is_acknowledged_counted_and_ignored(bench: Bench) -> None:
    bench.hear(1, "WEATHER", "rain")
    bench.hear(2, "CARD", "7H")
    assert bench.said("ACK") == [0, 1, 2]
    assert bench.cards() == ["7H"]


def test_our_own_words_echoed_by_the_line_are_no_frames_of_the_device(bench: Bench) -> None:
    bench.hear(1, "CARD", "7H", device="host")
    assert bench.cards() == []


# -- gaps ----------------------------------------------------------------------------------------


def test_a_gap_is_asked_for_and_what_comes_late_is_told_in_order(bench: Bench) -> None:
    bench.hear(3, "CARD", "3C")
    assert bench.said("RESEND") == [1]
    assert bench.cards() == []
    bench.hear(1, "CARD", "AC")
    bench.hear(2, "CARD", "2C")
    assert bench.cards() == ["AC", "2C", "3C"]
    assert bench.said("ACK") == [0, 1, 2, 3]
    bench.pass_real(10)
    assert bench.gaps() == []


def test_a_gap_that_stays_is_reported_once_and_the_count_goes_on(bench: Bench) -> None:
    bench.hear(3, "CARD", "3C")
    bench.hear(6, "CARD", "6C")
    for _ in range(REFILLS):
        assert bench.gaps() == []
        bench.pass_real(REFILL_S + 0.01)
    assert bench.gaps() == [(1, 2), (4, 5)]
    assert bench.said("RESEND") == [1] * REFILLS
    assert bench.cards() == ["3C", "6C"]
    bench.hear(7, "CARD", "7C")
    bench.pass_real(10)
    assert bench.cards() == ["3C", "6C", "7C"]
    assert bench.gaps() == [(1, 2), (4, 5)]


def test_a_gap_over_the_wrap_is_reported_as_two() -> None:
    made = Bench()
    made.hello(65533)
    made.hear(2, "CARD", "3C")
    for _ in range(REFILLS):
        made.pass_real(REFILL_S + 0.01)
    assert made.gaps() == [(65534, 65535), (0, 1)]


def test_a_count_that_goes_backwards_without_a_new_boot_is_a_gap(bench: Bench) -> None:
    for sequence in range(1, 200):
        bench.hear(sequence, "CARD", "7H")
    bench.hear(5, "CARD", "KS")
    assert bench.gaps() == [(200, 5)]
    assert bench.cards()[-1] == "KS"


def test_another_card_under_a_number_that_was_used_is_a_gap_and_not_lost(bench: Bench) -> None:
    bench.hear(1, "CARD", "7H")
    bench.hear(2, "CARD", "8H")
    bench.hear(1, "CARD", "KS")
    assert bench.gaps() == [(3, 1)]
    assert bench.cards() == ["7H", "8H", "KS"]


# -- boots and restarts --------------------------------------------------------------------------


def test_another_boot_id_starts_the_count_and_is_told(bench: Bench) -> None:
    bench.hear(1, "CARD", "7H")
    bench.hello(4, boot=OTHER)
    bench.hear(5, "CARD", "7H", boot=OTHER)
    online = [each for each in bench.reports if isinstance(each, DeviceOnline)]
    assert [each.rebooted for each in online] == [False, True]
    assert bench.cards() == ["7H", "7H"]
    assert bench.gaps() == []


def test_frames_of_another_boot_are_no_facts_before_its_greeting(bench: Bench) -> None:
    bench.hear(9, "CARD", "7H", boot=OTHER)
    assert bench.cards() == []
    assert bench.said("ACK") == [0]
    bench.pass_real(PROBE_S + 0.01)
    bench.hear(9, "CARD", "7H", boot=OTHER)
    assert len(bench.said("WHO")) == 2


def test_with_the_boot_id_of_the_journal_it_asks_from_the_last_number_on() -> None:
    made = Bench(known=(BOOT, 10))
    made.hello(13)
    assert made.said("RESEND") == [11]
    made.hear(11, "CARD", "7H")
    made.hear(12, "CARD", "KS")
    assert made.cards() == ["7H", "KS"]
    assert isinstance(made.reports[0], DeviceOnline)
    assert not made.reports[0].rebooted
    assert made.said("ACK") == [11, 12, 13]


def test_a_fact_that_the_journal_knows_is_not_told_again() -> None:
    made = Bench(known=(BOOT, 10))
    made.hello(11)
    made.hear(10, "CARD", "7H")
    assert made.cards() == []
    assert made.said("ACK") == [11, 10]


def test_with_another_boot_id_than_the_journals_it_says_so() -> None:
    made = Bench(known=(OTHER, 10))
    made.hello(3)
    assert isinstance(made.reports[0], DeviceOnline)
    assert made.reports[0].rebooted
    assert made.said("RESEND") == []


def test_after_the_cable_was_out_the_missing_frames_are_asked_for(bench: Bench) -> None:
    bench.hear(1, "CARD", "7H")
    bench.session.lost("unplugged", 99)
    bench.session.lost("unplugged", 99)
    bench.session.opened(now_s=bench.now_s, clock_us=bench.clock_us)
    bench.hear(2, "CARD", "KS")
    assert bench.cards() == ["7H"]
    bench.hello(3)
    assert bench.said("RESEND") == [2]
    bench.hear(2, "CARD", "KS")
    assert bench.cards() == ["7H", "KS"]
    kinds = [type(each) for each in bench.reports]
    assert kinds.count(DeviceOffline) == 1
    assert kinds.count(DeviceOnline) == 2


# -- silence -------------------------------------------------------------------------------------


def test_a_clock_that_leaps_is_not_taken_for_silence(bench: Bench) -> None:
    bench.pass_clock(3600)
    bench.pass_real(PROBE_S + 0.01)
    assert len(bench.said("WHO")) == 2
    bench.hello(1)
    bench.pass_real(10)
    assert not any(isinstance(each, DeviceOffline) for each in bench.reports)


def test_silence_with_no_answer_to_who_is_a_loss_and_an_answer_a_return(bench: Bench) -> None:
    bench.pass_clock(3.5)
    for _ in range(PROBES + 1):
        bench.pass_real(PROBE_S + 0.01)
    (offline,) = [each for each in bench.reports if isinstance(each, DeviceOffline)]
    assert "silent for 3.5 s" in offline.reason
    bench.pass_real(60)
    bench.hello(1)
    assert isinstance(bench.reports[-1], DeviceOnline)
    assert sum(isinstance(each, DeviceOffline) for each in bench.reports) == 1


def test_real_time_alone_is_no_silence_while_the_tables_clock_stands(bench: Bench) -> None:
    for _ in range(20):
        bench.pass_real(5)
    assert not any(isinstance(each, DeviceOffline) for each in bench.reports)


def test_a_device_that_never_answers_is_told_once() -> None:
    made = Bench()
    for _ in range(10):
        made.pass_real(1)
    assert [type(each) for each in made.reports] == [DeviceOffline]
    assert len(made.said("WHO")) == 11


def test_commands_go_out_with_the_boot_id_and_a_count_of_their_own(bench: Bench) -> None:
    bench.session.command("LOCK", bench.now_s)
    bench.session.command("TEST", bench.now_s)
    lock, test = bench.sent[-2:]
    assert (lock.kind, lock.boot, test.kind) == ("LOCK", BOOT, "TEST")
    assert test.sequence == lock.sequence + 1


def test_commands_to_a_device_that_did_not_greet_are_not_sent() -> None:
    made = Bench()
    made.session.command("LOCK", made.now_s)
    assert made.said("LOCK") == []


# -- laws ----------------------------------------------------------------------------------------


@given(
    deliveries=st.lists(st.integers(1, 40), max_size=120),
    start=st.sampled_from([0, 1, 65500, 65535]),
)
def test_in_whatever_order_frames_come_facts_are_told_once_and_in_order(
    deliveries: list[int], start: int
) -> None:
    made = Bench()
    made.hello(start)
    for step in deliveries:
        made.hear((start + step) % 65536, "CARD", "7H")
    for _ in range(REFILLS + 1):
        made.pass_real(REFILL_S + 0.01)
    told = [(each.sequence - start) % 65536 for each in made.reports if isinstance(each, CardRead)]
    assert told == sorted(set(deliveries))
    missing = {
        (number - start) % 65536 for first, last in made.gaps() for number in range(first, last + 1)
    }
    assert missing == set(range(1, max(deliveries, default=0))) - set(deliveries)


def test_a_device_that_is_not_there_has_failed_the_test_that_it_is_asked_for() -> None:
    bench = Bench()
    bench.session.command("TEST", bench.now_s, at_us=5)
    (told,) = bench.reports
    assert isinstance(told, SelfTested)
    assert (told.passed, told.at_us) == (False, 5)
    assert "plug it in" in told.text
