import type { JSX } from "preact";

import { PlayingCard } from "../shared/cards";
import { say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { Say } from "../shared/text";
import type { FeltView } from "../shared/view";
import { Differences, type Row, Slots, differences, shown } from "./slots";

/** Most cards of a hand: three at baccarat, at blackjack what fits a lane of the felt. */
const MOST_AT_BACCARAT = 3;
const MOST_IN_LANE = 12;

/** How many cards a hand can have among these hands. */
export function mostOf(rows: Row[]): number {
  return rows.some(([zone]) => zone === "P") ? MOST_AT_BACCARAT : MOST_IN_LANE;
}

/** What a person begins from: the journal's belief. */
export function believed(felt: FeltView): Row[] {
  return felt.zones.map(([zone, cards]) => [zone, [...cards]]);
}

/** The felt as it travels with the command: null for a card that lies face down. */
export function feltArgs(rows: Row[]): { zone: string; cards: (string | null)[] }[] {
  return rows.map(([zone, cards]) => ({ zone, cards: cards.map((code) => (code === "XX" ? null : code)) }));
}

function CameraWord({ felt, zone, take }: { felt: FeltView; zone: string; take: () => void }): JSX.Element {
  const cards = felt.seen.find(([name]) => name === zone)?.[1];
  if (felt.seen.length === 0) return <p class="camword none"><Icon name="camera" /> <Say code="felt.no_camera" /></p>;
  return (
    <button type="button" class="camword" data-camera={zone} title={say("felt.take_camera")} onClick={take}>
      <Icon name="camera" />
      {cards === undefined || cards.length === 0 ? <Say code="felt.camera_none" /> : cards.map((code, at) => <PlayingCard key={at} view={shown(code)} />)}
      <span class="unseen"><Say code="felt.take_camera" /></span>
    </button>
  );
}

/** After a stop: what lies on the felt, entered by a person who looks at it; differences before anything is asked. */
export function FeltEntry({ felt, rows, change, done }: {
  felt: FeltView; rows: Row[]; change: (rows: Row[]) => void; done: () => void;
}): JSX.Element {
  const was = believed(felt);
  const take = (zone: string): void => {
    const seen = felt.seen.find(([name]) => name === zone)?.[1] ?? [];
    change(rows.map(([name, cards]) => (name === zone && !seen.includes("??") ? [name, [...seen]] : [name, cards])));
  };
  return (
    <section class="feltentry">
      <h3><Say code="felt.enter" /></h3>
      <Slots
        rows={rows} most={mostOf(rows)} was={was} change={change} hidden label={say("felt.enter")} done={done}
        beside={(zone) => <CameraWord felt={felt} zone={zone} take={() => { take(zone); }} />}
      />
      <h3><Say code="felt.differences" /></h3>
      <Differences list={differences(was, rows)} none="felt.same" />
    </section>
  );
}
