import { known, say } from "../shared/i18n";
import type { Answer } from "./line";
import type { Px } from "./picture";

/** A sentence of the session, by its code; `text` is its English. */
export interface Sentence { code: string; values: Record<string, string | number>; text: string }
/** The steps in their order. */
export type StepId = "camera" | "lens" | "plane" | "zones" | "try";
/** One step of the column. */
export interface StepState { id: StepId; done: boolean; figure: string; sentence: Sentence; count: [number, number] }
/** One zone as it lies in the picture. */
export interface ZoneState {
  id: string; slots: number; placed: boolean; tried: boolean; chosen: boolean;
  polygon_mm: Px[]; polygon_px: Px[]; outline_px: Px[]; handles_px: Px[];
  size_mm: Px; card_px: number; wanted_px: number; fault: Sentence | null;
}
/** A marker as it is seen. */
export interface MarkerState { name: string; px: Px; quad: Px[]; mm: number | null }
/** The whole state of a calibration, as `vision.calibration.session` gives it. */
export interface Calibration extends Answer {
  game: string; step: StepId; version: number; versions: number[]; undo: boolean;
  steps: StepState[];
  lens: { views: number; wanted: number; rms_px: number | null; limit_px: number; skipped: boolean; kept: boolean; parts: number[][]; board: Px[]; sentence: Sentence | null };
  plane: { markers: MarkerState[]; points: { name: string; px: Px; mm: number | null }[]; residual_mm: number | null; worst: string; limit_mm: number };
  zones: ZoneState[];
  cards: { card: string; sure: boolean; zone: string; quad: Px[] }[];
  verdict: { word: "begin" | "almost" | "good" | "bad"; sentences: Sentence[] };
  save: { allowed: boolean; version: number; missing: Sentence[] };
  saved: { version: number; file: string; sha256: string } | null;
  warnings: Sentence[];
}

/** A sentence in the page's language; figures get what a person can tell apart. */
export function worded(sentence: Sentence | null): string {
  if (sentence === null) return "";
  const code = `calibrate.${sentence.code}`;
  if (!known(code)) return sentence.text;
  const values = Object.fromEntries(Object.entries(sentence.values).map(([name, value]) => [name, placed(name, value)]));
  return say(code, values);
}

/** Values that have words of their own: the nine parts of a picture come as English words. */
function placed(name: string, value: string | number): string | number {
  if (name !== "where" || typeof value !== "string") return value;
  return value.split(", ").map((part) => { const code = `calibrate.part.${part.replaceAll(" ", "_")}`; return known(code) ? say(code) : part; }).join(say("engineer.comma"));
}

/** A zone's name as it stands on the felt: its word where there is one, else its letter. */
export function zoneName(id: string): string {
  return known(`zone.${id}`) ? say(`zone.${id}`) : id;
}

/**
 * The step of one millimetre along the felt that looks most like the arrow's way on the screen.
 *
 * The felt may lie turned in the picture; arrows follow the eye.
 */
export function feltStep(zone: ZoneState, arrow: Px): Px {
  const [a, b, , d] = zone.polygon_mm;
  const [pa, pb, , pd] = zone.polygon_px;
  if (!a || !b || !d || !pa || !pb || !pd) return arrow;
  const [u, v]: [Px, Px] = [[b[0] - a[0], b[1] - a[1]], [d[0] - a[0], d[1] - a[1]]];
  const [pu, pv]: [Px, Px] = [[pb[0] - pa[0], pb[1] - pa[1]], [pd[0] - pa[0], pd[1] - pa[1]]];
  const det = u[0] * v[1] - u[1] * v[0];
  if (det === 0) return arrow;
  const seen = ([x, y]: Px): Px => {
    const [s, t] = [(x * v[1] - y * v[0]) / det, (u[0] * y - u[1] * x) / det];
    return [s * pu[0] + t * pv[0], s * pu[1] + t * pv[1]];
  };
  const along = (step: Px): number => { const [x, y] = seen(step); return (x * arrow[0] + y * arrow[1]) / Math.hypot(x, y); };
  const ways: Px[] = [[1, 0], [-1, 0], [0, 1], [0, -1]];
  return ways.reduce((best, way) => (along(way) > along(best) ? way : best));
}
