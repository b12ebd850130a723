import type { JSX } from "preact";

import { direction, firstKnown, say } from "../shared/i18n";
import { Hand } from "../shared/parts";
import { BeadPlate } from "../shared/roads";
import { SayMessage } from "../shared/text";
import type { DealerView, HandView, ResultView } from "../shared/view";
import { DealerChips, isRound, laned } from "../shared/lanes";
import { BoardFelt } from "./board";
import { Lanes } from "./lanes";
import { shownResult } from "./step";

const SIDE: Record<string, string> = { P: "player", B: "banker" };

function won(hand: HandView, result: ResultView | null): string {
  if (!result) return "";
  if (result.code === "tie") return "";
  return SIDE[hand.zone] === result.code ? "won" : "lost";
}

/** While bets are open the place of the first card is marked, though nothing is due yet. */
function first(hand: HandView, view: DealerView): HandView {
  if (view.step.then?.to !== hand.zone) return hand;
  return { ...hand, slots: hand.slots.map((slot, at) => (at === 0 ? { ...slot, due: true } : slot)) };
}

function HandPanel({ hand: given, view }: { hand: HandView; view: DealerView }): JSX.Element {
  const betting = view.state === "betting";
  const hand = betting ? first(given, view) : given;
  const due = hand.slots.some((slot) => slot.due);
  return (
    <article
      class={`sidep panel ${SIDE[hand.zone] ?? ""} ${due && !betting ? "due" : ""} ${won(hand, shownResult(view))}`}
      data-state={due ? (betting ? "betting" : "dealing") : undefined}
      data-zone={hand.zone}
      aria-current={due ? "step" : undefined}
    >
      <header dir={direction()}>
        <h2>{say(firstKnown(`zone.${hand.zone}`, "zone.other"), { zone: hand.zone })}</h2>
        <small><SayMessage message={hand.word} /></small>
        <b class="tot num">{hand.total ?? "–"}</b>
      </header>
      <Hand hand={hand} dueState={betting ? "betting" : "dealing"} />
    </article>
  );
}

/** States in which nothing is dealt: the results of the shoe are shown. */
const RESTS = new Set(["idle", "closed"]);

/** The felt as it lies before the dealer; never mirrored. Between shoes the results of the last one. */
export function Felt({ view }: { view: DealerView }): JSX.Element {
  if (view.board) return <BoardFelt board={view.board} step={view.step} />;
  if (laned(view.game) && !RESTS.has(view.state)) return <Lanes view={view} />;
  if (view.hands.every((hand) => hand.cards.length + hand.slots.length === 0) && view.state !== "result") {
    return (
      <section class="felt bare panel" aria-label={say("label.results")}>
        {view.results.length > 0 && (isRound(view.results) ? <DealerChips results={view.results.slice(-60)} /> : view.roads && <BeadPlate roads={view.roads} columns={28} cell={40} />)}
      </section>
    );
  }
  return (
    <section class={`felt n${view.hands.length}`} aria-label={say("label.felt")}>
      {view.hands.map((hand) => <HandPanel key={hand.zone} hand={hand} view={view} />)}
    </section>
  );
}
