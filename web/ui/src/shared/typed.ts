/** Cards by keys: a rank and a suit, as `7H`, `TD` or `10D`, by the place of the letters. */

/** Ranks in the order of a chart. */
export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
/** Suits in the order of a chart. */
export const SUITS = ["S", "H", "C", "D"];
/** A card that lies face down. */
export const FACE_DOWN = "XX";

/** What one key did: the rank that now waits for its suit, and the card that is complete. */
export interface Typed { rank: string; card: string }

/**
 * Take one key (`KeyboardEvent.code`) while `rank` waits for its suit. Null: the key is none of a card.
 *
 * `1` waits for the `0` of a ten.
 */
export function typeCard(rank: string, code: string): Typed | null {
  const letter = /^(?:Key|Digit|Numpad)(\w)$/.exec(code)?.[1] ?? "";
  if (letter === "") return null;
  if (letter === "1") return { rank: "1", card: "" };
  if (letter === "0") return rank === "1" ? { rank: "T", card: "" } : null;
  if (RANKS.includes(letter)) return { rank: letter, card: "" };
  if (letter === "X") return { rank: "", card: FACE_DOWN };
  if (SUITS.includes(letter) && rank !== "" && rank !== "1") return { rank: "", card: `${rank}${letter}` };
  return null;
}

/** Whether a code names a card that may be read. */
export function isCard(code: string): boolean {
  return /^[A2-9TJQK][CDHS]$/.test(code);
}
