import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { Call, callWord, isPlace, seatName } from "../shared/board";
import { PlayingCard } from "../shared/cards";
import type { Commander } from "../shared/commands";
import { cardName, say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { type KeyMap, listenKeys } from "../shared/keys";
import { Button, face } from "../shared/parts";
import { Say } from "../shared/text";
import { typeCard } from "../shared/typed";
import type { Asked, Board, DealerView } from "../shared/view";
import { Announced, Ended, LastTrick } from "./board";
import { Facts } from "./side";

const RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7"];
const SUITS = ["S", "H", "C", "D"];
const DIGITS = 9;
/** More answers than these stand in three columns. */
const EASY = 6;
const SEATS = [0, 1, 2, 3];
/** Nothing is dealt: how much was bet is what matters. */
const BETWEEN = new Set(["idle", "betting", "closed"]);

/** Cards that the seat cannot hold any more: those that were turned, and those that lie open before another seat. */
export function seenElsewhere(board: Board, seat: number): Set<string> {
  const seen = board.tricks.flatMap((trick) => trick.cards.map(([, code]) => code));
  const open = board.seats.filter((each) => each.seat !== seat).flatMap((each) => each.rack.filter((slot) => slot.look === "face").map((slot) => slot.card));
  return new Set([...seen, ...open]);
}

/** What is asked, told apart from every other question: a press that was meant for another one does not count. */
export function questionOf(view: DealerView): string {
  const asked = view.board?.asked;
  return asked ? `${view.window?.number ?? 0} ${asked.step} ${asked.seat}` : "";
}

/** Tell the table what a seat said. */
function chooseFor(view: DealerView, commander: Commander, seat: number, option: string): void {
  void commander.press(`choose.${seat}.${option}`, view.table, "ChooseForSeat", { seat, window: view.window?.number ?? 0, option });
}

/** The 32 cards, from which the dealer says which one a seat named; by touch, or by keys as `7 H`. Never mirrored. */
function CardGrid({ board, seat, choose, back }: { board: Board; seat: number; choose: (card: string) => void; back: () => void }): JSX.Element {
  const [rank, setRank] = useState("");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => { box.current?.focus(); }, []);
  const seen = seenElsewhere(board, seat);
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.code === "Escape") { back(); event.preventDefault(); event.stopPropagation(); return; }
    const typed = typeCard(rank, event.code);
    if (typed === null || typed.card === "XX") return;
    setRank(typed.rank);
    if (typed.card !== "" && !seen.has(typed.card)) choose(typed.card);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="cardgrid" ref={box} role="group" tabIndex={0} data-typing aria-label={say("board.which_card")} onKeyDown={onKey}>
      {SUITS.flatMap((suit) => RANKS.map((each) => {
        const code = `${each}${suit}`;
        const gone = seen.has(code);
        return (
          <button key={code} type="button" data-card={code} class={each === rank ? "half" : ""} aria-label={cardName(code)} aria-disabled={gone ? "true" : undefined} onClick={() => { if (!gone) choose(code); }}>
            <PlayingCard view={face(code)} extra={gone ? "dead" : ""} />
          </button>
        );
      }))}
    </div>
  );
}

/** A button for everything that the asked seat may say, the first nine with their digit; two projects at once are one press further. */
function Options({ view, asked, commander }: { view: DealerView; asked: Asked; commander: Commander }): JSX.Element {
  const [two, setTwo] = useState(false);
  const joined = asked.options.filter((option) => option.includes("+"));
  const shown = joined.length === 0 ? asked.options : asked.options.filter((option) => option.includes("+") === two);
  const places = asked.options.every(isPlace);
  const turn = (to: boolean): void => { commander.layoutChanged(); setTwo(to); };
  useEffect(() => listenKeys(() => ({
    ...Object.fromEntries(shown.slice(0, DIGITS).map((option, at) => [`Digit${at + 1}`, () => { chooseFor(view, commander, asked.seat, option); }])),
    ...(two ? { Escape: () => { turn(false); } } : {}),
  })));
  return (
    <div class={`choices ${places ? "places" : ""} ${two || shown.length + asked.besides.length > EASY ? "many" : ""}`} role="group" dir={places ? "ltr" : undefined} aria-label={say("board.enter_choice", { seat: seatName(asked.seat) })}>
      {shown.map((option, at) => (
        <Button key={option} id={`choose.${asked.seat}.${option}`} commander={commander} keys={at < DIGITS ? String(at + 1) : undefined} onPress={() => { chooseFor(view, commander, asked.seat, option); }}>
          {places ? <><b class="num">{option}</b><span class="unseen">{callWord(option)}</span></> : <Call call={option} />}
        </Button>
      ))}
      {joined.length > 0 && <button type="button" class="btn" data-button="two" onClick={() => { turn(!two); }}><span class="words"><Say code={two ? "relief.back" : "board.two_projects"} /></span></button>}
      {asked.besides.map(([seat, option]) => (
        <Button key={`${seat}${option}`} id={`choose.${seat}.${option}`} commander={commander} icon="hand" small={seatName(seat)} onPress={() => { chooseFor(view, commander, seat, option); }}>
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
        {SEATS.map((seat) => (
          <Button key={seat} id={`qayd.${seat}`} commander={commander} stop onPress={() => { void commander.press(`qayd.${seat}`, view.table, "ClaimQayd", { seat, note: "" }, true); }}>
            {seatName(seat)}
          </Button>
        ))}
      </div>
      <button type="button" class="btn" data-button="qayd.back" onClick={back}><Icon name="back" /><span class="words"><Say code="relief.back" /></span></button>
    </>
  );
}

/** Whether the play may be called in question: from the taking of the turned card to the result. */
export function mayCall(view: DealerView, board: Board): boolean {
  return board.mode !== "" && board.ended === "" && ["dealing", "decision"].includes(view.state);
}

/** What lies over the pane: the 32 cards, or which seat calls qayd. */
export const overPane = signal<"" | "cards" | "qayd">("");

/** Open what lies over the pane, or close it; a press for what stood there does not count. */
function turnPane(commander: Commander, to: "" | "cards" | "qayd"): void {
  commander.layoutChanged();
  overPane.value = to;
}

/** The button in the foot by which a seat's qayd is called, while the play may be called in question. */
export function QaydButton({ view, commander }: { view: DealerView; commander: Commander }): JSX.Element | null {
  if (!view.board || !mayCall(view, view.board)) return null;
  return (
    <button type="button" class="btn stop" data-button="qayd" aria-expanded={overPane.value === "qayd"} onClick={() => { turnPane(commander, overPane.value === "qayd" ? "" : "qayd"); }}>
      <Icon name="hand" /><span class="words"><Say code="qayd.call" /></span><kbd class="keyhint" aria-hidden="true">Y</kbd>
    </button>
  );
}

/** Beside the felt: what the asked seat may say, else what has been played and announced. */
export function BoardPane({ view, board, commander }: { view: DealerView; board: Board; commander: Commander }): JSX.Element {
  const open = overPane.value;
  const question = questionOf(view);
  const asked = board.asked;
  const plays = asked !== null && asked.options.every(isPlace);
  const callable = mayCall(view, board);
  useEffect(() => { if (overPane.peek() === "cards") overPane.value = ""; }, [question]);
  useEffect(() => { if (!callable) overPane.value = ""; }, [callable]);
  useEffect(() => listenKeys((): KeyMap => ({
    ...(plays ? { KeyE: () => { turnPane(commander, "cards"); } } : {}),
    ...(callable ? { KeyY: () => { turnPane(commander, "qayd"); } } : {}),
    ...(open === "" ? {} : { Escape: () => { turnPane(commander, ""); } }),
  })));
  if (open === "cards" && plays) {
    return <section class="bpane panel grid"><CardGrid board={board} seat={asked.seat} choose={(card) => { chooseFor(view, commander, asked.seat, card); }} back={() => { turnPane(commander, ""); }} /></section>;
  }
  if (open === "qayd" && callable) return <section class="bpane panel"><QaydCall view={view} commander={commander} back={() => { turnPane(commander, ""); }} /></section>;
  return (
    <section class={`bpane panel ${asked ? "asking" : ""}`}>
      {asked && <h2><Say code={plays ? "board.enter_place" : "board.enter_choice"} params={{ seat: seatName(asked.seat) }} /></h2>}
      {asked && <Options key={question} view={view} asked={asked} commander={commander} />}
      {!asked && <Ended board={board} />}
      {!asked && (BETWEEN.has(view.state) || (board.tricks.length === 0 && board.ended === "")) && <Facts view={view} />}
      {(!asked || (plays && asked.options.length <= 4)) && board.ended === "" && <LastTrick board={board} />}
      {!asked && <Announced board={board} />}
      {plays && <div class="pfoot"><button type="button" class="btn" data-button="by_card" onClick={() => { turnPane(commander, "cards"); }}><Icon name="faceup" /><span class="words"><Say code="board.by_card" /></span><kbd class="keyhint" aria-hidden="true">E</kbd></button></div>}
    </section>
  );
}
