import { describe, expect, it } from "vitest";

import held from "../fixtures/supervisor-hold.json";
import { faultName } from "../src/supervisor/case";
import type { CaseView, SupervisorView } from "../src/shared/view";

const HELD = held.view as unknown as SupervisorView;

describe("the name of a fault", () => {
  const first = { ...(HELD.cases[0] as CaseView), what: null };
  const lost = { ...first, code: "device_lost" };
  const again = { ...first, code: "device_rebooted" };
  const what = { code: "hold.device_lost.what", params: { device: "shoe" } };
  const view = { ...HELD, cases: [lost, again, { ...lost }], dealer: { ...HELD.dealer, hold: HELD.dealer.hold && { ...HELD.dealer.hold, what } } };

  it("names the device that the table names", () => {
    expect(faultName(view, lost)).toBe("Shoe does not answer");
    expect(faultName(view, null)).toBe("Shoe does not answer");
  });

  it("does not lend that device to the other faults, and leaves no gap", () => {
    expect(faultName(view, again)).toBe("A device started anew");
    expect(faultName(view, view.cases[2] ?? null)).toBe("A device does not answer");
  });
});
