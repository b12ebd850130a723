import type { JSX } from "preact";

import {
  Call, Contract, PLACES, ProjectCards, Seat, SideMark, TRICKS, announced, callWord, claims, endWord, lastCall, openTrick, part, raiseText, seatName, sideName, sideOf, slotCard, trickNumber, wonBy,
} from "../shared/board";
import { PlayingCard } from "../shared/cards";
import { direction, number, say } from "../shared/i18n";
import { face } from "../shared/parts";
import { Say } from "../shared/text";
import type { Board, DealerView, SeatState, StepView } from "../shared/view";

/** The zone of a seat's rack and of its place in the trick. */
const RACK = /^H([0-3])$/;
const TRICK = /^T([0-3])$/;

/** Which place of which rack the step is about: the card that is turned, or the next one that is dealt. */
function duePlace(step: StepView, seat: SeatState): number {
  if (step.kind === "move" && step.seat === seat.seat) return step.place ?? 0;
  const dealt = RACK.exec(step.to)?.[1];
  return dealt !== undefined && Number(dealt) === seat.seat && step.kind !== "wait" ? seat.rack.length + 1 : 0;
}

/** The eight places of a rack in dealt order, each with its number from the left. */
function Rack({ seat, due }: { seat: SeatState; due: number }): JSX.Element {
  return (
    <div class="rack" dir="ltr" role="group" aria-label={say("board.rack", { seat: seatName(seat.seat) })}>
      {Array.from({ length: TRICKS }, (_, at) => {
        const slot = seat.rack[at];
        const place = at + 1;
        const lies = slot !== undefined && slot.look !== "gone";
        return (
          <span key={place} class={`rackplace ${place === due ? "due" : ""} ${lies ? "" : "bare"}`} data-place={place} data-state={place === due ? "dealing" : undefined} aria-current={place === due ? "step" : undefined}>
            {lies ? <PlayingCard view={slotCard(slot)} /> : <i class="hole" aria-hidden="true" />}
            <small aria-hidden="true">{place}</small>
          </span>
        );
      })}
    </div>
  );
}

/** One seat in its place: its name and side, what it said last, its rack. */
function SeatBox({ seat, board, step }: { seat: SeatState; board: Board; step: StepView }): JSX.Element {
  const due = duePlace(step, seat);
  const asked = board.asked?.seat === seat.seat;
  const call = lastCall(seat);
  const projects = seat.projects.map((each) => callWord(each.kind)).join(say("list.comma"));
  return (
    <article
      class={`bseat ${PLACES[seat.seat] ?? ""} ${asked ? "asked" : ""} ${due > 0 ? "due" : ""}`} data-seat={seat.seat}
      data-state={asked ? "decision" : due > 0 ? "dealing" : undefined} aria-label={seatName(seat.seat)}
    >
      <header dir={direction()}>
        <SideMark side={sideOf(seat.seat)} /><h2>{seatName(seat.seat)}</h2>
        {board.dealer === seat.seat && <span class="deals"><Say code="board.deals" /></span>}
        <span class={`said ${claims(call) ? "on" : ""}`}>{call !== "" && <Call call={call} />}</span>
        {projects !== "" && <span class="said projects">{projects}</span>}
      </header>
      <Rack seat={seat} due={due} />
    </article>
  );
}

/** The trick in the middle: each card before the seat that played it; the turned card while it is bid for. */
function Middle({ board, step }: { board: Board; step: StepView }): JSX.Element {
  const trick = openTrick(board);
  const to = TRICK.exec(step.to)?.[1];
  // The turned card lies there until it has gone to its rack, after the buying too.
  const bidding = trick === null && board.face !== "" && (board.mode === "" || step.code === "step.take_face") && board.ended === "";
  const faceDue = step.kind === "deal" && step.to === "FACE";
  if (bidding || faceDue) {
    return (
      <div class="trick one" data-zone="FACE">
        {faceDue ? <span class="slot due" data-state="dealing" /> : <PlayingCard view={face(board.face)} />}
        <p dir={direction()}><Say code="zone.FACE" /></p>
      </div>
    );
  }
  const lies = trick ?? (step.code === "step.take_trick" ? board.tricks.at(-1) ?? null : null);
  return (
    <div class="trick" dir="ltr">
      {board.seats.map(({ seat, played }) => {
        const code = played || (lies?.cards.find(([by]) => by === seat)?.[1] ?? "");
        const due = to !== undefined && Number(to) === seat && step.kind === "move";
        return (
          <span key={seat} class={`played ${PLACES[seat] ?? ""} ${lies !== null && lies.winner === seat ? "won" : ""}`} data-zone={`T${seat}`}>
            {code !== "" ? <PlayingCard view={face(code)} /> : <span class={`slot ${due ? "due" : ""}`} data-state={due ? "dealing" : undefined} />}
          </span>
        );
      })}
    </div>
  );
}

/** The felt of four seats, as it lies before the dealer; never mirrored. */
export function BoardFelt({ board, step }: { board: Board; step: StepView }): JSX.Element {
  return (
    <section class="felt board panel" aria-label={say("label.felt")}>
      {board.seats.map((seat) => <SeatBox key={seat.seat} seat={seat} board={board} step={step} />)}
      <Middle board={board} step={step} />
      <p class="tricksof" dir={direction()}>
        {trickNumber(board) > 0 && <Say code="board.trick_of" params={{ number: trickNumber(board), of: TRICKS }} />}
      </p>
      <p class="wonof" dir={direction()}>
        {trickNumber(board) > 0 && <><SideMark side={0} /><b class="num">{number(board.won[0])}</b><SideMark side={1} /><b class="num">{number(board.won[1])}</b><span><Say code="board.tricks" /></span></>}
      </p>
    </section>
  );
}

/** The score of both sides on its way to the target. */
export function Scores({ board }: { board: Board }): JSX.Element {
  return (
    <div class="scores">
      {([0, 1] as const).map((side) => (
        <div key={side} class={`score ${side === 0 ? "a" : "b"}`} data-side={side}>
          <span class="seatname"><SideMark side={side} /><span>{sideName(side)}</span></span>
          {board.points !== null && <em class="num ltr">+{number(board.points[side])}</em>}
          <b class="num">{number(board.scores[side])}</b>
          <i class="bar"><i style={{ transform: `scaleX(${part(board.scores[side], board.target)})` }} /></i>
        </div>
      ))}
    </div>
  );
}

/** What is played, by whom and at which stake, in one row. */
export function ContractRow({ board }: { board: Board }): JSX.Element {
  const raise = raiseText(board);
  if (board.mode === "") return <p class="crow none"><Say code="board.no_contract" /></p>;
  return (
    <p class="crow">
      <Contract board={board} />
      {board.buyer !== null && <span class="seatname"><SideMark side={sideOf(board.buyer)} /><span>{seatName(board.buyer)}</span></span>}
      {raise !== "" && <strong class="ltr">{raise}</strong>}
      {board.closed && <em><Say code="call.closed" /></em>}
    </p>
  );
}

/** What was announced, with its cards once they are shown; what does not count is struck. */
export function Announced({ board }: { board: Board }): JSX.Element | null {
  const projects = announced(board);
  if (projects.length === 0) return null;
  return (
    <section class="announced">
      <h3><Say code="board.projects" /></h3>
      <ul>
        {projects.map(({ seat, project }, at) => (
          <li key={at} class={board.counting !== null && board.counting !== sideOf(seat) && project.kind !== "baloot" ? "lost" : ""}>
            <Seat seat={seat} /> <b>{callWord(project.kind)}</b> <ProjectCards cards={project.cards} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The trick that was taken last, and by whom. */
export function LastTrick({ board }: { board: Board }): JSX.Element | null {
  const taken = board.tricks.filter((trick) => trick.winner !== null).at(-1);
  if (taken?.winner === undefined || taken.winner === null) return null;
  return (
    <section class="lasttrick">
      <h3><Say code="board.last_trick" /></h3>
      <p><span class="projectcards ltr">{taken.cards.map(([by, code]) => <PlayingCard key={code} view={face(code)} extra={by === taken.winner ? "won" : ""} />)}</span> <Seat seat={taken.winner} /> {taken.points > 0 && <b class="num ltr">+{number(taken.points)}</b>}</p>
    </section>
  );
}

/** How the round ended and what was written, while it is shown. */
export function Ended({ board }: { board: Board }): JSX.Element | null {
  if (board.ended === "") return null;
  const side = wonBy(board);
  return (
    <p class={`bended ${board.ended}`} role="status">
      <b>{endWord(board)}</b>
      {board.winner !== null ? <span><SideMark side={board.winner} /> <Say code="board.game_won" params={{ side: sideName(board.winner) }} /></span>
        : side !== null && <span><SideMark side={side} /> <Say code="board.round_to" params={{ side: sideName(side) }} /></span>}
    </p>
  );
}

/** Beside the next step: game and round, both scores, and what is played. */
export function BoardSide({ view, board }: { view: DealerView; board: Board }): JSX.Element {
  return (
    <section class="bside panel" aria-label={say("board.score")} data-round={view.round_no}>
      <h2><span><Say code="board.game_round" params={{ game_no: board.game_no, round_no: board.round_no }} /></span><span><Say code="board.to" params={{ number: board.target }} /></span></h2>
      <Scores board={board} />
      <ContractRow board={board} />
    </section>
  );
}
