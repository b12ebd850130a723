import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { say } from "../shared/i18n";
import { Say } from "../shared/text";
import type { BenchLine } from "./line";
import type { Calibration } from "./calibration";
import { Press } from "./frame";

/** Pairs of markers whose distances fix their places: each with the next, and both diagonals of the first. */
export function pairs(markers: string[]): [string, string][] {
  const sorted = [...markers].sort((a, b) => Number(a) - Number(b));
  const out: [string, string][] = [];
  sorted.forEach((from, at) => { sorted.slice(at + 1).forEach((to) => { out.push([from, to]); }); });
  return out.slice(0, 15);
}

/** Distances from marker to marker by a tape, where there is no lens model to know them by. */
export function Tape({ markers, line }: { markers: string[]; line: BenchLine<Calibration> }): JSX.Element {
  const [given, setGiven] = useState<Record<string, string>>({});
  const all = pairs(markers);
  const send = (): void => {
    const distances = all.flatMap(([from, to]) => {
      const mm = Number((given[`${from}-${to}`] ?? "").replace(",", "."));
      return Number.isFinite(mm) && mm > 0 ? [[from, to, mm]] : [];
    });
    void line.ask("plane", { distances });
  };
  return (
    <form class="tape" data-typing onSubmit={(event) => { event.preventDefault(); send(); }}>
      {all.map(([from, to]) => (
        <label key={`${from}-${to}`}>
          <span class="ltr">{from}–{to}</span>
          <input inputMode="decimal" dir="ltr" aria-label={say("engineer.distance", { from, to })} value={given[`${from}-${to}`] ?? ""} onInput={(event) => { const { value } = event.currentTarget; setGiven((kept) => ({ ...kept, [`${from}-${to}`]: value })); }} />
        </label>
      ))}
      <Press id="tape" onPress={send}><Say code="engineer.measure" /></Press>
    </form>
  );
}
