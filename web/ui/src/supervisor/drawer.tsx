import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { Say } from "../shared/text";
import type { SupervisorView } from "../shared/view";
import { givenCase } from "./case";
import { FullFrames } from "./frames";
import { Journal } from "./journal";
import { ShoeList } from "./roads";
import type { Desk } from "./state";
import { Devices } from "./table";

const NAMES = { journal: "sup.journal_table", devices: "sup.devices", shoes: "sup.shoes" };

/** What lies over the case for a longer look: the frames, the whole journal, the devices, the roads of all shoes. */
export function Drawer({ desk, view }: { desk: Desk; view: SupervisorView }): JSX.Element | null {
  const box = useRef<HTMLElement>(null);
  const open = desk.drawer.value;
  useEffect(() => { box.current?.focus(); }, [open]);
  if (open === "") return null;
  const given = givenCase(desk, view);
  if (open === "frames") return given ? <FullFrames desk={desk} given={given} table={view.dealer.table} /> : null;
  return (
    <section class={`drawer ${open}`} ref={box} tabIndex={-1} aria-label={say(NAMES[open])}>
      <header>
        {open === "shoes" && <h2><Say code="sup.shoes" /></h2>}
        <span class="grow" />
        <button type="button" class="btn" onClick={() => { desk.look(""); }}><Icon name="cross" /><span><Say code="settings.close" /></span> <kbd class="keyhint">Esc</kbd></button>
      </header>
      {open === "journal" && <Journal lines={view.journal} round={view.dealer.round_no} />}
      {open === "devices" && <Devices view={view.dealer} full />}
      {open === "shoes" && <ShoeList view={view} />}
    </section>
  );
}
