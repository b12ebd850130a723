import type { JSX } from "preact";

import { boot } from "../shared/boot";
import { ageText, clock, tick, timeText } from "../shared/clock";
import { money, say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { Age, Countdown, CrowdLine, Edge, Rungs, StateChip, counted } from "../shared/parts";
import { settingsOpen } from "../shared/settings";
import { Say, SayMessage } from "../shared/text";
import type { TileView } from "../shared/view";
import { askedHere, waits } from "./approval";
import { Claim } from "./claim";
import type { Desk } from "./state";

/** From so many tables on, a tile is three rows of text. */
const DENSE_FROM = 9;

/** Second line of a tile: the coup and its money, or what a hold waits for. */
function SubLine({ tile }: { tile: TileView }): JSX.Element {
  const { game } = tile;
  return (
    <p class="sub">
      {tile.round_no === 0 ? <Say code="sup.no_coup" params={{ game }} />
        : tile.bets > 0 ? <Say code="sup.coup_bets" params={{ game, round: tile.round_no, count: tile.bets, sum: money(tile.staked, tile.currency) }} />
        : <Say code="sup.coup" params={{ game, round: tile.round_no }} />}
      {(tile.seated ?? 0) > 0 && !tile.hold && <><br /><CrowdLine crowd={tile} window={tile.window} /></>}
      {tile.hold && <><br />{tile.hold.taken_by ? <Say code="sup.taken" params={{ name: tile.hold.taken_by }} /> : <Say code="sup.nobody" />}</>}
    </p>
  );
}

/** That something at this table waits for a second person, and since when. */
function ApprovalMark({ tile }: { tile: TileView }): JSX.Element | null {
  const { approval } = tile;
  if (approval === null || !waits(approval)) return null;
  return (
    <p class="second">
      <Icon name="people" /> <span><Say code={askedHere(approval) ? "wall.approval_own" : "wall.approval"} params={{ name: approval.by_name }} /></span> <Age sinceUs={approval.at_us} />
    </p>
  );
}

function Tile({ tile, desk, place }: { tile: TileView; desk: Desk; place: number }): JSX.Element {
  const open = tile.table === desk.table.value;
  return (
    <article class={`tile ${open ? "open" : ""}`} data-state={tile.state} data-table={tile.table}>
      <Edge />
      <button type="button" class="in" aria-pressed={open} onClick={() => { desk.open(open ? "" : tile.table); }}>
        <header>
          <b><bdi>{tile.table.toUpperCase()}</bdi></b>
          <span class="g"><Say code={`game.${tile.game}`} /></span>
          <StateChip state={tile.state} />
        </header>
        <div class="mid">
          <div>
            <p class="main"><Say code={tile.headline.code} params={{ ...tile.headline.params, game: tile.game }} /></p>
            <SubLine tile={tile} />
            <ApprovalMark tile={tile} />
          </div>
          {tile.hold ? <Age sinceUs={tile.hold.since_us} class="age" />
            : tile.window && counted(tile.window, tile.state) ? <Countdown window={tile.window} /> : null}
        </div>
        <footer>
          {tile.devices.map((device) => <Rungs key={device.name} device={device} />)}
          <span class="grow" />
          {tile.dealer && <bdi class="g dealt">{tile.dealer}</bdi>}
          {place <= 8 && <kbd class="keyhint" aria-hidden="true">T {place}</kbd>}
        </footer>
      </button>
      <Claim desk={desk} table={tile.table} by={tile.claimed_by} name={tile.claimed_name} />
    </article>
  );
}

/** Which games lie on the wall, to show one of them alone. */
function GameFilter({ desk, games }: { desk: Desk; games: string[] }): JSX.Element | null {
  if (games.length < 2) return null;
  return (
    <div class="filter" role="group" aria-label={say("wall.filter")}>
      {["", ...games].map((game) => (
        <button key={game} type="button" class={game === desk.game.value ? "on" : ""} aria-pressed={game === desk.game.value} onClick={() => { desk.game.value = game; }}>
          <Say code={game === "" ? "wall.all" : `game.${game}`} />
        </button>
      ))}
    </div>
  );
}

/** Every table in its fixed place; tiles never change places. */
export function Wall({ desk }: { desk: Desk }): JSX.Element {
  const alone = desk.table.value === "";
  const Part = alone ? "main" : "section";
  const tables = desk.tables.value;
  const games = [...new Set(tables.map((tile) => tile.game))];
  const dense = tables.length >= DENSE_FROM;
  return (
    <Part class={`wall ${alone ? "whole" : ""} ${dense ? "dense" : ""}`} aria-label={say("sup.title")} data-count={tables.length}>
      {alone && <h1 class="unseen"><Say code="sup.title" /></h1>}
      {dense && <GameFilter desk={desk} games={games} />}
      {tables.map((tile, at) => (desk.game.value === "" || !dense || tile.game === desk.game.value) && (
        <Tile key={tile.table} tile={tile} place={at + 1} desk={desk} />
      ))}
    </Part>
  );
}

/** How many acts wait for a second person, and the way to the oldest of them. */
function Waiting({ desk }: { desk: Desk }): JSX.Element | null {
  const waiting = desk.tables.value.filter((tile) => waits(tile.approval)).sort((a, b) => (a.approval?.at_us ?? 0) - (b.approval?.at_us ?? 0));
  const oldest = waiting[0];
  if (!oldest) return null;
  return (
    <button type="button" class="q second" data-button="approvals" onClick={() => { desk.open(oldest.table); }}>
      <Icon name="people" /> <span><Say code="wall.waiting" params={{ count: waiting.length }} /></span>
    </button>
  );
}

/** How many holds there are, the oldest, and whether somebody has it. */
function Queue({ desk }: { desk: Desk }): JSX.Element {
  void tick.value;
  const holds = desk.holds.value;
  const oldest = holds[0];
  const alone = holds.filter((tile) => !tile.hold?.taken_by);
  if (!oldest?.hold) return <span class="q none"><Say code="sup.no_holds" /></span>;
  return (
    <span class="q" role="status">
      <button type="button" onClick={() => { desk.nextHold(); }}>
        <StateChip state="hold"><Say code="sup.holds" params={{ count: holds.length }} /></StateChip>
      </button>
      <span>
        <Say code="sup.oldest" params={{ age: ageText(clock.nowUs() - oldest.hold.since_us), table: oldest.table.toUpperCase() }} />{" "}
        {oldest.hold.taken_by ? <Say code="sup.taken" params={{ name: oldest.hold.taken_by }} /> : <Say code="sup.has_nobody" />}
        {oldest.hold.taken_by && alone[0] && <>{", "}<Say code="wall.also_nobody" params={{ table: alone[0].table.toUpperCase() }} /></>}
      </span>
    </span>
  );
}

/** Warnings about how people stand at the tables, as who answers for too many. */
function Findings({ desk }: { desk: Desk }): JSX.Element {
  return (
    <>
      {desk.findings.value.map((finding) => (
        <span key={`${finding.code} ${JSON.stringify(finding.params)}`} class="q finding" role="status"><Icon name="people" /> <SayMessage message={finding} /></span>
      ))}
    </>
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
      <Waiting desk={desk} />
      <Findings desk={desk} />
      <span class="grow" />
      <span class="tables"><Say code="sup.tables" params={{ count: desk.tables.value.length }} />: <Say code="sup.live" params={{ count: live }} /></span>
      {boot.profile && <span class="profile"><Say code="sup.profile" /> <b>{boot.profile}</b></span>}
      {boot.person && <span><Say code="sup.person" params={{ name: boot.person.name, role: boot.person.role }} /></span>}
      <button type="button" class="link" aria-haspopup="dialog" onClick={() => { settingsOpen.value = true; }}><Say code="settings.title" /></button>
      <Clock />
    </header>
  );
}
