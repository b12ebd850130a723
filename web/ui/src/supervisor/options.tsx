import type { JSX } from "preact";

import { say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { Say, SayMessage } from "../shared/text";
import type { CaseView, Message, OptionView } from "../shared/view";
import type { Desk } from "./state";
import { type Verdict, consequences } from "./verdict";

/** The policy's answers in its own order, the refused ones after them. */
export function optionsOf(given: CaseView): OptionView[] {
  return [...given.options.filter((option) => option.enabled), ...given.options.filter((option) => !option.enabled)];
}

/** The option that is looked at: the chosen one, else the policy's own answer; none is put forward but that. */
export function chosenOf(desk: Desk, given: CaseView | null): OptionView | null {
  if (given === null) return null;
  const open = given.options.filter((option) => option.enabled);
  return open.find((option) => option.command === desk.draft.value.option) ?? open.find((option) => option.first) ?? null;
}

/** Whether an option asks for what lies on the felt. */
export function asksFelt(option: OptionView | null, given: CaseView | null): boolean {
  if (option === null || given === null || given.felt === null) return false;
  return option.command === "RescanRound" || option.needs.includes("felt");
}

/** What an option is called here: a rescan is an entry by hand where the felt has to be entered. */
export function labelOf(option: OptionView, given: CaseView | null): Message {
  return option.label.code === "repair.RescanRound" && asksFelt(option, given) ? { code: "felt.option", params: {} } : option.label;
}

/** Whether policy asks for a second person where a card is named by hand. */
function twoForACard(given: CaseView): boolean {
  return given.options.some((each) => each.command === "CorrectCard" && each.people > 1);
}

/** How many people an option takes; an entered felt takes a second one only where it names another card. */
function People({ count, felt }: { count: number; felt: boolean }): JSX.Element {
  return <span class="two"><Icon name={count > 1 || felt ? "people" : "person"} /> <Say code={felt && count < 2 ? "sup.people_felt" : "sup.people"} params={{ count }} /></span>;
}

function Option({ option, given, place, on, verdict, pick }: { option: OptionView; given: CaseView; place: number; on: boolean; verdict: Verdict; pick: () => void }): JSX.Element {
  const then = consequences(option, on ? verdict : "");
  if (!option.enabled) {
    return (
      <div class="opt not" role="radio" aria-checked={false} aria-disabled="true" tabIndex={0} data-option={option.command}>
        <kbd>{place}</kbd>
        <strong><SayMessage message={labelOf(option, given)} /></strong>
        <span class="wide"><Say code="sup.refused" params={{ reason: option.reason ? say(option.reason.code, option.reason.params) : "" }} /></span>
      </div>
    );
  }
  return (
    <button type="button" class={`opt ${on ? "on" : ""}`} role="radio" aria-checked={on} data-option={option.command} onClick={pick}>
      <kbd>{place}</kbd>
      <span>
        <strong><SayMessage message={labelOf(option, given)} /></strong>
        {option.first && <Say code="sup.policy_first" />}
        <People count={option.people} felt={asksFelt(option, given) && twoForACard(given)} />
      </span>
      <span><SayMessage message={labelOf(option, given) === option.label ? option.effect_round : { code: "felt.option_effect", params: {} }} />{then.length > 0 && <em>{then.map((message, at) => <span key={at}><SayMessage message={message} />. </span>)}</em>}</span>
      <span class="money"><SayMessage message={option.effect_money} /></span>
    </button>
  );
}

const KEYS: [string, string][] = [
  ["A", "sup.key.do"], ["V", "sup.key.void"], ["F", "sup.key.frames"], ["J", "sup.key.journal"], ["D", "sup.key.devices"], ["N", "sup.key.next"],
];

/** Every answer of the policy as a numbered row; choosing one does nothing yet. */
export function Options({ desk, given, option }: { desk: Desk; given: CaseView; option: OptionView | null }): JSX.Element {
  const rows = optionsOf(given);
  return (
    <section class="opts">
      <h2><span><Say code="sup.what_policy" /></span><span><Say code="sup.effects" /></span></h2>
      <div class="rows" role="radiogroup" aria-label={say("sup.what_policy")}>
        {rows.map((each, at) => (
          <Option key={`${each.command}${at}`} option={each} given={given} place={at + 1} on={each === option} verdict={desk.draft.value.against} pick={() => { desk.choose(each); }} />
        ))}
      </div>
      <p class="keys" aria-hidden="true">
        <kbd>1</kbd>–<kbd>{Math.min(9, rows.length)}</kbd><Say code="sup.key.choose" />
        {KEYS.map(([key, code]) => <span key={key}><kbd>{key}</kbd> <Say code={code} /></span>)}
      </p>
    </section>
  );
}
