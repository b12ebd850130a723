import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { PlayingCard, Pip } from "../shared/cards";
import { cardName, firstKnown, say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { face } from "../shared/parts";
import { Say } from "../shared/text";
import { FACE_DOWN, RANKS, SUITS, isCard, typeCard } from "../shared/typed";
import type { CardView } from "../shared/view";

/** One hand as it is entered: its zone and its cards in order of dealing. */
export type Row = [string, string[]];

/** Where the next card goes. */
export interface Cursor { row: number; at: number }

/** How a code is drawn. */
export function shown(code: string): CardView {
  if (isCard(code)) return face(code);
  return { look: code === FACE_DOWN ? "back" : "question", card: "", sideways: false, mark: "" };
}

/** The rows with one card put in, changed or taken out. */
export function changed(rows: Row[], { row, at }: Cursor, card: string | null): Row[] {
  return rows.map(([zone, cards], place) => {
    if (place !== row) return [zone, cards];
    if (card === null) return [zone, cards.filter((_, each) => each !== at)];
    const next = [...cards];
    next[Math.min(at, cards.length)] = card;
    return [zone, next];
  });
}

/** Where the cursor goes after a card: along its hand, then to the next one. */
export function onward(rows: Row[], { row, at }: Cursor, most: number): Cursor {
  const cards = rows[row]?.[1] ?? [];
  if (at + 1 < Math.min(most, cards.length + 1)) return { row, at: at + 1 };
  return row + 1 < rows.length ? { row: row + 1, at: 0 } : { row, at: Math.min(at + 1, most - 1) };
}

function Pad({ rank, put, setRank, erase, hidden }: {
  rank: string; put: (card: string) => void; setRank: (rank: string) => void; erase: () => void; hidden: boolean;
}): JSX.Element {
  return (
    <div class="cardpad" role="group" aria-label={say("label.keypad")}>
      {RANKS.map((each) => (
        <button key={each} type="button" data-rank={each} class={each === rank ? "on" : ""} aria-pressed={each === rank} aria-label={say(`rank.${each}`)} onClick={() => { setRank(each); }}>
          {each === "T" ? "10" : each}
        </button>
      ))}
      <button type="button" data-key="erase" aria-label={say("key.erase")} onClick={erase}><Icon name="erase" /></button>
      {SUITS.map((suit) => (
        <button key={suit} type="button" class="suit" data-suit={suit} aria-label={say(`suit.${suit}`)} aria-disabled={rank === "" ? "true" : undefined} onClick={() => { if (rank !== "" && rank !== "1") put(`${rank}${suit}`); }}>
          <Pip suit={suit} />
        </button>
      ))}
      {hidden && <button type="button" class="down" data-key="down" onClick={() => { put(FACE_DOWN); }}><Icon name="facedown" /> <span><Say code="card.back" /></span></button>}
    </div>
  );
}

/** One place of a hand; pressing it moves the cursor there. */
function Slot({ zone, code, at, on, rank, differs, pick }: {
  zone: string; code: string | undefined; at: number; on: boolean; rank: string; differs: boolean; pick: () => void;
}): JSX.Element {
  const name = say(firstKnown(`zone.${zone}`, "zone.other"), { zone });
  const told = code === undefined ? say("felt.empty_slot") : isCard(code) ? cardName(code) : say(code === FACE_DOWN ? "card.back" : "card.question");
  return (
    <button type="button" class={`place ${on ? "on" : ""} ${differs ? "differs" : ""}`} data-place={`${zone}${at + 1}`} aria-pressed={on} aria-label={`${name} ${at + 1}: ${told}`} onClick={pick}>
      {on && rank !== "" ? <span class="slot typing num">{rank === "T" ? "10" : rank}</span>
        : code === undefined ? <span class="slot"><i aria-hidden="true">+</i></span> : <PlayingCard view={shown(code)} />}
    </button>
  );
}

/**
 * Hands that are entered card by card: by keys as `7H`, or by touching a place, a rank and a suit.
 *
 * `most` is how many cards a hand can have; `was` is what each hand is compared with. `beside` is drawn
 * after each hand. The hands are never mirrored.
 */
export function Slots({ rows, most, was, change, label, hidden = false, beside, done }: {
  rows: Row[]; most: number; was: Row[]; change: (rows: Row[]) => void; label: string; hidden?: boolean;
  beside?: (zone: string) => JSX.Element | null; done?: () => void;
}): JSX.Element {
  const [cursor, setCursor] = useState<Cursor>({ row: 0, at: 0 });
  const [rank, setRank] = useState("");
  const put = (card: string): void => {
    const next = changed(rows, cursor, card);
    change(next);
    setRank("");
    setCursor(onward(next, cursor, most));
  };
  const erase = (): void => {
    if (rank !== "") { setRank(""); return; }
    const cards = rows[cursor.row]?.[1] ?? [];
    const at = Math.min(cursor.at, cards.length - 1);
    if (at < 0) return;
    change(changed(rows, { row: cursor.row, at }, null));
    setCursor({ row: cursor.row, at });
  };
  const move = (row: number, at: number): void => {
    const to = Math.max(0, Math.min(rows.length - 1, row));
    setRank("");
    setCursor({ row: to, at: Math.max(0, Math.min(at, rows[to]?.[1].length ?? 0, most - 1)) });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [cursor.row, cursor.at - 1], ArrowRight: [cursor.row, cursor.at + 1], ArrowUp: [cursor.row - 1, cursor.at], ArrowDown: [cursor.row + 1, cursor.at],
    };
    const to = moves[event.code];
    const typed = typeCard(rank, event.code);
    if (to) move(...to);
    else if (event.code === "Backspace" || event.code === "Delete") erase();
    else if (event.code === "Enter" && done && !(event.target instanceof HTMLButtonElement)) done();
    else if (typed === null || (typed.card === FACE_DOWN && !hidden)) return;
    else if (typed.card !== "") put(typed.card);
    else setRank(typed.rank);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="slots" tabIndex={0} role="group" aria-label={label} data-typing onKeyDown={onKey}>
      <div class="rowsof">
        {rows.map(([zone, cards], row) => (
          <div key={zone} class="handrow" data-zone={zone}>
            <h3>{say(firstKnown(`zone.${zone}`, "zone.other"), { zone })}</h3>
            <div class="places">
              {Array.from({ length: Math.min(most, cards.length + 1) }, (_, at) => (
                <Slot
                  key={at} zone={zone} code={cards[at]} at={at} on={cursor.row === row && cursor.at === at} rank={rank}
                  differs={cards[at] !== was[row]?.[1][at]} pick={() => { move(row, at); }}
                />
              ))}
            </div>
            {beside?.(zone)}
          </div>
        ))}
      </div>
      <Pad rank={rank} put={put} setRank={setRank} erase={erase} hidden={hidden} />
    </div>
  );
}

/** One difference between two rows of cards, for a list. */
export interface Difference { zone: string; place: number; old: string; now: string }

/** Where `now` is not what `was` says; an absent card is the empty text. */
export function differences(was: Row[], now: Row[]): Difference[] {
  const found: Difference[] = [];
  for (const [zone, cards] of now) {
    const before = was.find(([name]) => name === zone)?.[1] ?? [];
    for (let at = 0; at < Math.max(cards.length, before.length); at += 1) {
      const [old, next] = [before[at] ?? "", cards[at] ?? ""];
      if (old !== next) found.push({ zone, place: at + 1, old, now: next });
    }
  }
  return found;
}

/** The differences in words, or that there are none. */
export function Differences({ list, none }: { list: Difference[]; none: string }): JSX.Element {
  if (list.length === 0) return <p class="same"><Icon name="tick" /> <span><Say code={none} /></span></p>;
  return (
    <ul class="diffs">
      {list.map(({ zone, place, old, now }) => (
        <li key={`${zone}${place}`}>
          <Icon name="unequal" />
          <span>
            <Say code={old === "" ? "felt.added" : now === "" ? "felt.gone" : "felt.other"} params={{ zone, place, old, now }} />
          </span>
        </li>
      ))}
    </ul>
  );
}
