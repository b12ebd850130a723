import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { type KeyMap, listenKeys } from "../shared/keys";
import { Settings, settingsOpen } from "../shared/settings";
import { Listening, nextLanguage } from "../shared/shell";
import { soundChime } from "../shared/sounds";
import { Say } from "../shared/text";
import type { SupervisorView } from "../shared/view";
import { Case, act, chosenOf, lift, optionsOf } from "./case";
import type { Desk } from "./state";
import { TablePane } from "./table";
import { Receipt, VoidPane, askVoid } from "./void";
import { TopBar, Wall } from "./wall";

const MOST_TABLES = 8;

/** Which pane is open beside the wall, from what the table says now. */
function paneOf(desk: Desk, view: SupervisorView): "receipt" | "void" | "case" | "table" {
  if (desk.voided.value !== null) return "receipt";
  if (view.dealer.hold === null) return "table";
  return desk.pane.value === "void" && view.void !== null ? "void" : "case";
}

function OpenTable({ desk }: { desk: Desk }): JSX.Element {
  const view = desk.view.value;
  const pane = view === null ? "" : paneOf(desk, view);
  const before = useRef(pane);
  if (before.current !== pane) {
    if (before.current !== "" && pane !== "" && !desk.own) desk.commander.layoutChanged();
    if (pane !== "") desk.own = false;
    before.current = pane;
  }
  if (view === null) return <main class="case"><p class="empty fetch" role="status"><Say code="sup.waiting_case" /></p></main>;
  const voided = desk.voided.value;
  if (voided !== null) return <Receipt desk={desk} view={view} kept={voided} />;
  if (pane === "void" && view.void !== null) return <VoidPane desk={desk} view={view} preview={view.void} />;
  return pane === "case" ? <Case desk={desk} view={view} /> : <TablePane desk={desk} view={view} />;
}

const KEYS: [string, string][] = [
  ["1 – 9", "key.choose"], ["A", "key.do"], ["Esc", "key.back"], ["V", "key.void"], ["Shift V", "key.void_do"], ["N", "key.next_hold"],
  ["T 1 – 8", "key.table"], ["L", "key.language"], ["?", "key.help"],
];
const REMIND_MS = 30_000;

/** A chime for each new hold, and again while one has nobody. */
function useChime(desk: Desk): void {
  const waiting = desk.holds.value.filter((tile) => !tile.hold?.taken_by).map((tile) => tile.table).join();
  useEffect(() => {
    if (waiting === "") return undefined;
    soundChime();
    const timer = setInterval(soundChime, REMIND_MS);
    return () => { clearInterval(timer); };
  }, [waiting]);
}

function keysOf(desk: Desk): KeyMap {
  const view = desk.view.value;
  const pane = view === null ? "" : paneOf(desk, view);
  const given = view?.cases[Math.min(desk.place.value, (view?.cases.length ?? 1) - 1)] ?? null;
  const map: KeyMap = {
    KeyN: () => { desk.nextHold(); },
    KeyL: nextLanguage,
    "Shift+Slash": () => { settingsOpen.value = true; },
    Escape: () => {
      if (pane === "void") desk.turn("case");
      else desk.open("");
    },
    KeyV: () => { if (pane === "case" && view?.void) desk.turn("void"); },
    "Shift+KeyV": () => { if (pane === "void" && view) askVoid(desk, view); },
    KeyA: () => {
      if (pane !== "case" || view === null) return;
      if (given === null) { if (view.lift.enabled) lift(desk); } else act(desk, chosenOf(desk, given));
    },
  };
  if (pane === "case" && given !== null) {
    optionsOf(given).forEach((option, at) => {
      if (at < 9 && option.enabled) map[`Digit${at + 1}`] = () => { desk.choose(option); };
    });
  }
  return map;
}

/** `T` and then a number opens that table; the number is awaited for two seconds. */
function listenTables(desk: Desk): () => void {
  let asked = Number.NEGATIVE_INFINITY;
  const onKey = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea")) return;
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
