import { signal } from "@preact/signals";

/** How many samples the offset is estimated from. */
const KEPT = 30;
/** Two samples further apart than this (µs) mean that one of the clocks was set or the machine slept. */
const JUMP_US = 1_500_000;

/**
 * The studio's clock as this screen knows it.
 *
 * Each message carries the instant at which the server wrote it. The message that travelled fastest
 * gives the best estimate, so the largest offset of the last samples is used. The reading never
 * runs backwards but for a real jump, so a countdown does not hop with each message.
 */
export class StudioClock {
  #samples: number[] = [];
  #offset: number | null = null;
  #frozen: number | null = null;
  #local: () => number;

  /** `local` gives this machine's own steady time in milliseconds. */
  constructor(local: () => number = () => performance.now()) {
    this.#local = local;
  }

  /** Take the server's instant (µs) from a message that has just arrived. */
  sample(nowUs: number): void {
    const offset = nowUs - this.#local() * 1000;
    if (this.#offset !== null && Math.abs(offset - this.#offset) > JUMP_US) this.#samples = [];
    this.#samples.push(offset);
    if (this.#samples.length > KEPT) this.#samples.shift();
    this.#offset = Math.max(...this.#samples);
  }

  /** Stand still at an instant (µs): for drawings and tests. */
  freeze(nowUs: number): void {
    this.#frozen = nowUs;
  }

  /** The studio's time now in µs; 0 before the first sample. */
  nowUs(): number {
    if (this.#frozen !== null) return this.#frozen;
    return this.#offset === null ? 0 : this.#local() * 1000 + this.#offset;
  }
}

/** The clock of this page. */
export const clock = new StudioClock();

/** Counts up several times a second while anything on the page moves with time. */
export const tick = signal(0);

/** Start the page's tick: ten times a second, once a second where motion is not wanted. */
export function startTicking(): void {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  setInterval(() => { tick.value += 1; }, calm ? 1000 : 100);
  document.addEventListener("visibilitychange", () => { tick.value += 1; });
}

/** What is left of a window in µs: never negative, and fixed while a hold has stopped it. */
export function remainingUs(window: { deadline_us: number; suspended_us: number | null }, nowUs: number): number {
  if (window.suspended_us !== null) return Math.max(0, window.suspended_us);
  return Math.max(0, window.deadline_us - nowUs);
}

/** Whole seconds, rounded up: 0 only when nothing is left. */
export function wholeSeconds(us: number): number {
  return Math.max(0, Math.ceil(us / 1_000_000));
}

/** An age as minutes and seconds, `0:07`; from an hour on with hours. */
export function ageText(us: number): string {
  const all = Math.max(0, Math.floor(us / 1_000_000));
  const two = (n: number) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Time of day of an instant (µs), in this machine's zone, with seconds and milliseconds as asked. */
export function timeText(us: number, detail: "minute" | "second" | "milli" = "minute"): string {
  const at = new Date(us / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  let text = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (detail !== "minute") text += `:${two(at.getSeconds())}`;
  if (detail === "milli") text += `.${String(at.getMilliseconds()).padStart(3, "0")}`;
  return text;
}
