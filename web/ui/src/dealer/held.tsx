import type { JSX } from "preact";

import { PlayingCard } from "../shared/cards";
import type { Commander } from "../shared/commands";
import { firstKnown, known, say } from "../shared/i18n";
import { Icon, type IconName } from "../shared/icons";
import { seatName } from "../shared/board";
import { dealerAndLanes, laned } from "../shared/lanes";
import { Age, Button, face } from "../shared/parts";
import { Headline, Say, SayMessage } from "../shared/text";
import type { Board, CardView, DealerView, HandView, HoldNote, Message } from "../shared/view";

const CALL_REASONS = ["card", "foreign_card", "bets", "device", "other"];

function param(message: Message | null, ...names: string[]): string {
  for (const name of names) {
    const given = message?.params[name];
    if (typeof given === "string" && given !== "") return given;
  }
  return "";
}

function zoneLetter(zone: string): string {
  return zone === "" ? "" : say(firstKnown(`zone.${zone}.short`, `zone.${zone}`));
}

/** The letter of a place; a longer name is set smaller, so that it stays in its box. */
function Place({ zone }: { zone: string }): JSX.Element {
  const name = zoneLetter(zone) || "–";
  return <b class={name.length > 2 ? "long" : ""}>{name}</b>;
}

function seenCard(message: Message): CardView {
  const code = param(message, "card");
  if (/^[A2-9TJQK][CDHS]$/.test(code)) return face(code, "fault");
  return { look: code === "XX" ? "back" : "question", card: "", sideways: false, mark: "" };
}

/** What was due beside what was seen. */
function Compare({ hold }: { hold: HoldNote }): JSX.Element {
  const dueZone = param(hold.due, "zone", "to");
  const seen = hold.seen;
  const seenZone = seen ? param(seen, "zone", "at") || hold.zone : "";
  return (
    <section class="cmp" aria-label={say("label.due_and_seen")}>
      <section data-state="dealing">
        {hold.due ? <span class="slot due"><Icon name={param(hold.due, "face") === "down" ? "facedown" : "faceup"} /></span> : null}
        <div>
          <h2><Say code="label.due" /></h2>
          <Place zone={dueZone} />
          <p>{hold.due ? <SayMessage message={hold.due} /> : <Say code="label.nothing_due" />}</p>
        </div>
      </section>
      <span class="ne">{seenZone === dueZone && seenZone !== "" ? null : <Icon name="unequal" />}</span>
      <section>
        {seen && <PlayingCard view={seenCard(seen)} />}
        <div>
          <h2><Say code="label.seen" /></h2>
          <Place zone={seenZone} />
          <p>{seen ? <SayMessage message={seen} /> : <Say code="label.nothing_seen" />}</p>
        </div>
      </section>
    </section>
  );
}

/** Why all stands still, where no card was due or seen: of a qayd who claims it, and in which words. */
function Why({ hold }: { hold: HoldNote }): JSX.Element {
  const words = param(hold.what, "words");
  return (
    <section class="cmp alone">
      <section>
        <div>
          <p class="why"><Say code={firstKnown(hold.what.code.replace(/\.what$/, ".why"), "hold.wait")} params={hold.what.params} /></p>
          {words !== "" && <p class="words"><bdi>“{words}”</bdi></p>}
        </div>
      </section>
    </section>
  );
}

/** The reasons that may follow a call; the call has been made already. */
function CallReasons({ commander, table }: { commander: Commander; table: string }): JSX.Element {
  return (
    <section class="calls" aria-label={say("call.why")}>
      <h2><Say code="call.why" /></h2>
      <div>
        {CALL_REASONS.map((reason) => (
          <Button
            key={reason} id={`call.${reason}`} commander={commander}
            onPress={() => { void commander.press(`call.${reason}`, table, "CallSupervisor", { reason: `reason.call.${reason}` }, true); }}
          >
            <Say code={`reason.call.${reason}`} />
          </Button>
        ))}
      </div>
    </section>
  );
}

/** Where the cards lie, with the place in question framed; as the felt lies before the dealer. */
function FeltMap({ view, hold }: { view: DealerView; hold: HoldNote }): JSX.Element {
  const due = param(hold.due, "zone", "to");
  const hands = view.hands.slice(0, 2);
  return (
    <svg class="map" viewBox="0 0 356 400" role="img" aria-label={say("label.felt")}>
      <path d="M6 24h344v262c0 66-78 106-172 106S6 352 6 286Z" class="cloth" />
      <text x="178" y="54" text-anchor="middle" class="small">{say("label.dealer")}</text>
      {hands.map((hand, side) => {
        const x = hands.length === 1 ? 107 : side === 0 ? 24 : 190;
        const asked = hand.zone === hold.zone;
        return (
          <g key={hand.zone} transform={`translate(${x} 118)`} class={asked ? "asked" : hand.zone === due ? "wanted" : ""}>
            <rect class="box" width="142" height="168" rx="8" />
            {hand.cards.map((card, at) => (
              <rect key={at} class={`card ${card.mark} ${card.look}`} x={card.sideways ? 14 : 14 + at * (hand.cards.length > 2 && !hand.cards.some((each) => each.sideways) ? 64 / (hand.cards.length - 1) : 58)} y={card.sideways ? 112 : 16} width={card.sideways ? 66 : 50} height={card.sideways ? 46 : 70} rx="4" />
            ))}
            <text x="71" y="198" text-anchor="middle" class="name">{zoneLetter(hand.zone)}</text>
          </g>
        );
      })}
    </svg>
  );
}

/** One place of the small felt: its box, the cards in it, its letter. */
function MapPlace({ hand, hold, x, y, wide }: { hand: HandView; hold: HoldNote; x: number; y: number; wide: number }): JSX.Element {
  const due = param(hold.due, "zone", "to");
  const step = Math.min(36, (wide - 46) / Math.max(1, hand.cards.length - 1));
  return (
    <g transform={`translate(${x} ${y})`} class={hand.zone === hold.zone ? "asked" : hand.zone === due ? "wanted" : ""}>
      <rect class="box" width={wide} height="74" rx="7" />
      {hand.cards.filter((card) => card.mark !== "ghost").map((card, at) => <rect key={at} class={`card ${card.mark} ${card.look}`} x={8 + at * step} y="16" width="30" height="42" rx="3" />)}
      <text x={wide / 2} y="101" text-anchor="middle" class="name">{zoneLetter(hand.zone)}</text>
    </g>
  );
}

/** The dealer's hand above the lanes of the shared hand, as they lie before the dealer. */
function LaneMap({ view, hold }: { view: DealerView; hold: HoldNote }): JSX.Element {
  const [dealer, lanes] = dealerAndLanes(view.hands);
  return (
    <svg class="map" viewBox="0 0 356 400" role="img" aria-label={say("label.felt")}>
      <path d="M6 24h344v262c0 66-78 106-172 106S6 352 6 286Z" class="cloth" />
      <text x="178" y="54" text-anchor="middle" class="small">{say("label.dealer")}</text>
      {dealer && <MapPlace hand={dealer} hold={hold} x={113} y={72} wide={130} />}
      {lanes.map((hand, at) => <MapPlace key={hand.zone} hand={hand} hold={hold} x={22 + (at * 318) / lanes.length} y={206} wide={300 / lanes.length} />)}
    </svg>
  );
}

/** Where the racks lie round the trick on the small felt: left, top and width of each. */
const RACKS: [number, number, number][] = [[98, 300, 160], [232, 190, 110], [98, 84, 160], [14, 190, 110]];

/** The four racks round the trick, with the one in question framed; as they lie before the dealer. */
function BoardMap({ board, hold }: { board: Board; hold: HoldNote }): JSX.Element {
  const due = param(hold.due, "zone", "to");
  return (
    <svg class="map" viewBox="0 0 356 400" role="img" aria-label={say("label.felt")}>
      <rect x="6" y="40" width="344" height="356" rx="64" class="cloth" />
      {board.seats.map(({ seat, rack }) => {
        const [x, y, wide] = RACKS[seat] ?? [0, 0, 0];
        const step = (wide - 30) / 7;
        const lies = rack.filter((slot) => slot.look !== "gone");
        return (
          <g key={seat} transform={`translate(${x} ${y})`} class={hold.zone === `H${seat}` ? "asked" : due === `H${seat}` ? "wanted" : ""}>
            <rect class="box" width={wide} height="44" rx="7" />
            {lies.map((slot, at) => <rect key={slot.index} class={`card ${slot.look}`} x={7 + at * step} y="8" width="18" height="27" rx="2" />)}
            <text x={wide / 2} y={seat === 2 ? -8 : 68} text-anchor="middle" class="name">{seatName(seat)}</text>
          </g>
        );
      })}
      {board.seats.map(({ seat, played }) => {
        const [x, y] = [[164, 232], [194, 200], [164, 168], [134, 200]][seat] ?? [0, 0];
        const about = hold.zone === `T${seat}`;
        return <g key={seat} transform={`translate(${x} ${y})`} class={about ? "asked" : due === `T${seat}` ? "wanted" : ""}><rect class={played === "" ? "box" : "card"} width="28" height="38" rx="3" /></g>;
      })}
    </svg>
  );
}

/** The one picture of what to do, by the fault; hands off for all others. */
const PICTURES: Record<string, IconName> = {
  card_unseen: "layback", cut_card_missing: "look", cut_card_on_felt: "handsoff", substituted_card: "step", answered: "clock", clock_jump: "tick", dealer_call: "bell",
};

/** What is to be done, drawn. */
function pictureOf(hold: HoldNote): IconName {
  const fault = /^hold\.([a-z_]+)\.what$/.exec(hold.what.code)?.[1] ?? "";
  return PICTURES[fault] ?? "handsoff";
}

/** The dealer's whole screen while the table is held. Nothing of the ordinary screen remains. */
export function Held({ view, hold, commander }: { view: DealerView; hold: HoldNote; commander: Commander }): JSX.Element {
  const called = hold.what.code.includes("dealer_call");
  return (
    <div class="dealer held" data-state="hold">
      <div class="hazard" aria-hidden="true" />
      <header class="bar">
        <span class="told" role="alert">
          <span class="big"><Icon name="hold" /> <Say code="hold.title" /></span>
          <span class="what"><SayMessage message={hold.what} />{hold.faults > 1 && <> <bdi class="num">+{hold.faults - 1}</bdi></>}</span>
        </span>
        <span class="grow" />
        <span class="what">{view.round_no > 0 ? <Say code="label.table_round" params={{ table: view.table.toUpperCase(), round: view.round_no }} /> : <bdi>{view.table.toUpperCase()}</bdi>}</span>
        <Age sinceUs={hold.since_us} class="age" />
      </header>
      <main class="work">
        <section class="hands">
          <Icon name={pictureOf(hold)} />
          <div>
            <Headline sizes={[118, 104, 92, 80, 68, 56]} lines={1} class="off"><Say code="hold.hands_off" /></Headline>
            <p><SayMessage message={hold.do} /></p>
          </div>
        </section>
        {called ? <CallReasons commander={commander} table={view.table} />
          : hold.due || hold.seen ? <Compare hold={hold} />
          : <Why hold={hold} />}
        <aside class="where" aria-label={say("label.on_felt")}>
          <h2><Say code="label.on_felt" /></h2>
          {view.board ? <BoardMap board={view.board} hold={hold} /> : laned(view.game) ? <LaneMap view={view} hold={hold} /> : <FeltMap view={view} hold={hold} />}
          <p><Say code="hold.stays" /></p>
        </aside>
      </main>
      <footer class="foot">
        <CallAgain view={view} commander={commander} />
        <Button id="locked" commander={commander} onPress={() => undefined} icon="lock" enabled={false} reason={say("hold.locked")}>
          <Say code="hold.other_buttons" />
        </Button>
        <div class="who" aria-live="polite">
          <Icon name="person" />
          <div>
            <b>{hold.taken_by ? <Say code="hold.taken" params={{ name: hold.taken_by }} /> : <Say code="hold.nobody" />}</b>
            <span>{hold.taken_by ? <Say code="hold.taken.line" /> : <Say code="hold.nobody.line" />}</span>
          </div>
        </div>
      </footer>
    </div>
  );
}

function CallAgain({ view, commander }: { view: DealerView; commander: Commander }): JSX.Element {
  const button = view.buttons.find((given) => given.command === "call_supervisor");
  return (
    <Button
      id="call_supervisor" commander={commander} icon="bell" keys="S"
      enabled={button?.enabled ?? true} reason={button && known(button.reason) ? say(button.reason) : undefined}
      onPress={() => { void commander.press("call_supervisor", view.table, "CallSupervisor", {}, true); }}
    >
      <Say code="button.call_again" />
    </Button>
  );
}
