import type { JSX } from "preact";

import { PlayingCard, Pip } from "./cards";
import { firstKnown, known, number, say } from "./i18n";
import { face } from "./parts";
import { Say } from "./text";
import type { Board, CardView, Project, RackSlot, SeatState, Trick } from "./view";

/** Places of a rack and tricks of a round. */
export const TRICKS = 8;
/** Where a seat sits as the dealer sees the felt: 0 nearest, and on to the right. */
export const PLACES = ["south", "east", "north", "west"];
/** What a seat says when it leaves a call to the others. */
const QUIET = new Set(["pass", "leave", "open", "none"]);

/** The side of a seat: partners sit opposite. */
export function sideOf(seat: number): 0 | 1 {
  return seat % 2 === 0 ? 0 : 1;
}

/** What a seat is called. */
export function seatName(seat: number): string {
  return say("board.seat", { number: seat + 1 });
}

/** What a side is called. */
export function sideName(side: number): string {
  return say(`side.${side}`);
}

/** The mark of a side: a square or a disc in its colour, beside its name. */
export function SideMark({ side }: { side: number }): JSX.Element {
  return <i class={`sidemark ${side === 0 ? "a" : "b"}`} aria-hidden="true" />;
}

/** A seat with the mark of its side. */
export function Seat({ seat }: { seat: number }): JSX.Element {
  return <span class="seatname"><SideMark side={sideOf(seat)} /><span>{seatName(seat)}</span></span>;
}

/** Whether an option or a call names a place of the rack. */
export function isPlace(option: string): boolean {
  return /^[1-8]$/.test(option);
}

/** A call, an answer or a project in words; several projects are joined. */
export function callWord(call: string): string {
  const [kind = "", suit = ""] = call.split(":");
  if (kind.includes("+")) return kind.split("+").map(callWord).join(" + ");
  if (isPlace(kind)) return say(`ordinal.${kind}`);
  const word = say(firstKnown(`call.${kind}`, `project.${kind}`));
  return suit === "" ? word : say("call.hokum_of", { suit: say(`suit.${suit}`) });
}

/** A call as it stands on a screen: its word, and the suit that it names as a pip. */
export function Call({ call }: { call: string }): JSX.Element {
  const [kind = "", suit = ""] = call.split(":");
  if (suit === "") return <span>{callWord(call)}</span>;
  return <span class="callword" role="img" aria-label={callWord(call)}><span>{callWord(kind)}</span> <Pip suit={suit} /></span>;
}

/** The last call of a seat, empty if it has not spoken. */
export function lastCall(seat: SeatState): string {
  return seat.said.at(-1) ?? "";
}

/** Whether a call claims something, rather than leaving it to others. */
export function claims(call: string): boolean {
  return call !== "" && !QUIET.has(call);
}

/** The trick that lies there: the last one while it has no winner. */
export function openTrick(board: Board): Trick | null {
  const last = board.tricks.at(-1);
  return last !== undefined && last.winner === null ? last : null;
}

/** Number of the trick that is played or was played last, from 1; 0 before the first. */
export function trickNumber(board: Board): number {
  return board.tricks.length;
}

/** The card of a seat in the trick that lies there, or in the one that was taken last until the next is led. */
export function cardOfTurn(board: Board, seat: number): string {
  const rests = board.asked === null && board.ended === "";
  const trick = openTrick(board) ?? (rests ? board.tricks.at(-1) ?? null : null);
  return trick?.cards.find(([by]) => by === seat)?.[1] ?? "";
}

/** What multiplies the round, as ×2 or the word of gahwa; empty if nobody raised. */
export function raiseText(board: Board): string {
  if (board.gahwa) return say("call.gahwa");
  return board.multiplier > 1 ? `×${number(board.multiplier)}` : "";
}

/** All projects that were announced, with their seats. */
export function announced(board: Board): { seat: number; project: Project }[] {
  return board.seats.flatMap((seat) => seat.projects.map((project) => ({ seat: seat.seat, project })));
}

/** How a round ended, in words. */
export function endWord(board: Board): string {
  const code = `board.ended.${board.ended}`;
  return known(code) ? say(code) : say(`result.${board.ended}`);
}

/** Which side the result of a round belongs to; null where nobody has won it. */
export function wonBy(board: Board): 0 | 1 | null {
  if (board.points === null) return null;
  const [first, second] = board.points;
  return first === second ? null : first > second ? 0 : 1;
}

/** How far a score has come, in parts of the target from 0 to 1. */
export function part(score: number, target: number): number {
  return target > 0 ? Math.max(0, Math.min(1, score / target)) : 0;
}

/** The view of one place of a rack as a card. */
export function slotCard(slot: RackSlot): CardView {
  return slot.look === "face" ? face(slot.card) : { look: "back", card: "", sideways: false, mark: "" };
}

/** A suit on paper, as the hokum is shown. */
export function SuitTile({ suit }: { suit: string }): JSX.Element {
  return <span class={`suittile ${suit === "H" || suit === "D" ? "red" : ""}`} role="img" aria-label={say(`suit.${suit}`)}><Pip suit={suit} /></span>;
}

/** What is played: the suit of the hokum, or sun; a dash before. */
export function Contract({ board }: { board: Board }): JSX.Element {
  if (board.mode === "hokum") return <><SuitTile suit={board.trump} /><b><Say code={`suit.name.${board.trump}`} /></b></>;
  if (board.mode === "sun") return <><span class="suittile sun" aria-hidden="true"><i /></span><b><Say code={board.ashkal ? "call.ashkal" : "call.sun"} /></b></>;
  return <b class="none">–</b>;
}

/** The cards of a project, small, in a row. */
export function ProjectCards({ cards }: { cards: string[] }): JSX.Element | null {
  if (cards.length === 0) return null;
  return <span class="projectcards ltr">{cards.map((code) => <PlayingCard key={code} view={face(code)} />)}</span>;
}
