import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { type CommandBody, Commander, type Reply } from "../src/shared/commands";

const DONE: Reply = { status: "done", code: "", text: "", seq: 8 };

describe("a press", () => {
  let sent: { body: CommandBody; answer: (reply: Reply) => void }[];
  let commander: Commander;

  beforeEach(() => {
    vi.useFakeTimers();
    sent = [];
    commander = new Commander((body, answer) => { sent.push({ body, answer }); }, () => 7, () => Date.now());
  });
  afterEach(() => { vi.useRealTimers(); });

  it("is repeated under the same id until it is answered", async () => {
    const done = commander.press("confirm", "ba1", "ConfirmStep");
    await vi.advanceTimersByTimeAsync(1100);
    expect(commander.state("confirm").value.phase).toBe("waiting");
    await vi.advanceTimersByTimeAsync(3000);
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent.map(({ body }) => body.command_id)).size).toBe(1);
    sent[1]?.answer(DONE);
    expect((await done)?.status).toBe("done");
    expect(commander.state("confirm").value.phase).toBe("idle");
    const before = sent.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent.length).toBe(before);
  });

  it("names the view that the person looked at, but for calls", () => {
    void commander.press("confirm", "ba1", "ConfirmStep");
    void commander.press("call_supervisor", "ba1", "CallSupervisor", {}, true);
    expect(sent.map(({ body }) => body.seq)).toEqual([7, null]);
  });

  it("shows the reason of a rejection for six seconds", async () => {
    void commander.press("confirm", "ba1", "ConfirmStep");
    sent[0]?.answer({ status: "rejected", code: "refused.cards_on_felt", text: "", seq: 7 });
    expect(commander.state("confirm").value).toEqual({ phase: "rejected", text: "Clear the felt first" });
    await vi.advanceTimersByTimeAsync(6100);
    expect(commander.state("confirm").value.phase).toBe("idle");
  });

  it("does not count twice within 400 ms, nor while it waits", async () => {
    void commander.press("confirm", "ba1", "ConfirmStep");
    sent[0]?.answer(DONE);
    expect(await commander.press("confirm", "ba1", "ConfirmStep")).toBeNull();
    await vi.advanceTimersByTimeAsync(450);
    void commander.press("confirm", "ba1", "ConfirmStep");
    await vi.advanceTimersByTimeAsync(450);
    expect(await commander.press("confirm", "ba1", "ConfirmStep")).toBeNull();
    expect(sent.length).toBe(2);
  });

  it("does not count for a moment after the buttons have moved", async () => {
    commander.layoutChanged();
    expect(await commander.press("void", "ba1", "VoidRound")).toBeNull();
    await vi.advanceTimersByTimeAsync(450);
    void commander.press("void", "ba1", "VoidRound");
    expect(sent.length).toBe(1);
  });

  it("keeps asking after the answer that the studio is busy", async () => {
    void commander.press("confirm", "ba1", "ConfirmStep");
    sent[0]?.answer({ status: "busy", code: "refused.busy", text: "", seq: 7 });
    await vi.advanceTimersByTimeAsync(2100);
    expect(sent.length).toBe(2);
  });
});
