import { beforeEach, describe, expect, it } from "vitest";

import { type ZoneState, feltStep, worded } from "../src/engineer/calibration";
import { type Enrolment, lacking, valuesOf } from "../src/engineer/enrolment";
import { pairs } from "../src/engineer/tape";
import { preview } from "../src/engineer/zones";
import type { Px } from "../src/engineer/picture";
import { language, pieces } from "../src/shared/i18n";

const MM: Px[] = [[0, 0], [100, 0], [100, 50], [0, 50]];

function zone(polygon_px: Px[]): ZoneState {
  return { id: "P", slots: 3, placed: false, tried: false, chosen: true, polygon_mm: MM, polygon_px, outline_px: polygon_px, handles_px: [], size_mm: [100, 50], card_px: 90, wanted_px: 64, fault: null };
}

beforeEach(() => { language.value = "en"; });

describe("an arrow key at a zone", () => {
  it("moves along the felt as the eye sees it", () => {
    const upright = zone([[10, 10], [210, 12], [212, 110], [8, 108]]);
    expect(feltStep(upright, [1, 0])).toEqual([1, 0]);
    expect(feltStep(upright, [0, 1])).toEqual([0, 1]);
  });

  it("turns about where the felt lies the other way round in the picture", () => {
    const turned = zone([[210, 110], [10, 110], [10, 10], [210, 10]]);
    expect(feltStep(turned, [1, 0])).toEqual([-1, 0]);
    expect(feltStep(turned, [0, -1])).toEqual([0, 1]);
  });

  it("takes the other axis where the felt lies across", () => {
    const across = zone([[110, 10], [110, 210], [10, 210], [10, 10]]);
    expect(feltStep(across, [0, 1])).toEqual([1, 0]);
    expect(feltStep(across, [1, 0])).toEqual([0, -1]);
  });
});

describe("a handle that is dragged", () => {
  it("moves its own corner, the two of its side, or all", () => {
    expect(preview(MM, 1, 3, 4)).toEqual([[0, 0], [103, 4], [100, 50], [0, 50]]);
    expect(preview(MM, 7, 3, 4)).toEqual([[3, 4], [100, 0], [100, 50], [3, 54]]);
    expect(preview(MM, null, 1, 1)).toEqual([[1, 1], [101, 1], [101, 51], [1, 51]]);
  });
});

describe("a sentence of the session", () => {
  it("is worded by its code, and its zones and parts of the picture have names", () => {
    expect(worded({ code: "zones_drag", values: { zone: "B" }, text: "" })).toBe("Drag the corners of Banker until the printed box fits.");
    language.value = "ur";
    expect(worded({ code: "lens_missing", values: { views: 3, wanted: 10, where: "top, lower right" }, text: "" })).toContain("اوپر، نیچے دائیں");
  });

  it("keeps its English where a code is not known here yet", () => {
    expect(worded({ code: "of_tomorrow", values: {}, text: "Do this." })).toBe("Do this.");
  });
});

describe("an enrolment", () => {
  const save: Enrolment["save"] = { allowed: false, missing: 9, again: 2, lacks: ["CUT"], text: "" };

  it("says what stands between the deck and its file", () => {
    expect(lacking(save)).toBe("9 cards missing, 2 to show again, the cut card");
    expect(lacking({ ...save, allowed: true })).toBe("");
  });

  it("draws cards and words the things that are none", () => {
    expect(pieces("enrol.say.in", valuesOf({ card: "KD", cards: [] }))[0]).toEqual({ kind: "card", card: "KD" });
    expect(pieces("enrol.say.in", valuesOf({ card: "CUT", cards: [] }))[0]).toMatchObject({ text: "the cut card" });
  });
});

describe("the tape", () => {
  it("asks each pair of markers once, in their order", () => {
    expect(pairs(["10", "2", "1"])).toEqual([["1", "2"], ["1", "10"], ["2", "10"]]);
  });
});
