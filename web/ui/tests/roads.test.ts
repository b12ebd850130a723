import { describe, expect, it } from "vitest";

import { countOf, lastOf, marksOf, shiftOf } from "../src/shared/roads";

describe("a road as the studio gives it", () => {
  it("is drawn mark by mark where it lies", () => {
    expect(marksOf(["BP", "B.P", "", "", "", ""], 39)).toEqual([
      { column: 0, row: 0, letter: "B" }, { column: 1, row: 0, letter: "P" },
      { column: 0, row: 1, letter: "B" }, { column: 2, row: 1, letter: "P" },
    ]);
  });

  it("stands still while it fits, and scrolls by whole columns when it does not", () => {
    expect(shiftOf(["PBPB", "", "", "", "", ""], 4)).toBe(0);
    expect(shiftOf(["PBPB", "", "", "", "", "....BBB"], 4)).toBe(3);
    expect(marksOf(["PBPB", "", "", "", "", "....BBB"], 4)).toEqual([
      { column: 0, row: 0, letter: "B" },
      { column: 1, row: 5, letter: "B" }, { column: 2, row: 5, letter: "B" }, { column: 3, row: 5, letter: "B" },
    ]);
  });

  it("is empty without a result", () => {
    expect(marksOf(["", "", "", "", "", ""], 12)).toEqual([]);
    expect(shiftOf(["", "", "", "", "", ""], 12)).toBe(0);
  });
});

describe("the bead plate", () => {
  const bead = ["BP", "PT", "T", "B", "B", "B"];

  it("tells how often each side won", () => {
    expect(["P", "B", "T"].map((letter) => countOf(bead, letter))).toEqual([2, 4, 2]);
  });

  it("names the newest results, oldest first, column by column", () => {
    expect(lastOf(bead, 3).join("")).toBe("BPT");
    expect(lastOf(bead, 99).join("")).toBe("BPTBBBPT");
    expect(lastOf(["", "", "", "", "", ""], 8)).toEqual([]);
  });
});
