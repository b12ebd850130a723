import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";

import { boot } from "../shared/boot";
import { cardName, known, NAMES, say } from "../shared/i18n";
import { Icon, type IconName } from "../shared/icons";
import { Rungs, StateChip } from "../shared/parts";
import { languageAfter, nextLanguage } from "../shared/shell";
import { Say } from "../shared/text";
import type { State } from "../shared/view";
import type { Answer, BenchLine, Refusal } from "./line";
import { pictureAge } from "./picture";

/** A refusal in the page's language; without words in it the server's own sentence. */
export function refusalWords(refusal: Refusal): string {
  if (!known(refusal.code) || refusal.code === "refused.bench") return refusal.text;
  const { card } = refusal.values;
  const named: Record<string, string> = typeof card !== "string" ? {} : { card: known(`enrol.thing.${card}`) ? say(`enrol.thing.${card}`) : cardName(card) };
  return say(refusal.code, { ...refusal.values, ...named });
}

/** Rung of the camera by the age of its newest picture. */
function rung(age: number | null): number {
  if (age === null) return 1;
  return age < 1000 ? 4 : age < 3000 ? 3 : 1;
}

/** A button that keeps its reason inside while it cannot be pressed. */
export function Press({ id, icon, main = false, reason = "", small, quiet = false, onPress, children }: {
  id: string; icon?: IconName; main?: boolean; reason?: string; small?: ComponentChildren; quiet?: boolean; onPress: () => void; children: ComponentChildren;
}): JSX.Element {
  const [told, setTold] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const off = reason !== "";
  const press = (): void => {
    if (!off) { onPress(); return; }
    setTold(reason);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => { setTold(""); }, 6000);
  };
  return (
    <button type="button" class={`btn ${main && !off ? "main" : ""} ${quiet ? "quiet" : ""}`} data-button={id} aria-disabled={off ? "true" : undefined} onClick={press}>
      {icon && <Icon name={icon} />}
      <span>{children}{off && !quiet ? <small>{reason}</small> : small !== undefined && <small>{small}</small>}</span>
      <span class="unseen" role="status">{told}</span>
    </button>
  );
}

/** The bar above both pages. */
export function Top<A extends Answer>({ line, title, about, facts, onLeave }: {
  line: BenchLine<A>; title: string; about: ComponentChildren; facts: ComponentChildren; onLeave: () => void;
}): JSX.Element {
  const state = line.state.value?.table.state;
  return (
    <header class="top">
      <span class="brand">Cutcard</span>
      <h1>{title}</h1>
      <span class="about">{about}</span>
      {state && <StateChip state={state as State}><Say code={`engineer.table.${state === "closed" ? "closed" : state === "hold" ? "hold" : "idle"}`} /></StateChip>}
      <span class="grow" />
      <Rungs device={{ name: "camera", kind: "camera", rung: rung(pictureAge.value), last_us: 0, bytes: 0, frames: 0, facts: 0, garbage: 0, detail: null }} />
      {facts}
      <span class="who"><bdi>{boot.person?.name}</bdi>{boot.person && <>{say("engineer.comma")}{say(`role.${boot.person.role}`)}</>}</span>
      <button type="button" class="link" data-button="language" lang={languageAfter()} onClick={nextLanguage}>{NAMES[languageAfter()]}</button>
      <button type="button" class="link" data-button="leave" onClick={onLeave}><Icon name="back" /><Say code="engineer.leave" /></button>
    </header>
  );
}

/** What lies over the page while its bench is not open, or the studio does not answer. */
export function Over<A extends Answer>({ line }: { line: BenchLine<A> }): JSX.Element | null {
  const closed = line.closed.value;
  if (closed !== null) {
    const again = !["refused.no_right", "refused.signed_out", "refused.no_bench", "refused.bench_starting"].includes(closed.code);
    return (
      <div class="sentence over" role="alert">
        <p>{refusalWords(closed)}</p>
        {again && <button type="button" class="btn main" data-button="again" onClick={() => { void line.open(); }}><Say code="engineer.begin_again" /></button>}
        <a class="btn" href="/engineer"><Say code="engineer.tables" /></a>
      </div>
    );
  }
  if (!line.heard.value) return <p class="silent" role="alert"><Icon name="signal" /> <Say code="engineer.silent" /></p>;
  if (line.state.value === null) return <div class="fetching" role="status"><p><Say code="load.fetching" params={{ table: boot.table.toUpperCase() }} /></p></div>;
  return null;
}

/** Leave for the start page; the bench is closed first. */
export async function leave<A extends Answer>(line: BenchLine<A>): Promise<void> {
  await line.leave();
  location.assign("/engineer");
}

/** Keep a file that came as base64. */
export function keepFile(name: string, type: string, base64: string): void {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => { URL.revokeObjectURL(link.href); }, 60_000);
}
