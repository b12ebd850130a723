import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { Button } from "../shared/parts";
import { Say, SayMessage } from "../shared/text";
import type { CaseView, OptionView, SupervisorView } from "../shared/view";
import { FeltEntry, believed, feltArgs } from "./felt-entry";
import { asksFelt, labelOf } from "./options";
import { CardPicker, DealtPicker, ReasonPicker } from "./picker";
import { type Row, differences } from "./slots";
import type { Desk, Draft } from "./state";
import { VerdictPicker, verdictArg } from "./verdict";

/** What has been entered of the felt; before that the journal's belief. */
function feltRows(desk: Desk, given: CaseView): Row[] {
  return desk.draft.value.felt ?? (given.felt ? believed(given.felt) : []);
}

/** How many people the chosen option takes as it is entered: a felt that names another card is a corrected card by another name. */
export function peopleOf(desk: Desk, option: OptionView, given: CaseView): number {
  if (!asksFelt(option, given) || given.felt === null || differences(believed(given.felt), feltRows(desk, given)).length === 0) return option.people;
  return Math.max(option.people, given.options.find((each) => each.command === "CorrectCard")?.people ?? 1);
}

/** What is still missing before the chosen option may be done, as a message code; empty if nothing. */
export function missing(desk: Desk, option: OptionView | null): string {
  const draft = desk.draft.value;
  if (option === null) return "sup.choose_first";
  if (option.needs.includes("against") && draft.against === "") return "sup.choose_against";
  if (option.needs.includes("index") && draft.index === null) return "sup.choose_index";
  if (option.needs.includes("card") && draft.card === "") return "sup.choose_card";
  if (option.needs.includes("reason") && draft.reason === "") return "sup.choose_reason";
  return "";
}

/** What the chosen option is asked with. */
export function argsOf(desk: Desk, option: OptionView, given: CaseView | null): Record<string, unknown> {
  const draft = desk.draft.value;
  const args: Record<string, unknown> = { fault: option.fault, reason: draft.reason, note: draft.note.trim() };
  if (option.needs.includes("card")) args["card"] = draft.card;
  if (option.needs.includes("against")) args["against"] = verdictArg(draft.against);
  if (option.needs.includes("index")) args["index"] = draft.index;
  if (given !== null && asksFelt(option, given)) args["felt"] = feltArgs(feltRows(desk, given));
  return args;
}

/** Do the chosen option, or ask for it where a second person must approve; a void opens its preview instead. */
export function act(desk: Desk, option: OptionView | null, given: CaseView | null): void {
  if (option === null) return;
  if (option.command === "VoidRound") {
    desk.turn("void");
    return;
  }
  if (missing(desk, option) !== "") return;
  void desk.commander.press(`do.${option.command}`, desk.table.value, option.command, argsOf(desk, option, given)).then((reply) => {
    if (reply?.status === "done") desk.choose(null);
  });
}

/** The words of the second act: ask where two people are needed, do where one suffices. */
function DoWords({ option, given, alone }: { option: OptionView | null; given: CaseView; alone: boolean }): JSX.Element {
  if (option === null) return <Say code="sup.do" />;
  const label = labelOf(option, given);
  if (option.command === "VoidRound") return <Say code="sup.void_preview" />;
  if (!alone) return <Say code="sup.ask" params={{ what: say(label.code, label.params) }} />;
  return <SayMessage message={label} />;
}

/** The second act: what is needed, and the button that does it or asks for it. */
export function Prepare({ desk, view, given, option }: {
  desk: Desk; view: SupervisorView; given: CaseView; option: OptionView | null;
}): JSX.Element {
  const draft = desk.draft.value;
  const lack = missing(desk, option);
  const isVoid = option?.command === "VoidRound";
  const box = useRef<HTMLElement>(null);
  const fill = (change: Partial<Draft>): void => { if (option) desk.fill({ option: option.command, ...change }); };
  const onward = (): void => {
    const next = [...(box.current?.querySelectorAll<HTMLElement>("[data-entry]") ?? [])];
    const here = next.findIndex((each) => each.contains(document.activeElement));
    const to = next[here + 1];
    (to?.querySelector<HTMLElement>("[tabindex='0'], button, input") ?? box.current?.querySelector<HTMLElement>(".do .btn"))?.focus();
  };
  useEffect(() => { if (desk.byKey) { desk.byKey = false; onward(); } });
  const alone = option !== null && peopleOf(desk, option, given) < 2;
  return (
    <section class="prep" ref={box}>
      <h2>{option ? <SayMessage message={labelOf(option, given)} /> : <Say code="sup.choose_first" />}</h2>
      {option && asksFelt(option, given) && given.felt && (
        <div data-entry><FeltEntry felt={given.felt} rows={feltRows(desk, given)} change={(felt) => { fill({ felt }); }} done={onward} /></div>
      )}
      {option?.needs.includes("against") && (
        <div data-entry><h3><Say code="verdict.title" /></h3><VerdictPicker verdict={draft.against} choose={(against) => { fill({ against }); }} done={onward} /></div>
      )}
      {option?.needs.includes("index") && (
        <div data-entry><h3><Say code="sup.needs_index" /></h3><DealtPicker dealt={view.dealt} chosen={draft.index} choose={(index) => { fill({ index }); }} done={onward} /></div>
      )}
      {option?.needs.includes("card") && (
        <div data-entry><h3><Say code="sup.needs_card" /></h3><CardPicker chosen={draft.card} choose={(card) => { fill({ card }); }} done={onward} /></div>
      )}
      {option && !isVoid && option.needs.includes("reason") && (
        <div data-entry><h3><Say code="sup.needs_reason" /></h3><ReasonPicker reasons={view.reasons} reason={draft.reason} note={draft.note} fill={fill} done={onward} /></div>
      )}
      <div class="do">
        {option && !isVoid && <p class="by"><Icon name={alone ? "person" : "people"} /> <span><Say code={alone ? "sup.done_by" : "sup.asked_by"} params={{ name: desk.person }} /></span></p>}
        <Button
          id={`do.${option?.command ?? ""}`} commander={desk.commander} main icon={isVoid ? "void" : alone ? "tick" : "people"} keys="A"
          enabled={isVoid || lack === ""} reason={lack === "" ? undefined : say(lack)} onPress={() => { act(desk, option, given); }}
        >
          <DoWords option={option} given={given} alone={alone} />
        </Button>
      </div>
    </section>
  );
}
