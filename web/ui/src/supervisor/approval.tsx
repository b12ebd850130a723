import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { boot } from "../shared/boot";
import { clock, tick, timeText } from "../shared/clock";
import { newId } from "../shared/commands";
import { known, say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { listenBadge } from "../shared/keys";
import { Age, Button } from "../shared/parts";
import { Say, SayMessage } from "../shared/text";
import type { ApprovalView, Message, SupervisorView } from "../shared/view";
import { ReasonPicker } from "./picker";
import { type Word, sayHere } from "./second";
import type { Desk } from "./state";

/** How long the end of an approval stays in sight. */
const SHOWN_US = 60_000_000;

/** Whether the person at this console is who asked. */
export function askedHere(approval: ApprovalView): boolean {
  const { person } = boot;
  if (!person) return true;
  return person.number ? person.number === approval.by : person.name === approval.by_name;
}

/** The roles that may approve, in words. */
export function rolesText(roles: string[]): string {
  return roles.map((role) => say(`role.${role}`)).join(` ${say("approval.or")} `);
}

/** The act in words; once the fault is answered the table no longer knows the place, and none is named. */
export function actOf(approval: ApprovalView): Message {
  const plain = `${approval.act.code}.plain`;
  return approval.act.params["zone"] === "" && known(plain) ? { code: plain, params: approval.act.params } : approval.act;
}

/** Whether an approval still waits. */
export function waits(approval: ApprovalView | null): boolean {
  return approval?.how === "";
}

/** The second person on this console: badge, or staff number and PIN, for this one act. */
function Here({ desk, approval, table }: { desk: Desk; approval: ApprovalView; table: string }): JSX.Element {
  const [number, setNumber] = useState("");
  const [pin, setPin] = useState("");
  const [busy, setBusy] = useState(false);
  const [told, setTold] = useState("");
  const [declining, setDeclining] = useState(false);
  const [reason, setReason] = useState("");
  const pinField = useRef<HTMLInputElement>(null);
  const ids = useRef({ approve: newId(), decline: newId() });
  const send = (word: Word, who: { number: string; pin: string; badge: string }): void => {
    if (busy) return;
    setBusy(true);
    setTold("");
    void sayHere(desk.table.value, approval.id, word, who, reason, ids.current[word]).then((text) => {
      setBusy(false);
      setPin("");
      ids.current = { approve: newId(), decline: newId() };
      setTold(text);
    });
  };
  const word: Word = declining ? "decline" : "approve";
  useEffect(() => listenBadge((badge) => {
    setNumber("");
    setPin("");
    send(word, { number: "", pin: "", badge });
  }));
  const lack = declining && reason === "" ? "sup.choose_reason" : number === "" ? "approval.need_number" : pin === "" ? "approval.need_pin" : "";
  const go = (): void => {
    if (number !== "" && pin === "") pinField.current?.focus();
    else if (lack === "") send(word, { number: number.trim(), pin, badge: "" });
    else setTold(say(lack));
  };
  return (
    <form class="here" onSubmit={(event) => { event.preventDefault(); go(); }}>
      {declining && <ReasonPicker reasons={desk.view.value?.reasons ?? []} reason={reason} note="" bare fill={(change) => { setReason(change.reason ?? ""); }} />}
      <div class="pin">
        <label class="field"><Icon name="badge" /><input name="number" type="text" inputMode="numeric" autocomplete="off" dir="ltr" maxLength={64} value={number} placeholder={say("approval.badge_or_number")} aria-label={say("approval.badge_or_number")} onInput={(event) => { setNumber(event.currentTarget.value); setTold(""); }} /></label>
        <label class="field"><Icon name="lock" /><input ref={pinField} name="pin" type="password" autocomplete="off" dir="ltr" maxLength={64} value={pin} placeholder={say("signin.pin")} aria-label={say("signin.pin")} onInput={(event) => { setPin(event.currentTarget.value); setTold(""); }} /></label>
      </div>
      <p class="told" role="alert">{told}</p>
      <div class="acts three-acts">
        <Button id="withdraw" commander={desk.commander} icon="back" onPress={() => { void desk.commander.press("withdraw", table, "WithdrawApproval", { approval: approval.id }, true); }}>
          <Say code="approval.withdraw" />
        </Button>
        <button type="button" class="btn" data-button="here.turn" onClick={() => { setDeclining(!declining); setTold(""); }}><span><Say code={declining ? "approval.not_decline" : "approval.decline"} /></span></button>
        <button type="submit" class={`btn ${declining ? "danger" : "main"}`} data-button={`here.${word}`} aria-busy={busy} aria-disabled={lack === "" ? undefined : "true"}>
          <Icon name={declining ? "cross" : "tick"} /><span class="words"><Say code={declining ? "approval.decline_here" : "approval.approve_here"} />{busy && <small><Say code="button.waiting" /></small>}</span>
        </button>
      </div>
    </form>
  );
}

/** The second person on his or her own console. */
function Direct({ desk, view, approval }: { desk: Desk; view: SupervisorView; approval: ApprovalView }): JSX.Element {
  const [declining, setDeclining] = useState(false);
  const [reason, setReason] = useState("");
  const table = view.dealer.table;
  const role = boot.person?.role ?? "";
  if (!approval.roles.includes(role)) {
    return <p class="wait"><Say code="approval.not_you" params={{ role: say(`role.${role}`) }} /></p>;
  }
  return (
    <div class="here">
      {declining && <ReasonPicker reasons={view.reasons} reason={reason} note="" bare fill={(change) => { setReason(change.reason ?? ""); }} />}
      <div class="acts">
        {declining
          ? <><button type="button" class="btn" onClick={() => { setDeclining(false); }}><Say code="approval.not_decline" /></button>
            <Button id="decline" commander={desk.commander} danger icon="cross" enabled={reason !== ""} reason={say("sup.choose_reason")} onPress={() => { void desk.commander.press("decline", table, "Decline", { approval: approval.id, reason }, true); }}><Say code="approval.decline" /></Button></>
          : <><button type="button" class="btn" data-button="declining" onClick={() => { setDeclining(true); }}><Icon name="cross" /><span><Say code="approval.decline" /></span></button>
            <Button id="approve" commander={desk.commander} main icon="tick" keys="A" onPress={() => { approve(desk, approval); }}><Say code="approval.approve" /></Button></>}
      </div>
    </div>
  );
}

/** Say yes as the second person at the own console. */
export function approve(desk: Desk, approval: ApprovalView): void {
  if (!approval.roles.includes(boot.person?.role ?? "") || askedHere(approval)) return;
  void desk.commander.press("approve", desk.table.value, "Approve", { approval: approval.id }, true);
}

function Ended({ desk, approval }: { desk: Desk; approval: ApprovalView }): JSX.Element {
  const code = `approval.ended.${approval.how}`;
  const params = { name: approval.ended_by, reason: approval.reason ? say(approval.reason.code, approval.reason.params) : "", round: approval.round_no };
  return (
    <section class={`appr ended ${approval.how}`} role="status" data-approval={approval.how}>
      <Icon name={approval.how === "given" ? "tick" : "cross"} />
      <div>
        <b><SayMessage message={actOf(approval)} /></b>
        <p><Say code={approval.how === "declined" && approval.reason ? "approval.ended.declined_why" : code} params={params} /> <span class="num ltr">{timeText(approval.ended_us, "second")}</span></p>
      </div>
      <button type="button" class="btn close" onClick={() => { desk.seenApproval.value = approval.id; }}><Icon name="cross" /><span class="unseen"><Say code="settings.close" /></span></button>
    </section>
  );
}

/** Whether there is something of an approval to show at this desk now. */
export function approvalShown(desk: Desk, view: SupervisorView): boolean {
  const { approval } = view;
  if (approval === null) return false;
  if (approval.how === "") return true;
  return desk.seenApproval.value !== approval.id && clock.nowUs() - approval.ended_us < SHOWN_US;
}

/** What waits for a second person: the act in words, who asked, who may approve, and the way to do it. */
export function Approval({ desk, view }: { desk: Desk; view: SupervisorView }): JSX.Element | null {
  void tick.value;
  const { approval } = view;
  if (approval === null || !approvalShown(desk, view)) return null;
  if (!waits(approval)) return <Ended desk={desk} approval={approval} />;
  const own = askedHere(approval);
  return (
    <section class="appr" data-approval="waits" aria-label={say("approval.title")}>
      <h2><SayMessage message={actOf(approval)} /></h2>
      <p class="cost"><SayMessage message={approval.effect_money} /></p>
      {(approval.changes ?? []).length > 0 && (
        <ul class="diffs">{(approval.changes ?? []).map((line, at) => <li key={at}><Icon name="unequal" /><span><SayMessage message={line} /></span></li>)}</ul>
      )}
      <ul class="who">
        <li><Icon name="tick" /><span><Say code="approval.asks" params={{ name: approval.by_name }} /></span><span class="num ltr">{timeText(approval.at_us, "second")}</span></li>
        <li><Icon name="badge" /><span><Say code="approval.approves" params={{ role: rolesText(approval.roles) }} /><small><Say code="approval.not_same" /></small></span></li>
        <li><Icon name="clock" /><span><Say code="approval.waits" /></span><Age sinceUs={approval.at_us} class="age" /></li>
      </ul>
      {own ? <Here key={approval.id} desk={desk} approval={approval} table={view.dealer.table} /> : <Direct desk={desk} view={view} approval={approval} />}
    </section>
  );
}
