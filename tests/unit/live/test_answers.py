"""What the log of commands keeps of a command."""

from studio.domain.commands import AnswerPeek
from studio.live.answers import Answer, answer_from, body_of, record_of
from studio.live.means import SYSTEM


def test_what_a_dealer_saw_of_a_hidden_card_is_not_in_the_log_of_commands() -> None:
    """It lies there in the clear while the round is open; the fact beside it is sealed."""
    assert body_of(AnswerPeek(natural=True)) == body_of(AnswerPeek(natural=False)) == "{}"


def test_the_look_that_is_told_again_gets_the_same_answer() -> None:
    answer, command = Answer(status="done", seq=7), AnswerPeek(natural=True)
    record = record_of(
        answer,
        command_id="one",
        actor=SYSTEM,
        name="AnswerPeek",
        body=body_of(command),
        at_us=0,
        stream="table/bb1/2026-11-30",
    )
    assert answer_from(record, command, "bb1") == answer
