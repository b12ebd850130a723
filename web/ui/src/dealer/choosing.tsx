import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { Call, callWord, isPlace, seatName } from "../shared/board";
import { type Commander, DEAF_MS } from "../shared/commands";
import { say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { type KeyMap, listenKeys } from "../shared/keys";
import { Button } from "../shared/parts";
import { QaydSeats, mayCall } from "../shared/qayd";
import { Say } from "../shared/text";
import type { Asked, Board, DealerView } from "../shared/view";
import { Announced, Ended, LastTrick } from "./board";
import { otherDeals } from "./relief";
import { Facts } from "./side";

const DIGITS = 9;
/** More answers than these stand in three columns. */
const EASY = 6;
/** Nothing is dealt: how much was bet is what matters. */
const BETWEEN = new Set(["idle", "betting", "closed"]);

/** What is asked, told apart from every other question: a press that was meant for another one does not count. */
export function questionOf(view: DealerView): string {
  const asked = view.board?.asked;
  return asked ? `${view.window?.number ?? 0} ${asked.step} ${asked.seat}` : "";
}

/** Tell the table what a seat said. */
function chooseFor(view: DealerView, commander: Commander, seat: number, option: string): void {
  void commander.press(`choose.${seat}.${option}`, view.table, "ChooseForSeat", { seat, window: view.window?.number ?? 0, option });
}

/** What a button needs where another dealer deals at this table than the one who looks at it. */
function own(view: DealerView): { enabled: boolean; reason?: string } {
  return otherDeals(view) ? { enabled: false, reason: say("refused.not_your_table") } : { enabled: true };
}

/** A button for everything that the asked seat may say, the first nine with their digit; two projects at once are one press further. */
function Options({ view, asked, commander }: { view: DealerView; asked: Asked; commander: Commander }): JSX.Element {
  const [two, setTwo] = useState(false);
  const since = useRef(performance.now());
  // A press that was meant for the question before this one does not count; the foot listens all the time.
  const choose = (seat: number, option: string): void => {
    if (performance.now() - since.current >= DEAF_MS) chooseFor(view, commander, seat, option);
  };
  const joined = asked.options.filter((option) => option.includes("+"));
  const shown = joined.length === 0 ? asked.options : asked.options.filter((option) => option.includes("+") === two);
  const places = asked.options.every(isPlace);
  const turn = (to: boolean): void => { since.current = performance.now(); setTwo(to); };
  useEffect(() => listenKeys(() => ({
    ...Object.fromEntries(shown.slice(0, DIGITS).map((option, at) => [`Digit${at + 1}`, () => { choose(asked.seat, option); }])),
    ...(two ? { Escape: () => { turn(false); } } : {}),
  })));
  return (
    <div class={`choices ${places ? "places" : ""} ${two || shown.length + asked.besides.length > EASY ? "many" : ""}`} role="group" dir={places ? "ltr" : undefined} aria-label={say("board.enter_choice", { seat: seatName(asked.seat) })}>
      {shown.map((option, at) => (
        <Button key={option} id={`choose.${asked.seat}.${option}`} commander={commander} {...own(view)} keys={at < DIGITS ? String(at + 1) : undefined} onPress={() => { choose(asked.seat, option); }}>
          {places ? <><b class="num">{option}</b><span class="unseen">{callWord(option)}</span></> : <Call call={option} />}
        </Button>
      ))}
      {joined.length > 0 && <button type="button" class="btn" data-button="two" onClick={() => { turn(!two); }}><span class="words"><Say code={two ? "relief.back" : "board.two_projects"} /></span></button>}
      {asked.besides.map(([seat, option]) => (
        <Button key={`${seat}${option}`} id={`choose.${seat}.${option}`} commander={commander} {...own(view)} icon="hand" small={seatName(seat)} onPress={() => { choose(seat, option); }}>
          <Call call={option} />
        </Button>
      ))}
    </div>
  );
}

/** Which seat calls a fault of the play: the call goes out at once and stops the table. */
function QaydCall({ view, commander, back }: { view: DealerView; commander: Commander; back: () => void }): JSX.Element {
  return (
    <>
      <h2><Say code="qayd.who" /></h2>
      <div class="choices" role="group" aria-label={say("qayd.who")}>
        <QaydSeats table={view.table} commander={commander} may={own(view)} />
      </div>
      <button type="button" class="btn" data-button="qayd.back" onClick={back}><Icon name="back" /><span class="words"><Say code="relief.back" /></span></button>
    </>
  );
}

/** Whether the pane asks which seat calls qayd. */
export const calling = signal(false);

/** Ask which seat calls, or go back; a press for what stood there does not count. */
function turnPane(commander: Commander, to: boolean): void {
  commander.layoutChanged();
  calling.value = to;
}

/** The button in the foot by which a seat's qayd is called, while the play may be called in question. */
export function QaydButton({ view, commander }: { view: DealerView; commander: Commander }): JSX.Element | null {
  if (!view.board || !mayCall(view, view.board)) return null;
  return (
    <button type="button" class="btn stop" data-button="qayd" aria-expanded={calling.value} onClick={() => { turnPane(commander, true); }}>
      <Icon name="hand" /><span class="words"><Say code="qayd.call" /></span><kbd class="keyhint" aria-hidden="true">Y</kbd>
    </button>
  );
}

/**
 * Beside the felt: what the asked seat may say, else what has been played and announced.
 *
 * A card of a rack is told by its place alone: who could name it here would learn by the answer whether the seat holds it.
 */
export function BoardPane({ view, board, commander }: { view: DealerView; board: Board; commander: Commander }): JSX.Element {
  const asked = board.asked;
  const plays = asked !== null && asked.options.every(isPlace);
  const callable = mayCall(view, board);
  useEffect(() => { if (!callable) calling.value = false; }, [callable]);
  useEffect(() => listenKeys((): KeyMap => ({
    ...(callable ? { KeyY: () => { turnPane(commander, true); } } : {}),
    ...(calling.value ? { Escape: () => { turnPane(commander, false); } } : {}),
  })));
  if (calling.value && callable) return <section class="bpane panel"><QaydCall view={view} commander={commander} back={() => { turnPane(commander, false); }} /></section>;
  return (
    <section class={`bpane panel ${asked ? "asking" : ""}`}>
      {asked && <h2><Say code={plays ? "board.enter_place" : "board.enter_choice"} params={{ seat: seatName(asked.seat) }} /></h2>}
      {asked && <Options key={questionOf(view)} view={view} asked={asked} commander={commander} />}
      {!asked && <Ended board={board} />}
      {!asked && (BETWEEN.has(view.state) || (board.tricks.length === 0 && board.ended === "")) && <Facts view={view} />}
      {(!asked || plays) && board.ended === "" && <LastTrick board={board} />}
      {!asked && <Announced board={board} />}
    </section>
  );
}
