import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { PlayingCard } from "../shared/cards";
import { cardName, say } from "../shared/i18n";
import { face } from "../shared/parts";
import { Say } from "../shared/text";
import { FACE_DOWN, RANKS, SUITS, typeCard } from "../shared/typed";

/** Goes on to the next entry on Enter, where the Enter is not that of a button. */
function entered(event: KeyboardEvent, done: (() => void) | undefined): boolean {
  if (event.code !== "Enter" && event.code !== "NumpadEnter") return false;
  event.preventDefault();
  event.stopPropagation();
  done?.();
  return true;
}

/** The four by thirteen chart from which a person says which card it is: by touch, or by keys as `7H`. Never mirrored. */
export function CardPicker({ chosen, choose, done }: { chosen: string; choose: (card: string) => void; done?: () => void }): JSX.Element {
  const [rank, setRank] = useState("");
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target === event.currentTarget && entered(event, done)) return;
    const typed = typeCard(rank, event.code);
    if (typed === null || typed.card === FACE_DOWN) return;
    setRank(typed.rank);
    if (typed.card !== "") choose(typed.card);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="chart" role="radiogroup" tabIndex={0} data-typing aria-label={say("sup.needs_card")} onKeyDown={onKey}>
      {SUITS.flatMap((suit) => RANKS.map((each) => {
        const code = `${each}${suit}`;
        return (
          <button key={code} type="button" role="radio" tabIndex={-1} aria-checked={code === chosen} aria-label={cardName(code)} data-card={code} class={`${code === chosen ? "on" : ""} ${each === rank ? "half" : ""}`} onClick={() => { setRank(""); choose(code); }}>
            <PlayingCard view={face(code)} />
          </button>
        );
      }))}
    </div>
  );
}

/** The accepted cards of the open coup, to say which of them was wrong: by touch, or by its number. */
export function DealtPicker({ dealt, chosen, choose, done }: {
  dealt: [number, string, string][]; chosen: number | null; choose: (index: number) => void; done?: () => void;
}): JSX.Element {
  const onKey = (event: KeyboardEvent): void => {
    const digit = Number(/^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] ?? 0);
    const found = dealt.find(([index]) => index === digit - 1);
    if (!found) return;
    choose(found[0]);
    done?.();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="dealt" role="radiogroup" tabIndex={0} aria-label={say("sup.needs_index")} onKeyDown={onKey}>
      {dealt.map(([index, zone, code]) => (
        <button
          key={index} type="button" role="radio" aria-checked={index === chosen} data-index={index} class={index === chosen ? "on" : ""}
          aria-label={say("journal.card_dealt", { n: index + 1, card: code, zone })} onClick={() => { choose(index); }}
        >
          <PlayingCard view={face(code)} />
          <span><bdi class="num">{index + 1}</bdi> <Say code={`zone.${zone}`} /></span>
        </button>
      ))}
    </div>
  );
}

/** One of the policy's reasons, by touch or by its number, and words of one's own on top of it. */
export function ReasonPicker({ reasons, reason, note, fill, done, bare = false }: {
  reasons: string[]; reason: string; note: string; fill: (change: { reason?: string; note?: string }) => void; done?: () => void;
  /** Without words of one's own. */
  bare?: boolean;
}): JSX.Element {
  const onKey = (event: KeyboardEvent): void => {
    const at = Number(/^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] ?? 0) - 1;
    const found = reasons[at];
    if (found === undefined) return;
    fill({ reason: found });
    done?.();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="why">
      <div role="radiogroup" tabIndex={0} aria-label={say("sup.needs_reason")} onKeyDown={onKey}>
        {reasons.map((code, at) => (
          <button key={code} type="button" role="radio" aria-checked={code === reason} data-reason={code} class={code === reason ? "on" : ""} onClick={() => { fill({ reason: code }); }}>
            <i aria-hidden="true" data-digit={at + 1} /><span><Say code={code} /></span>
          </button>
        ))}
      </div>
      {!bare && <input type="text" name="note" maxLength={500} value={note} placeholder={say("sup.note")} aria-label={say("sup.note")} onKeyDown={(event) => { entered(event, done); }} onInput={(event) => { fill({ note: event.currentTarget.value }); }} />}
    </div>
  );
}
