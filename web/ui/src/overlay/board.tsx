import type { JSX } from "preact";

import {
  Call, Contract, Seat, SideMark, TRICKS, announced, callWord, cardOfTurn, claims, endWord, lastCall, openTrick, part, raiseText, seatName, sideName, sideOf, trickNumber, wonBy,
} from "../shared/board";
import { PlayingCard } from "../shared/cards";
import { clock, remainingUs, tick, wholeSeconds } from "../shared/clock";
import { direction, number, say, scoreOf } from "../shared/i18n";
import { face } from "../shared/parts";
import { Say } from "../shared/text";
import type { Board, OverlayView, SeatState, WindowView } from "../shared/view";
import type { Layer } from "./address";

/** Rounds that end without a contract: nothing is written, the cards are dealt anew. */
const REDEALS = new Set(["passed", "kawesh", "misdeal"]);

/** The score of both sides with bars to the target. */
function Score({ board }: { board: Board }): JSX.Element {
  return (
    <section class="bblk bscore" dir={direction()} aria-label={say("board.score")}>
      <h2><span><Say code="board.score" /></span><span><Say code="board.to" params={{ number: board.target }} /></span></h2>
      <div>
        {([0, 1] as const).map((side) => (
          <div key={side} class={`team ${side === 0 ? "a" : "b"} ${board.winner === side ? "won" : ""}`} data-side={side}>
            <h3><SideMark side={side} /><span>{sideName(side)}</span>{board.points !== null && <em class="num ltr">+{number(board.points[side])}</em>}</h3>
            <b class="num">{number(board.scores[side])}</b>
            <i class="g"><i style={{ transform: `scaleX(${part(board.scores[side], board.target)})` }} /></i>
          </div>
        ))}
      </div>
    </section>
  );
}

/** What a seat has said that still counts: its project while it is announced, else its last call. */
function Word({ board, seat }: { board: Board; seat: SeatState }): JSX.Element {
  const call = lastCall(seat);
  if (seat.projects.length > 0) return <span class="on">{seat.projects.slice(0, 2).map((project) => callWord(project.kind)).join(" + ")}</span>;
  if (call === "" && board.dealer === seat.seat) return <span><Say code="board.deals" /></span>;
  return <span class={claims(call) ? "on" : ""}>{call === "" ? "\u00a0" : <Call call={call} />}</span>;
}

/** One seat: its name, its word, its card in the trick or that it is to play. Never its hand. */
function AirSeat({ board, seat }: { board: Board; seat: SeatState }): JSX.Element {
  const asked = board.asked?.seat === seat.seat;
  const card = cardOfTurn(board, seat.seat);
  const took = openTrick(board) === null && board.tricks.at(-1)?.winner === seat.seat && card !== "";
  return (
    <article class={`airseat ${asked ? "asked" : ""} ${took ? "took" : ""}`} data-seat={seat.seat} aria-label={seatName(seat.seat)}>
      <header dir={direction()}><b><Seat seat={seat.seat} /></b><Word board={board} seat={seat} /></header>
      {card !== "" ? <PlayingCard view={face(card)} />
        : <span class={`slot ${asked ? "due" : ""}`}>{asked && <span dir={direction()}><Say code={board.mode === "" ? "air.to_bid" : "air.to_play"} /></span>}</span>}
    </article>
  );
}

/** The four seats in order of play, as the script runs, with the trick: a list of names, no picture of the felt. */
function Seats({ board }: { board: Board }): JSX.Element {
  const at = trickNumber(board);
  return (
    <section class="bblk bseats">
      <h2 dir={direction()}>
        <span>{at > 0 ? <Say code="board.trick_of" params={{ number: at, of: TRICKS }} /> : board.face !== "" && <Say code="hist.calls" />}</span>
        {at > 0 && <span class="seatname"><Say code="air.tricks" />&nbsp; <SideMark side={0} /><b class="num">{number(board.won[0])}</b>&nbsp; <SideMark side={1} /><b class="num">{number(board.won[1])}</b></span>}
      </h2>
      <div dir={direction()}>{board.seats.map((seat) => <AirSeat key={seat.seat} board={board} seat={seat} />)}</div>
    </section>
  );
}

/** The seconds of the window in which a seat chooses. */
function Seconds({ window: open }: { window: WindowView }): JSX.Element {
  void tick.value;
  return <b class="num">{number(wholeSeconds(remainingUs(open, clock.nowUs())))}</b>;
}

/** How the round ended, where it is over. */
function Over({ board }: { board: Board }): JSX.Element {
  const side = wonBy(board);
  return (
    <div class="over" role="status">
      <p class="how">{endWord(board)}</p>
      {board.winner !== null ? <p class="who"><SideMark side={board.winner} /> <span><Say code="board.game_won" params={{ side: sideName(board.winner) }} /></span></p>
        : side !== null && !REDEALS.has(board.ended) && <p class="who"><SideMark side={side} /> <span><Say code="board.round_to" params={{ side: sideName(side) }} /></span></p>}
      {board.points !== null && <p class="pts num ltr">{scoreOf(board.points)}</p>}
    </div>
  );
}

/** What is played and by whom, or the turned card while it is bid for, or how the round ended. */
function Playing({ view, board, layers }: { view: OverlayView; board: Board; layers: Set<Layer> }): JSX.Element {
  const raise = raiseText(board);
  const projects = announced(board);
  const counts = projects.filter(({ seat, project }) => board.counting === null || board.counting === sideOf(seat) || project.kind === "baloot");
  if (board.ended !== "" && layers.has("result")) return <section class="bblk bplay" data-state="result" dir={direction()}><h2><span><Say code="state.result" /></span></h2><Over board={board} /></section>;
  if (view.window?.kind === "betting" && layers.has("countdown")) {
    return <section class="bblk bplay" data-state="betting" dir={direction()}><h2><span class="st"><Say code="state.betting" /></span></h2><div class="count"><Seconds window={view.window} /><p><Say code="air.place_bets" /></p></div></section>;
  }
  if (board.mode === "") {
    return (
      <section class="bblk bplay" dir={direction()}>
        <h2><span><Say code={board.face === "" ? "board.mode" : "air.turned"} /></span></h2>
        {board.face !== "" && <div class="turned"><PlayingCard view={face(board.face)} /></div>}
      </section>
    );
  }
  return (
    <section class="bblk bplay" dir={direction()}>
      <h2><span><Say code={board.mode === "hokum" ? "board.hokum" : "board.mode"} /></span>{board.closed && <em><Say code="call.closed" /></em>}</h2>
      <div class="hk">
        <p class="what"><Contract board={board} /></p>
        <dl>
          {board.buyer !== null && <div><dt><Say code="board.buyer" /></dt><dd><Seat seat={board.buyer} /></dd></div>}
          {raise !== "" && <div><dt><Say code={board.gahwa ? "board.raised" : `call.${{ 2: "double", 3: "triple" }[board.multiplier] ?? "four"}`} /></dt><dd class="ltr">{raise}</dd></div>}
          {counts.length > 0 && <div><dt><Say code="board.projects" /></dt><dd>{counts.slice(0, 2).map(({ seat, project }, at) => <span key={at} class="seatname"><SideMark side={sideOf(seat)} /><span>{callWord(project.kind)}</span></span>)}</dd></div>}
        </dl>
      </div>
    </section>
  );
}

/** The countdown's bar along the upper edge of the band. */
function TimeBar({ window: open }: { window: WindowView | null }): JSX.Element {
  void tick.value;
  const left = open !== null && open.kind !== "result" && open.total_us > 0 ? remainingUs(open, clock.nowUs()) / open.total_us : 0;
  return <div class="time">{left > 0 && <i style={{ transform: `scaleX(${Math.min(1, left)})` }} />}</div>;
}

/** Game and round beside the name of the game. */
export function BoardBug({ view, board }: { view: OverlayView; board: Board }): JSX.Element {
  return <header class="bug plate"><i /><Say code={`game.${view.game}`} /><span><Say code="board.game_round" params={{ game_no: board.game_no, round_no: board.round_no }} /></span></header>;
}

/** The band of a game of tricks: score, seats with the trick, what is played. */
export function BoardBand({ view, board, layers }: { view: OverlayView; board: Board; layers: Set<Layer> }): JSX.Element | null {
  const cards = layers.has("cards");
  const asks = view.window?.kind === "betting" && layers.has("countdown");
  if (!cards && !asks && !(board.ended !== "" && layers.has("result"))) return null;
  return (
    <main class={`bband ${cards ? "plate" : "bare"}`} data-state={view.state}>
      {cards && <div class="edge" aria-hidden="true" />}
      {cards && <TimeBar window={layers.has("countdown") ? view.window : null} />}
      {cards && <Score board={board} />}
      {cards && <Seats board={board} />}
      <Playing view={view} board={board} layers={layers} />
    </main>
  );
}
