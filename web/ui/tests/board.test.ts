import { beforeEach, describe, expect, it } from "vitest";

import { questionOf } from "../src/dealer/choosing";
import { callWord, cardOfTurn, claims, part, raiseText, sideOf, wonBy } from "../src/shared/board";
import { language, say } from "../src/shared/i18n";
import { betName } from "../src/shared/lanes";
import type { Board, DealerView, OptionView, RackSlot } from "../src/shared/view";
import { consequences, verdictArg } from "../src/supervisor/verdict";

function rack(...slots: [RackSlot["look"], string][]): RackSlot[] {
  return slots.map(([look, card], index) => ({ index, look, card }));
}

function board(changes: Partial<Board> = {}): Board {
  const seats = [0, 1, 2, 3].map((seat) => ({ seat, said: [], rack: rack(["back", ""], ["back", ""]), played: "", projects: [] }));
  return {
    seats, dealer: 3, scores: [0, 0], target: 152, game_no: 1, round_no: 1, asked: null, face: "", mode: "", trump: "", buyer: null, ashkal: false,
    multiplier: 1, gahwa: false, closed: false, tricks: [], won: [0, 0], counting: null, points: null, ended: "", winner: null, ...changes,
  };
}

describe("the board", () => {
  beforeEach(() => { language.value = "en"; });

  it("words calls, with the suit that a hokum names, and joins two projects", () => {
    expect(callWord("hokum:S")).toBe("Hokum in spades");
    expect(callWord("hundred+sira")).toBe("Hundred + Sira");
    expect(callWord("3")).toBe("third");
    expect(callWord("none")).toBe("No project");
  });

  it("knows a call that claims something from one that leaves it to others", () => {
    expect(["pass", "leave", "open", ""].map(claims)).toEqual([false, false, false, false]);
    expect(["hokum:H", "double", "closed"].map(claims)).toEqual([true, true, true]);
  });

  it("has partners sit opposite", () => {
    expect([0, 1, 2, 3].map(sideOf)).toEqual([0, 1, 0, 1]);
  });

  it("tells a raise by its figure and gahwa by its word", () => {
    expect(raiseText(board())).toBe("");
    expect(raiseText(board({ multiplier: 3 }))).toBe("×3");
    expect(raiseText(board({ gahwa: true }))).toBe("Gahwa");
  });

  it("gives a round to the side that wrote more, and a level one to nobody", () => {
    expect(wonBy(board())).toBeNull();
    expect(wonBy(board({ points: [10, 16] }))).toBe(1);
    expect(wonBy(board({ points: [13, 13] }))).toBeNull();
  });

  it("fills a bar no further than its end", () => {
    expect([part(-3, 152), part(76, 152), part(190, 152), part(1, 0)]).toEqual([0, 0.5, 1, 0]);
  });

  it("marks the last card of a trick that was taken until the next is led", () => {
    const trick = { lead: 0, cards: [[0, "7H"], [1, "8H"], [2, "9H"], [3, "TH"]] as [number, string][], winner: 3, points: 10 };
    expect(cardOfTurn(board({ tricks: [trick] }), 2)).toBe("9H");
    expect(cardOfTurn(board({ tricks: [trick], asked: { step: "play", seat: 3, options: ["1"], besides: [] } }), 2)).toBe("");
    expect(cardOfTurn(board({ tricks: [trick], ended: "made" }), 2)).toBe("");
  });

  it("tells one question from the next, so that a press meant for the first does not count", () => {
    const asked = (seat: number, number: number): DealerView => ({
      board: board({ asked: { step: "play", seat, options: ["1"], besides: [] } }), window: { number },
    }) as unknown as DealerView;
    expect(new Set([questionOf(asked(0, 1)), questionOf(asked(1, 1)), questionOf(asked(0, 2))]).size).toBe(3);
    expect(questionOf({ board: board() } as unknown as DealerView)).toBe("");
  });

  it("names a bet by the side that it is on", () => {
    expect(betName("round:1")).toBe("Round: Side B");
    expect(betName("kaboot:yes")).toBe("Kaboot: yes");
  });
});

describe("a verdict", () => {
  const option = {
    needs: ["against", "reason"],
    then: [0, 1, -1].map((against) => ({ code: "then.qayd", params: { against } })),
  } as unknown as OptionView;

  it("is sent as a side, or as none", () => {
    expect((["0", "1", "-1"] as const).map(verdictArg)).toEqual([0, 1, null]);
  });

  it("shows all consequences before it is chosen, and its own after", () => {
    expect(consequences(option, "")).toHaveLength(3);
    expect(consequences(option, "-1").map((message) => message.params["against"])).toEqual([-1]);
    expect(say("then.qayd", { against: 0, blamed: "0", side: "1", points: 26, ours: 0, theirs: 26 })).toContain("Side B");
  });
});
