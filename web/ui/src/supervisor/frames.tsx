import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { timeText } from "../shared/clock";
import { say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { Say } from "../shared/text";
import type { CaseView, EvidenceView } from "../shared/view";
import type { Desk } from "./state";

/** Offsets around the moment (ms) whose nearest pictures make the strip; the last is the newest one. */
const AROUND_MS = [-1200, -800, -400, 0, 400, 1200];
/** Room at both ends of the time line, in parts of it. */
const MARGIN = 0.02;
let root = "/evidence";

/** Where the bytes of the evidence come from: drawings have them elsewhere. */
export function setEvidenceRoot(address: string): void {
  root = address;
}

/** Address of one kept piece, or of the whole bundle without a name. */
export function evidenceAddress(table: string, fault: string, name = ""): string {
  const of = `${root}/${encodeURIComponent(table)}/${encodeURIComponent(fault)}`;
  return name === "" ? `${of}.zip` : `${of}/${encodeURIComponent(name)}`;
}

/** The kept pictures of a fault in order of time. */
export function picturesOf(given: CaseView): EvidenceView[] {
  return given.evidence.filter((piece) => piece.kind === "picture").sort((a, b) => a.at_us - b.at_us);
}

/** At most seven pictures around the moment, and which of them is it. */
export function strip(pictures: EvidenceView[], momentUs: number): { pictures: EvidenceView[]; at: number } {
  if (pictures.length === 0) return { pictures: [], at: -1 };
  const nearest = (us: number): number => pictures.reduce((best, piece, at) => (Math.abs(piece.at_us - us) < Math.abs((pictures[best]?.at_us ?? 0) - us) ? at : best), 0);
  const moment = nearest(momentUs);
  const chosen = new Set([...AROUND_MS.map((ms) => nearest(momentUs + ms * 1000)), pictures.length - 1]);
  for (let step = 1; chosen.size < Math.min(7, pictures.length); step += 1) {
    for (const at of [moment - step, moment + step]) if (at >= 0 && at < pictures.length && chosen.size < 7) chosen.add(at);
  }
  const order = [...chosen].sort((a, b) => a - b);
  return { pictures: order.map((at) => pictures[at] as EvidenceView), at: order.indexOf(moment) };
}

/** An offset from the moment in seconds, `−0.4 s`. */
export function offsetText(us: number): string {
  const tenths = Math.round(us / 100_000);
  return `${tenths < 0 ? "−" : "+"}${(Math.abs(tenths) / 10).toFixed(1)} s`;
}

/** Why there are no pictures of this moment. */
function whyNone(given: CaseView): string {
  if (given.evidence.some((piece) => piece.kind === "hidden")) return "frames.hidden";
  return given.evidence.length > 0 ? "frames.only_wire" : "frames.none";
}

/** Seven pictures around the moment; touching one opens it in full size. */
export function Frames({ desk, given, table }: { desk: Desk; given: CaseView; table: string }): JSX.Element {
  const { pictures, at: moment } = strip(picturesOf(given), given.at_us);
  return (
    <section class="frames" aria-label={say("frames.title")}>
      {pictures.length === 0 ? <p class="empty"><Icon name="camera" /> <Say code={whyNone(given)} />{given.evidence.length > 0 && <button type="button" class="link" onClick={() => { desk.look("frames"); }}><Say code="frames.wire" /></button>}</p> : (
        <ol>
          {pictures.map((piece, at) => (
            <li key={piece.name} class={at === moment ? "at" : ""}>
              <button type="button" data-frame={piece.name} aria-label={say("frames.open", { time: timeText(piece.at_us, "milli") })} onClick={() => { desk.frame.value = piece.name; desk.look("frames"); }}>
                <img src={evidenceAddress(table, given.fault, piece.name)} alt="" decoding="async" onError={(event) => { event.currentTarget.hidden = true; }} onLoad={(event) => { event.currentTarget.hidden = false; }} />
              </button>
              <span class="ltr num">{at === moment ? say("frames.moment") : offsetText(piece.at_us - given.at_us)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

interface Mark { at: number; kind: string; label: string }

/** What each source said, and the fault itself, as marks on one time line. */
function marksOf(given: CaseView): Mark[] {
  const told = given.sightings.map((sight) => ({ at: sight.at_us, kind: sight.kind, label: sight.source }));
  return [...told, { at: given.at_us, kind: "fault", label: say("frames.fault") }];
}

function TimeLine({ given, pictures, wires, at, pick }: {
  given: CaseView; pictures: EvidenceView[]; wires: WireLine[]; at: number; pick: (at: number) => void;
}): JSX.Element {
  const marks = marksOf(given);
  const times = [...pictures.map((piece) => piece.at_us), ...marks.map((mark) => mark.at)];
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const place = (us: number): number => (to === from ? 50 : (MARGIN + ((us - from) / (to - from)) * (1 - 2 * MARGIN)) * 100);
  const rows: [string, string][] = [["shoe", "device.shoe"], ["camera", "device.camera"]];
  return (
    <div class="timeline" role="img" aria-label={say("frames.line")}>
      {rows.map(([kind, code]) => (
        <div key={kind} class="lane">
          <span><Say code={code} /></span>
          <div class="track">
            {kind === "camera" && pictures.map((piece, each) => <button key={piece.name} type="button" tabIndex={-1} class={`tick ${each === at ? "on" : ""}`} style={{ left: `${place(piece.at_us)}%` }} aria-label={timeText(piece.at_us, "milli")} onClick={() => { pick(each); }} />)}
            {kind === "shoe" && wires.filter((line) => line.atUs >= from && line.atUs <= to).map((line, each) => <i key={each} class="tick wire" style={{ left: `${place(line.atUs)}%` }} />)}
            {marks.filter((mark) => mark.kind === kind).map((mark, each) => <i key={`m${each}`} class="said" style={{ left: `${place(mark.at)}%` }} title={`${mark.label} ${timeText(mark.at, "milli")}`} />)}
            <i class="fault" style={{ left: `${place(given.at_us)}%` }} />
            {pictures[at] && <i class="now" style={{ left: `${place(pictures[at].at_us)}%` }} />}
          </div>
        </div>
      ))}
      <div class="lane ends"><span /><div class="track"><span class="num">{timeText(from, "milli")}</span><span class="num">{timeText(to, "milli")}</span></div></div>
    </div>
  );
}

/** One line of a device's wire as it is kept. */
export interface WireLine { atUs: number; text: string }

/** Read the kept lines of a wire: each begins with its instant in ISO 8601. */
export function wireLines(text: string): WireLine[] {
  return text.split("\n").filter((line) => line.trim() !== "").map((line) => {
    const [first = "", ...rest] = line.split(" ");
    const [whole, fraction = ""] = first.replace(/(?:Z|[+-]\d\d:\d\d)$/, "").split(".");
    const ms = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(first) ? first.replace(/\.\d+/, "") : `${whole ?? ""}Z`);
    if (!/^\d{4}-\d\d-\d\dT/.test(first) || Number.isNaN(ms)) return { atUs: 0, text: line };
    return { atUs: ms * 1000 + Number(fraction.padEnd(6, "0").slice(0, 6)), text: rest.join(" ") };
  });
}

/** Which line was on the wire last before the moment. */
function nearLine(lines: WireLine[], momentUs: number): number {
  return lines.reduce((last, line, at) => (line.atUs > 0 && line.atUs <= momentUs ? at : last), -1);
}

function useWires(given: CaseView, table: string): { name: string; lines: WireLine[] | null }[] {
  const pieces = given.evidence.filter((piece) => piece.kind === "wire");
  const [kept, setKept] = useState<Record<string, WireLine[]>>({});
  const names = pieces.map((piece) => piece.name).join();
  useEffect(() => {
    for (const piece of pieces) {
      void fetch(evidenceAddress(table, given.fault, piece.name), { headers: { Accept: "*/*" } })
        .then((answer) => (answer.ok ? answer.text() : ""))
        .then((text) => { setKept((before) => ({ ...before, [piece.name]: wireLines(text) })); })
        .catch(() => undefined);
    }
  }, [names, given.fault, table]);
  return pieces.map((piece) => ({ name: piece.name, lines: kept[piece.name] ?? null }));
}

/** The pictures in full size, stepped one by one, with both sources on one time line and the wires' lines. */
export function FullFrames({ desk, given, table }: { desk: Desk; given: CaseView; table: string }): JSX.Element {
  const pictures = picturesOf(given);
  const moment = strip(pictures, given.at_us);
  const named = pictures.findIndex((piece) => piece.name === desk.frame.value);
  const at = named >= 0 ? named : Math.max(0, pictures.findIndex((piece) => piece.name === moment.pictures[moment.at]?.name));
  const piece = pictures[at];
  const wires = useWires(given, table);
  const box = useRef<HTMLElement>(null);
  const loaded = wires.filter((wire) => wire.lines !== null).length;
  useEffect(() => { box.current?.querySelector(".wires .near")?.scrollIntoView({ block: "center" }); }, [loaded]);
  const step = (by: number): void => {
    // From the picture as it is now: a second press may come before this was drawn again.
    const now = pictures.findIndex((each) => each.name === desk.frame.value);
    const next = pictures[Math.max(0, Math.min(pictures.length - 1, (now >= 0 ? now : at) + by))];
    if (next) desk.frame.value = next.name;
  };
  useEffect(() => { box.current?.focus(); }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.code === "ArrowLeft" || event.code === "ArrowRight") {
        step(event.code === "ArrowLeft" ? -1 : 1);
        event.preventDefault();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => { document.removeEventListener("keydown", onKey); };
  });
  return (
    <section class="drawer full" ref={box} tabIndex={-1} aria-label={say("frames.title")}>
      <header>
        <h2><Say code="frames.title" /></h2>
        {piece && <p class="num ltr">{timeText(piece.at_us, "milli")} ({offsetText(piece.at_us - given.at_us)}) · {at + 1}/{pictures.length}</p>}
        <span class="grow" />
        <a class="btn" href={evidenceAddress(table, given.fault)} download data-button="bundle"><Icon name="save" /><span><Say code="frames.bundle" /></span></a>
        <button type="button" class="btn" onClick={() => { desk.look(""); }}><Icon name="cross" /><span><Say code="settings.close" /></span> <kbd class="keyhint">Esc</kbd></button>
      </header>
      <div class="fullbody">
        <div class="fullpic">
          {piece ? <img src={evidenceAddress(table, given.fault, piece.name)} alt={say("frames.picture", { time: timeText(piece.at_us, "milli") })} data-shown={piece.name} /> : <p class="empty"><Icon name="camera" /> <Say code={whyNone(given)} /></p>}
          <button type="button" class="btn step" aria-label={say("frames.back")} aria-disabled={at <= 0 ? "true" : undefined} data-step="-1" onClick={() => { step(-1); }}>←</button>
          <button type="button" class="btn step onward" aria-label={say("frames.forward")} aria-disabled={at >= pictures.length - 1 ? "true" : undefined} data-step="1" onClick={() => { step(1); }}>→</button>
        </div>
        <div class="wires">
          <h3><Say code="frames.wire" /></h3>
          {wires.length === 0 && <p class="empty"><Say code="frames.no_wire" /></p>}
          {wires.map(({ name, lines }) => (
            <ol key={name} class="ltr" tabIndex={0} aria-label={name}>
              {lines === null && <li><Say code="signin.checking" /></li>}
              {lines?.map((line, each) => <li key={each} class={each === nearLine(lines, given.at_us) ? "near" : ""}><span class="num">{line.atUs > 0 ? timeText(line.atUs, "milli") : ""}</span><bdi>{line.text}</bdi></li>)}
            </ol>
          ))}
        </div>
      </div>
      <TimeLine given={given} pictures={pictures} wires={wires.flatMap((wire) => wire.lines ?? [])} at={at} pick={(to) => { const next = pictures[to]; if (next) desk.frame.value = next.name; }} />
    </section>
  );
}
