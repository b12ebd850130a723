import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { listenKeys } from "../shared/keys";
import { Headline, Say } from "../shared/text";
import type { DealerView } from "../shared/view";
import { stepParams } from "./step";

const MOST_DIGITS = 3;
const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "erase", "0", "ok"];

/** The step that asks for a number: the question, the figure as it grows, and a keypad that is not mirrored. */
export function CountEntry({ view, enter }: { view: DealerView; enter: (count: number) => void }): JSX.Element {
  const [digits, setDigits] = useState("");
  const press = (key: string): void => {
    if (key === "erase") setDigits(digits.slice(0, -1));
    else if (key === "ok") { if (digits !== "") enter(Number(digits)); }
    else if (digits.length < MOST_DIGITS) setDigits((digits === "0" ? "" : digits) + key);
  };
  useEffect(() => listenKeys(() => {
    const map: Record<string, () => void> = { Backspace: () => press("erase"), Enter: () => press("ok"), NumpadEnter: () => press("ok") };
    for (let n = 0; n <= 9; n += 1) map[`Digit${n}`] = map[`Numpad${n}`] = () => { press(String(n)); };
    return map;
  }));
  const { step } = view;
  return (
    <>
      <section class="next count panel" aria-label={say("label.next_step")} data-step={step.code} data-kind={step.kind}>
        <div class="say" aria-live="assertive">
          <Headline sizes={[104, 92, 80, 68, 56]} lines={2} class="do"><Say code={step.code} params={stepParams(step, view)} /></Headline>
          <p class="line"><span><Say code={`${step.code}.line`} params={stepParams(step, view)} /></span></p>
        </div>
        <output class={`figure num ${digits === "" ? "empty" : ""}`} aria-live="polite">{digits === "" ? "0" : digits}</output>
      </section>
      <div class="pad" role="group" aria-label={say("label.keypad")}>
        {KEYS.map((key) => (
          <button
            key={key} type="button" class={`key ${key === "ok" ? "go" : ""}`} data-key={key} onClick={() => { press(key); }}
            aria-label={key === "erase" ? say("key.erase") : key === "ok" ? say("count.enter") : key}
            aria-disabled={key === "ok" && digits === "" ? "true" : undefined}
          >
            {key === "erase" ? <Icon name="erase" /> : key === "ok" ? <Icon name="tick" /> : key}
          </button>
        ))}
      </div>
    </>
  );
}
