import type { JSX } from "preact";

import { say } from "../shared/i18n";
import type { ResultView } from "../shared/view";
import { type Win, ROWS, derived, lay, newest, runs, streaks } from "./road-rules";

function Grid({ columns, cell }: { columns: number; cell: number }): JSX.Element {
  const lines: string[] = [];
  for (let c = 0; c <= columns; c += 1) lines.push(`M${c * cell} 0v${ROWS * cell}`);
  for (let r = 0; r <= ROWS; r += 1) lines.push(`M0 ${r * cell}h${columns * cell}`);
  return <path class="grid" d={lines.join("")} />;
}

/** Every result in its own bead, down and then right; a corrected one is framed for the rest of the shoe. */
export function BeadPlate({ results, columns = 12, cell = 36 }: {
  results: ResultView[]; columns?: number; cell?: number;
}): JSX.Element {
  const used = Math.ceil(results.length / ROWS);
  const first = Math.max(0, used - columns) * ROWS;
  const radius = cell * 0.42;
  return (
    <svg
      class="road bead" width={columns * cell} height={ROWS * cell} viewBox={`-1 -1 ${columns * cell + 2} ${ROWS * cell + 2}`}
      role="img" aria-label={say("label.bead_plate", { list: results.slice(-8).map((r) => say(`letter.${r.code}`)).join(" ") })}
    >
      <Grid columns={columns} cell={cell} />
      {results.slice(first).map((result, at) => {
        const x = (Math.floor(at / ROWS) + 0.5) * cell;
        const y = ((at % ROWS) + 0.5) * cell;
        return (
          <g key={result.round_no} class={result.code}>
            <circle cx={x} cy={y} r={radius} />
            <text x={x} y={y + radius * 0.42} text-anchor="middle" font-size={radius * 1.2}>{say(`letter.${result.code}`)}</text>
            {result.marks.includes("banker_pair") && <circle class="pair" cx={x - radius * 0.72} cy={y - radius * 0.72} r={cell * 0.12} />}
            {result.marks.includes("player_pair") && <circle class="pair" cx={x + radius * 0.72} cy={y + radius * 0.72} r={cell * 0.12} />}
            {result.corrected && <rect class="framed" x={x - cell / 2 + 1} y={y - cell / 2 + 1} width={cell - 2} height={cell - 2} />}
          </g>
        );
      })}
    </svg>
  );
}

/** Banker's ring is closed, Player's has a gap; ties are a stroke with their count. */
function BigMark({ win, x, y, r }: { win: Win; x: number; y: number; r: number }): JSX.Element {
  const around = 2 * Math.PI * r;
  return (
    <g class={win.side}>
      <circle
        class="open" cx={x} cy={y} r={r}
        stroke-dasharray={win.side === "player" ? `${around * 0.8} ${around * 0.2}` : undefined}
        transform={win.side === "player" ? `rotate(36 ${x} ${y})` : undefined}
      />
      {win.ties > 0 && <path class="tied" d={`M${x - r * 0.75} ${y + r * 0.75}L${x + r * 0.75} ${y - r * 0.75}`} />}
      {win.ties > 1 && <text class="ties" x={x} y={y + r * 0.42} text-anchor="middle" font-size={r * 1.25}>{win.ties}</text>}
    </g>
  );
}

/** Streaks side by side, 6 by 39. */
export function BigRoad({ results, columns = 39, cell = 18 }: { results: ResultView[]; columns?: number; cell?: number }): JSX.Element {
  const placed = newest(lay(streaks(results)), columns);
  return (
    <svg class="road big" width={columns * cell} height={ROWS * cell} viewBox={`-1 -1 ${columns * cell + 2} ${ROWS * cell + 2}`} role="img" aria-label={say("label.big_road")}>
      <Grid columns={columns} cell={cell} />
      {placed.map(({ column, row, entry }) => (
        <BigMark key={`${column}/${row}`} win={entry} x={(column + 0.5) * cell} y={(row + 0.5) * cell} r={cell * 0.36} />
      ))}
    </svg>
  );
}

/** Big eye boy (rings), small road (discs), cockroach road (strokes), 6 by 25 each. */
export function DerivedRoad({ results, back, columns = 25, cell = 9 }: {
  results: ResultView[]; back: 1 | 2 | 3; columns?: number; cell?: number;
}): JSX.Element {
  const placed = newest(lay(runs(derived(streaks(results), back))), columns);
  const r = cell * 0.36;
  return (
    <svg class="road derived" width={columns * cell} height={ROWS * cell} viewBox={`-1 -1 ${columns * cell + 2} ${ROWS * cell + 2}`} role="img" aria-label={say(`label.derived_${back}`)}>
      <Grid columns={columns} cell={cell} />
      {placed.map(({ column, row, entry }) => {
        const x = (column + 0.5) * cell;
        const y = (row + 0.5) * cell;
        const side = entry ? "banker" : "player";
        return (
          <g key={`${column}/${row}`} class={side}>
            {back === 1 && <circle class="open thin" cx={x} cy={y} r={r} />}
            {back === 2 && <circle cx={x} cy={y} r={r} />}
            {back === 3 && <path class="stroke" d={`M${x - r} ${y + r}L${x + r} ${y - r}`} />}
          </g>
        );
      })}
    </svg>
  );
}
