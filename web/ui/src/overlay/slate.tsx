import type { JSX } from "preact";

import { PlayingCard } from "../shared/cards";
import { say } from "../shared/i18n";
import { Say } from "../shared/text";
import type { OverlayView } from "../shared/view";

/** Why the picture is covered. Players are told what they need, never a cause. */
export type SlateKind = "wait" | "void" | "silence";

/** The neutral slate over the whole picture. */
export function Slate({ kind, round, view, studio }: {
  kind: SlateKind; round: number; view: OverlayView; studio: string;
}): JSX.Element {
  return (
    <main class="slate" data-slate={kind}>
      <div class="deck" aria-hidden="true">
        <PlayingCard view={{ look: "back", card: "", sideways: false, mark: "" }} />
        <i />
      </div>
      <div class="words" role="status">
        <h1><Say code={`slate.${kind}`} params={{ round }} /></h1>
        <p>
          <Say code={`slate.${kind}.line`} params={{ round }} />{" "}
          {kind !== "void" && <><b><Say code="slate.safe" /></b>{" "}<Say code="slate.safe.line" /></>}
        </p>
      </div>
      <footer>
        <span><Say code={`game.${view.game}`} />{view.round_no > 0 && <>{say("list.comma")}<Say code="label.coup" params={{ round: view.round_no }} /></>}</span>
        <span><bdi>{studio}</bdi></span>
      </footer>
    </main>
  );
}
