import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { PlayingCard } from "./cards";
import { ageText, clock, remainingUs, tick, wholeSeconds } from "./clock";
import type { Commander } from "./commands";
import { known, say } from "./i18n";
import { Icon, type IconName } from "./icons";
import { soundLate } from "./sounds";
import { Say } from "./text";
import type { CardView, Crowd, DealerView, DeviceView, HandView, State, WindowView } from "./view";

/** The mark and word of a state on its colour. */
export function StateChip({ state, quiet = false, children }: {
  state: State; quiet?: boolean; children?: ComponentChildren;
}): JSX.Element {
  return (
    <span class={`state ${quiet ? "quiet" : ""}`} data-state={state}>
      <Icon name={state} />
      <span>{children ?? <Say code={`state.${state}`} />}</span>
    </span>
  );
}

/** Which round it is: of its game where that goes over several shoes, else of its shoe; `none` is said where there is no round. */
export function RoundLine({ view, none }: { view: DealerView; none: string }): JSX.Element {
  const { board, round_no: round, shoe_no: shoe } = view;
  if (round === 0 || (board && view.phase === "shoe")) return <Say code={none} params={{ shoe }} />;
  if (board) return <Say code="board.game_round" params={{ game_no: board.game_no, round_no: round }} />;
  return <Say code="bar.coup_shoe" params={{ round, shoe }} />;
}

/** The bar on the leading side that tells the state by pattern. */
export function Edge(): JSX.Element {
  return <div class="edge" aria-hidden="true" />;
}

/** What a device is called: its kind, where that is enough. */
export function deviceName(device: { name: string; kind: string }): string {
  const code = `device.${device.kind}`;
  return known(code) ? say(code) : device.name;
}

/** Four rungs and a name. */
export function Rungs({ device }: { device: DeviceView }): JSX.Element {
  const rung = Math.max(0, Math.min(4, device.rung));
  const name = deviceName(device);
  return (
    <span class="rungs" data-rung={rung} title={`${device.name}: ${say(`device.rung.${rung}`)}`}>
      <i aria-hidden="true"><b /><b /><b /><b /></i>
      <span>{name}</span>
      <span class="unseen">{say(`device.rung.${rung}`)}</span>
    </span>
  );
}

/** A ring that empties and a figure; the last five seconds are a solid disc. */
export function Ring({ part, figure, solid = false, timer = true, children }: {
  part: number; figure: string; solid?: boolean; timer?: boolean; children?: ComponentChildren;
}): JSX.Element {
  const left = Math.max(0, Math.min(1, part)) * 100;
  return (
    <span class={`ring ${solid ? "solid" : ""}`} role={timer ? "timer" : undefined} aria-live="off">
      <svg viewBox="0 0 120 120" aria-hidden="true">
        <circle cx="60" cy="60" r="54" />
        <circle cx="60" cy="60" r="54" pathLength={100} stroke-dasharray={`${left} 101`} />
      </svg>
      <b class={figure.length > 2 ? "long" : ""}>{figure}</b>
      {children}
    </span>
  );
}

/** The countdown of an open window, always from the server's deadline. */
export function Countdown({ window: open }: { window: WindowView }): JSX.Element {
  void tick.value;
  const left = remainingUs(open, clock.nowUs());
  const seconds = wholeSeconds(left);
  const stopped = open.suspended_us !== null;
  return (
    <span class="countdown" data-state={stopped ? "hold" : undefined}>
      <Ring part={open.total_us > 0 ? left / open.total_us : 0} figure={String(seconds)} solid={seconds <= 5 && !stopped} />
      <span class="unseen" aria-live="polite">{[10, 5, 0].includes(seconds) && !stopped ? say("window.left", { count: seconds }) : ""}</span>
    </span>
  );
}

/** Whether a window counts down before people: bets are open, or players choose. */
export function counted(open: WindowView | null, state: State): boolean {
  return open !== null && (open.kind === "betting" ? state === "betting" : open.kind !== "result");
}

/** How many have a hand, and how many of them have answered or take a card, in one line. */
export function CrowdLine({ crowd, window: open }: { crowd: Crowd; window: WindowView | null }): JSX.Element | null {
  const { seated = 0, takers = 0, wave = 0 } = crowd;
  if (seated === 0) return null;
  const asked = open?.asked ?? 0;
  return (
    <>
      <Say code="crowd.seated" params={{ count: seated }} />
      {asked > 0 ? <>{say("list.comma")}<Say code="window.answered" params={{ count: open?.answered ?? 0, of: asked }} /></>
        : takers > 0 && wave > 0 ? <>{say("list.comma")}<Say code="crowd.takers" params={{ wave, count: takers }} /></> : null}
    </>
  );
}

/** Seconds left of a window, for a sentence. */
export function SecondsLeft({ window: open }: { window: WindowView }): JSX.Element {
  void tick.value;
  return <bdi class="num">{wholeSeconds(remainingUs(open, clock.nowUs()))}</bdi>;
}

/** How long ago an instant was, running. */
export function Age({ sinceUs, class: name = "" }: { sinceUs: number; class?: string }): JSX.Element {
  void tick.value;
  return <span class={`num ltr ${name}`}>{ageText(clock.nowUs() - sinceUs)}</span>;
}

/** The pace of a card that is due; after its time the panel says since when. */
export function Pace({ sinceUs, paceUs, title, note }: {
  sinceUs: number; paceUs: number; title: string; note: ComponentChildren;
}): JSX.Element {
  void tick.value;
  const gone = Math.max(0, clock.nowUs() - sinceUs);
  const late = gone > paceUs;
  useEffect(() => { if (late) soundLate(); }, [late]);
  const figure = late ? Math.floor(gone / 1_000_000) : wholeSeconds(paceUs - gone);
  return (
    <section class="pace panel" data-state={late ? "hold" : undefined} aria-label={title}>
      <Ring part={late ? 0 : 1 - gone / paceUs} figure={String(figure)} timer={false} />
      <p>
        {late ? <Say code="pace.late" params={{ count: figure }} /> : title}
        <small>{note}</small>
      </p>
    </section>
  );
}

/** The cards of a hand and the places still to come, in order of dealing, left to right everywhere. */
export function Hand({ hand, numbers = true, dueState = "dealing" }: {
  hand: HandView; numbers?: boolean; dueState?: State;
}): JSX.Element {
  return (
    <div class="hand">
      {hand.cards.map((card, at) => <PlayingCard key={at} view={card} />)}
      {hand.slots.map((slot, at) => (
        <span
          key={`s${at}`}
          class={`slot ${slot.due ? "due" : ""} ${slot.sideways ? "across" : ""}`}
          data-state={slot.due ? dueState : undefined}
        >
          {numbers && (slot.order > 0 ? slot.order : <small><Say code="slot.if_drawn" /></small>)}
        </span>
      ))}
    </div>
  );
}

/** A card alone, from its code. */
export function face(code: string, mark: CardView["mark"] = ""): CardView {
  return { look: "face", card: code, sideways: false, mark };
}

/** How a button is told what to do. */
export interface ButtonProps {
  /** Name of the button for its own answer and deafness. */
  id: string;
  commander: Commander;
  onPress: () => void;
  icon?: IconName;
  main?: boolean;
  stop?: boolean;
  danger?: boolean;
  enabled?: boolean;
  /** Why it cannot be pressed now, in words. */
  reason?: string;
  keys?: string;
  small?: ComponentChildren;
  children: ComponentChildren;
}

/**
 * A button that says what became of its press.
 *
 * It acts on release inside itself, keeps its focus when it is off, and then repeats its reason.
 */
export function Button(props: ButtonProps): JSX.Element {
  const { id, commander, enabled = true } = props;
  const pressed = commander.state(id).value;
  const [refusal, setRefusal] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => { clearTimeout(timer.current); }, []);
  const press = (): void => {
    if (enabled) {
      props.onPress();
      return;
    }
    setRefusal(props.reason ?? say("refused.not_now"));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => { setRefusal(""); }, 6000);
  };
  const small = pressed.phase === "waiting" ? say("button.waiting")
    : pressed.phase === "rejected" ? pressed.text
    : enabled ? props.small : props.reason;
  const look = ["btn", props.main && enabled && "main", props.stop && "stop", props.danger && "danger",
    pressed.phase === "rejected" && "refused", pressed.phase === "waiting" && "waiting"].filter(Boolean).join(" ");
  return (
    <button type="button" class={look} data-button={id} aria-disabled={enabled ? undefined : "true"} aria-busy={pressed.phase === "waiting"} onClick={press}>
      {props.icon && <Icon name={props.icon} />}
      <span class="words">
        {props.children}
        {small !== undefined && small !== "" && <small>{small}</small>}
      </span>
      {props.keys && <kbd class="keyhint" aria-hidden="true">{props.keys}</kbd>}
      <span class="unseen" role="status">{refusal || (pressed.phase === "rejected" ? pressed.text : "")}</span>
    </button>
  );
}
