/** The views as they travel: the plain form of `studio/table/views.py`. Amounts in minor units, instants in UTC microseconds. */

/** Where a table stands, as every screen shows it. */
export type State = "closed" | "idle" | "betting" | "dealing" | "decision" | "result" | "hold" | "void";

/** A sentence of the catalogue: its code and what is filled in. */
export interface Message {
  code: string;
  params: Record<string, string | number>;
}

/** One card on the felt; `card` only where `look` is `face`. */
export interface CardView {
  look: "face" | "back" | "question" | "cut";
  card: string;
  sideways: boolean;
  /** `ghost`: image of a card that lies on another lane. */
  mark: "" | "prov" | "fault" | "dead" | "ghost";
}

/** A place where a card is due (`due`) or comes later; order 0 means only if the rules ask for it. */
export interface SlotView {
  order: number;
  due: boolean;
  sideways: boolean;
}

/** One hand in order of dealing. */
export interface HandView {
  zone: string;
  total: number | null;
  cards: CardView[];
  slots: SlotView[];
  word: Message | null;
  /** The other total of a soft hand: 7 of 7/17. */
  low?: number | null;
  state?: "" | "next" | "then" | "closed" | "bust" | "blackjack" | "done" | string;
  /** Players who take the next card of this hand, and those who take none any more. */
  taking?: number;
  stood?: number;
}

/** The one next step of the dealer. */
export interface StepView {
  kind: "deal" | "confirm" | "count" | "clear" | "collect" | "wait" | "hold" | "open_bets" | "start_shoe" | "open_table" | "turn" | "peek" | "move" | "choose";
  code: string;
  to: string;
  face: string;
  number: number;
  of: number;
  since_us: number;
  pace_us: number;
  then: StepView | null;
  /** The seat whose card is moved or who is asked, 0 to 3; absent or null in other games. */
  seat?: number | null;
  /** Which place of its rack, 1 to 8 from the left; 0 or absent if none. */
  place?: number;
}

/** One place of a rack: the back or the face that lies there, or nothing any more. */
export interface RackSlot {
  index: number;
  look: "back" | "face" | "gone";
  card: string;
}

/** A project that a seat announced; its cards from the moment in which they are shown. */
export interface Project {
  kind: "sira" | "fifty" | "hundred" | "four_hundred" | "baloot" | string;
  cards: string[];
}

/** One seat of a game of tricks; its side is its number modulo 2. */
export interface SeatState {
  seat: number;
  /** All that it called in this round, oldest first. */
  said: string[];
  rack: RackSlot[];
  /** Its card in the trick that lies there. */
  played: string;
  projects: Project[];
}

/** A trick, the open one too; `winner` null while it is open. */
export interface Trick {
  lead: number;
  cards: [number, string][];
  winner: number | null;
  points: number;
}

/** What is asked of a seat now. */
export interface Asked {
  step: string;
  seat: number;
  options: string[];
  besides: [number, string][];
}

/** All of a game of tricks as everybody may see it (`studio/games/board.py`). */
export interface Board {
  seats: SeatState[];
  dealer: number;
  scores: [number, number];
  target: number;
  game_no: number;
  round_no: number;
  asked: Asked | null;
  face: string;
  mode: "" | "hokum" | "sun" | string;
  trump: string;
  buyer: number | null;
  ashkal: boolean;
  multiplier: number;
  gahwa: boolean;
  closed: boolean;
  tricks: Trick[];
  won: [number, number];
  counting: number | null;
  points: [number, number] | null;
  ended: "" | "made" | "failed" | "kaboot" | "passed" | "kawesh" | "misdeal" | "qayd" | string;
  winner: number | null;
}

/** An open window; `suspended_us` is what was left when a hold stopped it. */
export interface WindowView {
  kind: "betting" | "insurance" | "decision" | "result";
  deadline_us: number;
  total_us: number;
  suspended_us: number | null;
  /** Which window of the round in which players choose, from 1. */
  number?: number;
  asked?: number;
  answered?: number;
}

/** How the players of one lane have chosen so far; `lane` is empty for insurance. */
export interface SharesView {
  lane: string;
  rows: [string, number][];
}

/** What the crowd of a shared hand does; absent or 0 where a game has none. */
export interface Crowd {
  seated?: number;
  takers?: number;
  wave?: number;
  /** Whether players may choose again after the cards of this wave. */
  again?: boolean;
}

/** Shares of the choices, and (bet, last round that takes it, rounds left; −1: closed). */
export interface Told {
  shares?: SharesView[];
  cutoffs?: [string, number, number][];
  /** The roads of this shoe; absent or null for games that have none. */
  roads?: Roads | null;
}

/**
 * The five roads of a shoe as they lie on an endless board: six rows of one letter a column, `.` where
 * nothing lies, the places right of the last mark left out. Places are (column, row) from 0.
 */
export interface Roads {
  /** `P`, `B`, `T`. */
  bead: string[];
  player_pairs: [number, number][];
  banker_pairs: [number, number][];
  corrected: [number, number][];
  /** `P`, `B`. */
  big: string[];
  /** (column, row, number) of the ties that hang on a win. */
  ties: [number, number, number][];
  /** `R`, `B`: red and blue. */
  big_eye: string[];
  small: string[];
  cockroach: string[];
}

/** A shoe before the present one. */
export interface ShoeView {
  shoe_no: number;
  day: string;
  ended_us: number;
  balance: "balanced" | "unverified" | "mismatch" | "" | string;
  roads: Roads;
}

/** A device's health in rungs, 4 good to 0 switched off. */
export interface DeviceView {
  name: string;
  kind: string;
  rung: number;
  last_us: number;
  bytes: number;
  frames: number;
  facts: number;
  garbage: number;
  detail: Message | null;
}

/** The result of a finished round. */
export interface ResultView {
  round_no: number;
  /** Baccarat `player banker tie`; Boundless `dealer_bust`, `dealer_blackjack`, `dealer_17` … */
  code: string;
  totals: [string, number][];
  natural: boolean;
  marks: string[];
  corrected: boolean;
}

/** All bets of one kind. */
export interface BetRow {
  bet: string;
  count: number;
  staked: number;
}

/** A control and whether it would be accepted now. */
export interface ButtonView {
  command: string;
  enabled: boolean;
  reason: string;
  main: boolean;
}

/** What the dealer and the wall see of a hold. */
export interface HoldNote {
  since_us: number;
  faults: number;
  do: Message;
  what: Message;
  due: Message | null;
  seen: Message | null;
  zone: string;
  taken_by: string;
}

/** Everything of the dealer console. */
export interface DealerView extends Crowd, Told {
  /** Absent or null for games without tricks. */
  board?: Board | null;
  table: string;
  game: string;
  state: State;
  phase: string;
  dealer: string;
  shoe_no: number;
  round_no: number;
  round_id: string;
  step: StepView;
  hands: HandView[];
  window: WindowView | null;
  last_card: [CardView, string, number] | null;
  last_sources: string[];
  bets: number;
  cards_left: number;
  cut_card: "in" | "out" | string;
  last_rounds: number | null;
  results: ResultView[];
  devices: DeviceView[];
  buttons: ButtonView[];
  hold: HoldNote | null;
  refunded: number;
  /** Staff number of the person who deals. */
  dealer_number: string;
}

/** What one source saw. */
export interface SightingView {
  source: string;
  kind: string;
  look: string;
  card: string;
  zone: string;
  at_us: number;
  sequence: number | null;
  confidence_milli: number | null;
}

/** One repair: what it would do, or why it is refused. */
export interface OptionView {
  command: string;
  fault: string;
  label: Message;
  effect_round: Message;
  effect_money: Message;
  people: number;
  enabled: boolean;
  reason: Message | null;
  needs: string[];
  first: boolean;
  /** What would follow, tried on a copy of the table. */
  then: Message[];
}

/** One kept piece of evidence; `/evidence/<table>/<fault>/<name>` gives its bytes. */
export interface EvidenceView {
  name: string;
  /** ``hidden`` is a picture that nobody may see yet. */
  kind: "wire" | "picture" | "hidden" | string;
  sha256: string;
  size: number;
  at_us: number;
}

/** What waits for a second person, or the last that did; `how` is empty while it waits. */
export interface ApprovalView {
  id: string;
  act: Message;
  command: string;
  /** Staff number of who asked: the same person cannot approve. */
  by: string;
  by_name: string;
  at_us: number;
  roles: string[];
  effect_money: Message;
  fault: string;
  round_no: number;
  how: "" | "given" | "declined" | "withdrawn" | "overtaken" | string;
  ended_by: string;
  ended_us: number;
  reason: Message | null;
  /** What a felt that was entered by hand would change, while it waits. */
  changes?: Message[];
}

/** After a stop: what the journal believes lies on the felt, and what the camera sees. */
export interface FeltView {
  fault: string;
  /** Zone and codes in order of dealing; `XX` face down or not to be told, `??` not sure. */
  zones: [string, string[]][];
  seen: [string, string[]][];
}

/** A settled round of this shoe. */
export interface PastRoundView {
  round_id: string;
  round_no: number;
  code: string;
  /** Zone and code in order of dealing, as the newest word has them. */
  cards: [string, string][];
  staked: number;
  returned: number;
  enabled: boolean;
  reason: Message | null;
  /** Minor units that players still owe after a correction. */
  owed: number;
  corrected: boolean;
  /** What becomes of decisions that were taken by other cards; empty in a game of cards alone. */
  policy: "" | "stand_as_locked" | "void" | "best_for_player" | string;
}

/** A late correction as players are told of it. */
export interface CorrectionView {
  round_no: number;
  old_code: string;
  new_code: string;
  at_us: number;
  /** Results of this shoe since then. */
  since: number;
}

/** One fault opened by a supervisor. */
export interface CaseView {
  fault: string;
  code: string;
  row: string;
  at_us: number;
  step: string;
  due: Message | null;
  due_zone: string;
  due_face: string;
  index: number | null;
  sightings: SightingView[];
  options: OptionView[];
  text: string;
  what: Message | null;
  evidence: EvidenceView[];
  felt: FeltView | null;
  /** Where to look again: earlier reads of a card too many, rounds since the last good count. */
  review: Message[];
}

/** What voiding the open round would return; `proof` holds the checks in order. */
export interface VoidPreview {
  round_id: string;
  rows: BetRow[];
  accepted: number;
  paid_before: number;
  returned: number;
  proof: [string, boolean][];
  people: number;
  method: "refund" | "best_for_player" | string;
  /** Minor units that go back for each of `rows`, in their order. */
  returns: number[];
}

/** One fact of the round in words. */
export interface JournalLine {
  version: number;
  at_us: number;
  message: Message;
  tone: string;
  actor: string;
}

/** Everything of the supervisor's page of one table. */
export interface SupervisorView {
  dealer: DealerView;
  cases: CaseView[];
  lift: ButtonView;
  void: VoidPreview | null;
  bets: BetRow[];
  staked: number;
  currency: string;
  journal: JournalLine[];
  dealt: [number, string, string][];
  reasons: string[];
  approval: ApprovalView | null;
  /** Settled rounds of this shoe, newest first. */
  past: PastRoundView[];
  claimed_by: string;
  claimed_name: string;
  uncounted: string[];
  /** What the wallet has still to be told; null if nothing. */
  wallet: Message | null;
  /** The shoes before this one, newest first; empty for games without roads. */
  shoes?: ShoeView[];
}

/** What players may see. */
export interface OverlayView extends Crowd, Told {
  board?: Board | null;
  table: string;
  game: string;
  state: State;
  shoe_no: number;
  round_no: number;
  hands: HandView[];
  window: WindowView | null;
  result: ResultView | null;
  results: ResultView[];
  last_rounds: number | null;
  slate: { code: "wait" | "void"; round_no: number } | null;
  void_round: number;
  correction: CorrectionView | null;
}

/** One table on the wall. */
export interface TileView extends Crowd {
  table: string;
  game: string;
  state: State;
  round_no: number;
  shoe_no: number;
  dealer: string;
  headline: Message;
  bets: number;
  staked: number;
  currency: string;
  window: WindowView | null;
  devices: DeviceView[];
  hold: HoldNote | null;
  result: ResultView | null;
  claimed_by: string;
  claimed_name: string;
  approval: ApprovalView | null;
}

/** All tiles of the wall. */
export interface WallView {
  tiles: TileView[];
  /** Warnings about how people stand at the tables. */
  findings?: Message[];
}

/** A view on its way. A screen ignores what is not newer within the same epoch. */
export interface Envelope<V> {
  table: string;
  audience: string;
  epoch: string;
  seq: number;
  now_us: number;
  view: V;
}

/** The beat of each second. */
export interface Beat {
  epoch: string;
  seq?: number;
  now_us: number;
}
