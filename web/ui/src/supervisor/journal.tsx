import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { timeText } from "../shared/clock";
import { Say, SayMessage } from "../shared/text";
import type { JournalLine } from "../shared/view";

/** The facts of the coup in words, newest last; opened at its end. */
export function Journal({ lines, round }: { lines: JournalLine[]; round: number }): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const newest = lines.at(-1)?.version ?? 0;
  useEffect(() => { if (list.current) list.current.scrollTop = list.current.scrollHeight; }, [newest]);
  return (
    <section class="jw">
      <h2>{round > 0 ? <Say code="sup.journal" params={{ round }} /> : <Say code="sup.journal_table" />}</h2>
      {lines.length === 0 ? <p class="empty"><Say code="sup.journal_empty" /></p> : (
        <ol class="jr" ref={list} tabIndex={0}>
          {lines.map((line) => (
            <li key={line.version} class={line.tone}>
              <span class="num ltr">{line.version}</span>
              <span class="num ltr">{timeText(line.at_us, "milli")}</span>
              <span><SayMessage message={line.message} />{line.actor && <>{" · "}<bdi class="actor">{line.actor}</bdi></>}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
