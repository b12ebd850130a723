import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import { amount, known, money, number, say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { betName } from "../shared/lanes";
import { Age, Button, Edge, StateChip } from "../shared/parts";
import { Say, SayMessage } from "../shared/text";
import type { HandView, SupervisorView, VoidPreview } from "../shared/view";
import { Approval, approvalShown, waits } from "./approval";
import { Journal } from "./journal";
import { ReasonPicker } from "./picker";
import type { Desk, Voided } from "./state";

/** Every kind of bet, also the empty ones, and the totals. */
function Refunds({ preview, currency, hands }: { preview: VoidPreview; currency: string; hands: HandView[] }): JSX.Element {
  const count = preview.rows.reduce((sum, row) => sum + row.count, 0);
  return (
    <table class="refunds">
      <thead>
        <tr>
          <th scope="col"><Say code="sup.bet" /></th>
          <th scope="col" class="n"><Say code="sup.count" /></th>
          <th scope="col" class="n"><Say code="sup.accepted" /></th>
          <th scope="col" class="n"><Say code="sup.paid_before" /></th>
          <th scope="col" class="n"><Say code="sup.returned" params={{ unit: currency }} /></th>
        </tr>
      </thead>
      <tbody>
        {preview.rows.map((row, at) => (
          <tr key={row.bet} class={row.count === 0 ? "zero" : ""}>
            <th scope="row">{betName(row.bet, hands)}</th>
            <td class="n num">{number(row.count)}</td>
            <td class="n num">{amount(row.staked, currency)}</td>
            <td class="n num">{amount(0, currency)}</td>
            <td class="n num strong">{amount(preview.returns[at] ?? row.staked, currency)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row"><Say code="sup.all_stakes" /></th>
          <td class="n num">{number(count)}</td>
          <td class="n num">{amount(preview.accepted, currency)}</td>
          <td class="n num">{amount(preview.paid_before, currency)}</td>
          <td class="n num">{amount(preview.returned, currency)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** The proof as a sum, and the four checks in words; a failing one stands first. */
function Proof({ preview, currency, round }: { preview: VoidPreview; currency: string; round: number }): JSX.Element {
  const kept = preview.accepted - preview.returned - preview.paid_before;
  const checks = [...preview.proof].sort((a, b) => Number(a[1]) - Number(b[1]));
  return (
    <div class="proof">
      <h2><Say code="sup.proof" /> <small><Say code={`void.method.${preview.method}`} /></small></h2>
      <div class="eq">
        <div><b class="num">{amount(preview.accepted, currency)}</b><Say code="sup.proof_accepted" params={{ round }} /></div>
        <span>−</span>
        <div><b class="num">{amount(preview.returned, currency)}</b><Say code="sup.proof_returned" /></div>
        <span>=</span>
        <div><b class="num">{amount(kept, currency)} {kept === 0 && <Icon name="tick" />}</b><Say code="sup.proof_kept" /></div>
      </div>
      <ul class="checks">
        {checks.map(([code, holds]) => (
          <li key={code} class={holds ? "" : "fails"}><Icon name={holds ? "tick" : "cross"} /> <span><Say code={code} /></span></li>
        ))}
      </ul>
    </div>
  );
}

function Told({ round, count }: { round: number; count: number }): JSX.Element {
  return (
    <section>
      <h2><Say code="sup.who_is_told" /></h2>
      <ul class="tell">
        {["players", "dealer", "platform"].map((who) => (
          <li key={who}><b><Say code={`sup.told.${who}`} /></b><span><Say code={`sup.told.${who}.line`} params={{ round, count }} /></span></li>
        ))}
      </ul>
    </section>
  );
}

/** Why the void may not be asked for now, as a message code; empty if it may. */
export function voidLack(desk: Desk, preview: VoidPreview): string {
  if (preview.proof.some(([, holds]) => !holds)) return "sup.proof_fails";
  return desk.draft.value.reason === "" ? "sup.choose_reason" : "";
}

/** Void the open coup, or ask for it where a second person must approve. */
export function askVoid(desk: Desk, view: SupervisorView): void {
  const preview = view.void;
  if (!preview || waits(view.approval) || voidLack(desk, preview) !== "") return;
  const draft = desk.draft.value;
  const fault = view.cases[desk.place.value]?.fault ?? view.cases[0]?.fault ?? "";
  const args = { fault, round_id: preview.round_id, reason: draft.reason, note: draft.note.trim() };
  const kept = { round: view.dealer.round_no, roundId: preview.round_id, accepted: preview.accepted, returned: preview.returned };
  const before = view.approval?.id ?? "";
  void desk.commander.press("void", desk.table.value, "VoidRound", args).then((reply) => {
    if (reply?.status !== "done") return;
    desk.asked.value = { ...kept, before };
  });
}

/** What is next: the ask, or that it waits for the second person. */
function Foot({ desk, view, preview }: { desk: Desk; view: SupervisorView; preview: VoidPreview }): JSX.Element {
  const lack = voidLack(desk, preview);
  const fails = lack === "sup.proof_fails";
  const two = preview.people > 1;
  const round = view.dealer.round_no;
  const waiting = waits(view.approval);
  return (
    <footer class="go">
      <Button id="void.back" commander={desk.commander} icon="back" keys="Esc" onPress={() => { desk.turn("case"); }}><Say code="sup.back_options" /></Button>
      <span class="grow" />
      <p>{fails ? <Say code="sup.proof_fails" /> : <Say code={waiting ? "approval.waits_line" : two ? "sup.void_two" : "sup.void_final"} />}</p>
      {!fails && !waiting && (
        <Button id="void" commander={desk.commander} danger icon="void" keys="⇧ V" enabled={lack === ""} reason={lack && known(lack) ? say(lack) : undefined} onPress={() => { askVoid(desk, view); }}>
          <Say code={two ? "sup.void_ask" : "sup.void_do"} params={{ round }} />
        </Button>
      )}
    </footer>
  );
}

/** What a void of the open coup would do, before anything has happened. */
export function VoidPane({ desk, view, preview }: { desk: Desk; view: SupervisorView; preview: VoidPreview }): JSX.Element {
  const round = view.dealer.round_no;
  const draft = desk.draft.value;
  const waiting = waits(view.approval);
  return (
    <main class="case voiding" data-state="void">
      <header class="head" data-state="void">
        <Edge />
        <div class="title">
          <StateChip state="void"><Say code="sup.void_preview" /></StateChip>
          <div>
            <h1><Say code="sup.void_title" params={{ round, table: view.dealer.table.toUpperCase() }} /></h1>
            <p><Say code="sup.void_line" /></p>
          </div>
          <span class="grow" />
          {view.dealer.hold && <Age sinceUs={view.dealer.hold.since_us} class="age" />}
        </div>
      </header>
      <div class="body">
        <section class="sums">
          <Refunds preview={preview} currency={view.currency} hands={view.dealer.hands} />
          <Proof preview={preview} currency={view.currency} round={round} />
        </section>
        <div class="right">
          {approvalShown(desk, view) && <Approval desk={desk} view={view} />}
          {!waiting && <section><h2><Say code="sup.needs_reason" /></h2><ReasonPicker reasons={view.reasons} reason={draft.reason} note={draft.note} fill={(change) => { desk.fill(change); }} /></section>}
          <Told round={round} count={preview.rows.reduce((sum, row) => sum + row.count, 0)} />
          <Journal lines={view.journal} round={round} />
        </div>
      </div>
      <Foot desk={desk} view={view} preview={preview} />
    </main>
  );
}

/** After the void: what was returned, until the person goes on, also when the next coup has opened. */
export function Receipt({ desk, view, kept }: { desk: Desk; view: SupervisorView; kept: Voided }): JSX.Element {
  const { round, accepted, returned } = kept;
  useEffect(() => { desk.seeRefund(view); }, [desk, view]);
  return (
    <main class="case receipt" data-state="void">
      <header class="head" data-state="void">
        <Edge />
        <div class="title"><StateChip state="void" /><h1><Say code="sup.receipt" params={{ round }} /></h1></div>
      </header>
      <div class="answered">
        <Icon name="void" />
        <h2><Say code="sup.receipt_line" params={{ amount: returned, accepted }} /></h2>
        <p class="wallet" role="status">{view.wallet ? <SayMessage message={view.wallet} /> : <Say code="sup.wallet_done" />}</p>
        <p class="num">{money(accepted, view.currency)} − {money(returned, view.currency)} = {money(accepted - returned, view.currency)}</p>
        <Button id="receipt" commander={desk.commander} main icon="back" onPress={() => { desk.voided.value = null; desk.turn("case"); }}><Say code="sup.receipt_ok" /></Button>
      </div>
      <Journal lines={view.journal} round={view.dealer.round_no} />
    </main>
  );
}
