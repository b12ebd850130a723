import type { JSX } from "preact";

import { SideMark, sideName } from "../shared/board";
import { say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { Say } from "../shared/text";
import type { Message, OptionView } from "../shared/view";

/** A verdict on a qayd as it is chosen: against side 0 or 1, or −1 for none; empty before. */
export type Verdict = "" | "0" | "1" | "-1";

const VERDICTS: Exclude<Verdict, "">[] = ["0", "1", "-1"];

/** What a verdict is sent as: the side, or null where play goes on. */
export function verdictArg(verdict: Verdict): number | null {
  return verdict === "" || verdict === "-1" ? null : Number(verdict);
}

/** The consequences to show: those of the verdict that is chosen, all of them before. */
export function consequences(option: OptionView, verdict: Verdict): Message[] {
  if (!option.needs.includes("against") || verdict === "") return option.then;
  return option.then.filter((message) => message.params["against"] === undefined || String(message.params["against"]) === verdict);
}

/** Against which side, or none: by touch, or by 1, 2 and 3. */
export function VerdictPicker({ verdict, choose, done }: { verdict: Verdict; choose: (verdict: Verdict) => void; done: () => void }): JSX.Element {
  const onKey = (event: KeyboardEvent): void => {
    const found = VERDICTS[Number(/^(?:Digit|Numpad)([1-3])$/.exec(event.code)?.[1] ?? 0) - 1];
    if (found === undefined) return;
    choose(found);
    done();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="verdicts" role="radiogroup" tabIndex={0} aria-label={say("verdict.title")} onKeyDown={onKey}>
      {VERDICTS.map((each, at) => (
        <button key={each} type="button" role="radio" aria-checked={each === verdict} data-verdict={each} class={each === verdict ? "on" : ""} onClick={() => { choose(each); }}>
          <kbd class="keyhint" aria-hidden="true">{at + 1}</kbd>
          {each === "-1" ? <Icon name="tick" /> : <SideMark side={Number(each)} />}
          <span>{each === "-1" ? <Say code="verdict.none" /> : <Say code="verdict.against" params={{ side: sideName(Number(each)) }} />}</span>
        </button>
      ))}
    </div>
  );
}
