import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { PlayingCard } from "../shared/cards";
import { clock, remainingUs, tick, wholeSeconds } from "../shared/clock";
import type { Source } from "../shared/feed";
import { direction, firstKnown, number, say, scoreOf, speakOf } from "../shared/i18n";
import { laned } from "../shared/lanes";
import { BeadPlate, BigRoad, DerivedRoads, countOf } from "../shared/roads";
import { Say, SayMessage } from "../shared/text";
import type { CorrectionView, HandView, OverlayView, ResultView, Roads, WindowView } from "../shared/view";
import { type Layer, type OverlayAddress, LAYERS } from "./address";
import { BoardBand, BoardBug } from "./board";
import { LaneBand, Seated } from "./lanes";
import { type SlateKind, Slate } from "./slate";

const VOID_LEAST_MS = 8000;
const CORRECTION_LEAST_US = 12_000_000;
const SIDE: Record<string, string> = { P: "player", B: "banker" };

/** Seconds of a window as a figure of the overlay's own numerals. */
function Seconds({ window: open }: { window: WindowView }): JSX.Element {
  void tick.value;
  return <b class="num">{number(wholeSeconds(remainingUs(open, clock.nowUs())))}</b>;
}

/** The countdown's bar along the upper edge of the band. */
function Bar({ window: open }: { window: WindowView }): JSX.Element {
  void tick.value;
  const part = open.total_us > 0 ? remainingUs(open, clock.nowUs()) / open.total_us : 0;
  return <i class="timebar" style={{ transform: `scaleX(${Math.min(1, part)})` }} />;
}

function Bug({ view }: { view: OverlayView }): JSX.Element {
  return (
    <header class="bug plate">
      <i />
      <Say code={`game.${view.game}`} />
      {view.round_no > 0 && <span><Say code="label.coup" params={{ round: view.round_no }} /></span>}
    </header>
  );
}

/** One fact at the top end: what is open now, or what comes. */
function Fact({ view, layers }: { view: OverlayView; layers: Set<Layer> }): JSX.Element | null {
  const open = view.window;
  if (open && layers.has("countdown")) {
    const code = open.kind === "betting" ? "state.betting" : "air.next_bets_in";
    return <div class="bug end plate"><span><Say code={code} /></span><Seconds window={open} /></div>;
  }
  if (view.last_rounds !== null && view.last_rounds <= 0) return <div class="bug end plate"><strong><Say code="air.last_coup" /></strong></div>;
  if (view.shoe_no > 0) return <div class="bug end plate"><span><Say code="label.shoe" params={{ shoe: view.shoe_no }} /></span></div>;
  return null;
}

function SideHand({ hand, view, arriving }: { hand: HandView; view: OverlayView; arriving: boolean }): JSX.Element {
  const side = SIDE[hand.zone] ?? "";
  const lost = view.result !== null && view.result.code !== "tie" && view.result.code !== side;
  const cards = hand.cards.filter((card) => card.mark !== "prov" && card.look !== "question");
  return (
    <section class={`sd ${side} ${lost ? "lost" : ""}`} aria-label={say(firstKnown(`zone.${hand.zone}`, "zone.other"), { zone: hand.zone })}>
      <h2 dir={direction()}>
        <Say code={`zone.${hand.zone}`} />
        {hand.word && <small><SayMessage message={hand.word} /></small>}
      </h2>
      <div class={`hand ${arriving ? "live" : ""}`}>
        {cards.map((card, at) => <PlayingCard key={at} view={card} />)}
        {cards.length < 2 && [...Array(2 - cards.length).keys()].map((at) => <span key={`e${at}`} class="slot" />)}
      </div>
      <span class="tot num">{hand.total === null || cards.length === 0 ? "" : number(hand.total)}</span>
    </section>
  );
}

function ResultBand({ result }: { result: ResultView }): JSX.Element {
  return (
    <section class="res" role="status" dir={direction()}>
      <b><Say code={`result.${result.code}.wins`} /></b>
      <span><Say code={result.natural ? "air.score_natural" : "air.score"} params={{ score: scoreText(result) }} /></span>
    </section>
  );
}

/** The score, winner first. */
function scoreText(result: ResultView): string {
  const totals = result.totals.map(([, total]) => total);
  return scoreOf([...totals].sort((a, b) => b - a));
}

/** What stands between the hands: the countdown, the result, or that no more bets are taken. */
function Middle({ view, layers }: { view: OverlayView; layers: Set<Layer> }): JSX.Element {
  if (view.result && layers.has("result")) return <ResultBand result={view.result} />;
  if (view.window?.kind === "betting" && layers.has("countdown")) {
    return (
      <section class="mid betting" dir={direction()}>
        <Seconds window={view.window} />
        <span><Say code="air.place_bets" /></span>
      </section>
    );
  }
  const code = view.state === "dealing" ? "air.no_more_bets" : "";
  return <section class="mid" dir={direction()}>{code && <span><Say code={code} /></span>}</section>;
}

function RoadsBand({ roads, shoe }: { roads: Roads; shoe: number }): JSX.Element {
  return (
    <section class="rd plate">
      <BeadPlate roads={roads} columns={12} cell={36} />
      <div class="roads">
        <BigRoad roads={roads} columns={39} cell={24} />
        <DerivedRoads roads={roads} columns={25} cell={12} />
      </div>
      <div class="cnt" dir={direction()}>
        {([["P", "player"], ["B", "banker"], ["T", "tie"]] as const).map(([letter, code]) => (
          <div key={code}>
            <span class={`chip ${code}`}>{say(`letter.${code}`)}</span>
            <span><Say code={`result.${code}`} /></span>
            <b class="num">{number(countOf(roads.bead, letter))}</b>
          </div>
        ))}
        <div class="shoe"><span /><span><Say code="label.shoe" params={{ shoe }} /></span></div>
      </div>
    </section>
  );
}

/**
 * Whether a late correction is still told: for 12 seconds, or until the next result, whichever is later.
 *
 * Both are in the view, so a page that is loaded late shows the same as one that was there.
 */
export function correctionShown(correction: CorrectionView, nowUs: number): boolean {
  return nowUs - correction.at_us < CORRECTION_LEAST_US || correction.since === 0;
}

/** The mark of a result: the letter of a side, or the figure of the dealer. */
function Mark({ code, struck = false }: { code: string; struck?: boolean }): JSX.Element {
  const figure = /^dealer_(.+)$/.exec(code)?.[1];
  const text = figure === undefined ? say(`letter.${code}`) : /^\d+$/.test(figure) ? number(Number(figure)) : say(`letter.${figure}`);
  return <span class={`chip ${struck ? "struck" : ""} ${figure === undefined ? code : "round"}`}>{text}</span>;
}

/** The banner under the bug: which coup, what it is now, that bets were put right; old and new mark. */
function Correction({ view }: { view: OverlayView }): JSX.Element | null {
  void tick.value;
  const given = view.correction;
  if (!given || !correctionShown(given, clock.nowUs())) return null;
  const against = given.new_code.startsWith("dealer_");
  const tricks = view.board !== null && view.board !== undefined && given.new_code !== "void";
  const voids = !against && !tricks && !["player", "banker", "tie"].includes(given.new_code);
  const now = view.results.find((result) => result.round_no === given.round_no);
  return (
    <section class="corr plate" data-state={voids ? "void" : "result"} role="status">
      <div class="edge" aria-hidden="true" />
      <p>
        <b><Say code="air.corrected" params={{ round: given.round_no }} /></b>
        <span>
          {voids ? <Say code="air.corrected.void" />
            : tricks ? <Say code="air.corrected.baloot" params={{ result: given.new_code }} />
            : against ? <Say code="air.corrected.dealer" params={{ result: given.new_code }} />
            : <Say code={`air.corrected.${given.new_code}`} params={{ score: now ? scoreText(now) : "" }} />}
        </span>
      </p>
      <div class="marks">
        <Mark code={given.old_code} struck />
        <svg class="i dir" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 12h16m-6-6 6 6-6 6" /></svg>
        {voids ? <span class="chip voided"><svg class="i" viewBox="0 0 24 24" aria-hidden="true"><path d="m7 7 10 10m0-10L7 17" /></svg></span> : <Mark code={given.new_code} />}
      </div>
    </section>
  );
}

/** Which zone got exactly one card more than the last view had, seen while the page is visible. */
function useArrival(view: OverlayView): string {
  const before = useRef<{ round: number; counts: Map<string, number> } | null>(null);
  const counts = new Map(view.hands.map((hand) => [hand.zone, hand.cards.length]));
  let arrived = "";
  const last = before.current;
  if (last && last.round === view.round_no && document.visibilityState === "visible") {
    const more = view.hands.filter((hand) => hand.cards.length !== (last.counts.get(hand.zone) ?? 0));
    const one = more.length === 1 ? more[0] : undefined;
    if (one && one.cards.length === (last.counts.get(one.zone) ?? 0) + 1) arrived = one.zone;
  }
  const kept = useRef("");
  if (!last || last.round !== view.round_no || [...counts].some(([zone, n]) => last.counts.get(zone) !== n)) {
    before.current = { round: view.round_no, counts };
    kept.current = arrived;
  }
  return kept.current;
}

function Picture({ view, layers }: { view: OverlayView; layers: Set<Layer> }): JSX.Element {
  const arrived = useArrival(view);
  if (view.board) {
    const { board } = view;
    return (
      <>
        {layers.has("cards") && <BoardBug view={view} board={board} />}
        {layers.has("result") && <Correction view={view} />}
        {view.window?.kind === "result" && layers.has("countdown") && <Fact view={view} layers={layers} />}
        <BoardBand view={view} board={board} layers={layers} />
      </>
    );
  }
  if (laned(view.game)) {
    return (
      <>
        {layers.has("cards") && <Bug view={view} />}
        {layers.has("result") && <Correction view={view} />}
        {(layers.has("cards") || layers.has("countdown")) && <Seated view={view} layers={layers} />}
        <LaneBand view={view} layers={layers} arrived={arrived} />
      </>
    );
  }
  const hands = ["P", "B"].map((zone) => view.hands.find((hand) => hand.zone === zone) ?? { zone, total: null, cards: [], slots: [], word: null });
  const band = layers.has("cards") || (layers.has("countdown") && view.window) || (layers.has("result") && view.result);
  return (
    <>
      {layers.has("cards") && <Bug view={view} />}
      {layers.has("result") && <Correction view={view} />}
      {(layers.has("cards") || layers.has("countdown")) && <Fact view={view} layers={layers} />}
      {band && (
        <main class={`hands ${layers.has("cards") ? "plate" : "bare"} ${layers.has("roads") ? "" : "low"}`} data-state={view.state}>
          {view.window && layers.has("countdown") && <Bar window={view.window} />}
          {layers.has("cards") ? <SideHand hand={hands[0]!} view={view} arriving={arrived === "P"} /> : <span />}
          <Middle view={view} layers={layers} />
          {layers.has("cards") ? <SideHand hand={hands[1]!} view={view} arriving={arrived === "B"} /> : <span />}
        </main>
      )}
      {layers.has("roads") && view.roads && <RoadsBand roads={view.roads} shoe={view.shoe_no} />}
    </>
  );
}

/** Which slate lies over the picture: the view's own, or the one for silence. A void stays long enough to be read. */
function useSlate(view: OverlayView | null, silent: boolean): { kind: SlateKind; round: number } | null {
  const [held, setHeld] = useState<{ round: number } | null>(null);
  const wanted = view?.slate ?? null;
  const voided = wanted?.code === "void" ? wanted.round_no : 0;
  useEffect(() => {
    if (voided === 0) return undefined;
    setHeld({ round: voided });
    const timer = setTimeout(() => { setHeld(null); }, VOID_LEAST_MS);
    return () => { clearTimeout(timer); setTimeout(() => { setHeld(null); }, VOID_LEAST_MS); };
  }, [voided]);
  if (silent) return { kind: "silence", round: 0 };
  if (wanted) return { kind: wanted.code, round: wanted.round_no };
  if (held) return { kind: "void", round: held.round };
  return null;
}

function Preview({ address, version }: { address: OverlayAddress; version: string }): JSX.Element {
  return (
    <aside class="preview" aria-hidden="true">
      <div class="safe" />
      <p>preview · {version || "build"} · {LAYERS.filter((layer) => address.layers.has(layer)).join(" ")} · delay {address.delayMs} ms · {new Date(clock.nowUs() / 1000).toISOString().slice(11, 19)} UTC</p>
    </aside>
  );
}

/** The overlay of one table. Transparent until the first view and while the studio refuses it. */
export function OverlayScreen({ source, address, studio, version, fontsReady }: {
  source: Source<OverlayView>; address: OverlayAddress; studio: string; version: string; fontsReady: boolean;
}): JSX.Element | null {
  const hearing = source.ear.hearing.value;
  const view = source.envelope.value?.view ?? null;
  const slate = useSlate(view, hearing === "silent");
  if (hearing === "refused") {
    console.error(say("refused.not_served"), source.ear.refusal.value);
    return null;
  }
  if (view) speakOf(view.game);
  if (!view || !fontsReady) return address.preview ? <Preview address={address} version={version} /> : null;
  if (view.state === "closed" && !slate) return address.preview ? <Preview address={address} version={version} /> : null;
  return (
    <>
      <Picture view={view} layers={address.layers} />
      {slate && address.layers.has("slate") && <Slate kind={slate.kind} round={slate.round} view={view} studio={studio} />}
      {address.preview && <Preview address={address} version={version} />}
    </>
  );
}
