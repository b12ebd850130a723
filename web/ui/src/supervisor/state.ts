import { computed, signal } from "@preact/signals";

import { boot } from "../shared/boot";
import type { Commander } from "../shared/commands";
import { Feed, type Line, type Source } from "../shared/feed";
import type { OptionView, SupervisorView, WallView } from "../shared/view";
import type { Row } from "./slots";
import type { Verdict } from "./verdict";

/** What lies open beside the wall. */
export type Pane = "case" | "void" | "correct";

/** What lies over the open table for a longer look. */
export type Look = "" | "frames" | "journal" | "devices" | "shoes";

/** What a person has filled in for a repair; nothing has happened yet. */
export interface Draft {
  option: string;
  card: string;
  index: number | null;
  reason: string;
  note: string;
  /** The felt, or the cards of a past round, as they were entered; null before the first change. */
  felt: Row[] | null;
  /** Against which side a qayd is decided. */
  against: Verdict;
}

const EMPTY: Draft = { option: "", card: "", index: null, reason: "", note: "", felt: null, against: "" };

/** What became of a void, kept apart from the table's view: that soon shows the next coup. */
export interface Voided {
  round: number;
  roundId: string;
  /** Minor units that were accepted in the coup. */
  accepted: number;
  /** Minor units returned: as previewed, then as the table says that it did. */
  returned: number;
}

/** The supervisor's page: the wall, the one table that is open, and what is being prepared there. */
export class Desk {
  readonly wall: Source<WallView>;
  readonly line: Line | null;
  readonly table = signal("");
  readonly feed = signal<Source<SupervisorView> | null>(null);
  readonly pane = signal<Pane>("case");
  /** Which of several faults is looked at. */
  readonly place = signal(0);
  readonly draft = signal<Draft>(EMPTY);
  /** Figures of the last void at this desk, until the person goes on. */
  readonly voided = signal<Voided | null>(null);
  /** A void that waits for its second person; its figures become the receipt. */
  readonly asked = signal<(Voided & { before: string }) | null>(null);
  readonly drawer = signal<Look>("");
  /** Name of the picture that is shown in full size; empty: the one of the moment. */
  readonly frame = signal("");
  /** Id of the ended approval that was put away at this desk. */
  readonly seenApproval = signal("");
  /** Id of the past round that is to be corrected. */
  readonly past = signal("");
  /** The one game that a large wall shows; empty for all. */
  readonly game = signal("");
  readonly view = computed(() => this.feed.value?.envelope.value?.view ?? null);
  readonly tables = computed(() => this.wall.envelope.value?.view.tiles ?? []);
  readonly findings = computed(() => this.wall.envelope.value?.view.findings ?? []);
  /** Held tables, the oldest hold first. */
  readonly holds = computed(() => this.tables.value
    .filter((tile) => tile.hold !== null)
    .sort((a, b) => (a.hold?.since_us ?? 0) - (b.hold?.since_us ?? 0)));
  /** Whether the next change of what lies open was asked for at this desk. */
  own = false;
  /** Whether an option was just chosen by its key: the first entry then takes the focus. */
  byKey = false;
  commander!: Commander;
  #open: (table: string) => Source<SupervisorView>;

  /** `line` is null for drawings; `open` gives the feed of a table. */
  constructor(wall: Source<WallView>, line: Line | null, open: (table: string) => Source<SupervisorView>) {
    this.wall = wall;
    this.line = line;
    this.#open = open;
  }

  /** Open a table beside the wall, or none. */
  open(table: string, push = true): void {
    if (table === this.table.value) return;
    const before = this.feed.value;
    this.table.value = table;
    this.own = true;
    this.pane.value = "case";
    this.place.value = 0;
    this.voided.value = null;
    this.asked.value = null;
    this.drawer.value = "";
    this.frame.value = "";
    this.draft.value = EMPTY;
    this.line?.turn(before as Feed<unknown> | null, table);
    this.feed.value = table === "" ? null : this.#open(table);
    if (push && this.line !== null) history.pushState(null, "", table === "" ? "/supervisor" : `/supervisor/${table}`);
  }

  /** Take what the table itself says was returned, while it still shows the coup that was voided. */
  seeRefund(view: SupervisorView): void {
    const kept = this.voided.value;
    const { state, round_id, refunded } = view.dealer;
    if (kept === null || state !== "void" || round_id !== kept.roundId || refunded === kept.returned) return;
    this.voided.value = { ...kept, returned: refunded };
  }

  /** Once the table shows that the asked void was done, its figures are the receipt. */
  seeAsked(view: SupervisorView): void {
    const asked = this.asked.value;
    if (asked === null) return;
    const { state, round_id } = view.dealer;
    const how = view.approval !== null && view.approval.id !== asked.before ? view.approval.how : "";
    if (round_id === asked.roundId && (state === "void" || how === "given")) {
      this.asked.value = null;
      this.voided.value = asked;
      this.draft.value = EMPTY;
    } else if (round_id !== asked.roundId || (how !== "" && how !== "given")) {
      this.asked.value = null;
    }
  }

  /** Turn to the options, to the void preview or to a past round. */
  turn(pane: Pane): void {
    this.own = this.pane.value !== pane;
    this.pane.value = pane;
    this.drawer.value = "";
    if (pane !== "case") this.draft.value = EMPTY;
  }

  /** Open the frames, the journal or the devices over the case, or close what is open. */
  look(what: Look): void {
    this.drawer.value = this.drawer.value === what ? "" : what;
  }

  /** Go on to the next held table, after the open one. */
  nextHold(): void {
    const names = this.holds.value.map((tile) => tile.table);
    const next = names[(names.indexOf(this.table.value) + 1) % Math.max(1, names.length)];
    if (next) this.open(next);
  }

  /** Begin to prepare an option anew. */
  choose(option: OptionView | null): void {
    this.draft.value = option === null ? EMPTY : { ...EMPTY, option: option.command, index: null };
  }

  /** Change what is being prepared. */
  fill(change: Partial<Draft>): void {
    this.draft.value = { ...this.draft.value, ...change };
  }

  /** Name of the person at this desk. */
  get person(): string {
    return boot.person?.name ?? "";
  }
}
