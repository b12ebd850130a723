import { signal } from "@preact/signals";
import { beforeEach, describe, expect, it } from "vitest";

import held from "../fixtures/supervisor-hold.json";
import { Desk, type Voided } from "../src/supervisor/state";
import type { SupervisorView } from "../src/shared/view";

const HELD = held.view as unknown as SupervisorView;

/** The view of a table in a state, with what it says was returned. */
function table(state: SupervisorView["dealer"]["state"], roundId: string, refunded: number): SupervisorView {
  return { ...HELD, dealer: { ...HELD.dealer, state, round_id: roundId, refunded } };
}

describe("the receipt of a void", () => {
  const kept: Voided = { round: 31, roundId: "r-31", accepted: 117_180, returned: 117_180 };
  let desk: Desk;

  beforeEach(() => {
    const nothing = { envelope: signal(null) } as never;
    desk = new Desk(nothing, null, () => nothing);
    desk.voided.value = kept;
  });

  it("still names the whole amount once the next coup has opened", () => {
    desk.seeRefund(table("void", "r-31", 117_180));
    desk.seeRefund(table("betting", "r-32", 0));
    expect(desk.voided.value).toEqual(kept);
  });

  it("says what the table says that it returned, not what was previewed", () => {
    desk.seeRefund(table("void", "r-31", 100_000));
    expect(desk.voided.value?.returned).toBe(100_000);
  });

  it("takes no figure from another void, nor from the coup before it is void", () => {
    desk.seeRefund(table("hold", "r-31", 0));
    desk.seeRefund(table("void", "r-33", 500));
    expect(desk.voided.value).toEqual(kept);
  });
});
