import type { JSX } from "preact";

import { firstKnown, known, say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { Age, Button, RoundLine, StateChip } from "../shared/parts";
import { leads } from "../shared/rights";
import { Say, SayMessage } from "../shared/text";
import type { CaseView, SupervisorView } from "../shared/view";
import { Approval, approvalShown, waits } from "./approval";
import { CameraPicture, Evidence } from "./evidence";
import { Frames } from "./frames";
import { History } from "./history";
import { Journal } from "./journal";
import { Options, asksFelt, chosenOf } from "./options";
import { Prepare } from "./prepare";
import type { Desk } from "./state";

/** Letters after which the name of a fault takes two smaller lines: it is never cut. */
const LONG_NAME = 34;

/** What a fault is called: its own words, else the table's headline where that is about this fault alone. */
export function faultName(view: SupervisorView, given: CaseView | null): string {
  if (given?.what) return say(given.what.code, given.what.params);
  const what = view.dealer.hold?.what;
  if (!what || given === null) return what ? say(what.code, what.params) : "";
  const code = `hold.${given.code}.what`;
  const own = what.code === code && view.cases.find((each) => each.code === given.code) === given;
  return own ? say(code, what.params) : say(firstKnown(`fault.${given.code}`, code));
}

/** The fault that is looked at; null when all are answered. */
export function givenCase(desk: Desk, view: SupervisorView): CaseView | null {
  return view.cases[Math.min(desk.place.value, view.cases.length - 1)] ?? null;
}

/** Every fault is answered: the hold may be lifted. */
function Answered({ desk, view }: { desk: Desk; view: SupervisorView }): JSX.Element {
  const why = view.lift.reason !== "" && known(view.lift.reason) ? say(view.lift.reason) : undefined;
  return (
    <div class="answered">
      <Icon name="tick" />
      <h2><Say code="sup.all_answered" /></h2>
      <CameraPicture table={view.dealer.table} devices={view.dealer.devices} />
      <p><Say code="sup.lift_line" /></p>
      {leads() && <Button id="lift" commander={desk.commander} main icon="arrow" keys="A" enabled={view.lift.enabled} reason={why} onPress={() => { lift(desk); }}>
        <Say code="sup.lift" />
      </Button>}
    </div>
  );
}

/** Let the table go on. */
export function lift(desk: Desk): void {
  void desk.commander.press("lift", desk.table.value, "LiftHold", { fault: "", reason: "" });
}

/** Several faults of one hold, side by side. */
function Tabs({ desk, view, given }: { desk: Desk; view: SupervisorView; given: CaseView | null }): JSX.Element | null {
  if (view.cases.length < 2) return null;
  return (
    <div class="tabs" role="tablist">
      {view.cases.map((each, at) => (
        <button key={each.fault} type="button" role="tab" aria-selected={each === given} class={each === given ? "on" : ""} onClick={() => { desk.place.value = at; desk.choose(null); }}>
          {faultName(view, each)}
        </button>
      ))}
    </div>
  );
}

function Head({ desk, view, given }: { desk: Desk; view: SupervisorView; given: CaseView | null }): JSX.Element {
  const { dealer } = view;
  return (
    <header class="head" data-state="hold">
      <div class="hazard" aria-hidden="true" />
      <div class="title">
        <StateChip state="hold" />
        <div>
          <h1 class={faultName(view, given).length > LONG_NAME ? "long" : ""}><Say code="sup.case" params={{ table: dealer.table.toUpperCase(), what: faultName(view, given) }} /></h1>
          <p>
            <RoundLine view={dealer} none="bar.shoe" />
            {given?.step && known(`tile.step.${given.step}`) && <>{say("list.comma")}<Say code={`tile.step.${given.step}`} params={{ zone: given.due_zone }} /></>}
            {given && <>{". "}<Say code="sup.case_line" params={{ row: given.row }} /></>}
          </p>
        </div>
        <Tabs desk={desk} view={view} given={given} />
        <span class="grow" />
        {dealer.hold?.taken_by
          ? <span class="taken"><Icon name="person" /> <span><Say code="sup.taken" params={{ name: dealer.hold.taken_by }} /></span></span>
          : leads() && <Button id="take" commander={desk.commander} icon="person" onPress={() => { void desk.commander.press("take", dealer.table, "TakeHold"); }}><Say code="sup.take" /></Button>}
        {dealer.hold && <Age sinceUs={dealer.hold.since_us} class="age" />}
        <button type="button" class="btn close" onClick={() => { desk.open(""); }}><Icon name="cross" /><span class="unseen"><Say code="sup.close_case" /></span></button>
      </div>
    </header>
  );
}

/** Where to look again: earlier reads of a card too many, rounds since the last count that balanced. */
function Review({ given }: { given: CaseView }): JSX.Element | null {
  if (given.review.length === 0) return null;
  return (
    <section class="review">
      <h2><Icon name="look" /> <Say code="sup.review" /></h2>
      <ul>{given.review.map((message, at) => <li key={at}><SayMessage message={message} /></li>)}</ul>
    </section>
  );
}

/** One held table: what was due, what was seen, what the policy allows, and what has happened. */
export function Case({ desk, view }: { desk: Desk; view: SupervisorView }): JSX.Element {
  const given = givenCase(desk, view);
  const option = chosenOf(desk, given);
  const waiting = waits(view.approval);
  const wide = !waiting && (asksFelt(option, given) || (option?.needs.some((each) => each === "card" || each === "against") ?? false));
  const looks = given !== null && given.sightings.length === 0 && asksFelt(option, given) && !waiting;
  // In a qayd the course of the play is the evidence, not a card that was due.
  const board = given?.sightings.length === 0 && !looks ? view.dealer.board ?? null : null;
  const journal = <Journal lines={view.journal} round={view.dealer.round_no} />;
  return (
    <main class={`case ${board ? "judged" : ""} ${given === null ? "clear" : looks ? "looks wide" : wide ? "wide" : ""}`} data-state="hold">
      <Head desk={desk} view={view} given={given} />
      {given && !looks && board && <div class="three coursed"><History board={board} /><section class="seen"><CameraPicture table={view.dealer.table} devices={view.dealer.devices} /></section></div>}
      {given && !looks && !board && <Evidence given={given} table={view.dealer.table} devices={view.dealer.devices} />}
      {given && !looks && <Frames desk={desk} given={given} table={view.dealer.table} />}
      <div class="low">
        {given === null ? <Answered desk={desk} view={view} /> : (
          <div class="left">
            {looks && (
              <div class="bigcam">
                <CameraPicture table={view.dealer.table} devices={view.dealer.devices} />
                {given.evidence.length > 0 && <button type="button" class="btn" data-button="frames" onClick={() => { desk.look("frames"); }}><Icon name="camera" /><span><Say code="frames.title" /></span><kbd class="keyhint">F</kbd></button>}
              </div>
            )}
            <div class="scroll"><Options desk={desk} given={given} option={option} /><Review given={given} /></div>
            {!waiting && journal}
          </div>
        )}
        <div class={`right ${given !== null && !waiting ? "preparing" : ""} ${approvalShown(desk, view) ? "asked" : ""}`}>
          <Approval desk={desk} view={view} />
          {given && !waiting && <Prepare desk={desk} view={view} given={given} option={option} />}
          {(given === null || waiting) && journal}
        </div>
      </div>
      <p class="unseen" aria-live="polite">{view.approval?.how === "" ? <SayMessage message={view.approval.act} /> : null}</p>
    </main>
  );
}
