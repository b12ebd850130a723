import { beforeEach, describe, expect, it } from "vitest";

import { CATALOGUES, type Entry, language, money, numerals, percent, pieces, say, scoreOf } from "../src/shared/i18n";

function places(entry: Entry): string[] {
  const text = typeof entry === "string" ? entry : (entry["other"] ?? "");
  return [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
}

describe("the catalogues", () => {
  const english = CATALOGUES["en"] ?? {};
  for (const [lang, catalogue] of Object.entries(CATALOGUES)) {
    it(`${lang} words every message, with the same places to fill in`, () => {
      expect(Object.keys(catalogue).sort()).toEqual(Object.keys(english).sort());
      for (const [code, entry] of Object.entries(catalogue)) expect([code, places(entry)]).toEqual([code, places(english[code] ?? "")]);
    });

    it(`${lang} has the plural forms that it needs`, () => {
      const needed = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;
      for (const [code, entry] of Object.entries(catalogue)) {
        if (typeof entry !== "string") expect([code, needed.filter((form) => entry[form] === undefined)]).toEqual([code, []]);
      }
    });
  }
});

describe("a message", () => {
  beforeEach(() => { language.value = "en"; numerals.value = "latn"; });

  it("chooses its plural form by the count", () => {
    expect(say("sup.holds", { count: 1 })).toBe("1 hold");
    expect(say("sup.holds", { count: 2 })).toBe("2 holds");
  });

  it("names zones, cards and faults in words", () => {
    expect(say("journal.card_dealt", { n: 3, card: "4S", zone: "P" })).toBe("Card 3: four of spades to Player");
    expect(say("journal.fault_raised", { fault: "deal_order" })).toBe("Fault: Card in the wrong place");
    expect(say("journal.shoe_read", { card: "XX", sequence: 4 })).toBe("Shoe read face-down card, sequence 4");
  });

  it("gives a card as a card, so that it can be drawn", () => {
    expect(pieces("seen.card", { card: "4S", zone: "B" })[0]).toEqual({ kind: "card", card: "4S" });
  });

  it("gives several cards one by one", () => {
    expect(pieces("approval.CorrectResult", { round: 1, old: "player", new: "tie", cards: "5D XX" }).slice(-3)).toEqual([
      { kind: "card", card: "5D" }, { kind: "text", text: " " }, { kind: "word", text: "face-down card" },
    ]);
    expect(say("approval.CorrectResult", { round: 1, old: "player", new: "tie", cards: "5D" })).toBe("Coup 1: Player becomes Tie. five of diamonds");
  });

  it("writes amounts from minor units with the decimals of the currency", () => {
    expect(money(2_755_450, "EUR")).toBe("EUR\u00a027,554.50");
    expect(money(-100, "EUR")).toBe("EUR\u00a0−1.00");
    expect(money(1500, "JPY")).toBe("JPY\u00a01,500");
    expect(money(1500, "KWD")).toBe("KWD\u00a01.500");
  });

  it.each(["ur", "ar"])("uses the same figures on consoles in %s", (lang) => {
    language.value = lang;
    expect(say("sup.tables", { count: 1182 })).toContain("1,182");
    expect(say("sup.coup", { round: 1182 })).toContain(" 1182");
    expect(money(2_755_450, "EUR")).toBe("EUR\u00a027,554.50");
  });

  it("takes each of the six Arabic plural forms by the count", () => {
    language.value = "ar";
    const said = [0, 1, 2, 3, 10, 11, 99, 100, 103].map((count) => say("sup.tables", { count }));
    expect(said).toEqual([
      "لا طاولات", "طاولة واحدة", "طاولتان", "3 طاولات", "10 طاولات", "11 طاولة", "99 طاولة", "100 طاولة", "103 طاولات",
    ]);
  });

  it("follows the overlay's numerals in every figure, the number of a coup included", () => {
    language.value = "ar";
    numerals.value = "arab";
    expect(say("bar.coup_shoe", { round: 1182, shoe: 6 })).toBe("الجولة ١١٨٢، الصندوق ٦");
    expect(say("cutoff.left", { count: 12 })).toBe("١٢ جولة أخرى");
    expect(money(2_755_450, "EUR")).toBe("EUR\u00a0٢٧٬٥٥٤٫٥٠");
    expect(percent(75)).toBe("\u2067٧٥٪\u2069");
    expect(scoreOf([7, 4])).toBe("\u2066\u2066٧\u2069 – \u2066٤\u2069\u2069");
    numerals.value = "latn";
    expect(percent(75)).toBe("75\u00a0%");
    expect(scoreOf([7, 4])).toBe("7 – 4");
  });
});
