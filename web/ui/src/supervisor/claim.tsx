import type { JSX } from "preact";

import { boot } from "../shared/boot";
import { Icon } from "../shared/icons";
import { Button } from "../shared/parts";
import { leads } from "../shared/rights";
import { Say } from "../shared/text";
import type { Desk } from "./state";

/** Whether the person at this console is the one who answers for a table. */
function mine(by: string, name: string): boolean {
  const { person } = boot;
  if (!person || by === "") return false;
  return person.number ? person.number === by : person.name === name;
}

/** Who answers for a table, and the way to take that on or give it back. */
export function Claim({ desk, table, by, name }: { desk: Desk; table: string; by: string; name: string }): JSX.Element {
  const own = mine(by, name);
  return (
    <span class="claim" data-claim={by === "" ? "nobody" : own ? "own" : "other"}>
      {by !== "" && <span class="by"><Icon name="person" /> <span>{own ? <Say code="claim.own" /> : <Say code="claim.by" params={{ name: name || by }} />}</span></span>}
      {!leads() ? null : own
        ? <Button id={`release.${table}`} commander={desk.commander} onPress={() => { void desk.commander.press(`release.${table}`, table, "ReleaseTable", {}, true); }}><Say code="claim.release" /></Button>
        : <Button id={`claim.${table}`} commander={desk.commander} onPress={() => { void desk.commander.press(`claim.${table}`, table, "ClaimTable", {}, true); }}><Say code={by === "" ? "claim.take" : "claim.take_over"} /></Button>}
    </span>
  );
}
