import type { JSX } from "preact";

import { number, say } from "./i18n";
import type { Roads } from "./view";

/** Rows of every road. */
const ROWS = 6;
const SIDES: Record<string, string> = { P: "player", B: "banker", T: "tie" };
/** Red stands in Banker's colour, blue in Player's. */
const TONES: Record<string, string> = { R: "banker", B: "player" };

/** One mark of a road: where it is drawn, and its letter. */
interface Mark {
  column: number;
  row: number;
  letter: string;
}

/** By how many whole columns a road is moved, so that the newest of them fit. */
export function shiftOf(picture: readonly string[], columns: number): number {
  return Math.max(0, ...picture.map((line) => line.length - columns));
}

/** The marks of a road that fit so many columns, the newest. Where they lie is the studio's word. */
export function marksOf(picture: readonly string[], columns: number): Mark[] {
  const shift = shiftOf(picture, columns);
  return picture.flatMap((line, row) => [...line].flatMap((letter, at) => (
    letter === "." || at < shift ? [] : [{ column: at - shift, row, letter }]
  )));
}

/** How often a letter lies on a road. */
export function countOf(picture: readonly string[], letter: string): number {
  return picture.reduce((sum, line) => sum + line.split(letter).length - 1, 0);
}

/** The newest letters of the bead plate, oldest first. */
export function lastOf(bead: readonly string[], most: number): string[] {
  const all = bead.reduce((sum, line) => sum + line.length, 0);
  const first = Math.max(0, all - most);
  return Array.from({ length: all - first }, (_, at) => bead[(first + at) % ROWS]?.[Math.floor((first + at) / ROWS)] ?? "");
}

function Board({ kind, columns, cell, label, children }: {
  kind: string; columns: number; cell: number; label: string; children: (JSX.Element | false)[];
}): JSX.Element {
  const lines: string[] = [];
  for (let c = 0; c <= columns; c += 1) lines.push(`M${c * cell} 0v${ROWS * cell}`);
  for (let r = 0; r <= ROWS; r += 1) lines.push(`M0 ${r * cell}h${columns * cell}`);
  return (
    <svg
      class={`road ${kind}`} width={columns * cell} height={ROWS * cell}
      viewBox={`0 0 ${columns * cell} ${ROWS * cell}`} role="img" aria-label={label}
    >
      <path class="grid" d={lines.join("")} />
      {children}
    </svg>
  );
}

/** Every result in its own bead, down and then right; a corrected one is framed for the rest of the shoe. */
export function BeadPlate({ roads, columns = 12, cell = 36 }: { roads: Roads; columns?: number; cell?: number }): JSX.Element {
  const radius = cell * 0.42;
  const shift = shiftOf(roads.bead, columns);
  const has = (places: [number, number][], mark: Mark): boolean => places.some(([column, row]) => column - shift === mark.column && row === mark.row);
  const list = lastOf(roads.bead, 8).map((letter) => say(`letter.${SIDES[letter] ?? ""}`)).join(" ");
  return (
    <Board kind="bead" columns={columns} cell={cell} label={say("label.bead_plate", { list })}>
      {marksOf(roads.bead, columns).map((mark) => {
        const x = (mark.column + 0.5) * cell;
        const y = (mark.row + 0.5) * cell;
        const side = SIDES[mark.letter] ?? "";
        return (
          <g key={`${mark.column + shift}/${mark.row}`} class={side}>
            <circle cx={x} cy={y} r={radius} />
            <text x={x} y={y + radius * 0.42} text-anchor="middle" font-size={radius * 1.2}>{say(`letter.${side}`)}</text>
            {has(roads.banker_pairs, mark) && <circle class="pair" cx={x - radius * 0.72} cy={y - radius * 0.72} r={cell * 0.12} />}
            {has(roads.player_pairs, mark) && <circle class="pair" cx={x + radius * 0.72} cy={y + radius * 0.72} r={cell * 0.12} />}
            {has(roads.corrected, mark) && <rect class="framed" x={x - cell / 2 + 1} y={y - cell / 2 + 1} width={cell - 2} height={cell - 2} />}
          </g>
        );
      })}
    </Board>
  );
}

/** Banker's ring is closed, Player's has a gap; ties are a stroke with their count. */
function Win({ side, ties, x, y, cell }: { side: string; ties: number; x: number; y: number; cell: number }): JSX.Element {
  const r = cell * 0.36;
  const around = 2 * Math.PI * r;
  return (
    <g class={side}>
      <circle
        class="open" cx={x} cy={y} r={r} stroke-width={cell * 0.14}
        stroke-dasharray={side === "player" ? `${around * 0.8} ${around * 0.2}` : undefined}
        transform={side === "player" ? `rotate(36 ${x} ${y})` : undefined}
      />
      {ties > 0 && <path class="tied" stroke-width={cell * 0.125} d={`M${x - r * 0.75} ${y + r * 0.75}L${x + r * 0.75} ${y - r * 0.75}`} />}
      {ties > 1 && <text class="ties" x={x} y={y + cell * 0.18} text-anchor="middle" font-size={cell * 0.5}>{number(ties)}</text>}
    </g>
  );
}

/** Wins of one side under each other, with the ties that hang on them. */
export function BigRoad({ roads, columns = 39, cell = 18 }: { roads: Roads; columns?: number; cell?: number }): JSX.Element {
  const shift = shiftOf(roads.big, columns);
  const ties = new Map(roads.ties.map(([column, row, count]) => [`${column - shift}/${row}`, count]));
  return (
    <Board kind="big" columns={columns} cell={cell} label={say("label.big_road")}>
      {marksOf(roads.big, columns).map(({ column, row, letter }) => (
        <Win
          key={`${column + shift}/${row}`} side={SIDES[letter] ?? ""} ties={ties.get(`${column}/${row}`) ?? 0}
          x={(column + 0.5) * cell} y={(row + 0.5) * cell} cell={cell}
        />
      ))}
    </Board>
  );
}

const DERIVED = ["big_eye", "small", "cockroach"] as const;

/** A derived road; its marks are rings, discs or strokes, so that each is known without its name. */
function DerivedRoad({ roads, road, columns, cell }: { roads: Roads; road: typeof DERIVED[number]; columns: number; cell: number }): JSX.Element {
  const r = cell * 0.36;
  return (
    <Board kind="derived" columns={columns} cell={cell} label={say(`label.${road}`)}>
      {marksOf(roads[road], columns).map(({ column, row, letter }) => {
        const x = (column + 0.5) * cell;
        const y = (row + 0.5) * cell;
        return (
          <g key={`${column}/${row}`} class={TONES[letter] ?? ""}>
            {road === "big_eye" && <circle class="open" cx={x} cy={y} r={r} stroke-width={cell / 6} />}
            {road === "small" && <circle cx={x} cy={y} r={r} />}
            {road === "cockroach" && <path stroke-width={cell * 0.2} d={`M${x - r} ${y + r}L${x + r} ${y - r}`} />}
          </g>
        );
      })}
    </Board>
  );
}

/** Big eye boy, small road and cockroach road side by side. */
export function DerivedRoads({ roads, columns = 25, cell = 9 }: { roads: Roads; columns?: number; cell?: number }): JSX.Element {
  return <div class="derivedroads">{DERIVED.map((road) => <DerivedRoad key={road} roads={roads} road={road} columns={columns} cell={cell} />)}</div>;
}

/** How often each side won, and how often it was a tie. */
export function Counts({ roads }: { roads: Roads }): JSX.Element {
  return (
    <span class="counts">
      {["P", "B", "T"].map((letter) => (
        <span key={letter} class="count" role="img" aria-label={`${say(`result.${SIDES[letter] ?? ""}`)} ${number(countOf(roads.bead, letter))}`}>
          <span class={`chip ${SIDES[letter] ?? ""}`} aria-hidden="true">{say(`letter.${SIDES[letter] ?? ""}`)}</span>
          <b class="num">{number(countOf(roads.bead, letter))}</b>
        </span>
      ))}
    </span>
  );
}
