import type { JSX } from "preact";

import { Call, Contract, Seat, SideMark, TRICKS, announced, callWord, claims, raiseText, seatName, sideName, sideOf } from "../shared/board";
import { PlayingCard } from "../shared/cards";
import { number, say } from "../shared/i18n";
import { face } from "../shared/parts";
import { Say } from "../shared/text";
import type { Board, Trick } from "../shared/view";

/** With more tricks than these the cards are drawn smaller beside the journal, so that all are in sight. */
const MANY = 6;

/** What is played, by whom, at which stake, and the score that it adds to. */
function Standing({ board }: { board: Board }): JSX.Element {
  const raise = raiseText(board);
  return (
    <p class="standing">
      {board.mode !== "" && <span class="mode"><Contract board={board} /></span>}
      {board.buyer !== null && <Seat seat={board.buyer} />}
      {raise !== "" && <b class="ltr">{raise}</b>}
      {board.closed && <em><Say code="call.closed" /></em>}
      <span class="grow" />
      <span class="both">{([0, 1] as const).map((side) => <span key={side} class="seatname"><SideMark side={side} /><span>{sideName(side)}</span> <b class="num">{number(board.scores[side])}</b>{board.points !== null && <small class="num ltr">+{number(board.points[side])}</small>}</span>)}</span>
    </p>
  );
}

/** All that each seat said and announced, in the order in which it did. */
function Said({ board }: { board: Board }): JSX.Element {
  const projects = announced(board);
  return (
    <table class="saidby">
      <thead class="unseen"><tr><td /><th scope="col"><Say code="hist.calls" /></th><th scope="col"><Say code="board.projects" /></th></tr></thead>
      <tbody>
        {board.seats.map((seat) => (
          <tr key={seat.seat} class={board.asked?.seat === seat.seat ? "asked" : ""}>
            <th scope="row"><Seat seat={seat.seat} />{board.dealer === seat.seat && <small><Say code="board.deals" /></small>}</th>
            <td>{seat.said.map((call, at) => <span key={at} class={claims(call) ? "on" : ""}><Call call={call} /></span>)}</td>
            <td>{projects.filter((each) => each.seat === seat.seat).map(({ project }, at) => (
              <span key={at} class={board.counting !== null && board.counting !== sideOf(seat.seat) && project.kind !== "baloot" ? "lost" : "on"}>
                {callWord(project.kind)}{project.cards.length > 0 && <span class="projectcards ltr">{project.cards.map((code) => <PlayingCard key={code} view={face(code)} />)}</span>}
              </span>
            ))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** One trick: its four cards in the order of the seats, who led and who won it. */
function TrickRow({ trick, at, seats }: { trick: Trick; at: number; seats: number[] }): JSX.Element {
  return (
    <tr class={trick.winner === null ? "open" : ""} data-trick={at}>
      <th scope="row" class="num">{number(at)}</th>
      {seats.map((seat) => {
        const code = trick.cards.find(([by]) => by === seat)?.[1] ?? "";
        const how = [seat === trick.lead ? "lead" : "", seat === trick.winner ? "won" : ""].join(" ");
        return (
          <td key={seat} class={how}>
            {code !== "" && <PlayingCard view={face(code)} />}
            {seat === trick.lead && <span class="unseen">{say("hist.lead")}</span>}
          </td>
        );
      })}
      <td class="to">{trick.winner !== null && <><Seat seat={trick.winner} /> <small class="num ltr">{number(trick.points)}</small></>}</td>
    </tr>
  );
}

/** The tricks in order, each with its lead and its winner. */
function Tricks({ board }: { board: Board }): JSX.Element {
  const seats = board.seats.map((seat) => seat.seat);
  if (board.tricks.length === 0) return <p class="empty"><Say code="hist.none" /></p>;
  return (
    <table class={`trickrows ${board.tricks.length > MANY ? "many" : ""}`}>
      <thead><tr><td />{seats.map((seat) => <th key={seat} scope="col" aria-label={seatName(seat)}><SideMark side={sideOf(seat)} /> <bdi class="num">{seat + 1}</bdi></th>)}<th scope="col"><Say code="board.tricks" /> <bdi class="num">{number(board.won[0])}–{number(board.won[1])}</bdi></th></tr></thead>
      <tbody>{board.tricks.slice(0, TRICKS).map((trick, at) => <TrickRow key={at} trick={trick} at={at + 1} seats={seats} />)}</tbody>
    </table>
  );
}

/** The course of a round of tricks as a supervisor judges it: calls, raises, projects, and the tricks in order. */
export function History({ board }: { board: Board }): JSX.Element {
  return (
    <section class="history" aria-label={say("hist.title")} tabIndex={0}>
      <h2><span><Say code="hist.title" /></span><span><Say code="board.game_round" params={{ game_no: board.game_no, round_no: board.round_no }} /></span></h2>
      <Standing board={board} />
      <div class="course"><Tricks board={board} /><Said board={board} /></div>
    </section>
  );
}
