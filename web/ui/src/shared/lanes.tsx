import type { JSX } from "preact";

import { firstKnown, known, number, say } from "./i18n";
import type { CardView, HandView, ResultView, SharesView } from "./view";

/** Hands of players: the lanes of the one hand that all share, or seats; `S3:2` is a hand of a seat that has split. */
const LANES = /^(?:[MLR]|S\d(?::\d+)?)$/;

/** Games of hands against a dealer: one that all players share, which lies in lanes, or one for each seat. */
const AGAINST_DEALER = new Set(["boundless-blackjack", "blackjack"]);

/** Whether a game is one of hands against a dealer. */
export function laned(game: string): boolean {
  return AGAINST_DEALER.has(game);
}

/** Whether a hand is a seat's own. */
export function isSeat(zone: string): boolean {
  return zone.startsWith("S");
}

/** The zone in which a hand lies: that of its seat. */
function seatOf(zone: string): string {
  return zone.split(":")[0] ?? zone;
}

/** Which of the hands of its seat a split hand is: a, b and so on; empty for any other. */
function splitLetter(zone: string, hands: HandView[]): string {
  const seat = seatOf(zone);
  if (seat === zone) return "";
  return "abcd".charAt(hands.filter((hand) => seatOf(hand.zone) === seat).findIndex((hand) => hand.zone === zone));
}

/** What a hand is marked with: its letter, or the number of its seat; the hands of a split are 3a, 3b and so on. */
export function laneLetter(zone: string, hands: HandView[] = []): string {
  const seat = seatOf(zone);
  return say(firstKnown(`zone.${seat}.short`, `zone.${seat}`)) + splitLetter(zone, hands);
}

/** The dealer's hand and the lanes in the order in which they lie before the dealer. */
export function dealerAndLanes(hands: HandView[]): [HandView | null, HandView[]] {
  return [hands.find((hand) => hand.zone === "D") ?? null, hands.filter((hand) => LANES.test(hand.zone))];
}

/** Whether anything lies or is to lie in a lane; a round without a split uses M alone. */
export function inPlay(hand: HandView): boolean {
  return hand.cards.length > 0 || hand.slots.some((slot) => slot.due) || (hand.taking ?? 0) > 0;
}

/** Whether a lane takes no card any more. */
export function isShut(hand: HandView): boolean {
  return ["closed", "bust", "done", "blackjack", "surrender"].includes(hand.state ?? "");
}

/** Whether a hand has two values, as `7/17`. */
export function isSoft(hand: HandView): boolean {
  return hand.total !== null && hand.state !== "blackjack" && hand.low !== null && hand.low !== undefined && hand.low !== hand.total;
}

/** The total of a hand; a soft one with both of its values, as `7/17`. */
export function totalText(hand: HandView): string {
  if (hand.total === null) return "";
  return isSoft(hand) ? `${number(hand.low ?? 0)}/${number(hand.total)}` : number(hand.total);
}

/** What a hand is called beside its letter: the dealer, the shared hand, a split hand. */
export function laneName(zone: string): string {
  const seat = seatOf(zone);
  return say(firstKnown(`lane.${seat}`, `zone.${seat}`, "zone.other"), { zone });
}

/** A bet in words; an extra stake names the hand that it lies on, as double on L, or on seat 3b among these hands. */
export function betName(bet: string, hands: HandView[] = []): string {
  if (known(`bet.${bet}`)) return say(`bet.${bet}`);
  const [kind = "", ...rest] = bet.split(":");
  const at = rest.join(":");
  const lane = isSeat(at) ? laneName(at) + splitLetter(at, hands) : at;
  return lane !== "" && known(`bet.${kind}.on`) ? say(`bet.${kind}.on`, { lane }) : say(`bet.${kind}`);
}

/** How the look of a card follows from its lane: on a lane that is shut the paper is grey. */
export function laneLook(hand: HandView, over: boolean): (card: CardView) => string {
  return () => (!over && isShut(hand) && hand.state !== "blackjack" ? "off" : "");
}

/** What the dealer's hand came to, as the word and the figure of a result. */
export interface DealerResult {
  word: "bust" | "blackjack" | "stands";
  total: number;
}

/** Read the result of a round against the dealer; null for games that have none. */
export function dealerResult(result: ResultView): DealerResult | null {
  if (!result.code.startsWith("dealer_")) return null;
  const rest = result.code.slice("dealer_".length);
  const told = result.totals.find(([zone]) => zone === "D")?.[1];
  if (rest === "bust" || rest === "blackjack") return { word: rest, total: told ?? (rest === "bust" ? 22 : 21) };
  return { word: "stands", total: told ?? Number(rest) };
}

/** Whether these are results of rounds against a dealer. */
export function isRound(results: ResultView[]): boolean {
  return results.at(-1)?.code.startsWith("dealer_") ?? false;
}

/** A result in words, as “Dealer busts with 22”. */
export function dealerResultText(result: ResultView): string {
  const found = dealerResult(result);
  return found ? say(`result.dealer.${found.word}`, { number: found.total }) : "";
}

/** What is put on the chip of a past round. */
export function dealerChip(result: ResultView): { text: string; look: string } {
  const found = dealerResult(result);
  if (!found) return { text: "", look: "" };
  return found.word === "blackjack" ? { text: say("letter.blackjack"), look: "blackjack" }
    : { text: number(found.total), look: found.word === "bust" ? "busted" : "stood" };
}

/** A row of past results of the dealer, newest last. */
export function DealerChips({ results }: { results: ResultView[] }): JSX.Element {
  return (
    <div class="beads rounds" role="img" aria-label={say("label.last_results", { list: results.map((result) => dealerResultText(result)).join(say("list.comma")) })}>
      {results.map((result) => {
        const { text, look } = dealerChip(result);
        return <span key={result.round_no} class={`chip round ${look}`} aria-hidden="true">{text}</span>;
      })}
    </div>
  );
}

/** From so many rounds on the end of a side bet is told. */
const NEAR_ROUNDS = 3;

/** Side bets that end with the same round of the shoe; `left` rounds take them after this one. */
export interface Ending {
  bets: string[];
  left: number;
}

/** Which side bets are closed for this shoe or end soon, those that end first first. */
export function endings(cutoffs: [string, number, number][]): Ending[] {
  const found = new Map<number, string[]>();
  for (const [bet, , left] of cutoffs) if (left <= NEAR_ROUNDS) found.set(left, [...(found.get(left) ?? []), bet]);
  return [...found].sort(([a], [b]) => a - b).map(([left, bets]) => ({ bets, left }));
}

/** How the end of a side bet is worded. */
export function cutoffCode(left: number): string {
  return left < 0 ? "cutoff.closed" : left === 0 ? "cutoff.last" : "cutoff.left";
}

/** Actions that take no card and leave the hand as it is: the hatched part of a bar of shares. */
const PASSIVE = new Set(["stand", "surrender", "decline"]);

/** One action of a lane with its share in whole per cent. */
export interface Share {
  action: string;
  count: number;
  percent: number;
  passive: boolean;
}

/** The shares of a lane in whole per cent that add up to 100 (largest remainders), and their sum. */
export function percentages(given: SharesView): { all: number; rows: Share[] } {
  const all = given.rows.reduce((sum, [, count]) => sum + count, 0);
  const rows = given.rows.map(([action, count]) => ({ action, count, exact: all > 0 ? (count * 100) / all : 0 }));
  let left = all > 0 ? 100 - rows.reduce((sum, row) => sum + Math.floor(row.exact), 0) : 0;
  const byRest = [...rows].sort((a, b) => (b.exact % 1) - (a.exact % 1));
  const up = new Set(byRest.filter(() => left-- > 0));
  return {
    all,
    rows: rows.map((row) => ({
      action: row.action, count: row.count, percent: Math.floor(row.exact) + (up.has(row) ? 1 : 0), passive: PASSIVE.has(row.action),
    })),
  };
}

/** The bar of two parts: who acts solid, who stands hatched. */
export function ShareBar({ rows }: { rows: Share[] }): JSX.Element {
  const acting = rows.filter((row) => !row.passive).reduce((sum, row) => sum + row.percent, 0);
  return (
    <span class="bar2" aria-hidden="true">
      {acting > 0 && <i style={{ width: `${acting}%` }} />}
      {acting < 100 && <i class="hatched" style={{ width: `${100 - acting}%` }} />}
    </span>
  );
}
