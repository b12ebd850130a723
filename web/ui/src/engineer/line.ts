import { type Signal, signal } from "@preact/signals";

import { boot } from "../shared/boot";

/** What the camera gives while its bench is open. */
export interface CameraFacts { width: number; height: number; rate: number; age_ms: number | null }
/** What every answer of a bench holds beside the session's own. */
export interface Answer { camera: CameraFacts; table: { state: string } }
/** A refusal as the server words it: a code with its values, and the English sentence. */
export interface Refusal { code: string; text: string; values: Record<string, string | number> }
/** Anything that may be given with a word. */
export type Given = Record<string, unknown>;

/** How often the newest frame is looked at while nothing else is asked, milliseconds. */
const LOOK_MS = 100;
/** How soon a camera that is just starting is asked for again. */
const AGAIN_MS = 1500;
const REFUSED_MS = 8000;

/** A name for this window: a person works at a bench in one of them at a time. */
function pageName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The line from this window to a camera's bench: one word at a time, in order, and a look between.
 *
 * Every answer is the whole state; what is drawn comes from the newest one alone.
 */
export class BenchLine<A extends Answer> {
  /** The newest state; null before the first answer. */
  readonly state: Signal<A | null> = signal(null);
  /** The newest refusal of a word, for a few seconds. */
  readonly refusal: Signal<Refusal | null> = signal(null);
  /** Why nothing can be done here any more, or not yet; null while the bench is open. */
  readonly closed: Signal<Refusal | null> = signal(null);
  /** Whether the studio answers. */
  readonly heard: Signal<boolean> = signal(true);
  /** What was kept last, with its SHA-256, for as long as this page is open. */
  readonly kept: Signal<{ version?: number; sha256: string } | null> = signal(null);
  /** Whether a word is under way, as one that takes its time. */
  readonly busy: Signal<string> = signal("");
  readonly #kind: string;
  readonly #page = pageName();
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #again: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #fade: ReturnType<typeof setTimeout> | undefined;
  #left = false;

  /** `kind` is `calibrate` or `enrol`. */
  constructor(kind: string) {
    this.#kind = kind;
  }

  /** Begin, or begin again after an end. */
  async open(): Promise<void> {
    clearTimeout(this.#again);
    if (this.closed.value?.code !== "refused.bench_starting") this.closed.value = null;
    this.#left = false;
    if (await this.ask("open", { kind: this.#kind }) !== null) this.closed.value = null;
    this.#lookLater();
  }

  /** End what is open here; the table may deal again. */
  async leave(): Promise<void> {
    this.#left = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#again);
    if (this.closed.value === null) await this.ask("close");
  }

  /** Ask for something after all that was asked before; the session's own answer, null if refused. */
  ask(word: string, given: Given = {}): Promise<Record<string, unknown> | null> {
    this.#waiting += 1;
    const next = this.#tail.then(() => this.#ask(word, given)).finally(() => { this.#waiting -= 1; });
    this.#tail = next;
    return next;
  }

  #lookLater(): void {
    clearTimeout(this.#timer);
    if (this.#left) return;
    this.#timer = setTimeout(() => {
      void (async () => {
        if (this.#waiting === 0 && this.closed.value === null) await this.ask("look");
        this.#lookLater();
      })();
    }, this.heard.value ? LOOK_MS : 1000);
  }

  async #ask(word: string, given: Given): Promise<Record<string, unknown> | null> {
    if (word !== "look") this.busy.value = word;
    try {
      const answer = await fetch(`/api/ui/bench/${encodeURIComponent(boot.table)}`, {
        method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({ page: this.#page, word, given }),
      });
      const body = await answer.json() as Record<string, unknown>;
      this.heard.value = true;
      const refused = body["refused"] as Refusal | undefined;
      if (!answer.ok || refused !== undefined) {
        this.#refused(word, refused ?? { code: String(body["code"] ?? ""), text: String(body["detail"] ?? ""), values: {} });
        return null;
      }
      if (body["camera"] !== undefined) {
        if (word !== "look") this.refusal.value = null;
        if (body["base64"] === undefined) this.state.value = body as unknown as A;
        if (body["saved"]) this.kept.value = body["saved"] as { version?: number; sha256: string };
      }
      return body;
    } catch {
      this.heard.value = false;
      return null;
    } finally {
      if (word !== "look") this.busy.value = "";
    }
  }

  #refused(word: string, refusal: Refusal): void {
    const ends = ["refused.bench_closed", "refused.setup_elsewhere", "refused.setup_open", "refused.signed_out", "refused.no_right", "refused.no_bench", "refused.setup_in_round", "refused.bench_camera"];
    if (word === "open" || ends.includes(refusal.code)) {
      this.closed.value = refusal;
      if (refusal.code === "refused.bench_starting") this.#again = setTimeout(() => { void this.open(); }, AGAIN_MS);
      return;
    }
    if (word === "look") return;
    this.refusal.value = refusal;
    clearTimeout(this.#fade);
    this.#fade = setTimeout(() => { this.refusal.value = null; }, REFUSED_MS);
  }
}
