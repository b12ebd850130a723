import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { boot } from "../shared/boot";
import { PlayingCard } from "../shared/cards";
import { timeText } from "../shared/clock";
import { firstKnown, known, say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { deviceName, face } from "../shared/parts";
import { Say } from "../shared/text";
import type { CardView, CaseView, DeviceView, SightingView } from "../shared/view";

const PICTURE_MS = 2000;
/** After a picture that did not come, fewer are asked for. */
const RETRY_MS = 5_000;

function sightCard(sight: SightingView): CardView {
  if (sight.card !== "" && sight.card.length === 2 && sight.card !== "XX" && sight.card !== "??") return face(sight.card);
  const back = sight.look === "back" || sight.look === "hidden" || sight.card === "XX";
  const look = back ? "back" : sight.look === "cut" ? "cut" : "question";
  return { look, card: "", sideways: false, mark: "" };
}

/** Where the card was seen, or in what way it was not. */
function sightTitle(sight: SightingView): JSX.Element {
  if (sight.look === "hidden") return <Say code="sup.hidden" />;
  const view = sightCard(sight);
  if (view.look === "face") {
    return sight.zone === "" ? <Say code="sup.card" params={{ card: sight.card }} />
      : <Say code="seen.card" params={{ card: sight.card, zone: sight.zone }} />;
  }
  if (view.look === "question") return <Say code={sight.look === "unsure" ? "sup.unsure" : "sup.unread"} />;
  return <Say code={`card.${view.look}`} />;
}

/** What one source says about the moment. */
function Sight({ sight }: { sight: SightingView }): JSX.Element {
  const code = sight.kind === "shoe" ? "sup.shoe_saw" : sight.kind === "camera" ? "sup.camera_saw" : "sup.other_saw";
  return (
    <section>
      <h2><Say code={code} params={{ device: deviceName({ name: sight.source, kind: sight.kind }) }} /></h2>
      <div class="what">
        <PlayingCard view={sightCard(sight)} />
        <div>
          <b>{sightTitle(sight)}</b>
          <p>
            <span class="num ltr">{timeText(sight.at_us, "milli")}</span>
            {sight.sequence !== null && <><br /><Say code="sup.sequence" params={{ sequence: sight.sequence }} /></>}
            {sight.confidence_milli !== null && <><br /><Say code="sup.sure" params={{ figure: (sight.confidence_milli / 1000).toFixed(3) }} /></>}
          </p>
        </div>
      </div>
    </section>
  );
}

let fetched = Date.now();

/**
 * An address of the camera's picture that this page has not used before. A browser gives an address
 * that it has shown in this page again from memory, whatever the server says about keeping it:
 * a supervisor would look at the cards of an earlier hold under the word "now".
 */
export function pictureAddress(table: string): string {
  fetched += 1;
  return `/picture/${encodeURIComponent(table)}?n=${fetched}`;
}

/** Whether this role is given pictures of the felt at all; the server refuses them to any other. */
export function seesPictures(role: string): boolean {
  return ["supervisor", "pit-boss", "engineer"].includes(role);
}

/** The camera's picture of the felt, fetched anew while it is looked at. */
export function CameraPicture({ table, devices }: { table: string; devices: DeviceView[] }): JSX.Element {
  const [src, setSrc] = useState(() => pictureAddress(table));
  const [bad, setBad] = useState(false);
  const barred = boot.person !== null && !seesPictures(boot.person.role);
  useEffect(() => {
    if (barred) return undefined;
    const timer = setInterval(() => { if (document.visibilityState === "visible") setSrc(pictureAddress(table)); }, bad ? RETRY_MS : PICTURE_MS);
    return () => { clearInterval(timer); };
  }, [bad, barred, table]);
  if (!devices.some((device) => device.kind === "camera")) {
    return <figure class="cam"><p><Icon name="camera" /> <Say code="sup.no_camera" /></p></figure>;
  }
  if (barred) return <figure class="cam"><p><Icon name="camera" /> <Say code="sup.picture_not_yours" /></p></figure>;
  return (
    <figure class="cam">
      <img
        src={src} alt={say("sup.picture", { table: table.toUpperCase() })} hidden={bad}
        onError={() => { setBad(true); }} onLoad={() => { setBad(false); }}
      />
      {bad && <p><Icon name="camera" /> <Say code="sup.no_picture" /></p>}
      <figcaption><Say code="sup.picture" params={{ table: table.toUpperCase() }} /></figcaption>
    </figure>
  );
}

/** The letter of a side; places with a longer name are shown by their symbol. */
function dueLetter(zone: string): string {
  const name = say(firstKnown(`zone.${zone}.short`, `zone.${zone}`));
  return name.length > 2 ? "" : name;
}

/** Due beside seen beside the picture. */
export function Evidence({ given, table, devices }: { given: CaseView; table: string; devices: DeviceView[] }): JSX.Element {
  return (
    <div class="three" data-sights={given.sightings.length}>
      <section data-state="dealing" class={given.text && known(given.text) ? "told" : ""}>
        <h2><Say code="label.due" /></h2>
        <div class="what">
          {given.due ? (
            <>
              <span class="slot due">{dueLetter(given.due_zone) || <Icon name={given.due_face === "down" ? "facedown" : "faceup"} />}</span>
              <div><b><Say code="sup.to" params={{ zone: given.due_zone }} /></b><p><Say code={`face.${given.due_face || "up"}`} /></p></div>
            </>
          ) : <p class="empty"><Say code="label.nothing_due" /></p>}
        </div>
        {given.text && known(given.text) && <p class="tech"><Say code={given.text} /></p>}
      </section>
      {given.sightings.slice(0, 2).map((sight, place) => <Sight key={place} sight={sight} />)}
      {given.sightings.length === 0 && <section><h2><Say code="label.seen" /></h2><p class="empty"><Say code="sup.saw_nothing" /></p></section>}
      <section class="seen"><CameraPicture table={table} devices={devices} /></section>
    </div>
  );
}
