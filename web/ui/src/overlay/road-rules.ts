import type { ResultView } from "../shared/view";

/** Rows of every road. */
export const ROWS = 6;

/** One entry of the big road: a win of a side, with the ties that hang on it. */
export interface Win {
  side: "player" | "banker";
  ties: number;
}

/** An entry with its place on a road's grid. */
export interface Placed<T> {
  column: number;
  row: number;
  entry: T;
}

/**
 * Streaks of the same side, in order. Ties hang on the last win; ties before the first win wait for
 * it. Columns depend on wins alone, so two ties in a row shift nothing.
 */
export function streaks(results: readonly Pick<ResultView, "code">[]): Win[][] {
  const columns: Win[][] = [];
  let waiting = 0;
  for (const { code } of results) {
    const last = columns.at(-1)?.at(-1);
    if (code === "tie") {
      if (last) last.ties += 1;
      else waiting += 1;
      continue;
    }
    if (code !== "player" && code !== "banker") continue;
    const win: Win = { side: code, ties: waiting };
    waiting = 0;
    if (last?.side === code) columns.at(-1)?.push(win);
    else columns.push([win]);
  }
  return columns;
}

/**
 * Lay streaks on a grid of six rows: down while there is room, then to the right. The next streak
 * starts in the first column right of where the last one started whose top is free.
 */
export function lay<T>(columns: readonly (readonly T[])[]): Placed<T>[] {
  const taken = new Set<string>();
  const placed: Placed<T>[] = [];
  let start = -1;
  for (const streak of columns) {
    start += 1;
    while (taken.has(`${start}/0`)) start += 1;
    let [column, row] = [start, 0];
    streak.forEach((entry, at) => {
      if (at > 0) {
        const turned = column !== start;
        if (!turned && row + 1 < ROWS && !taken.has(`${column}/${row + 1}`)) row += 1;
        else column += 1;
      }
      taken.add(`${column}/${row}`);
      placed.push({ column, row, entry });
    });
  }
  return placed;
}

/**
 * A derived road: `true` (red) where the big road repeats itself, `false` (blue) where it does not.
 *
 * `back` is 1 for the big eye boy, 2 for the small road, 3 for the cockroach road: how many columns
 * left the comparison looks. It begins at the second entry of column `back`, or at the first of the
 * column after it. At the top of a column the two columns before are compared by length; further
 * down it is red unless the column looked at ends exactly one row above (the usual rule of the
 * score boards).
 */
export function derived(columns: readonly (readonly Win[])[], back: number): boolean[] {
  const out: boolean[] = [];
  const depth = (column: number): number => columns[column]?.length ?? 0;
  columns.forEach((streak, column) => {
    streak.forEach((_, row) => {
      if (row === 0) {
        if (column > back) out.push(depth(column - 1) === depth(column - 1 - back));
      } else if (column >= back) {
        out.push(depth(column - back) !== row);
      }
    });
  });
  return out;
}

/** Runs of the same colour, as columns of a derived road. */
export function runs(marks: readonly boolean[]): boolean[][] {
  const columns: boolean[][] = [];
  for (const mark of marks) {
    if (columns.at(-1)?.[0] === mark) columns.at(-1)?.push(mark);
    else columns.push([mark]);
  }
  return columns;
}

/** The part of a road that fits so many columns: the newest, moved by whole columns. */
export function newest<T>(placed: readonly Placed<T>[], columns: number): Placed<T>[] {
  const used = placed.reduce((most, at) => Math.max(most, at.column + 1), 0);
  const shift = Math.max(0, used - columns);
  return placed.filter((at) => at.column >= shift).map((at) => ({ ...at, column: at.column - shift }));
}
