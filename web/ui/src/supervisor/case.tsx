import type { JSX } from "preact";

import { firstKnown, known, say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { Age, Button, StateChip } from "../shared/parts";
import { Say, SayMessage } from "../shared/text";
import type { CaseView, OptionView, SupervisorView } from "../shared/view";
import { CameraPicture, Evidence } from "./evidence";
import { Journal } from "./journal";
import { CardPicker, DealtPicker, ReasonPicker, reasonText } from "./picker";
import type { Desk } from "./state";

/** The policy's answers in its own order, the refused ones after them. */
export function optionsOf(given: CaseView): OptionView[] {
  return [...given.options.filter((option) => option.enabled), ...given.options.filter((option) => !option.enabled)];
}

/** The option that is looked at: the chosen one, else the policy's own answer; none is put forward but that. */
export function chosenOf(desk: Desk, given: CaseView | null): OptionView | null {
  if (given === null) return null;
  const open = given.options.filter((option) => option.enabled);
  return open.find((option) => option.command === desk.draft.value.option) ?? open.find((option) => option.first) ?? null;
}

/** What a fault is called. Only the table's own headline names the device, and it is about one fault. */
export function faultName(view: SupervisorView, given: CaseView | null): string {
  const what = view.dealer.hold?.what;
  if (!what || given === null) return what ? say(what.code, what.params) : "";
  const code = `hold.${given.code}.what`;
  const own = what.code === code && view.cases.find((each) => each.code === given.code) === given;
  return own ? say(code, what.params) : say(firstKnown(`fault.${given.code}`, code));
}

function People({ count }: { count: number }): JSX.Element {
  return <span class="two"><Icon name={count > 1 ? "people" : "person"} /> <Say code="sup.people" params={{ count }} /></span>;
}

function Option({ option, place, on, pick }: { option: OptionView; place: number; on: boolean; pick: () => void }): JSX.Element {
  if (!option.enabled) {
    return (
      <div class="opt not" role="radio" aria-checked={false} aria-disabled="true" tabIndex={0} data-option={option.command}>
        <kbd>{place}</kbd>
        <strong><SayMessage message={option.label} /></strong>
        <span class="wide"><Say code="sup.refused" params={{ reason: option.reason ? say(option.reason.code, option.reason.params) : "" }} /></span>
      </div>
    );
  }
  return (
    <button type="button" class={`opt ${on ? "on" : ""}`} role="radio" aria-checked={on} data-option={option.command} onClick={pick}>
      <kbd>{place}</kbd>
      <span>
        <strong><SayMessage message={option.label} /></strong>
        {option.first && <Say code="sup.policy_first" />}
        <People count={option.people} />
      </span>
      <span><SayMessage message={option.effect_round} /></span>
      <span class="money"><SayMessage message={option.effect_money} /></span>
    </button>
  );
}

/** What is still missing before the chosen option may be done, as a message code; empty if nothing. */
export function missing(desk: Desk, option: OptionView | null): string {
  const draft = desk.draft.value;
  if (option === null) return "sup.choose_first";
  if (option.needs.includes("index") && draft.index === null) return "sup.choose_index";
  if (option.needs.includes("card") && draft.card === "") return "sup.choose_card";
  if (option.needs.includes("reason") && draft.reason === "") return "sup.choose_reason";
  return "";
}

/** Do the chosen option; a void opens its preview instead. */
export function act(desk: Desk, option: OptionView | null): void {
  if (option === null) return;
  if (option.command === "VoidRound") {
    desk.turn("void");
    return;
  }
  if (missing(desk, option) !== "") return;
  const draft = desk.draft.value;
  const args: Record<string, unknown> = { fault: option.fault, reason: reasonText(draft.reason, draft.note) };
  if (option.needs.includes("card")) args["card"] = draft.card;
  if (option.needs.includes("index")) args["index"] = draft.index;
  void desk.commander.press(`do.${option.command}`, desk.table.value, option.command, args).then((reply) => {
    if (reply?.status === "done") desk.choose(null);
  });
}

/** The second act: what is needed, and the button that does it. */
function Prepare({ desk, view, option }: { desk: Desk; view: SupervisorView; option: OptionView | null }): JSX.Element {
  const draft = desk.draft.value;
  const lack = missing(desk, option);
  const isVoid = option?.command === "VoidRound";
  return (
    <section class="prep">
      <h2>{option ? <SayMessage message={option.label} /> : <Say code="sup.choose_first" />}</h2>
      {option?.needs.includes("index") && (
        <><h3><Say code="sup.needs_index" /></h3><DealtPicker dealt={view.dealt} chosen={draft.index} choose={(index) => { start(desk, option, { index }); }} /></>
      )}
      {option?.needs.includes("card") && (
        <><h3><Say code="sup.needs_card" /></h3><CardPicker chosen={draft.card} choose={(card) => { start(desk, option, { card }); }} /></>
      )}
      {option && !isVoid && (
        <><h3><Say code="sup.needs_reason" /></h3><ReasonPicker reasons={view.reasons} reason={draft.reason} note={draft.note} fill={(change) => { start(desk, option, change); }} /></>
      )}
      <div class="do">
        <p class="by"><Icon name="person" /> <span><Say code="sup.done_by" params={{ name: desk.person }} /></span></p>
      <Button
        id={`do.${option?.command ?? ""}`} commander={desk.commander} main icon={isVoid ? "void" : "tick"} keys="A"
        enabled={isVoid || lack === ""} reason={lack === "" ? undefined : say(lack)} onPress={() => { act(desk, option); }}
      >
        {isVoid ? <Say code="sup.void_preview" /> : option ? <SayMessage message={option.label} /> : <Say code="sup.do" />}
      </Button>
      </div>
    </section>
  );
}

/** Keep what was filled in, and the option that it was filled in for. */
function start(desk: Desk, option: OptionView, change: Partial<{ index: number; card: string; reason: string; note: string }>): void {
  desk.fill({ option: option.command, ...change });
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
      <Button id="lift" commander={desk.commander} main icon="arrow" keys="A" enabled={view.lift.enabled} reason={why} onPress={() => { lift(desk); }}>
        <Say code="sup.lift" />
      </Button>
    </div>
  );
}

/** Let the table go on. */
export function lift(desk: Desk): void {
  void desk.commander.press("lift", desk.table.value, "LiftHold", { fault: "", reason: "" });
}

function Head({ desk, view, given }: { desk: Desk; view: SupervisorView; given: CaseView | null }): JSX.Element {
  const { dealer } = view;
  return (
    <header class="head" data-state="hold">
      <div class="hazard" aria-hidden="true" />
      <div class="title">
        <StateChip state="hold" />
        <div>
          <h1><Say code="sup.case" params={{ table: dealer.table.toUpperCase(), what: faultName(view, given) }} /></h1>
          <p>
            {dealer.round_no > 0 ? <Say code="bar.coup_shoe" params={{ round: dealer.round_no, shoe: dealer.shoe_no }} /> : <Say code="bar.shoe" params={{ shoe: dealer.shoe_no }} />}
            {given && <>{". "}<Say code="sup.case_line" params={{ row: given.row }} /></>}
          </p>
        </div>
        {view.cases.length > 1 && (
          <div class="tabs" role="tablist">
            {view.cases.map((each, at) => (
              <button key={each.fault} type="button" role="tab" aria-selected={each === given} class={each === given ? "on" : ""} onClick={() => { desk.place.value = at; desk.choose(null); }}>
                {faultName(view, each)}
              </button>
            ))}
          </div>
        )}
        <span class="grow" />
        {dealer.hold?.taken_by
          ? <span class="taken"><Icon name="person" /> <span><Say code="sup.taken" params={{ name: dealer.hold.taken_by }} /></span></span>
          : <Button id="take" commander={desk.commander} icon="person" onPress={() => { void desk.commander.press("take", dealer.table, "TakeHold"); }}><Say code="sup.take" /></Button>}
        {dealer.hold && <Age sinceUs={dealer.hold.since_us} class="age" />}
        <button type="button" class="btn close" onClick={() => { desk.open(""); }}><Icon name="cross" /><span class="unseen"><Say code="sup.close_case" /></span></button>
      </div>
    </header>
  );
}

/** One held table: what was due, what was seen, what the policy allows, and what has happened. */
export function Case({ desk, view }: { desk: Desk; view: SupervisorView }): JSX.Element {
  const given = view.cases[Math.min(desk.place.value, view.cases.length - 1)] ?? null;
  const option = chosenOf(desk, given);
  const wide = option?.needs.includes("card") ?? false;
  const journal = <Journal lines={view.journal} round={view.dealer.round_no} />;
  return (
    <main class={`case ${given === null ? "clear" : wide ? "wide" : ""}`} data-state="hold">
      <Head desk={desk} view={view} given={given} />
      {given && <Evidence given={given} table={view.dealer.table} devices={view.dealer.devices} />}
      <div class="low">
        {given === null ? <Answered desk={desk} view={view} /> : (
          <div class="left">
            <section class="opts">
              <h2><span><Say code="sup.what_policy" /></span><span><Say code="sup.effects" /></span></h2>
              <div class="rows" role="radiogroup" aria-label={say("sup.what_policy")}>
                {optionsOf(given).map((each, at) => (
                  <Option key={`${each.command}${at}`} option={each} place={at + 1} on={each === option} pick={() => { desk.choose(each); }} />
                ))}
              </div>
              <p class="keys" aria-hidden="true">
                <kbd>1</kbd>–<kbd>9</kbd><Say code="sup.key.choose" /> <kbd>A</kbd><Say code="sup.key.do" /> <kbd>V</kbd><Say code="sup.key.void" /> <kbd>N</kbd><Say code="sup.key.next" /> <kbd>Esc</kbd><Say code="sup.key.close" />
              </p>
            </section>
            {wide && journal}
          </div>
        )}
        <div class="right">
          {given && <Prepare desk={desk} view={view} option={option} />}
          {!wide && journal}
        </div>
      </div>
    </main>
  );
}
