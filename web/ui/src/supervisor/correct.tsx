import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import { ResultChip } from "../dealer/side";
import { money, resultWord, say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { Button, Edge, StateChip } from "../shared/parts";
import { Say, SayMessage } from "../shared/text";
import { isCard } from "../shared/typed";
import type { PastRoundView, SupervisorView } from "../shared/view";
import { Approval, approvalShown, waits } from "./approval";
import { mostOf } from "./felt-entry";
import { Journal } from "./journal";
import { ReasonPicker } from "./picker";
import { Differences, type Row, Slots, differences } from "./slots";
import type { Desk } from "./state";

const SIDES = ["P", "B"];
const LANES = ["M", "L", "R"];
/** Hands without which there is no round. */
const NEEDED = ["P", "B", "D", "M"];

/** The hands of a round: both sides of baccarat, else the dealer and the lanes that got cards; a correction may have emptied one. */
function zonesOf(round: PastRoundView): string[] {
  const dealt = [...new Set(round.cards.map(([zone]) => zone))];
  if (!dealt.includes("D")) return SIDES;
  return ["D", ...(round.corrected ? LANES : LANES.filter((zone) => dealt.includes(zone)))];
}

/** The cards of a round hand by hand. */
export function handsOf(round: PastRoundView): Row[] {
  return zonesOf(round).map((zone) => [zone, round.cards.filter(([to]) => to === zone).map(([, code]) => code)]);
}

/** The cards of both hands in the order in which they are dealt: four by turns, then the third ones. */
export function inOrder(rows: Row[]): string[] {
  const [player, banker] = SIDES.map((zone) => rows.find(([name]) => name === zone)?.[1] ?? []);
  return [player?.[0], banker?.[0], player?.[1], banker?.[1], player?.[2], banker?.[2]].filter((code): code is string => code !== undefined && code !== "");
}

/** Zone and code in the order in which the cards were dealt to these hands; what was added comes last, hand by hand. */
export function asDealt(rows: Row[], round: PastRoundView): [string, string][] {
  const left = new Map(rows.map(([zone, cards]) => [zone, [...cards]]));
  const dealt = round.cards.map(([zone]): [string, string] => [zone, left.get(zone)?.shift() ?? ""]);
  const added = [...left].flatMap(([zone, cards]) => cards.map((code): [string, string] => [zone, code]));
  return [...dealt, ...added].filter(([, code]) => code !== "");
}

/** The cards as they travel with the command: lanes with the zone of each, for only the order within a hand is sure. */
export function cardsArgs(rows: Row[], round: PastRoundView): { cards: string[]; zones: string[] } {
  if (!isLaned(rows)) return { cards: inOrder(rows), zones: [] };
  const dealt = asDealt(rows, round);
  return { cards: dealt.map(([, code]) => code), zones: dealt.map(([zone]) => zone) };
}

/** Whether these hands are a dealer's and the lanes of a shared hand. */
function isLaned(rows: Row[]): boolean {
  return rows.some(([zone]) => zone === "D");
}

/** What a hand counts: its last digit. Only to show what was entered; the studio works the coup out itself. */
export function total(cards: string[]): number {
  const worth = (code: string): number => {
    const rank = code.charAt(0);
    return rank === "A" ? 1 : "TJQK".includes(rank) ? 0 : Number(rank);
  };
  return cards.reduce((sum, code) => (sum + worth(code)) % 10, 0);
}

/** Who wins with these hands, and both totals. */
export function outcome(rows: Row[]): { code: string; totals: [number, number] } {
  const [player, banker] = SIDES.map((zone) => total(rows.find(([name]) => name === zone)?.[1] ?? []));
  const totals: [number, number] = [player ?? 0, banker ?? 0];
  return { code: totals[0] > totals[1] ? "player" : totals[0] < totals[1] ? "banker" : "tie", totals };
}

/** Both totals as the overlay has them: the winner's first. */
export function score(rows: Row[]): string {
  return [...outcome(rows).totals].sort((a, b) => b - a).join(" – ");
}

/** What no coup can be, as a message code; empty if the cards may stand. A natural ends it with two cards each. */
export function impossible(rows: Row[]): string {
  if (isLaned(rows)) return "";
  const natural = rows.some(([, cards]) => cards.length >= 2 && cards.slice(0, 2).every(isCard) && total(cards.slice(0, 2)) >= 8);
  return natural && rows.some(([, cards]) => cards.length > 2) ? "past.natural_third" : "";
}

/** Why the correction may not be asked for yet, as a message code; empty if it may. */
export function correctLack(desk: Desk, round: PastRoundView | null): string {
  if (round === null) return "past.choose";
  const draft = desk.draft.value;
  const voids = draft.option === "void";
  const rows = draft.felt ?? handsOf(round);
  if (!voids && differences(handsOf(round), rows).length === 0) return "past.unchanged";
  if (!voids && rows.some(([zone, cards]) => (NEEDED.includes(zone) && cards.length < 2) || cards.some((code) => !isCard(code)))) return "past.incomplete";
  if (!voids && impossible(rows) !== "") return impossible(rows);
  return draft.reason === "" ? "sup.choose_reason" : "";
}

/** Ask for the correction of a settled round. */
export function askCorrect(desk: Desk, view: SupervisorView): void {
  const round = view.past.find((each) => each.round_id === desk.past.value) ?? null;
  if (round === null || correctLack(desk, round) !== "" || waits(view.approval)) return;
  const draft = desk.draft.value;
  const voids = draft.option === "void";
  const cards = voids ? { cards: [], zones: [] } : cardsArgs(draft.felt ?? handsOf(round), round);
  const args = { round_id: round.round_id, ...cards, void: voids, reason: draft.reason, note: draft.note.trim() };
  void desk.commander.press("correct.ask", view.dealer.table, "CorrectResult", args);
}

function List({ desk, view }: { desk: Desk; view: SupervisorView }): JSX.Element {
  return (
    <section class="pastlist">
      <h2><Say code="past.list" params={{ shoe: view.dealer.shoe_no }} /></h2>
      <ol tabIndex={0}>
        {view.past.map((round) => (
          <li key={round.round_id}>
            <button type="button" class={round.round_id === desk.past.value ? "on" : ""} aria-pressed={round.round_id === desk.past.value} aria-disabled={round.enabled ? undefined : "true"} data-round={round.round_no}
              onClick={() => { if (round.enabled) { desk.choose(null); desk.past.value = round.round_id; } }}>
              {round.code.startsWith("dealer_") ? <i class="nochip" /> : <ResultChip code={round.code} />}
              <span>
                <b><Say code="label.coup" params={{ round: round.round_no }} /></b> · {resultWord(round.code)}
                {round.corrected && <>{" · "}<Say code="past.corrected" /></>}
                <small>{round.owed > 0 ? <Say code="past.owed" params={{ amount: round.owed }} /> : round.enabled ? <span class="num">{money(round.staked, view.currency)}</span> : <SayMessage message={round.reason} />}</small>
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Change({ round, rows, voids }: { round: PastRoundView; rows: Row[]; voids: boolean }): JSX.Element {
  if (isLaned(rows)) {
    return (
      <div class="change" role="status">
        <span>{resultWord(round.code)}</span><Icon name="arrow" />
        <b><Say code={voids ? "past.void" : "past.worked_out"} /></b>
      </div>
    );
  }
  const after = outcome(rows);
  return (
    <div class="change" role="status">
      <ResultChip code={round.code} /><span><Say code={`result.${round.code}`} /> <bdi class="num ltr">{score(handsOf(round))}</bdi></span>
      <Icon name="arrow" />
      {voids ? <b><Say code="past.void" /></b> : <><ResultChip code={after.code} /><b><Say code={`result.${after.code}`} /> <bdi class="num ltr">{score(rows)}</bdi></b></>}
    </div>
  );
}

function Entry({ desk, round }: { desk: Desk; round: PastRoundView }): JSX.Element {
  const draft = desk.draft.value;
  const was = handsOf(round);
  const rows = draft.felt ?? was;
  const voids = draft.option === "void";
  return (
    <section class={isLaned(rows) ? "pastentry lanes" : "pastentry"}>
      <h2><Say code="past.true_cards" params={{ round: round.round_no }} /></h2>
      {!voids && round.policy !== "" && <p class="note" data-policy={round.policy}><Say code={`past.decided.${round.policy}`} /></p>}
      {!voids && <Slots rows={rows} most={mostOf(rows)} was={was} change={(felt) => { desk.fill({ felt }); }} label={say("past.true_cards", { round: round.round_no })} />}
      {!voids && <Differences list={differences(was, rows)} none="past.same" />}
      {!voids && impossible(rows) !== "" && <p class="lack" role="status"><Icon name="hold" /> <Say code={impossible(rows)} /></p>}
      <button type="button" role="switch" aria-checked={voids} class="switch" data-button="past.void" onClick={() => { desk.fill({ option: voids ? "" : "void" }); }}><span><Say code="past.declare_void" /></span><i aria-hidden="true" /></button>
      {!isLaned(rows) && <h3><Say code="past.effect" /></h3>}
      <Change round={round} rows={rows} voids={voids} />
      <p class="note"><Say code="past.effect_money" /></p>
    </section>
  );
}

/** A settled round that really ended otherwise: which one, its true cards, what changes, and the ask. */
export function CorrectPane({ desk, view }: { desk: Desk; view: SupervisorView }): JSX.Element {
  const round = view.past.find((each) => each.round_id === desk.past.value) ?? null;
  const draft = desk.draft.value;
  const waiting = waits(view.approval);
  const lack = correctLack(desk, round);
  const given = view.approval?.command === "CorrectResult" && view.approval.how === "given" ? view.approval.id : "";
  useEffect(() => { if (given !== "") desk.choose(null); }, [given]);
  return (
    <main class="case correcting" data-state="result">
      <header class="head" data-state="result">
        <Edge />
        <div class="title">
          <StateChip state="result"><Say code="past.title" /></StateChip>
          <div>
            <h1>{round ? <Say code="past.head" params={{ round: round.round_no, table: view.dealer.table.toUpperCase() }} /> : <Say code="past.choose" />}</h1>
            <p><Say code="past.line" /></p>
          </div>
        </div>
      </header>
      <div class="body">
        <List desk={desk} view={view} />
        {round ? <Entry key={round.round_id} desk={desk} round={round} /> : <section class="pastentry"><p class="empty"><Say code="past.choose" /></p></section>}
        <div class="right">
          {approvalShown(desk, view) && <Approval desk={desk} view={view} />}
          {!waiting && round && <section><h2><Say code="sup.needs_reason" /></h2><ReasonPicker reasons={view.reasons} reason={draft.reason} note={draft.note} fill={(change) => { desk.fill(change); }} /></section>}
          <Journal lines={view.journal} round={view.dealer.round_no} />
        </div>
      </div>
      <footer class="go">
        <Button id="correct.back" commander={desk.commander} icon="back" keys="Esc" onPress={() => { desk.turn("case"); }}><Say code="past.back" /></Button>
        <span class="grow" />
        <p><Say code={waiting ? "approval.waits_line" : "past.ask_line"} /></p>
        {!waiting && (
          <Button id="correct.ask" commander={desk.commander} main icon="people" keys="A" enabled={lack === ""} reason={lack === "" ? undefined : say(lack)} onPress={() => { askCorrect(desk, view); }}>
            {round ? <Say code="past.ask" params={{ round: round.round_no }} /> : <Say code="past.open" />}
          </Button>
        )}
      </footer>
    </main>
  );
}
