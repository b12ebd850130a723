import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { boot } from "../shared/boot";
import { clock, tick, timeText } from "../shared/clock";
import type { Commander } from "../shared/commands";
import type { Source } from "../shared/feed";
import { known, say, speakOf } from "../shared/i18n";
import { Icon, type IconName } from "../shared/icons";
import { type KeyMap, listenKeys } from "../shared/keys";
import { COMMANDS } from "../shared/names";
import { Button, Edge, Rungs, SecondsLeft, StateChip } from "../shared/parts";
import { Settings, settingsOpen } from "../shared/settings";
import { Listening, nextLanguage } from "../shared/shell";
import { soundHold } from "../shared/sounds";
import { Say } from "../shared/text";
import type { ButtonView, DealerView } from "../shared/view";
import { BoardPane, QaydButton } from "./choosing";
import { CountEntry } from "./count";
import { Felt } from "./felt";
import { Held } from "./held";
import { Counts } from "./lanes";
import { ReliefScreen, leave, mayLeave, otherDeals, relief, reliefLack, seatedHere } from "./relief";
import { Side } from "./side";
import { NextStep } from "./step";

const ICONS: Record<string, IconName> = {
  open_table: "betting", start_shoe: "cutcard", open_bets: "betting", close_bets: "lock", confirm: "tick",
  count: "tick", cut_card: "cutcard", call_supervisor: "bell", end_shoe: "erase", close_table: "lock",
};
/** Always there, in this order; the rest is shown only while it may be pressed. */
const STANDING = ["call_supervisor", "cut_card"];
const RARE = ["end_shoe", "close_table"];
const KEY_OF: Record<string, string> = { call_supervisor: "S", cut_card: "C", close_bets: "B" };

function Clock(): JSX.Element {
  void tick.value;
  return <time class="num">{timeText(clock.nowUs())}</time>;
}

function Bar({ view }: { view: DealerView }): JSX.Element {
  return (
    <header class="bar">
      <StateChip state={view.state} />
      <span class="sub">
        {view.round_no > 0 && view.board && view.phase !== "shoe" ? <Say code="label.coup" params={{ round: view.round_no }} /> : view.round_no > 0 && (view.wave ?? 0) > 0 ? <Say code="bar.wave_round" params={{ wave: view.wave ?? 0, round: view.round_no }} />
          : view.round_no > 0 && !view.board ? <Say code="bar.coup_shoe" params={{ round: view.round_no, shoe: view.shoe_no }} />
          : view.shoe_no > 0 ? <Say code="bar.shoe" params={{ shoe: view.shoe_no }} /> : <Say code={`game.${view.game}`} />}
      </span>
      <span class="grow" />
      {view.devices.map((device) => <Rungs key={device.name} device={device} />)}
      <button type="button" class="sub who" aria-haspopup="dialog" onClick={() => { settingsOpen.value = true; }}>
        <bdi>{view.table.toUpperCase()}</bdi> <span class="seat" data-seat={view.dealer === "" ? "nobody" : otherDeals(view) ? "other" : "own"}><Icon name="person" /> {view.dealer ? <bdi>{view.dealer}</bdi> : <Say code="relief.nobody" />}</span><span class="unseen"><Say code="settings.title" /></span>
      </button>
      <Clock />
    </header>
  );
}

/** The words of a button: those of the step where the catalogue has them, else of the command. */
function words(button: ButtonView, view: DealerView): string {
  const own = `button.confirm.${view.step.code.replace(/^step\./, "")}`;
  return button.command === "confirm" && known(own) ? own : `button.${button.command}`;
}

/** Commands that are asked of a supervisor; a dealer sees them with that reason (studio/live/rights.py). */
const LEADS_ONLY = new Set(["open_table", "close_table", "end_shoe"]);

/** The button as it is for whoever sits here. */
function forRole(button: ButtonView): ButtonView {
  if (boot.person?.role !== "dealer" || !LEADS_ONLY.has(button.command)) return button;
  return { ...button, enabled: false, reason: "refused.no_right" };
}

/** Yes and no, alike in size and look, where nobody else can know whether the hidden card makes a natural. */
function PeekAnswers({ view, commander }: { view: DealerView; commander: Commander }): JSX.Element {
  const given = view.buttons.find((button) => button.command === "answer_peek");
  const answer = (natural: boolean): void => { void commander.press(`peek.${natural ? "yes" : "no"}`, view.table, COMMANDS["answer_peek"] ?? "", { natural }); };
  return (
    <div class="peekpair" role="group" aria-label={say("peek.question")}>
      {[false, true].map((natural) => (
        <Button
          key={String(natural)} id={`peek.${natural ? "yes" : "no"}`} commander={commander} enabled={given?.enabled ?? true}
          reason={given && given.reason !== "" ? say(given.reason) : undefined} icon={natural ? "tick" : "cross"} onPress={() => { answer(natural); }}
        >
          <Say code={natural ? "peek.yes" : "peek.no"} />
        </Button>
      ))}
    </div>
  );
}

function Foot({ view, commander, press, told }: { view: DealerView; commander: Commander; press: (command: string) => void; told: string }): JSX.Element {
  const changing = relief.value !== "";
  const buttons = view.buttons.map(forRole).filter((button) => !changing || button.command === "call_supervisor");
  const byName = new Map(buttons.map((button) => [button.command, button]));
  const main = buttons.find((button) => button.main) ?? null;
  const rare = RARE.map((name) => byName.get(name)).filter((b): b is ButtonView => b !== undefined && b.enabled && !b.main);
  const draw = (button: ButtonView, small?: JSX.Element): JSX.Element => (
    <Button
      key={button.command} id={button.command} commander={commander} icon={ICONS[button.command]} main={button.main && button.enabled}
      stop={button.command === "call_supervisor"} enabled={button.enabled} small={small}
      reason={button.reason === "" ? undefined : say(button.reason)} onPress={() => { press(button.command); }}
      keys={button.main ? "Space" : KEY_OF[button.command]}
    >
      <Say code={words(button, view)} />
    </Button>
  );
  const early = main?.command === "close_bets" && view.window
    ? <><SecondsLeft window={view.window} /> <Say code="button.close_bets.early" /></> : undefined;
  return (
    <footer class="foot">
      {STANDING.map((name) => byName.get(name)).filter((b): b is ButtonView => b !== undefined && !b.main).map((b) => draw(b))}
      {!changing && <QaydButton view={view} commander={commander} />}
      {rare.map((button) => draw(button))}
      {otherDeals(view) && relief.value === "" && (
        <Button id="relief" commander={commander} icon="person" enabled={reliefLack(view) === ""} reason={reliefLack(view) === "" ? undefined : say(reliefLack(view))} onPress={() => { relief.value = "take"; }}>
          <Say code="relief.open" params={{ name: view.dealer }} />
        </Button>
      )}
      {told !== "" && <p class="told" role="alert">{told}</p>}
      <span class="grow" />
      {!changing && !otherDeals(view) && <Counts view={view} />}
      {!changing && !otherDeals(view) && view.seated ? <span class="grow" /> : null}
      {view.step.kind === "peek" && !changing && <PeekAnswers view={view} commander={commander} />}
      {main && main.command !== "count" ? draw(main, early) : main === null && !changing && view.step.kind !== "peek" ? (
        <Button id="confirm" commander={commander} enabled={false} reason={say("button.nothing")} onPress={() => undefined}>
          <Say code="button.confirm" />
        </Button>
      ) : null}
    </footer>
  );
}

/** Whether there is nothing to draw on the felt; the next step then takes the whole height. */
function bare(view: DealerView): boolean {
  return !view.board && view.hands.every((hand) => hand.cards.length + hand.slots.length === 0) && view.results.length === 0;
}

/** What changes the places of the buttons: after such a change presses are not obeyed for a moment. */
function layoutOf(view: DealerView): string {
  // In a game of tricks the one button confirms each card or stands grey in its place: that changes no place.
  const main = view.buttons.find((button) => button.main)?.command ?? (view.board ? "confirm" : "");
  return [view.hold !== null, view.state === "void", view.step.kind === "count" || view.step.kind === "peek", main].join();
}

const KEYS: [string, string][] = [
  ["Space", "key.confirm"], ["S", "key.call"], ["C", "key.cut"], ["B", "key.close_bets"], ["L", "key.language"], ["Q", "key.sign_out"], ["?", "key.help"],
];

/** Keys beside them where four seats play a game of tricks. */
const BOARD_KEYS: [string, string][] = [["1 – 9", "key.say"], ["Y", "key.qayd"]];

/** `Q`: the screen of leaving for who deals here, the sentence in mid-coup, the way out for anybody else. */
function quit(view: DealerView, commander: Commander, tell: (code: string) => void): void {
  if (!seatedHere(view)) leave(view, commander);
  else if (reliefLack(view) !== "") tell(reliefLack(view));
  else relief.value = "leave";
}

function keysOf(view: DealerView, commander: Commander, press: (command: string) => void, tell: (code: string) => void): KeyMap {
  const main = view.buttons.find((button) => button.main && button.enabled);
  const act = (command: string) => (): void => {
    if (view.buttons.some((button) => button.command === command && button.enabled)) press(command);
  };
  const confirm = (): void => { if (main && main.command !== "count") press(main.command); };
  return {
    Space: confirm, Enter: confirm, NumpadEnter: confirm,
    KeyS: () => { press("call_supervisor"); }, KeyC: act("cut_card"), KeyB: act("close_bets"), KeyL: nextLanguage,
    KeyQ: () => { quit(view, commander, tell); },
    Escape: () => { relief.value = ""; },
    "Shift+Slash": () => { settingsOpen.value = true; },
  };
}

const TOLD_MS = 6000;

/** A sentence that is told for six seconds. */
function useTold(): [string, (code: string) => void] {
  const [code, setCode] = useState("");
  useEffect(() => {
    if (code === "") return undefined;
    const timer = setTimeout(() => { setCode(""); }, TOLD_MS);
    return () => { clearTimeout(timer); };
  }, [code]);
  return [code === "" ? "" : say(code), setCode];
}

function Table({ view, commander }: { view: DealerView; commander: Commander }): JSX.Element {
  speakOf(view.game);
  const press = (command: string): void => {
    const name = COMMANDS[command];
    if (name) void commander.press(command, view.table, name, {}, command === "call_supervisor");
  };
  const layout = layoutOf(view);
  const before = useRef(layout);
  if (before.current !== layout) {
    before.current = layout;
    commander.layoutChanged();
  }
  const [told, tell] = useTold();
  useEffect(() => listenKeys(() => keysOf(view, commander, press, tell)));
  const seat = `${view.dealer}`;
  useEffect(() => { relief.value = ""; }, [seat]);
  const held = view.hold !== null;
  useEffect(() => { if (held) soundHold(); }, [held]);
  if (view.hold) return <Held view={view} hold={view.hold} commander={commander} />;
  return (
    <div class="dealer" data-state={view.state} data-phase={view.phase}>
      <Edge />
      <Bar view={view} />
      {relief.value !== "" ? <ReliefScreen view={view} commander={commander} /> : <main class={`work ${view.step.kind === "count" ? "counting" : view.board ? "tricks" : bare(view) ? "bare" : ""}`}>
        {view.step.kind === "count" ? (
          <CountEntry view={view} enter={(number) => { void commander.press("count", view.table, "EnterCount", { number }); }} />
        ) : (
          <>
            <NextStep view={view} />
            <Side view={view} />
            {!bare(view) && <Felt view={view} />}
            {view.board && <BoardPane view={view} board={view.board} commander={commander} />}
          </>
        )}
      </main>}
      <Foot view={view} commander={commander} press={press} told={told} />
    </div>
  );
}

/** The dealer console of one table. */
export function DealerScreen({ source, commander }: { source: Source<DealerView>; commander: Commander }): JSX.Element {
  const envelope = source.envelope.value;
  return (
    <Listening source={source}>
      {envelope && <Table view={envelope.view} commander={commander} />}
      {envelope && <Settings keys={envelope.view.board ? [...BOARD_KEYS, ...KEYS] : KEYS} leave={!seatedHere(envelope.view) || mayLeave(envelope.view) ? "" : say("settings.not_now")} out={() => { leave(envelope.view, commander); }} />}
    </Listening>
  );
}
