import { describe, expect, it } from "vitest";

import { Newest } from "../src/shared/feed";
import type { Envelope } from "../src/shared/view";

function envelope(epoch: string, seq: number): Envelope<{ word: string }> {
  return { table: "ba1", audience: "dealer", epoch, seq, now_us: seq, view: { word: `${epoch}${seq}` } };
}

describe("the newest view", () => {
  it("takes what is newer and nothing else", () => {
    const newest = new Newest<{ word: string }>();
    expect(newest.take(envelope("a", 3))).toBe(true);
    expect(newest.take(envelope("a", 2))).toBe(false);
    expect(newest.take(envelope("a", 3))).toBe(false);
    expect(newest.take(envelope("a", 4))).toBe(true);
    expect(newest.envelope.value?.view.word).toBe("a4");
  });

  it("ends a burst with the last state", () => {
    const newest = new Newest<{ word: string }>();
    for (const seq of [1, 2, 3, 2, 1]) newest.take(envelope("a", seq));
    expect(newest.seq).toBe(3);
  });

  it("begins again with a new epoch and never goes back to an old one", () => {
    const newest = new Newest<{ word: string }>();
    newest.take(envelope("a", 90));
    expect(newest.take(envelope("b", 1))).toBe(true);
    expect(newest.take(envelope("a", 91))).toBe(false);
    expect(newest.envelope.value?.view.word).toBe("b1");
  });

  it("is behind when a beat speaks of a later view or of a new epoch", () => {
    const newest = new Newest<{ word: string }>();
    newest.take(envelope("a", 5));
    expect(newest.behind({ epoch: "a", seq: 5, now_us: 0 })).toBe(false);
    expect(newest.behind({ epoch: "a", seq: 6, now_us: 0 })).toBe(true);
    expect(newest.behind({ epoch: "b", seq: 1, now_us: 0 })).toBe(true);
    newest.take(envelope("b", 1));
    expect(newest.behind({ epoch: "a", seq: 99, now_us: 0 })).toBe(false);
  });
});
