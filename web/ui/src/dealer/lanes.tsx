import type { ComponentChildren, JSX } from "preact";

import { PlayingCard } from "../shared/cards";
import { direction, number, say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { dealerAndLanes, inPlay, isSeat, isShut, isSoft, laneLetter, laneLook, laneName, totalText } from "../shared/lanes";
import { Say, SayMessage } from "../shared/text";
import type { DealerView, HandView, State } from "../shared/view";

/** A hand with so many cards needs more room than its neighbours. */
const EASY = 3;

/** Steps that ask for a card where it lies: to be turned, or looked at. */
const ASKS = new Set(["turn", "peek"]);

/** More hands than these stand side by side in smaller figures. */
const MANY = 10;

/** How wide the dealer's hand is beside seats, which are narrow. */
const DEALER_AT_SEATS = 1.8;

/** How wide a lane is beside the others: the due one widens, an empty one gives room. */
function weight(hand: HandView, seats: boolean): number {
  if (seats && hand.zone === "D") return DEALER_AT_SEATS;
  if (hand.zone !== "D" && !inPlay(hand)) return 0.5;
  const slots = hand.slots.filter((slot) => slot.due).length;
  return 1 + 0.22 * Math.max(0, hand.cards.length + slots - EASY) + (slots > 0 ? 0.25 : 0);
}

function Tag({ state, children }: { state: State; children: ComponentChildren }): JSX.Element {
  return <span class="state quiet tag" data-state={state}>{children}</span>;
}

/** The word beside a lane's letter: when its card comes, or why none comes. */
function LaneTag({ hand, over }: { hand: HandView; over: boolean }): JSX.Element | null {
  switch (hand.state) {
    case "next": return <span class="state tag" data-state="dealing"><Say code="lane.next" /></span>;
    case "then": return <Tag state="dealing"><Say code="lane.then" /></Tag>;
    case "asked": return <span class="state tag" data-state="decision"><Say code="lane.asked" /></span>;
    case "surrender": return <span class="tag said"><Say code="lane.surrender" /></span>;
    case "bust": return <span class="tag said"><Say code="lane.bust" /></span>;
    case "blackjack": return <span class="tag said"><Say code="lane.blackjack" /></span>;
    case "closed": case "done":
      return over ? null : <Tag state="closed"><Icon name="lock" /> <span><Say code={`lane.${hand.state}`} /></span></Tag>;
    default: return hand.zone === "D" && hand.word ? <span class="tag said"><SayMessage message={hand.word} /></span> : null;
  }
}

/** Who takes and who stood; for the dealer the card that is up. */
function LaneFoot({ hand, state }: { hand: HandView; state: State }): JSX.Element {
  if (hand.zone === "D") {
    const hidden = hand.cards.some((card) => card.look === "back");
    return <footer dir={direction()}>{hidden && hand.total !== null && <span><Say code="lane.up_card" params={{ total: totalText(hand) }} /></span>}</footer>;
  }
  const deciding = state !== "dealing";
  if (state === "betting") return <footer />;
  if (isSeat(hand.zone)) return <footer dir={direction()}><LaneTag hand={hand} over={state === "result" || state === "void"} /></footer>;
  if (!inPlay(hand)) return <footer dir={direction()}><em><Say code="lane.unused" /></em></footer>;
  const [taking, stood] = [hand.taking ?? 0, hand.stood ?? 0];
  if (taking + stood === 0 || (deciding && stood === 0)) return <footer dir={direction()} />;
  return (
    <footer dir={direction()}>
      {!deciding && <span><Say code="lane.take" params={{ count: taking }} /></span>} <em><Say code="lane.stood" params={{ count: stood }} /></em>
    </footer>
  );
}

function Lane({ hand, letter, state, asked }: { hand: HandView; letter: string; state: State; asked: boolean }): JSX.Element {
  const over = state === "result" || state === "void";
  const due = asked || hand.state === "next" || hand.state === "asked" || hand.slots.some((slot) => slot.due);
  const shut = !over && isShut(hand) && hand.zone !== "D";
  const look = laneLook(hand, over || hand.zone === "D");
  const wide = hand.cards.length + hand.slots.filter((slot) => slot.due).length < EASY;
  return (
    <article
      class={`handlane panel ${hand.zone === "D" ? "dl" : ""} ${due ? "due" : ""} ${shut ? "shut" : ""} ${hand.state === "bust" ? "busted" : ""} ${hand.zone === "D" || inPlay(hand) || state === "betting" ? "" : "unused"} ${wide ? "easy" : ""}`}
      data-zone={hand.zone} data-lane={hand.state ?? ""} data-state={due ? (state === "betting" ? "betting" : hand.state === "asked" ? "decision" : "dealing") : undefined} aria-current={due ? "step" : undefined}
      aria-label={laneName(hand.zone)}
    >
      <header dir={direction()}>
        {hand.zone === "D" ? <h2><Say code="zone.D" /></h2> : <h2><b>{letter}</b></h2>}
        {!isSeat(hand.zone) && <LaneTag hand={hand} over={over} />}
        <b class={`tot ${isSoft(hand) ? "soft" : ""}`}><span class="num ltr">{totalText(hand)}</span></b>
      </header>
      <div class="hand">
        {hand.cards.map((card, at) => <PlayingCard key={at} view={card} extra={`${look(card)} ${at === hand.cards.length - 1 ? "upmost" : ""} ${asked && card.look === "back" ? "turning" : ""}`} />)}
        {hand.slots.filter((slot) => slot.due).map((_, at) => <span key={`s${at}`} class="slot due" data-state={state === "betting" ? "betting" : "dealing"} />)}
      </div>
      <LaneFoot hand={hand} state={state} />
    </article>
  );
}

/** While bets are open the place of the first card is marked, though nothing is due yet. */
function marked(hand: HandView, view: DealerView): HandView {
  if (view.state !== "betting" || view.step.then?.to !== hand.zone) return { ...hand, slots: hand.slots.filter((slot) => slot.due) };
  return { ...hand, slots: [{ order: 1, due: true, sideways: false }] };
}

/** The dealer and the lanes as they lie before the dealer; never mirrored (FACES.md 5). */
export function Lanes({ view }: { view: DealerView }): JSX.Element {
  const [dealer, lanes] = dealerAndLanes(view.hands);
  const seats = lanes.some((hand) => isSeat(hand.zone));
  // Which seats are taken is known once bets are closed; the others are left out then.
  const taken = lanes.filter((hand) => !isSeat(hand.zone) || inPlay(hand) || view.state === "betting");
  const hands = [...(dealer ? [dealer] : []), ...taken].map((hand) => marked(hand, view));
  const columns = hands.map((hand) => `minmax(0, ${weight(hand, seats).toFixed(2)}fr)`).join(" ");
  return (
    <section class={`felt lanes ${seats ? "seats" : ""} ${hands.length > MANY ? "many" : ""}`} aria-label={say("label.felt")} style={{ "--columns": columns }}>
      {hands.map((hand) => <Lane key={hand.zone} hand={hand} letter={laneLetter(hand.zone, hands)} state={view.state} asked={ASKS.has(view.step.kind) && view.step.to === hand.zone} />)}
    </section>
  );
}

/** How many have a hand, and how many of them take a card now. */
export function Counts({ view }: { view: DealerView }): JSX.Element | null {
  // Seats play one after the other: who takes a card is told by waves alone.
  const [seated, takers] = [view.seated ?? 0, (view.wave ?? 0) > 0 ? view.takers ?? 0 : 0];
  if (seated === 0) return null;
  return (
    <div class="counts">
      <div><b class="num">{number(seated)}</b><span><Say code="count.seated" /></span></div>
      {takers > 0 && <div><b class="num">{number(takers)}</b><span><Say code="count.takers" /></span></div>}
    </div>
  );
}
