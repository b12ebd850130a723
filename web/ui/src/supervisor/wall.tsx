import type { JSX } from "preact";

import { boot } from "../shared/boot";
import { ageText, clock, tick, timeText } from "../shared/clock";
import { money, say } from "../shared/i18n";
import { Age, Countdown, Edge, Rungs, StateChip } from "../shared/parts";
import { settingsOpen } from "../shared/settings";
import { Say, SayMessage } from "../shared/text";
import type { TileView } from "../shared/view";
import type { Desk } from "./state";

/** Second line of a tile: the coup and its money, or what a hold waits for. */
function SubLine({ tile }: { tile: TileView }): JSX.Element {
  return (
    <p class="sub">
      {tile.round_no === 0 ? <Say code="sup.no_coup" />
        : tile.bets > 0 ? <Say code="sup.coup_bets" params={{ round: tile.round_no, count: tile.bets, sum: money(tile.staked, tile.currency) }} />
        : <Say code="sup.coup" params={{ round: tile.round_no }} />}
      {tile.hold && <><br />{tile.hold.taken_by ? <Say code="sup.taken" params={{ name: tile.hold.taken_by }} /> : <Say code="sup.nobody" />}</>}
    </p>
  );
}

function Tile({ tile, open, pick, place }: { tile: TileView; open: boolean; pick: () => void; place: number }): JSX.Element {
  return (
    <article class={`tile ${open ? "open" : ""}`} data-state={tile.state} data-table={tile.table}>
      <Edge />
      <button type="button" class="in" aria-pressed={open} onClick={pick}>
        <header>
          <b><bdi>{tile.table.toUpperCase()}</bdi></b>
          <span class="g"><Say code={`game.${tile.game}`} /></span>
          <StateChip state={tile.state} />
        </header>
        <div class="mid">
          <div>
            <p class="main"><SayMessage message={tile.headline} /></p>
            <SubLine tile={tile} />
          </div>
          {tile.hold ? <Age sinceUs={tile.hold.since_us} class="age" />
            : tile.window?.kind === "betting" && tile.state === "betting" ? <Countdown window={tile.window} /> : null}
        </div>
        <footer>
          {tile.devices.map((device) => <Rungs key={device.name} device={device} />)}
          <span class="grow" />
          {tile.dealer && <bdi class="g">{tile.dealer}</bdi>}
          {place <= 8 && <kbd class="keyhint" aria-hidden="true">T {place}</kbd>}
        </footer>
      </button>
    </article>
  );
}

/** Every table in its fixed place; tiles never change places. */
export function Wall({ desk }: { desk: Desk }): JSX.Element {
  const alone = desk.table.value === "";
  const Part = alone ? "main" : "section";
  return (
    <Part class={`wall ${alone ? "whole" : ""}`} aria-label={say("sup.title")} data-count={desk.tables.value.length}>
      {alone && <h1 class="unseen"><Say code="sup.title" /></h1>}
      {desk.tables.value.map((tile, at) => (
        <Tile key={tile.table} tile={tile} place={at + 1} open={tile.table === desk.table.value} pick={() => { desk.open(tile.table === desk.table.value ? "" : tile.table); }} />
      ))}
    </Part>
  );
}

/** How many holds there are, the oldest, and whether somebody has it. */
function Queue({ desk }: { desk: Desk }): JSX.Element {
  void tick.value;
  const holds = desk.holds.value;
  const oldest = holds[0];
  if (!oldest?.hold) return <span class="q none"><Say code="sup.no_holds" /></span>;
  return (
    <span class="q" role="status">
      <button type="button" onClick={() => { desk.nextHold(); }}>
        <StateChip state="hold"><Say code="sup.holds" params={{ count: holds.length }} /></StateChip>
      </button>
      <span>
        <Say code="sup.oldest" params={{ age: ageText(clock.nowUs() - oldest.hold.since_us), table: oldest.table.toUpperCase() }} />{" "}
        {oldest.hold.taken_by ? <Say code="sup.taken" params={{ name: oldest.hold.taken_by }} /> : <Say code="sup.has_nobody" />}
      </span>
    </span>
  );
}

function Clock(): JSX.Element {
  void tick.value;
  return <time class="num"><b>{timeText(clock.nowUs(), "second")}</b></time>;
}

/** The bar over everything: studio, queue of holds, who sits here. */
export function TopBar({ desk }: { desk: Desk }): JSX.Element {
  const live = desk.tables.value.filter((tile) => tile.state !== "closed").length;
  return (
    <header class="top">
      <span class="brand">Cutcard</span>
      <bdi>{boot.studio}</bdi>
      <Queue desk={desk} />
      <span class="grow" />
      <span class="tables"><Say code="sup.tables" params={{ count: desk.tables.value.length }} />: <Say code="sup.live" params={{ count: live }} /></span>
      {boot.person && <span><Say code="sup.person" params={{ name: boot.person.name, role: boot.person.role }} /></span>}
      <button type="button" class="link" aria-haspopup="dialog" onClick={() => { settingsOpen.value = true; }}><Say code="settings.title" /></button>
      <Clock />
    </header>
  );
}
