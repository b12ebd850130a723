import { describe, expect, it } from "vitest";

import { StudioClock, ageText, remainingUs, wholeSeconds } from "../src/shared/clock";

describe("the studio's clock", () => {
  it("trusts the message that travelled fastest", () => {
    let local = 0;
    const clock = new StudioClock(() => local);
    local = 1000;
    clock.sample(5_000_000 - 300_000);
    expect(clock.nowUs()).toBe(4_700_000);
    clock.sample(5_000_000 - 10_000);
    expect(clock.nowUs()).toBe(4_990_000);
    clock.sample(5_000_000 - 400_000);
    expect(clock.nowUs()).toBe(4_990_000);
  });

  it("keeps time in a page that is hardly ever woken", () => {
    let local = 0;
    const clock = new StudioClock(() => local);
    clock.sample(0);
    local = 600_000;
    expect(clock.nowUs()).toBe(600_000_000);
  });

  it("follows a real jump at once", () => {
    let local = 0;
    const clock = new StudioClock(() => local);
    clock.sample(100_000_000);
    local = 1000;
    clock.sample(60_000_000);
    expect(clock.nowUs()).toBe(60_000_000);
  });
});

describe("a countdown", () => {
  it("counts from the deadline and stays at nought", () => {
    const window = { deadline_us: 10_000_000, suspended_us: null };
    expect(wholeSeconds(remainingUs(window, 1_400_000))).toBe(9);
    expect(wholeSeconds(remainingUs(window, 9_999_999))).toBe(1);
    expect(wholeSeconds(remainingUs(window, 12_000_000))).toBe(0);
  });

  it("stands still while a hold has stopped it", () => {
    const window = { deadline_us: 10_000_000, suspended_us: 4_200_000 };
    expect(wholeSeconds(remainingUs(window, 99_000_000))).toBe(5);
  });

  it("writes an age as minutes and seconds", () => {
    expect(ageText(24_900_000)).toBe("0:24");
    expect(ageText(3_725_000_000)).toBe("1:02:05");
  });
});
