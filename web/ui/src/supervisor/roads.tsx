import type { JSX } from "preact";

import { timeText } from "../shared/clock";
import { say } from "../shared/i18n";
import { BeadPlate, BigRoad, Counts, DerivedRoads } from "../shared/roads";
import { Say } from "../shared/text";
import type { Roads, ShoeView, SupervisorView } from "../shared/view";
import type { Desk } from "./state";

/** The roads of the shoe in play above the journal (the bead plate where the screen is high enough), and the way to those of all shoes. */
export function RoadsStrip({ desk, view, roads }: { desk: Desk; view: SupervisorView; roads: Roads }): JSX.Element {
  return (
    <section class="roadstrip" aria-label={say("sup.roads", { shoe: view.dealer.shoe_no })}>
      <header>
        <h2><Say code="sup.roads" params={{ shoe: view.dealer.shoe_no }} /></h2>
        <Counts roads={roads} />
        <span class="grow" />
        <button type="button" class="btn" data-button="shoes" onClick={() => { desk.look("shoes"); }}>
          <span><Say code="sup.all_shoes" /></span> <kbd class="keyhint" aria-hidden="true">R</kbd>
        </button>
      </header>
      <BeadPlate roads={roads} columns={15} cell={28} />
      <BigRoad roads={roads} columns={30} cell={14} />
      <DerivedRoads roads={roads} columns={15} cell={9} />
    </section>
  );
}

/** All five roads of one shoe, with what became of it. */
function ShoeBoards({ shoe, roads, past }: { shoe: number; roads: Roads; past?: ShoeView }): JSX.Element {
  return (
    <article class="shoe">
      <header>
        <h3><Say code="label.shoe" params={{ shoe }} /></h3>
        <Counts roads={roads} />
        {past && (
          <p>
            {past.ended_us > 0 ? <Say code="sup.shoe_ended" params={{ time: timeText(past.ended_us), day: past.day }} /> : <Say code="sup.shoe_uncounted" params={{ day: past.day }} />}
            {past.balance && <>{": "}<span class={past.balance}><Say code={`sup.shoe.${past.balance}`} /></span></>}
          </p>
        )}
      </header>
      <div class="boards">
        <BeadPlate roads={roads} columns={14} cell={28} />
        <div>
          <BigRoad roads={roads} columns={39} cell={20} />
          <DerivedRoads roads={roads} columns={28} cell={9} />
        </div>
      </div>
    </article>
  );
}

/** The roads of this shoe and of those before it, newest first. */
export function ShoeList({ view }: { view: SupervisorView }): JSX.Element {
  const { roads, shoe_no } = view.dealer;
  const before = view.shoes ?? [];
  return (
    <div class="shoelist" tabIndex={0}>
      {roads && shoe_no > 0 && <ShoeBoards shoe={shoe_no} roads={roads} />}
      {before.map((shoe) => <ShoeBoards key={`${shoe.day}/${shoe.shoe_no}/${shoe.ended_us}`} shoe={shoe.shoe_no} roads={shoe.roads} past={shoe} />)}
      {before.length === 0 && <p class="empty"><Say code="sup.no_shoes" /></p>}
    </div>
  );
}
