import { describe, expect, it } from "vitest";

import { signal } from "@preact/signals";

import held from "../fixtures/supervisor-hold.json";
import recover from "../fixtures/supervisor-recover.json";
import { correctionShown } from "../src/overlay/screen";
import { typeCard } from "../src/shared/typed";
import { leads } from "../src/shared/rights";
import type { CaseView, EvidenceView, FeltView, OptionView } from "../src/shared/view";
import { faultName } from "../src/supervisor/case";
import { impossible, inOrder, outcome, score } from "../src/supervisor/correct";
import { believed, feltArgs } from "../src/supervisor/felt-entry";
import { pictureAddress, seesPictures } from "../src/supervisor/evidence";
import { peopleOf } from "../src/supervisor/prepare";
import { offsetText, picturesOf, strip, wireLines } from "../src/supervisor/frames";
import { type Row, changed, differences, onward } from "../src/supervisor/slots";
import { Desk } from "../src/supervisor/state";
import type { SupervisorView } from "../src/shared/view";

function typed(...codes: string[]): string {
  let rank = "";
  let card = "";
  for (const code of codes) {
    const step = typeCard(rank, code);
    if (step === null) continue;
    rank = step.rank;
    card = step.card;
  }
  return card;
}

describe("a card by keys", () => {
  it("is a rank and then a suit, by the place of the letters", () => {
    expect(typed("Digit7", "KeyH")).toBe("7H");
    expect(typed("KeyA", "KeyS")).toBe("AS");
    expect(typed("KeyT", "KeyD")).toBe("TD");
    expect(typed("Digit1", "Digit0", "KeyD")).toBe("TD");
    expect(typed("Numpad9", "KeyC")).toBe("9C");
  });

  it("is nothing without its rank, and takes the last rank that was meant", () => {
    expect(typed("KeyH")).toBe("");
    expect(typed("Digit1", "KeyH")).toBe("");
    expect(typed("Digit7", "Digit8", "KeyH")).toBe("8H");
    expect(typed("KeyX")).toBe("XX");
  });
});

describe("the camera's picture", () => {
  it("is never asked for twice by one address, or the browser would show the cards of an earlier hold as those of now", () => {
    const asked = ["ba1", "ba2", "ba1"].map(pictureAddress);
    expect(new Set(asked).size).toBe(3);
    expect(asked[0]).toMatch(/^\/picture\/ba1\?n=\d+$/);
  });
});

describe("who is given pictures of the felt", () => {
  it("is who leads tables or mends their devices, as the server has it", () => {
    expect(["supervisor", "pit-boss", "engineer", "auditor", "dealer", ""].filter(seesPictures)).toEqual(["supervisor", "pit-boss", "engineer"]);
  });
});

describe("a felt entered by hand", () => {
  const view = recover.view as unknown as SupervisorView;
  const shown = view.cases.find((each) => each.felt !== null) as CaseView;
  const given = { ...shown, options: [...shown.options, { ...(shown.options[0] as OptionView), command: "CorrectCard", people: 2 }] };
  const option = given.options.find((each) => each.command === "RescanRound");
  const people = (felt: Row[] | null): number => {
    const nothing = { envelope: signal(null) } as never;
    const desk = new Desk(nothing, null, () => nothing);
    if (felt) desk.fill({ felt });
    return peopleOf(desk, option as OptionView, given);
  };

  it("is one person's act where it agrees with the journal, and says two where it names another card", () => {
    const was = believed(given.felt as FeltView);
    expect(people(null)).toBe(1);
    expect(people(was)).toBe(1);
    expect(people(changed(was, { row: 0, at: 0 }, was[0]?.[1][0] === "7S" ? "8S" : "7S"))).toBe(2);
  });
});

describe("hands that are entered", () => {
  const was: Row[] = [["P", ["KD", "4S"]], ["B", ["2C", "5H"]]];

  it("change in one place, grow and shrink, and leave the others alone", () => {
    expect(changed(was, { row: 0, at: 1 }, "7S")).toEqual([["P", ["KD", "7S"]], ["B", ["2C", "5H"]]]);
    expect(changed(was, { row: 1, at: 2 }, "TH")).toEqual([["P", ["KD", "4S"]], ["B", ["2C", "5H", "TH"]]]);
    expect(changed(was, { row: 1, at: 0 }, null)).toEqual([["P", ["KD", "4S"]], ["B", ["5H"]]]);
  });

  it("lead the cursor along a hand and then to the next one", () => {
    expect(onward(was, { row: 0, at: 0 }, 3)).toEqual({ row: 0, at: 1 });
    expect(onward([["P", ["KD", "4S", "9H"]], ["B", []]], { row: 0, at: 2 }, 3)).toEqual({ row: 1, at: 0 });
  });

  it("are compared card by card: other, added and gone", () => {
    expect(differences(was, was)).toEqual([]);
    expect(differences(was, [["P", ["KD", "7S", "9H"]], ["B", ["2C"]]])).toEqual([
      { zone: "P", place: 2, old: "4S", now: "7S" }, { zone: "P", place: 3, old: "", now: "9H" }, { zone: "B", place: 2, old: "5H", now: "" },
    ]);
  });

  it("begin from what the journal believes, and name no card that lies face down", () => {
    const felt = { fault: "1", zones: [["P", ["KD", "XX"]]] as [string, string[]][], seen: [] };
    expect(feltArgs(believed(felt))).toEqual([{ zone: "P", cards: ["KD", null] }]);
  });
});

describe("the cards of a past coup", () => {
  it("go in the order in which they were dealt", () => {
    expect(inOrder([["P", ["KD", "4S", "9H"]], ["B", ["2C", "5H"]]])).toEqual(["KD", "2C", "4S", "5H", "9H"]);
  });

  it("show who wins with them", () => {
    expect(outcome([["P", ["KD", "4S", "9H"]], ["B", ["2C", "5H"]]])).toEqual({ code: "banker", totals: [3, 7] });
    expect(outcome([["P", ["AD", "6S"]], ["B", ["2C", "5H"]]])).toEqual({ code: "tie", totals: [7, 7] });
  });
});

describe("the frames around a moment", () => {
  const piece = (name: string, at: number): EvidenceView => ({ name, kind: "picture", sha256: "", size: 1, at_us: at * 1000 });
  const many = Array.from({ length: 50 }, (_, at) => piece(`p${at}`, at * 100));

  it("are seven with the nearest one framed, in order of time, the newest last", () => {
    const { pictures, at } = strip(many, 2_020_000);
    expect(pictures).toHaveLength(7);
    expect(pictures[at]?.name).toBe("p20");
    expect(pictures.at(-1)?.name).toBe("p49");
    expect(pictures.map((each) => each.at_us)).toEqual(pictures.map((each) => each.at_us).sort((a, b) => a - b));
  });

  it("are as many as there are", () => {
    expect(strip([], 1)).toEqual({ pictures: [], at: -1 });
    expect(strip(many.slice(0, 3), 0).pictures).toHaveLength(3);
  });

  it("leave out the wires, and say how far from the moment they are", () => {
    const given = { ...(held.view.cases[0] as unknown as CaseView) };
    expect(picturesOf(given).every((each) => each.kind === "picture")).toBe(true);
    expect(offsetText(-400_000)).toBe("−0.4 s");
    expect(offsetText(1_210_000)).toBe("+1.2 s");
  });

  it("stand beside the wire's lines, each with its instant", () => {
    const [first, second] = wireLines("2026-01-01T00:00:01.250000+00:00 S=1 F=beat\nno instant\n");
    expect(first).toEqual({ atUs: Date.UTC(2026, 0, 1, 0, 0, 1) * 1000 + 250_000, text: "S=1 F=beat" });
    expect(second).toEqual({ atUs: 0, text: "no instant" });
  });
});

describe("a late correction on air", () => {
  const correction = { round_no: 4, old_code: "player", new_code: "tie", at_us: 1_000_000, since: 0 };

  it("stays for twelve seconds, also past the next result", () => {
    expect(correctionShown({ ...correction, since: 1 }, 12_900_000)).toBe(true);
  });

  it("stays until the next result, also past twelve seconds and on a page that is loaded late", () => {
    expect(correctionShown(correction, 60_000_000)).toBe(true);
    expect(correctionShown({ ...correction, since: 1 }, 60_000_000)).toBe(false);
  });
});

describe("a fault that brings its own words", () => {
  it("is called by them", () => {
    const view = held.view as unknown as SupervisorView;
    const given = { ...(view.cases[0] as CaseView), what: { code: "hold.device_lost.what", params: { device: "shoe" } } };
    expect(faultName(view, given)).toBe("Shoe does not answer");
  });
});

describe("a past coup by hand", () => {
  it("tells its totals as the overlay does, the winner's first", () => {
    expect(score([["P", ["KD", "4S", "8H"]], ["B", ["2C", "3H"]]])).toBe("5 – 2");
    expect(score([["P", ["2C", "3H"]], ["B", ["KD", "4S", "8H"]]])).toBe("5 – 2");
  });

  it("says that a natural takes no third card before anything is asked", () => {
    expect(impossible([["P", ["KD", "9S", "8H"]], ["B", ["2C", "3H"]]])).toBe("past.natural_third");
    expect(impossible([["P", ["KD", "4S", "8H"]], ["B", ["4C", "4H"]]])).toBe("past.natural_third");
    expect(impossible([["P", ["KD", "9S"]], ["B", ["2C", "3H"]]])).toBe("");
    expect(impossible([["P", ["KD", "4S", "8H"]], ["B", ["2C", "3H", "KH"]]])).toBe("");
    expect(impossible([["P", ["KD", "", "8H"]], ["B", ["2C", "3H"]]])).toBe("");
  });
});

describe("who may claim, hold and correct", () => {
  it("is who leads tables; for an auditor and an engineer the buttons are absent", () => {
    expect(["supervisor", "pit-boss", "engineer", "auditor", "dealer"].filter((role) => leads(role))).toEqual(["supervisor", "pit-boss"]);
  });
});
