import type { JSX } from "preact";

import { endWord, seatName, sideName, sideOf } from "../shared/board";
import { boot } from "../shared/boot";
import { firstKnown, known, money, number, say } from "../shared/i18n";
import { Icon, type IconName } from "../shared/icons";
import { dealerResult, dealerResultText, isSeat, laneLetter } from "../shared/lanes";
import { Countdown, SecondsLeft } from "../shared/parts";
import { Headline, Say } from "../shared/text";
import type { Board, DealerView, ResultView, StepView, WindowView } from "../shared/view";

const FAR = [112, 104, 92, 80, 68, 60, 56];
const LETTERS = new Set(["P", "B", "M", "L", "R", "D"]);
/** Windows in which players choose while the dealer waits. */
const CHOOSING = new Set(["insurance", "decision"]);

/** The rack or the place in the trick of one of the four seats of a game of tricks. */
const AT_SEAT = /^[HT]([0-3])$/;

/** Which of the four seats a step is about; null for games that have none. */
function seatOf(step: StepView): number | null {
  const at = AT_SEAT.exec(step.to)?.[1];
  return step.seat ?? (at === undefined ? null : Number(at));
}

/** The seat and the place of its rack in words. */
function seatParams(step: StepView): Record<string, string> {
  const seat = seatOf(step);
  return { seat: seat === null ? "" : seatName(seat), place: step.place ? say(`ordinal.${step.place}`) : "" };
}

/** The side that took the last trick; empty before, and in games without tricks. */
function takenBy(view: DealerView): string {
  const seat = view.board?.tricks.at(-1)?.winner ?? null;
  return seat === null ? "" : sideName(sideOf(seat));
}

/** Parameters that the messages of a step may use. */
export function stepParams(step: StepView, view: DealerView): Record<string, string | number> {
  return {
    zone: step.to, to: step.to, face: step.face, count: step.of, number: step.number, of: step.of,
    round: view.round_no, shoe: view.shoe_no, ...seatParams(step), side: takenBy(view),
  };
}

/** The code of a step's headline: a variant for its zone where the catalogue has one. */
function headline(step: StepView): string {
  return step.to === "" ? step.code : firstKnown(`${step.code}.${step.to}`, step.code);
}

/** Letter of the side or a symbol, on the state's colour. */
function Target({ step, result }: { step: StepView; result: ResultView | null }): JSX.Element {
  const against = result && dealerResult(result);
  if (against) {
    return <div class={`target ${against.word}`} data-state="result" aria-hidden="true">{against.word === "blackjack" ? say("letter.blackjack") : number(against.total)}</div>;
  }
  if (result) {
    return <div class={`target ${result.code}`} aria-hidden="true">{say(`letter.${result.code}`)}</div>;
  }
  const seat = seatOf(step);
  if (seat !== null && (step.kind === "deal" || step.kind === "move" || step.kind === "turn")) return <div class="target seatno" aria-hidden="true">{seat + 1}</div>;
  if (step.kind === "deal" && LETTERS.has(step.to)) return <div class="target" aria-hidden="true">{step.to}</div>;
  if (step.kind === "deal" && isSeat(step.to)) return <div class="target" aria-hidden="true">{laneLetter(step.to)}</div>;
  const icons: Partial<Record<StepView["kind"], IconName>> = {
    deal: step.face === "down" ? "facedown" : "faceup", clear: "erase", collect: "erase", confirm: "tick", wait: "clock",
    open_table: "lock", start_shoe: "cutcard", open_bets: "betting", count: "faceup", turn: "turn", peek: "look", move: "turn", choose: "clock",
  };
  return <div class="target" aria-hidden="true"><Icon name={icons[step.kind] ?? "tick"} /></div>;
}

/** One qualifier under the headline. */
function Line({ icon, children }: { icon?: IconName; children: preact.ComponentChildren }): JSX.Element {
  return <p class="line">{icon && <Icon name={icon} />}<span>{children}</span></p>;
}

/** How a card is to lie, and which one it is. */
function DealLines({ step, view }: { step: StepView; view: DealerView }): JSX.Element {
  const across = view.hands.some((hand) => hand.zone === step.to && hand.slots.some((slot) => slot.due && slot.sideways));
  const up = step.face !== "down";
  return (
    <>
      {known(`lane.${step.to}`) && <Line>{say(`lane.${step.to}`)}</Line>}
      <Line icon={up ? "faceup" : "facedown"}>
        <Say code={across ? "step.face.across" : up ? "step.face.up" : "step.face.down"} />
      </Line>
      {seatOf(step) !== null && step.of > 1 && step.number > 0 && <p class="of"><Say code="step.card_of" params={{ number: step.number, of: step.of }} /></p>}
      {step.to === "BURN" && step.of > 1 && step.number > 0 && <p class="of"><Say code="step.card_of" params={{ number: step.number, of: step.of }} /></p>}
    </>
  );
}

/** Both totals, the higher first. */
export function score(result: ResultView): string {
  return result.totals.map(([, total]) => total).sort((a, b) => b - a).join(" – ");
}

/** The winner and the score, as the qualifier while the cards still lie. */
function ResultLine({ result }: { result: ResultView }): JSX.Element {
  return (
    <p class="line">
      <span><Say code={`result.${result.code}.wins`} /></span>
      <span class="num ltr score">{score(result)}</span>
      {result.natural && <small><Say code="result.natural" /></small>}
    </p>
  );
}

function Then({ step, view }: { step: StepView; view: DealerView }): JSX.Element {
  const code = firstKnown(`${step.code}.${step.to}.then`, `${step.code}.then`, headline(step));
  return (
    <p class="then">
      <Icon name={step.kind === "deal" ? (step.face === "down" ? "facedown" : "faceup") : "arrow"} />
      <span><Say code="step.then" params={{ what: say(code, stepParams(step, view)) }} /></span>
    </p>
  );
}

/** How a round of a game of tricks ended, and who has won the game. */
function boardEnd(board: Board): string {
  return board.winner === null ? endWord(board) : say("board.game_won", { side: sideName(board.winner) });
}

/** Words under the headline for every step that is not a card. */
function OtherLines({ view, result }: { view: DealerView; result: ResultView | null }): JSX.Element | null {
  const { step } = view;
  if (view.state === "void" && view.refunded > 0) {
    return <Line icon="void"><Say code="void.refunded" params={{ sum: money(view.refunded, boot.currency) }} /></Line>;
  }
  if (view.board && view.board.ended !== "" && view.state === "result") return <Line icon="result">{boardEnd(view.board)}</Line>;
  if (result && dealerResult(result)) return step.kind === "wait" ? null : <Line>{dealerResultText(result)}</Line>;
  if (result && step.kind !== "wait") return <ResultLine result={result} />;
  if (result) {
    return <p class="line"><span class="num ltr score">{score(result)}</span>{result.natural && <span><Say code="result.natural" /></span>}</p>;
  }
  const line = `${step.code}.line`;
  return known(line) ? <Line>{say(line, stepParams(step, view))}</Line> : null;
}

/** The result that is on the felt now: the newest one, while it is being shown or collected. */
export function shownResult(view: DealerView): ResultView | null {
  const newest = view.results.at(-1);
  if (view.state !== "result" || !newest || newest.round_no !== view.round_no) return null;
  return newest;
}

/** How many of those who may choose have done so. */
function Answered({ window: open }: { window: WindowView }): JSX.Element | null {
  const { asked = 0, answered = 0 } = open;
  return asked === 0 ? null : <p class="of"><Say code="window.answered" params={{ count: answered, of: asked }} /></p>;
}

/** The window that the dealer waits for; the countdown takes the place of the tile. */
export function waited(view: DealerView): WindowView | null {
  const open = view.window;
  if (!open) return null;
  if (open.kind === "betting") return view.state === "betting" ? open : null;
  return CHOOSING.has(open.kind) ? open : null;
}

/** The code of the headline. */
export function titleOf(view: DealerView, open: WindowView | null, result: ResultView | null): string {
  const asked = view.board?.asked;
  if (asked && (open === null || CHOOSING.has(open.kind))) return firstKnown(`step.${asked.step}`, "step.choose");
  if (open) return open.kind === "betting" ? "state.betting" : `step.wait_${open.kind === "insurance" ? "insurance" : "decisions"}`;
  return result && view.step.kind === "wait" && !dealerResult(result) ? `result.${result.code}.wins` : headline(view.step);
}

/** Parameters of the headline: where a seat is asked, it is the seat that the sentence is about. */
export function titleParams(view: DealerView): Record<string, string | number> {
  const asked = view.board?.asked;
  return { ...stepParams(view.step, view), ...(asked ? { seat: seatName(asked.seat) } : {}) };
}

/** What is said under the question while a window is open: in a game of tricks what the seat is asked. */
function OpenLine({ view, open }: { view: DealerView; open: WindowView }): JSX.Element {
  const asked = view.board?.asked;
  const own = asked ? `step.${asked.step}.line` : "";
  if (own !== "" && known(own)) return <Line icon="hand"><Say code={own} params={titleParams(view)} /></Line>;
  return <Line icon="hand"><Say code={open.kind === "betting" ? "step.no_card_yet" : "step.hands_still"} /></Line>;
}

/** The one next step, larger than all the rest; replaced whole and announced once. */
export function NextStep({ view }: { view: DealerView }): JSX.Element {
  const { step } = view;
  const open = waited(view);
  const result = view.board ? null : shownResult(view);
  const against = result && dealerResult(result) && step.kind === "wait";
  return (
    <section class={`next panel ${open ? "open" : ""}`} data-fit aria-label={say("label.next_step")} data-step={step.code} data-kind={step.kind}>
      {open ? <Countdown window={open} /> : <Target step={step} result={result} />}
      <div class="say" aria-live="assertive" aria-atomic="true">
        <Headline sizes={FAR} lines={2} class="do">{against ? dealerResultText(result) : <Say code={titleOf(view, open, result)} params={titleParams(view)} />}</Headline>
        {open ? <><OpenLine view={view} open={open} />{!view.board && <Answered window={open} />}</>
          : step.kind === "deal" ? <DealLines step={step} view={view} /> : <OtherLines view={view} result={result} />}
        {step.then && <Then step={step.then} view={view} />}
        {step.kind === "wait" && view.window?.kind === "result" && (
          <p class="then"><Icon name="clock" /><span><Say code="air.next_bets_in" /> <SecondsLeft window={view.window} /></span></p>
        )}
      </div>
    </section>
  );
}
