import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { cutCardText } from "../dealer/side";
import { Felt } from "../dealer/felt";
import { titleOf, titleParams, waited } from "../dealer/step";
import { clock, ageText, tick } from "../shared/clock";
import { amount, firstKnown, number, say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { betName } from "../shared/lanes";
import { COMMANDS } from "../shared/names";
import { Button, Countdown, CrowdLine, Edge, RoundLine, Rungs, StateChip, counted } from "../shared/parts";
import { QaydSeats, mayCall } from "../shared/qayd";
import { leads } from "../shared/rights";
import { Say, SayMessage } from "../shared/text";
import type { ButtonView, DealerView, SupervisorView } from "../shared/view";
import { Approval, approvalShown } from "./approval";
import { Claim } from "./claim";
import { History } from "./history";
import { CameraPicture } from "./evidence";
import { Journal } from "./journal";
import { RoadsStrip } from "./roads";
import type { Desk } from "./state";

const HERE = ["open_table", "start_shoe", "open_bets", "end_shoe", "close_table"];

/** What the dealer is told now. */
function Now({ view }: { view: DealerView }): JSX.Element {
  const { step } = view;
  // Where four seats play, the dealer's own words say which of them it is about.
  const code = view.board ? titleOf(view, waited(view), null) : firstKnown(`tile.${step.code}`, step.code);
  return (
    <section class="now" data-state={view.state}>
      <h2><Say code="sup.now" /></h2>
      <div class="what">
        {counted(view.window, view.state) && view.window && <Countdown window={view.window} />}
        <div>
          <b><Say code={code} params={titleParams(view)} /></b>
          {(view.seated ?? 0) > 0 && <p><CrowdLine crowd={view} window={view.window} /></p>}
          <p>{!view.board && <><Say code="fact.cut_card" />: {cutCardText(view)}<br /></>}<Say code="fact.cards_left" />: <bdi class="num">{number(view.cards_left)}</bdi></p>
        </div>
      </div>
    </section>
  );
}

function Bets({ view }: { view: SupervisorView }): JSX.Element {
  return (
    <section class="bets">
      <h2><Say code="sup.bets" /></h2>
      <table class="refunds">
        <tbody>
          {view.bets.map((row) => (
            <tr key={row.bet} class={row.count === 0 ? "zero" : ""}>
              <th scope="row">{betName(row.bet, view.dealer.hands)}</th>
              <td class="n num">{number(row.count)}</td>
              <td class="n num">{amount(row.staked, view.currency)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr><th scope="row"><Say code="sup.all_stakes" /></th><td class="n num">{number(view.dealer.bets)}</td><td class="n num"><small>{view.currency}</small> {amount(view.staked, view.currency)}</td></tr>
        </tfoot>
      </table>
    </section>
  );
}

/** Age and rates of every device of the table. */
export function Devices({ view, full = false }: { view: DealerView; full?: boolean }): JSX.Element {
  void tick.value;
  return (
    <section class="devs">
      <h2><Say code="sup.devices" /></h2>
      <table>
        <thead>
          <tr><td /><th scope="col" class="n"><Say code="device.last" /></th>{full && <><th scope="col" class="n"><Say code="device.bytes" /></th><th scope="col" class="n"><Say code="device.frames" /></th></>}<th scope="col" class="n"><Say code="device.facts" /></th><th scope="col" class="n"><Say code="device.garbage" /></th></tr>
        </thead>
        <tbody>
          {view.devices.map((device) => (
            <tr key={device.name}>
              <th scope="row"><Rungs device={device} />{full && <small><Say code={`device.rung.${device.rung}`} /></small>}<small><SayMessage message={device.detail} /></small></th>
              <td class="n num ltr">{device.last_us > 0 ? ageText(clock.nowUs() - device.last_us) : "–"}</td>
              {full && <><td class="n num">{number(device.bytes)}</td><td class="n num">{number(device.frames)}</td></>}
              <td class="n num">{number(device.facts)}</td>
              <td class="n num">{number(device.garbage)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Which seat calls a fault of the play, where a supervisor says it for that seat. */
function Qayd({ desk, view, back }: { desk: Desk; view: DealerView; back: () => void }): JSX.Element {
  return (
    <footer class="go" role="group" aria-label={say("qayd.who")}>
      <p><Say code="qayd.who" /></p>
      <QaydSeats table={view.table} commander={desk.commander} may={{ enabled: true }} />
      <span class="grow" />
      <button type="button" class="btn" data-button="qayd.back" onClick={back}><Icon name="back" /><span><Say code="relief.back" /></span></button>
    </footer>
  );
}

function Actions({ desk, view, past }: { desk: Desk; view: DealerView; past: number }): JSX.Element {
  const [calling, setCalling] = useState(false);
  const callable = view.board ? mayCall(view, view.board) : false;
  const turn = (to: boolean): void => { desk.commander.layoutChanged(); setCalling(to); };
  const shown = HERE.map((name) => view.buttons.find((button) => button.command === name)).filter((b): b is ButtonView => b !== undefined);
  const call = view.buttons.find((button) => button.command === "call_supervisor");
  if (!leads()) return <footer class="go" />;
  if (calling && callable) return <Qayd desk={desk} view={view} back={() => { turn(false); }} />;
  return (
    <footer class="go">
      {call && (
        <Button id="hold_table" commander={desk.commander} stop icon="hold" enabled={call.enabled} reason={call.reason ? say(call.reason) : undefined}
          onPress={() => { void desk.commander.press("hold_table", view.table, "CallSupervisor", {}, true); }}>
          <Say code="sup.hold_table" />
        </Button>
      )}
      {callable && (
        <button type="button" class="btn stop" data-button="qayd" onClick={() => { turn(true); }}>
          <Icon name="hand" /><span><Say code="qayd.call" /></span>
        </button>
      )}
      {past > 0 && (
        <button type="button" class="btn" data-button="correct" onClick={() => { desk.turn("correct"); }}>
          <Icon name="erase" /><span><Say code="past.open" /></span><kbd class="keyhint" aria-hidden="true">K</kbd>
        </button>
      )}
      <span class="grow" />
      {shown.map((button) => (
        <Button key={button.command} id={button.command} commander={desk.commander} enabled={button.enabled} reason={button.reason ? say(button.reason) : undefined}
          onPress={() => { void desk.commander.press(button.command, view.table, COMMANDS[button.command] ?? "", {}); }}>
          <Say code={`button.${button.command}`} />
        </Button>
      ))}
    </footer>
  );
}

/** A table that is not held: what the dealer sees, the money, the devices, the journal. */
export function TablePane({ desk, view }: { desk: Desk; view: SupervisorView }): JSX.Element {
  const { dealer } = view;
  return (
    <main class="case calm" data-state={dealer.state}>
      <header class="head" data-state={dealer.state}>
        <Edge />
        <div class="title">
          <StateChip state={dealer.state} />
          <div>
            <h1><bdi>{dealer.table.toUpperCase()}</bdi>&nbsp; <Say code={`game.${dealer.game}`} /></h1>
            <p>
              <RoundLine view={dealer} none="sup.no_coup" />
              {dealer.dealer && <>{". "}<Say code="sup.dealer" params={{ name: dealer.dealer }} /></>}
            </p>
          </div>
          <span class="grow" />
          {view.wallet && <span class="wallet" role="status"><SayMessage message={view.wallet} /></span>}
          <Claim desk={desk} table={dealer.table} by={view.claimed_by} name={view.claimed_name} />
          <a class="link" href={`/rules/${dealer.table}`} target="_blank" rel="noopener"><Say code="sup.rules" /></a>
          <a class="link" href={`/supervisor/${dealer.table}/figures`} target="_blank" rel="noopener"><Say code="sup.observed" /></a>
          <button type="button" class="btn close" onClick={() => { desk.open(""); }}><Icon name="cross" /><span class="unseen"><Say code="sup.close_case" /></span></button>
        </div>
      </header>
      <div class="three">
        <Now view={dealer} />
        <Devices view={dealer} />
        <section class="seen"><CameraPicture table={dealer.table} devices={dealer.devices} /></section>
      </div>
      <div class="low">
        <section class="mirror"><Felt view={dealer} /><Bets view={view} /></section>
        <div class={`right ${dealer.board ? "judging" : ""}`}>
          {approvalShown(desk, view) ? <Approval desk={desk} view={view} /> : dealer.board ? <History board={dealer.board} /> : dealer.roads && <RoadsStrip desk={desk} view={view} roads={dealer.roads} />}
          <Journal lines={view.journal} round={dealer.round_no} />
        </div>
      </div>
      <Actions desk={desk} view={dealer} past={view.past.length} />
    </main>
  );
}
