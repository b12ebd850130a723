import { signal } from "@preact/signals";

import ar from "../../messages/ar.json";
import en from "../../messages/en.json";
import ur from "../../messages/ur.json";
import type { Message } from "./view";

/** One entry: a text with `{param}` places, or plural forms by CLDR category keyed on `count`. */
export type Entry = string | Record<string, string>;
/** Messages by flat code. */
export type Catalogue = Record<string, Entry>;
/** What may be filled in. */
export type Params = Record<string, string | number>;
/** A piece of a worded message: plain text, or a filled-in value with its meaning. */
export type Piece =
  | { kind: "text"; text: string }
  | { kind: "value"; text: string }
  | { kind: "word"; text: string }
  | { kind: "card"; card: string };

/** The complete catalogues. */
export const CATALOGUES: Record<string, Catalogue> = { en, ur, ar };
/** Each language by its own name. */
export const NAMES: Record<string, string> = {
  en: "English", ur: "اردو", hi: "हिन्दी", bn: "বাংলা", sd: "سنڌي", ar: "العربية",
};
const RIGHT_TO_LEFT = new Set(["ur", "sd", "ar"]);
const MONEY = new Set(["amount", "staked", "returned", "accepted", "paid", "refund", "stake", "kept", "least", "most"]);
const PLAIN_NUMBERS = new Set(["round", "shoe", "version", "index", "sequence", "row"]);
const CARD = /^(?:[A2-9TJQK][CDHS])$/;

/** The language of the page; everything worded follows it. */
export const language = signal("en");
/** Currency of amounts in messages, ISO 4217. */
export const currency = signal("EUR");
/** Numbering system of an overlay, as `latn`; consoles always use 0–9. */
export const numerals = signal("latn");

/** The game that the page is about; it decides between words of the trade, as coup and round. */
export const game = signal("baccarat");
/** What a round is called where it is not called a coup: entries `code@round` of the catalogue. */
const ROUND = "@round";

/** The page is about this game now; what is worded after this uses its words. */
export function speakOf(name: string): void {
  if (game.peek() !== name) game.value = name;
}

/** Direction of the page's script. */
export function direction(): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.has(language.value) ? "rtl" : "ltr";
}

/** Change the language of the page, and remember it on this device if `keep`. */
export function useLanguageNow(lang: string, keep = false): void {
  const next = CATALOGUES[lang] ? lang : "en";
  language.value = next;
  document.documentElement.lang = next;
  document.documentElement.dir = direction();
  if (keep) {
    try { localStorage.setItem("cutcard.lang", next); } catch { /* storage may be closed to us */ }
    document.cookie = `cutcard_lang=${next}; path=/; max-age=31536000; SameSite=Strict`;
  }
}

/** The language that this device was last set to, or empty. */
export function rememberedLanguage(): string {
  try { return localStorage.getItem("cutcard.lang") ?? ""; } catch { return ""; }
}

/** Whether the catalogue knows a code. */
export function known(code: string): boolean {
  return CATALOGUES[language.value]?.[code] !== undefined || en[code as keyof typeof en] !== undefined;
}

/** An entry in the page's language, else in English. */
function find(code: string): Entry | undefined {
  return CATALOGUES[language.value]?.[code] ?? (en as Catalogue)[code];
}

function template(code: string, params: Params): string {
  const coup = (params["game"] ?? game.value) === "baccarat";
  const entry = (coup ? undefined : find(`${code}${ROUND}`)) ?? find(code);
  if (entry === undefined) return humanised(code);
  if (typeof entry === "string") return entry;
  const count = Number(params["count"] ?? 0);
  const category = new Intl.PluralRules(language.value).select(count);
  return entry[category] ?? entry["other"] ?? "";
}

const warned = new Set<string>();

/** A code that no catalogue words is never shown raw: its last part, in words. */
function humanised(code: string): string {
  if (!warned.has(code)) {
    warned.add(code);
    console.warn(`no message for ${code}`);
  }
  const part = code.replace(/\.(what|do|line)$/, "").split(".").at(-1) ?? code;
  const words = part.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A whole number in the page's language, with 0–9 on consoles. */
export function number(value: number): string {
  return new Intl.NumberFormat(`${language.value}-u-nu-${numerals.value}`).format(value);
}

/** The number of a thing that is counted on, as a coup or a shoe: never grouped. */
function plainNumber(value: number): string {
  return new Intl.NumberFormat(`${language.value}-u-nu-${numerals.value}`, { useGrouping: false }).format(value);
}

/** A share in percent; beside Arabic figures their own sign, which stands on the left of them. */
export function percent(value: number): string {
  return numerals.value === "arab" ? `\u2067${number(value)}٪\u2069` : `${number(value)}\u00a0%`;
}

/** A score such as 7 – 4, from left to right in every language: Arabic figures would turn it round. */
export function scoreOf(points: readonly number[]): string {
  if (numerals.value !== "arab") return points.map(number).join(" – ");
  return `\u2066${points.map((each) => `\u2066${number(each)}\u2069`).join(" – ")}\u2069`;
}

/** How many decimals a currency has. */
function decimals(code: string): number {
  return new Intl.NumberFormat("en", { style: "currency", currency: code }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** An amount without its currency, with the decimals of the currency and − for minus. */
export function amount(minor: number, code: string = currency.value): string {
  const digits = decimals(code);
  const text = new Intl.NumberFormat(`${language.value}-u-nu-${numerals.value}`, {
    minimumFractionDigits: digits, maximumFractionDigits: digits,
  }).format(Math.abs(minor) / 10 ** digits);
  return minor < 0 ? `−${text}` : text;
}

/** An amount with the code of its currency, as `EUR 27,554.50`. */
export function money(minor: number, code: string = currency.value): string {
  return `${code}\u00a0${amount(minor, code)}`;
}

/** Which codes word a value, by the name of its place; `*` stands for the value. */
const GROUPS: Record<string, string[]> = {
  zone: ["zone.*"], to: ["zone.*"], face: ["face.*"], bet: ["bet.*"], lane: ["zone.*"], action: ["action.*"], result: ["result.*"], device: ["device.*"],
  what: ["device.what.*"], step: ["tile.step.*"], repair: ["repair.*.name", "repair.*"], fault: ["fault.*", "hold.*.what"],
  game: ["game.*"], state: ["state.*"], role: ["role.*"], act: ["repair.*.name", "repair.*"], how: ["approval.how.*"],
  old: ["result.*"], new: ["result.*"], side: ["side.*"], blamed: ["side.*"], option: ["call.*", "project.*", "ordinal.*"],
};

/** Word a value by what it is called: zones, bets, devices, faults and amounts have words of their own. */
function value(name: string, given: string | number): Piece {
  if (typeof given === "number") {
    if (MONEY.has(name)) return { kind: "value", text: money(given) };
    return { kind: "value", text: PLAIN_NUMBERS.has(name) ? plainNumber(given) : number(given) };
  }
  if (CARD.test(given)) return { kind: "card", card: given };
  if (given === "XX" || given === "??") return { kind: "word", text: say(given === "XX" ? "card.back" : "card.question") };
  const against = /^dealer_(\d+)$/.exec(given)?.[1];
  if (against !== undefined) return { kind: "word", text: say("result.dealer.stands", { number: Number(against) }) };
  for (const group of GROUPS[name] ?? []) {
    const code = group.replace("*", given);
    if (known(code)) return { kind: "word", text: say(code) };
  }
  if (/^[a-z]+(?:\.[A-Za-z_0-9]+)+$/.test(given) && known(given)) return { kind: "word", text: say(given) };
  return { kind: "value", text: given };
}

/** Codes of several cards, each as a card. */
function cardPieces(codes: string): Piece[] {
  return codes.split(" ").filter((code) => code !== "").flatMap((code, at) => [
    ...(at > 0 ? [{ kind: "text" as const, text: " " }] : []), value("card", code),
  ]);
}

/** A message in pieces, so a screen can isolate values and draw cards. */
export function pieces(code: string, params: Params = {}): Piece[] {
  const out: Piece[] = [];
  for (const part of template(code, params).split(/(\{[a-z_]+\})/)) {
    if (part === "") continue;
    const name = /^\{([a-z_]+)\}$/.exec(part)?.[1];
    const given = name === undefined ? undefined : params[name];
    if (name === undefined || given === undefined) out.push({ kind: "text", text: name === undefined ? part : "" });
    else if (name === "cards" && typeof given === "string") out.push(...cardPieces(given));
    else out.push(value(name, given));
  }
  return out;
}

/** The name of a card, "seven of hearts". */
export function cardName(code: string): string {
  if (code === "CUT") return say("card.cut");
  const [rank, suit] = [code.charAt(0), code.charAt(1)];
  return say("card.name", { rank: say(`rank.${rank}`), suit: say(`suit.${suit}`) });
}

/** A message as plain text, for labels and announcements. */
export function say(code: string, params: Params = {}): string {
  return pieces(code, params).map((p) => (p.kind === "card" ? cardName(p.card) : p.text)).join("");
}

/** A message value as plain text. */
export function sayMessage(message: Message | null | undefined): string {
  return message ? say(message.code, message.params) : "";
}

/** A result in words, by its code: “Banker”, “Dealer has 19”. */
export function resultWord(code: string): string {
  const piece = value("result", code);
  return piece.kind === "card" ? piece.card : piece.text;
}

/** The first of several codes that has words; the last one otherwise. */
export function firstKnown(...codes: string[]): string {
  return codes.find(known) ?? codes[codes.length - 1] ?? "";
}
