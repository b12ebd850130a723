import { type Signal, signal } from "@preact/signals";
import { io, type Socket } from "socket.io-client";

import { clock } from "./clock";
import type { Beat, Envelope } from "./view";

/** After so long without a message the screen says that it is blind (FACES.md 12). */
export const SILENCE_MS = 4000;
/** A beat may overtake the view that it speaks of by so much before the view is fetched again. */
const GRACE_MS = 350;
const LISTEN_MS = 500;
/** A timer of this page that comes so much too late means that the machine slept. */
const SLEPT_MS = 5000;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5000;

/** Where a feed stands: nothing yet, hearing, silent for too long, or refused for good. */
export type Hearing = "first" | "live" | "silent" | "refused";

/** Decides which envelopes are news: newer within an epoch, and never back to an epoch that is past. */
export class Newest<V> {
  #past = new Set<string>();
  #epoch = "";
  #seq = -1;
  /** The newest envelope; null before the first. */
  readonly envelope: Signal<Envelope<V> | null> = signal(null);

  /** Take an envelope. Whether it was news; the same one twice is not. */
  take(given: Envelope<V>): boolean {
    if (this.#past.has(given.epoch)) return false;
    if (given.epoch === this.#epoch && given.seq <= this.#seq) return false;
    if (this.#epoch !== "" && given.epoch !== this.#epoch) this.#past.add(this.#epoch);
    this.#epoch = given.epoch;
    this.#seq = given.seq;
    this.envelope.value = given;
    return true;
  }

  /** Whether a beat speaks of something that this screen has not got. */
  behind(beat: Beat): boolean {
    if (this.#past.has(beat.epoch)) return false;
    return beat.epoch !== this.#epoch || (beat.seq !== undefined && beat.seq > this.#seq);
  }

  /** Number of the newest view, as commands name it; null before the first. */
  get seq(): number | null {
    return this.#seq < 0 ? null : this.#seq;
  }
}

/** How well the studio is heard: shared by everything that comes over one connection. */
export interface Ear {
  readonly hearing: Signal<Hearing>;
  /** When something was last heard, in `performance.now()` milliseconds. */
  readonly heardAt: Signal<number>;
  /** Why the studio will not serve this screen; a message code, or a sentence. */
  readonly refusal: Signal<string>;
}

/** What a screen needs of one kind of view, live or still. */
export interface Source<V> {
  readonly ear: Ear;
  readonly envelope: Signal<Envelope<V> | null>;
  readonly seq: number | null;
}

/** Who looks: the name of a view's audience. */
export type Audience = "dealer" | "supervisor" | "overlay" | "wall";

/** One view of one table over a line: whole, repeated safely, fetched again after any gap. */
export class Feed<V> implements Source<V> {
  readonly #newest = new Newest<V>();
  readonly ear: Ear;
  readonly table: string;
  readonly audience: Audience;
  #address: string;
  #fetching = false;

  /** `address` gives the newest view again. */
  constructor(ear: Ear, table: string, audience: Audience, address: string) {
    this.ear = ear;
    this.table = table;
    this.audience = audience;
    this.#address = address;
  }

  get envelope(): Signal<Envelope<V> | null> {
    return this.#newest.envelope;
  }

  get seq(): number | null {
    return this.#newest.seq;
  }

  /** Whether a message is meant for this feed. */
  isFor(given: { table?: string; audience?: string }): boolean {
    return (given.table ?? this.table) === this.table && (given.audience ?? this.audience) === this.audience;
  }

  /** Take a view. */
  take(given: Envelope<V>): void {
    this.#newest.take(given);
  }

  /** Hear a beat; fetch if it speaks of a view that has not come a moment later. */
  beat(beat: Beat): void {
    if (!this.#newest.behind(beat)) return;
    setTimeout(() => { if (this.#newest.behind(beat)) void this.fetch(); }, GRACE_MS);
  }

  /** Fetch the newest view; whether one came. */
  async fetch(): Promise<boolean> {
    if (this.#fetching) return false;
    this.#fetching = true;
    try {
      const answer = await fetch(this.#address, { headers: { Accept: "application/json" }, cache: "no-store" });
      if (!answer.ok) return false;
      this.#newest.take((await answer.json()) as Envelope<V>);
      return true;
    } catch {
      return false;
    } finally {
      this.#fetching = false;
    }
  }
}

/** Codes of refusals after which it is right to try again at once. */
const PASSING = new Set(["refused.too_fast", "refused.trouble"]);
/** Where every place is taken the screen says so, and asks no more than so often whether one is free. */
const FULL = "refused.full";
const FULL_RETRY_MS = 30_000;

interface Refusal { code?: string; text?: string }

/** One connection to the studio. It mends itself, and knows when it is deaf. */
export class Line implements Ear {
  readonly hearing = signal<Hearing>("first");
  readonly heardAt = signal(performance.now());
  readonly refusal = signal("");
  readonly socket: Socket;
  #feeds: Feed<never>[] = [];
  #auth: Record<string, string | number>;
  #retryMs = FIRST_RETRY_MS;
  #listenedAt = performance.now();
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** Open the connection to a namespace: `dealer`, `supervisor` or `overlay`. */
  constructor(namespace: string, auth: Record<string, string | number>) {
    this.#auth = auth;
    this.socket = io(`/${namespace}`, {
      auth: (give) => { give(this.#auth); }, transports: ["websocket"], reconnection: false, forceNew: true,
    });
    this.socket.on("view", (given: Envelope<never>) => { this.#take(given); });
    this.socket.on("wall", (given: Envelope<never>) => { this.#take(given); });
    this.socket.on("beat", (beat: Beat) => { this.#beat(beat); });
    this.socket.on("refused", (why: Refusal) => { this.#refused(why); });
    this.socket.on("disconnect", () => { this.#later(); });
    this.socket.on("connect_error", (error: Error & { data?: Refusal }) => {
      if (error.data?.code) this.#refused({ ...error.data, text: error.message });
      this.#later();
    });
    setInterval(() => { this.#listen(); }, LISTEN_MS);
    document.addEventListener("visibilitychange", () => { this.#seen(); });
    for (const waking of ["online", "pageshow", "resume"]) addEventListener(waking, () => { this.#woke(); });
  }

  /** Add a view that comes over this connection. */
  add<V>(feed: Feed<V>): Feed<V> {
    this.#feeds.push(feed as unknown as Feed<never>);
    return feed;
  }

  /** Take a view off, and turn to another table: at once, and again after each break. */
  turn(feed: Feed<unknown> | null, table: string): void {
    this.#feeds = this.#feeds.filter((kept) => (kept as unknown) !== feed);
    this.#auth = { ...this.#auth, table };
    if (this.socket.connected) this.socket.emit("watch", { table });
  }

  #seen(): void {
    if (document.visibilityState !== "visible") return;
    this.#listen();
    if (this.hearing.value === "silent") for (const feed of this.#feeds) void feed.fetch().then((came) => { if (came) this.#heard(); });
  }

  #heard(): void {
    this.heardAt.value = performance.now();
    this.#retryMs = FIRST_RETRY_MS;
    if (this.refusal.value === FULL) this.refusal.value = "";
    else if (this.hearing.value === "refused") return;
    this.hearing.value = "live";
  }

  #take(given: Envelope<never>): void {
    this.#hearTime(given);
    for (const feed of this.#feeds) if (feed.isFor(given)) feed.take(given);
    this.#heard();
  }

  #beat(beat: Beat & { table?: string; audience?: string }): void {
    this.#hearTime(beat);
    for (const feed of this.#feeds) if (feed.isFor(beat)) feed.beat(beat);
    this.#heard();
  }

  /** A page of one table counts in that table's own time; the wall, in the studio's, would make it hop. */
  #hearTime(told: { table?: string; now_us: number }): void {
    const own = this.#auth.table;
    if (!own || told.table === undefined || told.table === own) clock.sample(told.now_us);
  }

  /** The machine slept or its network came back: what is left of the old connection is worth nothing. */
  #woke(): void {
    if (this.hearing.value === "refused" || performance.now() - this.heardAt.value < SILENCE_MS) return;
    this.#retryMs = FIRST_RETRY_MS;
    if (this.socket.connected) this.socket.disconnect();
    else this.#later();
    for (const feed of this.#feeds) void feed.fetch();
  }

  #listen(): void {
    const before = this.#listenedAt;
    this.#listenedAt = performance.now();
    if (this.#listenedAt - before > SLEPT_MS) this.#woke();
    const quiet = performance.now() - this.heardAt.value;
    if (quiet > SILENCE_MS && this.hearing.value === "live") this.hearing.value = "silent";
    if (quiet > SILENCE_MS * 3 && this.socket.connected) this.socket.disconnect();
  }

  #later(): void {
    const full = this.refusal.value === FULL;
    if (this.hearing.value === "refused" && !full) return;
    clearTimeout(this.#retry);
    const wait = (full ? FULL_RETRY_MS : this.#retryMs) * (0.75 + Math.random() / 2);
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    this.#retry = setTimeout(() => { this.socket.connect(); }, wait);
  }

  #refused(why: Refusal): void {
    if (why.code !== undefined && PASSING.has(why.code)) return;
    this.refusal.value = why.code ?? why.text ?? "refused.not_served";
    this.hearing.value = "refused";
  }
}
