import { signal } from "@preact/signals";
import type { JSX } from "preact";

import { boot } from "../shared/boot";
import type { Commander } from "../shared/commands";
import { say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { Button } from "../shared/parts";
import { signOut } from "../shared/shell";
import { Headline, Say } from "../shared/text";
import type { DealerView } from "../shared/view";

/** Whether the screen of a change of dealers is open: to take the table, or to leave it. */
export const relief = signal<"" | "take" | "leave">("");

/** Whether the person at this console is a dealer. */
export function isDealer(): boolean {
  return boot.person?.role === "dealer";
}

/** Whether the person at this console deals at this table. */
export function seatedHere(view: DealerView): boolean {
  if (!isDealer() || view.dealer === "") return false;
  const { person } = boot;
  return person?.number && view.dealer_number ? person.number === view.dealer_number : person?.name === view.dealer;
}

/** Whether another dealer deals here than the one who is signed in. */
export function otherDeals(view: DealerView): boolean {
  return isDealer() && view.dealer !== "" && !seatedHere(view);
}

/** Dealers change between coups only, and never while the table is held. */
export function mayLeave(view: DealerView): boolean {
  return view.hold === null && ["idle", "closed", "result", "void"].includes(view.state);
}

/** Why dealers may not change now, as a message code; empty if they may. */
export function reliefLack(view: DealerView): string {
  if (view.hold !== null) return "relief.held";
  return mayLeave(view) ? "" : "refused.relief_in_round";
}

/** Leave the table if this person deals here, then sign out. */
export function leave(view: DealerView, commander: Commander): void {
  if (!seatedHere(view)) {
    void signOut();
    return;
  }
  void commander.press("leave", view.table, "LeaveTable", {}, true).then((reply) => {
    if (reply?.status === "done") void signOut();
  });
}

/** Sit down at this table in the other dealer's place. */
function takeOver(view: DealerView, commander: Commander): void {
  void commander.press("relieve", view.table, "RelieveDealer", {}, true).then((reply) => {
    if (reply?.status === "done") relief.value = "";
  });
}

/** Who goes, who comes, and the one act of it. */
export function ReliefScreen({ view, commander }: { view: DealerView; commander: Commander }): JSX.Element {
  const taking = relief.value === "take";
  const lack = reliefLack(view);
  const name = boot.person?.name ?? "";
  const reason = lack === "" ? undefined : say(lack);
  return (
    <main class="work reliefwork">
      <section class="relief panel" aria-label={say("relief.title")} data-relief={relief.value}>
        <Headline sizes={[92, 80, 68, 56]} lines={2} class="do"><Say code={taking ? "relief.take_head" : "relief.leave_head"} /></Headline>
        <div class="people">
          <p class="goes"><Icon name="person" /> <span><small><Say code="relief.goes" /></small><bdi>{view.dealer || "–"}</bdi></span></p>
          <Icon name="arrow" />
          <p class="comes"><Icon name="person" /> <span><small><Say code="relief.comes" /></small>{taking ? <bdi>{name}</bdi> : <Say code="relief.next_dealer" />}</span></p>
        </div>
        <p class="rline"><Say code={lack === "" ? (taking ? "relief.take_line" : "relief.leave_line") : lack} /></p>
        <div class="acts">
          <button type="button" class="btn" data-button="relief.back" onClick={() => { relief.value = ""; }}><Icon name="back" /><span><Say code="relief.back" /></span></button>
          {taking
            ? <Button id="relieve" commander={commander} main icon="tick" enabled={lack === ""} reason={reason} onPress={() => { takeOver(view, commander); }}><Say code="relief.take" /></Button>
            : <Button id="leave" commander={commander} main icon="person" enabled={lack === ""} reason={reason} onPress={() => { leave(view, commander); }}><Say code="relief.leave" /></Button>}
        </div>
      </section>
    </main>
  );
}
