import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { speakOf } from "../shared/i18n";
import { type KeyMap, listenKeys } from "../shared/keys";
import { leads } from "../shared/rights";
import { Settings, settingsOpen } from "../shared/settings";
import { Listening, nextLanguage } from "../shared/shell";
import { soundChime } from "../shared/sounds";
import { Say } from "../shared/text";
import type { SupervisorView } from "../shared/view";
import { approve, waits } from "./approval";
import { Case, givenCase, lift } from "./case";
import { CorrectPane, askCorrect } from "./correct";
import { Drawer } from "./drawer";
import { chosenOf, optionsOf } from "./options";
import { act } from "./prepare";
import type { Desk } from "./state";
import { TablePane } from "./table";
import { Receipt, VoidPane, askVoid } from "./void";
import { TopBar, Wall } from "./wall";

const MOST_TABLES = 8;

type Open = "receipt" | "void" | "case" | "correct" | "table";

/** Which pane is open beside the wall, from what the table says now. */
function paneOf(desk: Desk, view: SupervisorView): Open {
  if (desk.voided.value !== null) return "receipt";
  if (desk.pane.value === "correct") return "correct";
  if (view.dealer.hold === null) return "table";
  return desk.pane.value === "void" && view.void !== null ? "void" : "case";
}

function OpenTable({ desk }: { desk: Desk }): JSX.Element {
  const view = desk.view.value;
  if (view !== null) speakOf(view.dealer.game);
  const pane = view === null ? "" : paneOf(desk, view);
  const before = useRef(pane);
  useEffect(() => { if (view !== null) desk.seeAsked(view); }, [view, desk.asked.value]);
  if (before.current !== pane) {
    if (before.current !== "" && pane !== "" && !desk.own) desk.commander.layoutChanged();
    if (pane !== "") desk.own = false;
    before.current = pane;
  }
  if (view === null) return <main class="case"><p class="empty fetch" role="status"><Say code="sup.waiting_case" /></p></main>;
  const voided = desk.voided.value;
  if (voided !== null) return <Receipt desk={desk} view={view} kept={voided} />;
  const drawer = <Drawer desk={desk} view={view} />;
  if (pane === "void" && view.void !== null) return <><VoidPane desk={desk} view={view} preview={view.void} />{drawer}</>;
  if (pane === "correct") return <><CorrectPane desk={desk} view={view} />{drawer}</>;
  return <>{pane === "case" ? <Case desk={desk} view={view} /> : <TablePane desk={desk} view={view} />}{drawer}</>;
}

const KEYS: [string, string][] = [
  ["1 – 9", "key.choose"], ["A", "key.do"], ["Esc", "key.back"], ["V", "key.void"], ["Shift V", "key.void_do"], ["F", "key.frames"],
  ["← →", "key.step_frame"], ["J", "key.journal"], ["D", "key.devices"], ["R", "key.shoes"], ["K", "key.correct"], ["7 H", "key.card"], ["N", "key.next_hold"],
  ["T 1 – 8", "key.table"], ["L", "key.language"], ["?", "key.help"],
];
const REMIND_MS = 30_000;

/** A chime for each new hold, and again each 30 s while one has nobody. */
function useChime(desk: Desk): void {
  const waiting = desk.holds.value.filter((tile) => !tile.hold?.taken_by).map((tile) => `${tile.table}@${tile.hold?.since_us ?? 0}`);
  const known = useRef<string[]>([]);
  useEffect(() => {
    if (waiting.some((hold) => !known.current.includes(hold))) soundChime();
    known.current = waiting;
    if (waiting.length === 0) return undefined;
    const timer = setInterval(soundChime, REMIND_MS);
    return () => { clearInterval(timer); };
  }, [waiting.join()]);
}

/** `A`: say yes, lift, ask or do, whichever the open pane is about. */
function acts(desk: Desk, view: SupervisorView, pane: Open): void {
  if (view.approval !== null && waits(view.approval)) approve(desk, view.approval);
  else if (pane === "correct") askCorrect(desk, view);
  else if (pane === "case") {
    const given = givenCase(desk, view);
    if (given === null) { if (view.lift.enabled) lift(desk); } else act(desk, chosenOf(desk, given), given);
  }
}

/** `Esc`: close what lies on top, one thing at a time. */
function back(desk: Desk, pane: Open | ""): void {
  if (desk.drawer.value !== "") desk.look("");
  else if (pane === "void" || pane === "correct") desk.turn("case");
  else desk.open("");
}

function keysOf(desk: Desk): KeyMap {
  const view = desk.view.value;
  const pane = view === null ? "" : paneOf(desk, view);
  const given = view === null ? null : givenCase(desk, view);
  const map: KeyMap = {
    KeyN: () => { desk.nextHold(); },
    KeyL: nextLanguage,
    "Shift+Slash": () => { settingsOpen.value = true; },
    Escape: () => { back(desk, pane); },
    KeyV: () => { if (pane === "case" && view?.void) desk.turn("void"); },
    "Shift+KeyV": () => { if (pane === "void" && view) askVoid(desk, view); },
    KeyA: () => { if (view !== null && pane !== "") acts(desk, view, pane); },
    KeyF: () => { if (given !== null) desk.look("frames"); },
    KeyJ: () => { if (view !== null) desk.look("journal"); },
    KeyD: () => { if (view !== null) desk.look("devices"); },
    KeyR: () => { if (view?.dealer.roads) desk.look("shoes"); },
    KeyK: () => { if (leads() && pane === "table" && view !== null && view.past.length > 0) desk.turn("correct"); },
  };
  if (pane === "case" && given !== null) {
    optionsOf(given).forEach((option, at) => {
      if (at >= 9 || !option.enabled) return;
      map[`Digit${at + 1}`] = () => { desk.byKey = true; desk.choose(option); };
    });
  }
  if (pane === "void" && view !== null && !waits(view.approval)) {
    view.reasons.slice(0, 9).forEach((reason, at) => { map[`Digit${at + 1}`] = () => { desk.fill({ reason }); }; });
  }
  return map;
}

/** `T` and then a number opens that table; the number is awaited for two seconds. */
function listenTables(desk: Desk): () => void {
  let asked = Number.NEGATIVE_INFINITY;
  const onKey = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea, [data-typing]")) return;
    if (event.code === "KeyT") asked = performance.now();
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    if (digit === undefined || performance.now() - asked > 2000) return;
    asked = Number.NEGATIVE_INFINITY;
    event.stopImmediatePropagation();
    const tile = desk.tables.value[Number(digit) - 1];
    if (tile && Number(digit) <= MOST_TABLES) desk.open(tile.table);
  };
  document.addEventListener("keydown", onKey, true);
  return () => { document.removeEventListener("keydown", onKey, true); };
}

/** The supervisor's desk: the wall, and one table opened beside it. */
export function SupervisorScreen({ desk }: { desk: Desk }): JSX.Element {
  useEffect(() => listenKeys(() => keysOf(desk)));
  useChime(desk);
  useEffect(() => listenTables(desk), [desk]);
  return (
    <Listening source={desk.wall}>
      <div class={`sup ${desk.table.value === "" ? "" : "opened"}`}>
        <TopBar desk={desk} />
        <Wall desk={desk} />
        {desk.table.value !== "" && <OpenTable desk={desk} />}
        <Settings keys={KEYS} leave="" />
      </div>
    </Listening>
  );
}
