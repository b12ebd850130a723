import type { JSX } from "preact";

import { PlayingCard } from "../shared/cards";
import { cardName, say } from "../shared/i18n";
import { face } from "../shared/parts";
import { Say } from "../shared/text";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const SUITS = ["S", "H", "C", "D"];

/** The four by thirteen chart from which a person says which card it is. Never mirrored. */
export function CardPicker({ chosen, choose }: { chosen: string; choose: (card: string) => void }): JSX.Element {
  return (
    <div class="chart" role="radiogroup" aria-label={say("sup.needs_card")}>
      {SUITS.flatMap((suit) => RANKS.map((rank) => {
        const code = `${rank}${suit}`;
        return (
          <button key={code} type="button" role="radio" aria-checked={code === chosen} aria-label={cardName(code)} data-card={code} class={code === chosen ? "on" : ""} onClick={() => { choose(code); }}>
            <PlayingCard view={face(code)} />
          </button>
        );
      }))}
    </div>
  );
}

/** The accepted cards of the open coup, to say which of them was wrong. */
export function DealtPicker({ dealt, chosen, choose }: {
  dealt: [number, string, string][]; chosen: number | null; choose: (index: number) => void;
}): JSX.Element {
  return (
    <div class="dealt" role="radiogroup" aria-label={say("sup.needs_index")}>
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

/** One of the policy's reasons, and words of one's own on top of it. */
export function ReasonPicker({ reasons, reason, note, fill }: {
  reasons: string[]; reason: string; note: string; fill: (change: { reason?: string; note?: string }) => void;
}): JSX.Element {
  return (
    <div class="why">
      <div role="radiogroup" aria-label={say("sup.needs_reason")}>
        {reasons.map((code) => (
          <button key={code} type="button" role="radio" aria-checked={code === reason} data-reason={code} class={code === reason ? "on" : ""} onClick={() => { fill({ reason: code }); }}>
            <i aria-hidden="true" /><span><Say code={code} /></span>
          </button>
        ))}
      </div>
      <input type="text" maxLength={200} value={note} placeholder={say("sup.note")} aria-label={say("sup.note")} onInput={(event) => { fill({ note: event.currentTarget.value }); }} />
    </div>
  );
}

/** What is kept as the reason: the policy's code, with one's own words behind it. */
export function reasonText(reason: string, note: string): string {
  const words = note.trim();
  return words === "" ? reason : `${reason}: ${words}`;
}
