import { known, say } from "../shared/i18n";
import type { Answer } from "./line";
import type { Px } from "./picture";

/** How a card of the deck stands. */
export interface CardState { state: "in" | "again" | "missing"; why: "" | "alike" | "conflict"; alike: string[]; taken_for: string }
/** How back, cut card or jokers stand. */
export interface ExtraState { state: "in" | "again" | "missing" | "absent"; views: number }
/** One sentence of the session. */
export interface Said { code: string; card: string; cards: string[]; best: string; second: string; px: number; text: string }
/** The whole state of an enrolment, as `vision.enrol` gives it. */
export interface Enrolment extends Answer {
  count: number; of: number;
  cards: Record<string, CardState>;
  back: ExtraState; cut: ExtraState; jokers: ExtraState;
  last: string;
  say: Said;
  ask: { best: string; second: string } | null;
  hint: { code: string; cards: string[]; text: string } | null;
  quad: Px[] | null;
  size: Px;
  save: { allowed: boolean; missing: number; again: number; lacks: string[]; text: string };
  file: string; name: string;
  saved: { sha256: string; made_at: string } | null;
  changed: boolean;
}

/** Ranks in the order of the chart's columns, suits in the order of its rows. */
export const RANKS = "A23456789TJQK";
/** Spades, hearts, diamonds, clubs. */
export const SUITS = "SHDC";

/** What is filled into a sentence: codes of cards are drawn, the others have words. */
export function valuesOf(said: { card?: string; cards: string[]; best?: string; second?: string; px?: number }): Record<string, string | number> {
  const named = (code: string | undefined): string => (code === undefined ? "" : known(`enrol.thing.${code}`) ? say(`enrol.thing.${code}`) : code);
  return { card: named(said.card), cards: said.cards.filter((code) => code.length === 2 && code !== "XX").join(" "), best: named(said.best), second: named(said.second), px: said.px ?? 0 };
}

/** Why the deck cannot be saved yet, in words. */
export function lacking(save: Enrolment["save"]): string {
  if (save.allowed) return "";
  const parts = [
    save.missing > 0 ? say("enrol.missing", { count: save.missing }) : "",
    save.again > 0 ? say("enrol.again", { count: save.again }) : "",
    ...save.lacks.map((code) => say(`enrol.lacks.${code}`)),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(say("engineer.comma")) : save.text;
}
