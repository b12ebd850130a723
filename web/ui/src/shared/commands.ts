import { type Signal, signal } from "@preact/signals";

import { known, say } from "./i18n";
import type { Line, Source } from "./feed";

/** The server's answer to a command. */
export interface Reply {
  status: "done" | "rejected" | "pending" | "busy";
  code: string;
  text: string;
  seq: number;
}

/** What a button shows of its last press. */
export interface Pressed {
  phase: "idle" | "sent" | "waiting" | "rejected";
  /** Why it was rejected, in words. */
  text: string;
}

/** After a change of what stands in a place, a press there does not count for so long. */
export const DEAF_MS = 400;
const WAITING_MS = 1000;
const REPEAT_MS = 2000;
const REASON_MS = 6000;
const IDLE: Pressed = { phase: "idle", text: "" };

/** Make an id that no other press has, also on pages without a secure context. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** Something that can send one command and call back with the answer. */
export type Sender = (body: CommandBody, answer: (reply: Reply) => void) => void;

/** A command as it travels. */
export interface CommandBody {
  command_id: string;
  table: string;
  seq: number | null;
  name: string;
  args: Record<string, unknown>;
}

/** Sends what a person pressed: one id per press, repeated until it is answered. */
export class Commander {
  readonly #states = new Map<string, Signal<Pressed>>();
  readonly #actedAt = new Map<string, number>();
  #deaf: ReturnType<typeof setTimeout> | undefined;
  #layoutAt = Number.NEGATIVE_INFINITY;
  #send: Sender;
  #seq: () => number | null;
  #now: () => number;
  /** Everything that was rejected, newest last, for the console's log. */
  readonly log: Signal<string[]> = signal([]);

  constructor(send: Sender, seq: () => number | null, now: () => number = () => performance.now()) {
    this.#send = send;
    this.#seq = seq;
    this.#now = now;
  }

  /** A commander over a line; `looked` gives the view that the person is looking at. */
  static over(line: Line, looked: () => Source<unknown> | null): Commander {
    return new Commander(
      (body, answer) => { if (line.socket.connected) line.socket.emit("command", body, answer); },
      () => looked()?.seq ?? null,
    );
  }

  /** What a button should show. */
  state(key: string): Signal<Pressed> {
    let state = this.#states.get(key);
    if (!state) {
      state = signal(IDLE);
      this.#states.set(key, state);
    }
    return state;
  }

  /** The places of the buttons have changed: a press meant for the old ones is not obeyed. */
  layoutChanged(): void {
    this.#layoutAt = this.#now();
    if (typeof document === "undefined") return;
    const { dataset } = document.documentElement;
    dataset["deaf"] = "yes";
    clearTimeout(this.#deaf);
    this.#deaf = setTimeout(() => { delete dataset["deaf"]; }, DEAF_MS + 1);
  }

  /** Whether a press counts now. The same button is deaf after it acted, all are after a new layout. */
  listens(key: string): boolean {
    const now = this.#now();
    if (now - this.#layoutAt < DEAF_MS) return false;
    if (now - (this.#actedAt.get(key) ?? Number.NEGATIVE_INFINITY) < DEAF_MS) return false;
    const { phase } = this.state(key).value;
    return phase !== "sent" && phase !== "waiting";
  }

  /**
   * Send a command for a press of the button `key`.
   *
   * Gives the final reply, or null if the press did not count. `anytime` leaves out which view the
   * person looked at, for calls that are right whatever has happened since.
   */
  press(key: string, table: string, name: string, args: Record<string, unknown> = {}, anytime = false): Promise<Reply | null> {
    if (!this.listens(key)) return Promise.resolve(null);
    this.#actedAt.set(key, this.#now());
    const state = this.state(key);
    const body: CommandBody = { command_id: newId(), table, seq: anytime ? null : this.#seq(), name, args };
    state.value = { phase: "sent", text: "" };
    return new Promise((resolve) => { this.#until(body, state, resolve); });
  }

  #until(body: CommandBody, state: Signal<Pressed>, resolve: (reply: Reply) => void): void {
    let answered = false;
    const slow = setTimeout(() => { if (!answered) state.value = { phase: "waiting", text: "" }; }, WAITING_MS);
    const finish = (reply: Reply): void => {
      if (answered) return;
      if (reply.status === "pending" || reply.status === "busy") return;
      answered = true;
      clearTimeout(slow);
      clearInterval(repeat);
      if (reply.status === "rejected") this.#rejected(state, reply);
      else state.value = IDLE;
      resolve(reply);
    };
    const once = (): void => { this.#send(body, finish); };
    const repeat = setInterval(once, REPEAT_MS);
    once();
  }

  #rejected(state: Signal<Pressed>, reply: Reply): void {
    const text = known(reply.code) ? say(reply.code) : reply.text || say("refused.not_now");
    const shown: Pressed = { phase: "rejected", text };
    state.value = shown;
    this.log.value = [...this.log.value.slice(-49), text];
    setTimeout(() => { if (state.value === shown) state.value = IDLE; }, REASON_MS);
  }
}
