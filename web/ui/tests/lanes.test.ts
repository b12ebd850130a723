import { beforeEach, describe, expect, it } from "vitest";

import { cutoffCode, dealerAndLanes, dealerResult, dealerResultText, endings, isShut, laneLetter, laneName, percentages, totalText, betName } from "../src/shared/lanes";
import { CATALOGUES, language, resultWord, say, speakOf } from "../src/shared/i18n";
import type { HandView, PastRoundView, ResultView } from "../src/shared/view";
import { markText } from "../src/overlay/lanes";
import { asDealt, cardsArgs, handsOf } from "../src/supervisor/correct";

function hand(zone: string, more: Partial<HandView> = {}): HandView {
  return { zone, total: null, cards: [], slots: [], word: null, ...more };
}

function result(code: string, dealer: number): ResultView {
  return { round_no: 1, code, totals: [["M", 18], ["D", dealer]], natural: false, marks: [], corrected: false };
}

beforeEach(() => {
  language.value = "en";
  speakOf("boundless-blackjack");
});

describe("a hand of a seat", () => {
  it("is kept in the order of the seats, with the dealer by itself, split hands side by side", () => {
    const [dealer, seats] = dealerAndLanes(["D", "S1:1", "S1:2", "S2", "BURN"].map((zone) => hand(zone)));
    expect(dealer?.zone).toBe("D");
    expect(seats.map((seat) => seat.zone)).toEqual(["S1:1", "S1:2", "S2"]);
  });

  it("is marked with the number of its seat, and with a letter where the seat has split", () => {
    const hands = ["S1:11", "S1:12", "S1:2", "S2"].map((zone) => hand(zone));
    expect(hands.map(({ zone }) => laneLetter(zone, hands))).toEqual(["1a", "1b", "1c", "2"]);
    expect(laneLetter("S3")).toBe("3");
    expect(laneLetter("M")).toBe("M");
  });

  it("gives the name of its seat to the stakes that lie on it", () => {
    expect(betName("double:S3:2")).toBe("Double on Seat 3");
    expect(betName("split:S1")).toBe("Split on Seat 1");
    expect(betName("double:S3:2", [hand("S3:1"), hand("S3:2")])).toBe("Double on Seat 3b");
    expect(laneName("S3:2")).toBe("Seat 3");
  });

  it("is shut once its player has given up, and a blackjack has one total", () => {
    expect(isShut(hand("S1", { state: "surrender" }))).toBe(true);
    expect(isShut(hand("S1", { state: "asked" }))).toBe(false);
    expect(totalText(hand("S1", { total: 21, low: 11, state: "blackjack" }))).toBe("21");
  });
});

describe("a hand of the shared round", () => {
  it("tells both totals while it is soft, and one where there is one", () => {
    expect(totalText(hand("M", { total: 17, low: 7 }))).toBe("7/17");
    expect(totalText(hand("M", { total: 17, low: null }))).toBe("17");
    expect(totalText(hand("M", { total: 21, low: 21 }))).toBe("21");
    expect(totalText(hand("M"))).toBe("");
  });

  it("keeps the lanes in the order in which they lie, with the dealer by itself", () => {
    const [dealer, lanes] = dealerAndLanes([hand("R"), hand("D"), hand("M"), hand("L"), hand("BURN")]);
    expect(dealer?.zone).toBe("D");
    expect(lanes.map((lane) => lane.zone)).toEqual(["R", "M", "L"]);
  });

  it("is shut once no card comes to it any more", () => {
    expect(["closed", "bust", "done", "blackjack", "next", "then", ""].map((state) => isShut(hand("M", { state })))).toEqual([true, true, true, true, false, false, false]);
  });
});

describe("shares", () => {
  it("are whole per cent that add up to a hundred", () => {
    for (const counts of [[1, 1, 1], [2, 3, 5], [871, 214, 48, 166, 21], [999, 1], [1, 999_999], [7]]) {
      const { rows } = percentages({ lane: "M", rows: counts.map((count, at) => [`a${at}`, count]) });
      expect(rows.reduce((sum, row) => sum + row.percent, 0)).toBe(100);
      for (const row of rows) expect(Math.abs(row.percent - (row.count * 100) / counts.reduce((a, b) => a + b))).toBeLessThan(1);
    }
  });

  it("of nobody are none", () => {
    expect(percentages({ lane: "", rows: [["insure", 0], ["decline", 0]] })).toEqual({
      all: 0, rows: [{ action: "insure", count: 0, percent: 0, passive: false }, { action: "decline", count: 0, percent: 0, passive: true }],
    });
  });

  it("put those who stand apart from those who act", () => {
    const { rows } = percentages({ lane: "M", rows: [["hit", 1], ["stand", 1], ["double", 1], ["split", 1], ["surrender", 1]] });
    expect(rows.filter((row) => row.passive).map((row) => row.action)).toEqual(["stand", "surrender"]);
  });
});

describe("side bets near their last round", () => {
  it("are told together where they end together, closed ones first", () => {
    expect(endings([["pair", 40, -1], ["bust_bonus", 45, 2], ["lucky_trio", 45, 2], ["main", 90, 30]])).toEqual([
      { bets: ["pair"], left: -1 }, { bets: ["bust_bonus", "lucky_trio"], left: 2 },
    ]);
    expect(endings([["pair", 40, 4]])).toEqual([]);
  });

  it("say that this is the last round, that rounds are left, or that they are closed", () => {
    expect([-1, 0, 1, 3].map((left) => say(cutoffCode(left), { count: left }))).toEqual(["closed for this shoe", "last round", "1 more round", "3 more rounds"]);
  });
});

describe("the result against the dealer", () => {
  it("is read from its code and the dealer's total", () => {
    expect(dealerResult(result("dealer_bust", 26))).toEqual({ word: "bust", total: 26 });
    expect(dealerResult(result("dealer_blackjack", 21))).toEqual({ word: "blackjack", total: 21 });
    expect(dealerResult(result("dealer_19", 19))).toEqual({ word: "stands", total: 19 });
    expect(dealerResult(result("banker", 9))).toBeNull();
  });

  it("is worded on the consoles and in the journal", () => {
    expect(dealerResultText(result("dealer_bust", 26))).toBe("Dealer busts with 26");
    expect(resultWord("dealer_19")).toBe("Dealer has 19");
    expect(resultWord("banker")).toBe("Banker");
    expect(say("journal.round_finished", { result: "dealer_17" })).toBe("Result: Dealer has 17");
  });

  it("names every pattern that a side bet can hit", () => {
    expect(markText("bust_bonus_5")).toBe("Bust Bonus, 5 cards");
    expect(markText("poker_trio_suited_trips")).toBe("Poker Trio, three identical");
  });

  it("names an extra stake by its hand", () => {
    expect(["main", "split", "double:L"].map((bet) => betName(bet))).toEqual(["Main bet", "Split", "Double on L"]);
  });
});

describe("words of the trade", () => {
  it("call a round a round where it is no coup", () => {
    expect(say("bar.coup_shoe", { round: 3, shoe: 1 })).toBe("Round 3, shoe 1");
    expect(say("sup.coup", { game: "baccarat", round: 3 })).toBe("Coup 3");
    speakOf("baccarat");
    expect(say("bar.coup_shoe", { round: 3, shoe: 1 })).toBe("Coup 3, shoe 1");
    expect(say("sup.coup", { game: "boundless-blackjack", round: 3 })).toBe("Round 3");
  });

  it("have a plain message for each of their own", () => {
    for (const catalogue of Object.values(CATALOGUES)) {
      const own = Object.keys(catalogue).filter((code) => code.endsWith("@round"));
      expect(own.length).toBeGreaterThan(50);
      expect(own.filter((code) => catalogue[code.replace("@round", "")] === undefined)).toEqual([]);
    }
  });

  it("leave no coup in a sentence that a round of blackjack may use", () => {
    const english = CATALOGUES["en"] ?? {};
    const left = Object.entries(english)
      .filter(([code, entry]) => /coup/i.test(JSON.stringify(entry)) && english[`${code}@round`] === undefined)
      .map(([code]) => code)
      .filter((code) => !code.startsWith("rule.") && !code.startsWith("signin.") && !code.startsWith("past.natural"));
    expect(left).toEqual([]);
  });
});

describe("a past round that is corrected", () => {
  const round = {
    round_id: "r", round_no: 1, code: "dealer_19", staked: 0, returned: 0, enabled: true, reason: null, owed: 0, corrected: false, policy: "void",
    cards: [["M", "8S"], ["D", "9C"], ["M", "8D"], ["D", "TH"], ["L", "3C"], ["R", "QS"]],
  } as PastRoundView;

  it("shows the dealer's hand and the lanes", () => {
    expect(handsOf(round)).toEqual([["D", ["9C", "TH"]], ["M", ["8S", "8D"]], ["L", ["3C"]], ["R", ["QS"]]]);
  });

  it("has lanes that a correction may have emptied", () => {
    const emptied = { ...round, corrected: true, cards: round.cards.slice(0, 4) };
    expect(handsOf(emptied)).toEqual([["D", ["9C", "TH"]], ["M", ["8S", "8D"]], ["L", []], ["R", []]]);
    expect(handsOf({ ...emptied, corrected: false })).toEqual([["D", ["9C", "TH"]], ["M", ["8S", "8D"]]]);
  });

  it("is sent in the order in which the cards were dealt, each with its hand", () => {
    const codes = (rows: [string, string[]][]): string => asDealt(rows, round).map(([zone, code]) => `${zone}:${code}`).join(" ");
    expect(codes([["D", ["9C", "7H"]], ["M", ["8S", "8D"]], ["L", ["3C"]], ["R", ["QS"]]])).toBe("M:8S D:9C M:8D D:7H L:3C R:QS");
    expect(codes([["D", ["9C", "TH", "2C"]], ["M", ["8S", "8D"]], ["L", []], ["R", ["QS"]]])).toBe("M:8S D:9C M:8D D:TH R:QS D:2C");
    expect(cardsArgs([["D", ["9C", "TH"]], ["M", ["8S", "8D"]]], round)).toEqual({ cards: ["8S", "9C", "8D", "TH"], zones: ["M", "D", "M", "D"] });
  });

  it("names no hands at baccarat", () => {
    expect(cardsArgs([["P", ["KD", "7S"]], ["B", ["2C", "5H"]]], round)).toEqual({ cards: ["KD", "2C", "7S", "5H"], zones: [] });
  });
});
