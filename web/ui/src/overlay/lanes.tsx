import type { JSX } from "preact";

import { PlayingCard } from "../shared/cards";
import { clock, remainingUs, tick, wholeSeconds } from "../shared/clock";
import { direction, known, number, percent, say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import {
  type Share, ShareBar, betName, cutoffCode, dealerAndLanes, dealerResult, endings, inPlay, isSeat, isShut, laneLetter, laneName, percentages, totalText,
} from "../shared/lanes";
import { Ring } from "../shared/parts";
import { Say } from "../shared/text";
import type { CardView, HandView, OverlayView, ResultView, State, WindowView } from "../shared/view";
import type { Layer } from "./address";

/** Width of the dealer's block with two cards, and what each further card adds, in pixels. */
const DEALER_PX = 330;
const FURTHER_PX = 38;
const WIDEST_PX = 560;
/** Width of the block of the players, and with more than two actions to tell. */
const YOU_PX = 440;
const YOU_MANY_PX = 530;
/** Marks of a result that fit beside it. */
const MOST_MARKS = 3;

/** Cards that were accepted: one that a single source saw is never on air. */
function accepted(cards: CardView[]): CardView[] {
  return cards.filter((card) => card.mark !== "prov" && card.look !== "question");
}

function Cards({ hand, arriving, off }: { hand: HandView; arriving: boolean; off: boolean }): JSX.Element {
  const cards = accepted(hand.cards);
  return (
    <div class={`hand ${arriving ? "live" : ""}`} style={{ "--n": Math.max(1, cards.length) }}>
      {cards.length === 0 && [0, 1].map((at) => <span key={`e${at}`} class="slot" />)}
      {cards.map((card, at) => <PlayingCard key={at} view={card} extra={`${off ? "off" : ""} ${at === cards.length - 1 ? "upmost" : ""}`} />)}
    </div>
  );
}

function Total({ hand }: { hand: HandView }): JSX.Element {
  const text = accepted(hand.cards).length === 0 ? "" : totalText(hand);
  return <span class={`tot num ltr ${text.length > 2 ? "soft" : ""} ${hand.state === "bust" ? "busted" : ""}`}>{text}</span>;
}

/** What a hand came to, beside its name. */
function Fate({ hand }: { hand: HandView }): JSX.Element | null {
  if (isSeat(hand.zone) && hand.state === "blackjack") return <em>{say("letter.blackjack")}</em>;
  const code = `lane.${hand.state ?? ""}`;
  return ["bust", "blackjack", "surrender"].includes(hand.state ?? "") ? <em><Say code={code} /></em> : null;
}

function Block({ hand, kind, letter = "", over, arriving, live }: {
  hand: HandView; kind: "dl" | "m" | "s"; letter?: string; over: boolean; arriving: boolean; live: boolean;
}): JSX.Element {
  const off = !over && kind !== "dl" && isShut(hand) && hand.state !== "blackjack";
  return (
    <section class={`blk ${kind} ${live ? "now" : ""} ${off ? "shut" : ""} ${accepted(hand.cards).length > 2 ? "full" : ""}`} data-zone={hand.zone} aria-label={laneName(hand.zone)}>
      <h2 dir={direction()}>
        {kind !== "dl" && <b>{letter}</b>}
        {!isSeat(hand.zone) && <span>{laneName(hand.zone)}</span>} <Fate hand={hand} />
      </h2>
      <div class="row"><Cards hand={hand} arriving={arriving} off={off} /><Total hand={hand} /></div>
    </section>
  );
}

/** The ring of a window, in the overlay's own figures. */
function AirRing({ window: open }: { window: WindowView }): JSX.Element {
  void tick.value;
  const left = remainingUs(open, clock.nowUs());
  const seconds = wholeSeconds(left);
  return <Ring part={open.total_us > 0 ? left / open.total_us : 0} figure={number(seconds)} solid={seconds <= 5} />;
}

function Percent({ row }: { row: Share }): JSX.Element {
  return <span class={row.passive ? "passive" : ""}><b class="num ltr">{percent(row.percent)}</b> <Say code={`action.${row.action}`} /></span>;
}

/** How players chose: who acts solid, who stands hatched, figures above; a row for each lane where there are several. */
function Shares({ view, window: open }: { view: OverlayView; window: WindowView | null }): JSX.Element {
  const given = (view.shares ?? []).map((each) => ({ lane: each.lane, ...percentages(each) })).filter((each) => each.all > 0);
  const one = given.length === 1 ? given[0] : undefined;
  const shown = one?.rows.filter((row) => row.percent > 0) ?? [];
  const { asked = 0, answered = 0 } = open ?? {};
  return (
    <div class="share">
      {one && (
        <>
          <p class={shown.length > 2 ? "many" : ""}>
            <span>{shown.filter((row) => !row.passive).map((row) => <Percent key={row.action} row={row} />)}</span>
            <span>{shown.filter((row) => row.passive).map((row) => <Percent key={row.action} row={row} />)}</span>
          </p>
          <ShareBar rows={one.rows} />
        </>
      )}
      {given.length > 1 && given.map(({ lane, rows }) => {
        const acting = rows.filter((row) => !row.passive).reduce((sum, row) => sum + row.percent, 0);
        return (
          <p key={lane} class="lanerow" dir="ltr">
            <b>{lane}</b><ShareBar rows={rows} /><span class="num ltr">{percent(acting)}</span>
          </p>
        );
      })}
      {given.length === 0 && <p class="wait"><Say code="air.choose" /></p>}
      {open && asked > 0 && shown.length < 4 && given.length < 3 && <small><Say code="air.chose" params={{ count: answered, of: asked }} /></small>}
    </div>
  );
}

/** Side bets that end soon or are closed, told while bets are open. */
function Cutoffs({ view }: { view: OverlayView }): JSX.Element {
  const near = endings(view.cutoffs ?? []);
  if (near.length === 0) return <p class="wait"><Say code="air.place_bets" /></p>;
  return (
    <ul class="ends">
      {near.slice(0, 2).map(({ bets, left }) => (
        <li key={left}><b>{bets.map((bet) => betName(bet)).join(say("list.comma"))}</b> <span><Say code={cutoffCode(left)} params={{ count: left }} /></span></li>
      ))}
    </ul>
  );
}

/** The name of a pattern that a side bet hit, as “Perfect pair”. */
export function markText(mark: string): string {
  const cards = /^bust_bonus_(\d+)$/.exec(mark)?.[1];
  return cards === undefined ? say(`mark.${mark}`) : say("mark.bust_bonus", { count: Number(cards) });
}

function Result({ result }: { result: ResultView }): JSX.Element | null {
  const found = dealerResult(result);
  if (!found) return null;
  const marks = result.marks.filter((mark) => known(`mark.${mark}`) || mark.startsWith("bust_bonus_"));
  return (
    <section class={`you res ${marks.length > 0 ? "" : "alone"}`} role="status" dir={direction()}>
      <p class="won"><b class={`num ${found.word === "bust" ? "busted" : ""}`}>{found.word === "blackjack" ? say("letter.blackjack") : number(found.total)}</b><span><Say code={`air.dealer.${found.word}`} /></span></p>
      {marks.length > 0 && <ul>{marks.slice(0, MOST_MARKS).map((mark) => <li key={mark}>{markText(mark)}</li>)}</ul>}
    </section>
  );
}

/** What the block at the end is about while a window is open. */
const OPEN: Record<string, { icon: State; code: string }> = {
  betting: { icon: "betting", code: "state.betting" },
  insurance: { icon: "decision", code: "air.insurance_now" },
  decision: { icon: "decision", code: "air.decide_now" },
};

/** What the players are asked or told now: the countdown with the shares, the result, or who takes a card. */
function You({ view, layers }: { view: OverlayView; layers: Set<Layer> }): JSX.Element {
  if (view.result && layers.has("result")) return <Result result={view.result} />;
  const open = view.window;
  const asks = open && layers.has("countdown") ? OPEN[open.kind] : undefined;
  if (open && asks) {
    return (
      <section class="you blk" data-state={asks.icon} dir={direction()}>
        <h2><Icon name={asks.icon} /> <Say code={asks.code} /></h2>
        <div class="row"><AirRing window={open} />{open.kind === "betting" ? <Cutoffs view={view} /> : <Shares view={view} window={open} />}</div>
      </section>
    );
  }
  // Seats play one after the other: how many take a card is told by waves alone.
  const takers = (view.wave ?? 0) > 0 ? view.takers ?? 0 : 0;
  const told = view.state !== "dealing" ? "" : takers > 0 ? "count.takers" : (view.wave ?? 0) > 0 ? "air.dealer_plays" : "air.no_more_bets";
  return (
    <section class="you blk quiet" dir={direction()}>
      {told !== "" && <p>{takers > 0 && <b class="num">{number(takers)}</b>}<span><Say code={told} /></span></p>}
      {view.state === "dealing" && (view.shares ?? []).length > 0 && <Shares view={view} window={null} />}
    </section>
  );
}

/** The countdown's bar along the upper edge of the band. */
function TimeBar({ window: open }: { window: WindowView | null }): JSX.Element {
  void tick.value;
  const part = open && open.total_us > 0 ? remainingUs(open, clock.nowUs()) / open.total_us : 0;
  return <div class="time">{open && <i style={{ transform: `scaleX(${Math.min(1, part)})` }} />}</div>;
}

/** How many have a hand, when bets open again, and whether this is the last round of the shoe. */
export function Seated({ view, layers }: { view: OverlayView; layers: Set<Layer> }): JSX.Element | null {
  void tick.value;
  if (view.window?.kind === "result" && layers.has("countdown")) {
    return <div class="bug end plate"><span><Say code="air.next_bets_in" /></span><b class="num">{number(wholeSeconds(remainingUs(view.window, clock.nowUs())))}</b></div>;
  }
  const last = view.last_rounds !== null && view.last_rounds <= 0;
  const seated = view.seated ?? 0;
  if (!last && seated === 0) return view.shoe_no > 0 ? <div class="bug end plate"><span><Say code="label.shoe" params={{ shoe: view.shoe_no }} /></span></div> : null;
  return (
    <div class="bug end plate">
      {last && <strong><Say code="air.last_coup" /></strong>}
      {seated > 0 && <><span><Say code="air.seated" /></span><b class="num">{number(seated)}</b></>}
    </div>
  );
}

/** A lane's share of the room: the shared hand has more of it, and so has a hand of many cards. */
function column(hand: HandView): string {
  const further = Math.max(0, accepted(hand.cards).length - 2);
  return hand.zone === "M" ? `minmax(0, ${(1.5 + 0.16 * further).toFixed(2)}fr)` : `minmax(0, ${(1 + 0.12 * further).toFixed(2)}fr)`;
}

/** The band of a shared hand: the dealer, the lanes as they lie, and what the players are asked. */
export function LaneBand({ view, layers, arrived }: { view: OverlayView; layers: Set<Layer>; arrived: string }): JSX.Element | null {
  const [dealer, lanes] = dealerAndLanes(view.hands);
  const cards = layers.has("cards");
  const open = view.window && OPEN[view.window.kind] && layers.has("countdown") ? view.window : null;
  if (!cards && !open && !(view.result && layers.has("result"))) return null;
  const over = view.state === "result";
  const played = lanes.filter((hand) => hand.zone === "M" || inPlay(hand));
  const seats = lanes.some((hand) => isSeat(hand.zone));
  const many = open !== null && view.shares?.length === 1 && (view.shares[0]?.rows.filter(([, count]) => count > 0).length ?? 0) > 2;
  const further = Math.max(0, accepted(dealer?.cards ?? []).length - 2);
  const wide = Math.min(WIDEST_PX, DEALER_PX + FURTHER_PX * further);
  return (
    <main class={`band ${cards ? "plate" : "bare"}`} data-state={view.state} style={cards ? { gridTemplateColumns: `14px ${wide}px minmax(0, 1fr) ${many ? YOU_MANY_PX : YOU_PX}px` } : undefined}>
      {cards && <div class="edge" aria-hidden="true" />}
      {cards && <TimeBar window={open} />}
      {cards && <Block hand={dealer ?? { zone: "D", total: null, cards: [], slots: [], word: null }} kind="dl" over={over} arriving={arrived === "D"} live={false} />}
      {cards && (
        <div class={`lanes ${seats ? "seats" : played.length > 1 ? "split" : ""}`} style={{ gridTemplateColumns: played.map(column).join(" ") }}>
          {played.map((hand) => (
            <Block key={hand.zone} hand={hand} kind={hand.zone === "M" ? "m" : "s"} letter={laneLetter(hand.zone, played)} over={over} arriving={arrived === hand.zone} live={hand.zone === "M" || hand.state === "asked"} />
          ))}
        </div>
      )}
      <You view={view} layers={layers} />
    </main>
  );
}
