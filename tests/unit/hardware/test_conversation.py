"""Both sides of cutcard-line over a channel that loses, without a port and without waiting."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.framing import Frame, FrameParser
from hardware.line_codec import decode
from hardware.line_session import ASK_S, LineSession
from hardware.sim.line_device import REPEATS, LineDevice
from studio.domain.cards import PACK
from studio.domain.observations import CardRead, DeviceOnline, SequenceGap, WireObservation


class Channel:
    """A device and a session; each frame passes or is lost as `fate` says, then all pass."""

    def __init__(self, fate: list[bool]) -> None:
        self.fate = list(fate)
        self.now_us = 0
        self.reports: list[WireObservation] = []
        self.to_device: list[bytes] = []
        self.device = LineDevice(device="shoe-7", boot="9F3A12C4", identity=("M", "1", "SN"))
        self.session = LineSession(
            name="shoe", report=self.reports.append, send=self.to_device.append
        )

    def passes(self) -> bool:
        return self.fate.pop(0) if self.fate else True

    def step(self, us: int) -> None:
        """Let time pass, then let both talk until neither has more to say."""
        self.now_us += us
        now_s = self.now_us / 1_000_000
        self.session.tick(at_us=0, now_s=now_s, clock_us=self.now_us)
        for _ in range(200):
            heard, self.to_device[:] = list(self.to_device), []
            for data in heard:
                if self.passes():
                    self.device.receive(decode(self.body(data)))
            said = self.device.due(self.now_us)
            for each in said:
                if self.passes():
                    message = decode(self.body(each.data))
                    self.session.heard(message, at_us=0, now_s=now_s, clock_us=self.now_us)
            if not said and not self.to_device:
                return
        raise AssertionError("they never stop talking")

    @staticmethod
    def body(data: bytes) -> bytes:
        (frame,) = FrameParser().feed(data)
        assert isinstance(frame, Frame)
        return frame.body

    def connect(self) -> None:
        """Open and go on until the device has greeted."""
        self.session.opened(now_s=self.now_us / 1_000_000, clock_us=self.now_us)
        while not self.session.online:
            self.step(round(ASK_S * 1_000_000))

    def cards(self) -> list[str]:
        return [str(each.card) for each in self.reports if isinstance(each, CardRead)]


@settings(deadline=None)
@given(
    fate=st.lists(st.booleans(), max_size=80),
    pauses=st.lists(st.integers(0, 400_000), min_size=1, max_size=40),
)
def test_over_a_line_that_loses_every_card_is_told_once_in_order_or_named_as_missing(
    fate: list[bool], pauses: list[int]
) -> None:
    channel = Channel([])
    channel.connect()
    channel.fate = fate
    drawn = []
    for number, pause in enumerate(pauses):
        drawn.append(channel.device.emit("CARD", PACK[number % 7].code))
        channel.step(pause)
    for _ in range(10 * REPEATS):
        channel.step(250_000)
    told = [each.sequence for each in channel.reports if isinstance(each, CardRead)]
    missing = [
        sequence
        for each in channel.reports
        if isinstance(each, SequenceGap)
        for sequence in range(each.first, each.last + 1)
    ]
    assert told == [sequence for sequence in drawn if sequence not in missing]


@settings(deadline=None)
@given(
    losses=st.lists(st.sampled_from([[True], [False, *[True] * 8]]), max_size=40),
    count=st.integers(1, 30),
)
def test_a_loss_now_and_then_costs_nothing(losses: list[list[bool]], count: int) -> None:
    channel = Channel([])
    channel.connect()
    channel.fate = [passes for each in losses for passes in each]
    for number in range(count):
        channel.device.emit("CARD", PACK[number % 7].code)
        channel.step(50_000)
    for _ in range(10 * REPEATS):
        channel.step(250_000)
    assert channel.cards() == [PACK[number % 7].code for number in range(count)]
    assert not any(isinstance(each, SequenceGap) for each in channel.reports)


@settings(deadline=None)
@given(count=st.integers(1, 60), fate=st.lists(st.booleans(), max_size=40))
def test_what_was_drawn_while_the_cable_was_out_is_told_once_afterwards(
    count: int, fate: list[bool]
) -> None:
    channel = Channel([])
    channel.connect()
    channel.session.lost("unplugged", 0)
    for number in range(count):
        channel.device.emit("CARD", PACK[number % 52].code)
    channel.fate = fate
    channel.connect()
    for _ in range(10 * REPEATS):
        channel.step(250_000)
    assert channel.cards() == [PACK[number % 52].code for number in range(count)]
    assert sum(isinstance(each, DeviceOnline) for each in channel.reports) == 2


def test_more_than_64_frames_that_were_never_heard_are_a_gap_with_the_right_numbers() -> None:
    channel = Channel([])
    channel.connect()
    channel.session.lost("unplugged", 0)
    drawn = [channel.device.emit("CARD", PACK[number % 52].code) for number in range(100)]
    for _ in range(100 * (REPEATS + 1)):
        channel.device.due(channel.now_us)
        channel.now_us += 200_000
    channel.connect()
    for _ in range(20):
        channel.step(250_000)
    gaps = [(each.first, each.last) for each in channel.reports if isinstance(each, SequenceGap)]
    told = [each.sequence for each in channel.reports if isinstance(each, CardRead)]
    (gap,) = gaps
    assert gap[0] == drawn[0]
    assert told == drawn[-len(told) :]
    assert gap[1] + 1 == told[0]
    # The beats and the greeting that followed took some of the 64 places.
    assert 50 < len(told) < 64


def test_an_unacknowledged_frame_is_repeated_five_times_unchanged_each_200_ms() -> None:
    device = LineDevice(device="shoe-7", boot="9F3A12C4", identity=("M", "1", "SN"))
    device.emit("CARD", "7H")
    device.emit("CARD", "KS")
    sent = [(us, each.data) for us in range(0, 1_400_000, 50_000) for each in device.due(us)]
    first = [us for us, data in sent if b"7H" in data]
    assert first == [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]
    assert len({data for _, data in sent if b"7H" in data}) == 1
    assert next(us for us, data in sent if b"KS" in data) == 1_200_000


def test_a_beat_comes_each_second_when_nothing_else_was_sent() -> None:
    device = LineDevice(device="shoe-7", boot="9F3A12C4", identity=("M", "1", "SN"))
    beats = [us for us in range(0, 3_600_000, 100_000) for each in device.due(us) if each.kind]
    assert beats == [1_000_000, 2_000_000, 3_000_000]


def test_a_command_under_another_boot_id_is_ignored() -> None:
    device = LineDevice(device="shoe-7", boot="9F3A12C4", identity=("M", "1", "SN"))
    wrong = decode(b"CL1,host,00000000,0,LOCK")
    right = decode(b"CL1,host,9F3A12C4,0,LOCK")
    assert not device.receive(wrong)
    assert device.receive(right) == "LOCK"
