import { describe, expect, it } from "vitest";

import { derived, lay, newest, runs, streaks } from "../src/overlay/road-rules";
import type { ResultView } from "../src/shared/view";

const CODES = { P: "player", B: "banker", T: "tie" } as const;

function results(text: string): Pick<ResultView, "code">[] {
  return [...text].map((letter) => ({ code: CODES[letter as "P" | "B" | "T"] }));
}

function lengths(text: string): number[] {
  return streaks(results(text)).map((streak) => streak.length);
}

describe("the big road", () => {
  it("hangs ties on the last win, so two in a row move no column", () => {
    expect(lengths("PBTTPBPPPPPBPTBP")).toEqual([1, 1, 1, 1, 5, 1, 1, 1, 1]);
    expect(streaks(results("PBTTP"))[1]?.[0]?.ties).toBe(2);
  });

  it("lets leading ties wait for the first win", () => {
    const columns = streaks(results("TTB"));
    expect(columns).toHaveLength(1);
    expect(columns[0]?.[0]?.ties).toBe(2);
  });

  it("turns right at the bottom and starts the next streak beside the last start", () => {
    const placed = lay(streaks(results("BBBBBBBBPP")));
    expect(placed.map(({ column, row }) => [column, row])).toEqual([
      [0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [0, 5], [1, 5], [2, 5], [1, 0], [1, 1],
    ]);
  });

  it("turns early where a tail lies in the way", () => {
    const placed = lay(streaks(results("BBBBBBBPPPPPPP")));
    expect(placed.slice(7).map(({ column, row }) => [column, row])).toEqual([
      [1, 0], [1, 1], [1, 2], [1, 3], [1, 4], [2, 4], [3, 4],
    ]);
  });

  it("scrolls by whole columns when it is full", () => {
    const placed = newest(lay(streaks(results("PBPBPB"))), 4);
    expect(placed.map(({ column }) => column)).toEqual([0, 1, 2, 3]);
  });
});

describe("the derived roads", () => {
  it("begin at the second entry of their column, or at the first of the next", () => {
    expect(derived(streaks(results("PB")), 1)).toEqual([]);
    expect(derived(streaks(results("PBB")), 1)).toEqual([false]);
    expect(derived(streaks(results("PPBB")), 1)).toEqual([true]);
    expect(derived(streaks(results("PBP")), 1)).toEqual([true]);
    expect(derived(streaks(results("PPBP")), 1)).toEqual([false]);
  });

  it("are red again once both places beside are empty", () => {
    expect(derived(streaks(results("PBBB")), 1)).toEqual([false, true]);
  });

  it("look further back for the small road and the cockroach road", () => {
    const columns = streaks(results("PPBBPPBB"));
    expect(derived(columns, 2)).toEqual([true, true, true]);
    expect(derived(columns, 3)).toEqual([true]);
  });

  it("put equal marks under each other", () => {
    expect(runs([true, true, false, true])).toEqual([[true, true], [false], [true]]);
  });
});
