import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import { boot } from "../shared/boot";
import { number, say } from "../shared/i18n";
import { Icon, type IconName } from "../shared/icons";
import { Say } from "../shared/text";
import type { BenchLine } from "./line";
import { type Calibration, type StepId, type StepState, worded, zoneName } from "./calibration";
import { Over, Press, Top, keepFile, leave, refusalWords } from "./frame";
import { LivePicture, type Px, pictureAge, points } from "./picture";
import { Tape } from "./tape";
import { Zones } from "./zones";

type Line = BenchLine<Calibration>;

const SUIT_MARKS: Record<string, string> = { S: "♠", H: "♥", D: "♦", C: "♣" };
/** Rows of residuals that are seen once the step is done: the worst ones. */
const WORST_ROWS = 4;
const ORDER: StepId[] = ["camera", "lens", "plane", "zones", "try"];
const MARKS: Record<StepId, IconName> = { camera: "camera", lens: "look", plane: "across", zones: "zones", try: "eye" };

/** Markers, board, zones and cards, over the picture. */
function Drawing({ state, line, scale }: { state: Calibration; line: Line; scale: number }): JSX.Element {
  const { width, height } = state.camera;
  const cross = 22 * scale;
  const lens = state.step === "lens";
  return (
    <>
      {lens && (
        <g class="parts">
          {state.lens.parts.flatMap((row, y) => row.map((views, x) => (
            <rect key={`${x}-${y}`} class={views > 0 ? "seen" : ""} x={(x * width) / 3} y={(y * height) / 3} width={width / 3} height={height / 3} />
          )))}
          {state.lens.board.map(([x, y], at) => <circle key={at} cx={x} cy={y} r={4 * scale} />)}
        </g>
      )}
      {!lens && state.plane.markers.map((marker) => (
        <g key={marker.name} class="marker">
          <path d={`M${marker.px[0] - cross} ${marker.px[1]}h${2 * cross}M${marker.px[0]} ${marker.px[1] - cross}v${2 * cross}`} />
          {state.step === "plane" && <text x={marker.px[0] + 10 * scale} y={marker.px[1] - 10 * scale} font-size={17 * scale}>{marker.name}</text>}
        </g>
      ))}
      {(state.step === "zones" || state.step === "try") && <Zones state={state} line={line} scale={scale} edit={state.step === "zones"} />}
      {state.cards.map((card, at) => {
        const [x, y] = card.quad.reduce(([left, top], [px, py]): Px => [Math.min(left, px), Math.min(top, py)], [Infinity, Infinity] as Px);
        const text = card.sure ? say("engineer.card_sure", { code: cardMark(card.card) }) : say("engineer.card_unsure");
        return (
          <g key={at} class={`seen-card ${card.sure ? "" : "unsure"}`}>
            <polygon class="under" points={points(card.quad)} /><polygon points={points(card.quad)} />
            <g transform={`translate(${x} ${y - 26 * scale}) scale(${scale})`}><rect width={text.length * 8 + 16} height="22" rx="3" /><text x="8" y="16" font-size="14">{text}</text></g>
          </g>
        );
      })}
    </>
  );
}

/** A card over the picture: `10♥`, in every language. */
function cardMark(code: string): string {
  return `${code.startsWith("T") ? "10" : code.charAt(0)}${SUIT_MARKS[code.charAt(1)] ?? ""}`;
}

/** Residual of each marker as a bar against the limit; of many the worst, unless `all` are asked for. */
function Residuals({ state, all }: { state: Calibration; all: boolean }): JSX.Element | null {
  const { markers, points: given, limit_mm: limit, worst } = state.plane;
  const measured = [...markers, ...given].filter((each) => each.mm !== null);
  const shown = new Set([...measured].sort((a, b) => (b.mm ?? 0) - (a.mm ?? 0)).slice(0, all ? 12 : WORST_ROWS));
  const rows = measured.filter((each) => shown.has(each));
  if (rows.length === 0) return null;
  return (
    <div class="res">
      {rows.map(({ name, mm }) => (
        <div key={name} class={name === worst ? "w" : ""}>
          <bdi>{name}</bdi>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="8" rx="2" /><rect width={Math.min(100, ((mm ?? 0) / limit) * 100)} height="8" rx="2" /></svg>
          <span class="num ltr">{(mm ?? 0).toFixed(2)} mm</span>
        </div>
      ))}
    </div>
  );
}

/** What can be done in the step that is on. */
function StepActs({ state, line }: { state: Calibration; line: Line }): JSX.Element {
  const ask = (word: string, given = {}) => () => { void line.ask(word, given); };
  const chosen = state.zones.find((zone) => zone.chosen);
  const at = ORDER.indexOf(state.step);
  const next = ORDER[at + 1];
  const done = state.steps.find((step) => step.id === state.step)?.done ?? false;
  return (
    <div class="acts">
      {state.step === "lens" && !state.lens.skipped && !done && <Press id="lens.skip" quiet onPress={ask("lens_skip")}><Say code="engineer.lens_skip" /></Press>}
      {state.step === "lens" && state.lens.views > 0 && <Press id="lens.again" quiet onPress={ask("lens_again")}><Say code="engineer.lens_again" /></Press>}
      {state.step === "zones" && <Press id="plan.turn" quiet onPress={ask("plan", { turn_deg: 180 })}><Say code="engineer.turn" /></Press>}
      {state.step === "zones" && chosen && !chosen.placed && <Press id="place.one" onPress={ask("place", { id: chosen.id })}><Say code="engineer.place_one" params={{ zone: chosen.id }} /></Press>}
      {state.step === "zones" && !done && <Press id="place.all" onPress={ask("place")}><Say code="engineer.place_all" /></Press>}
      {next && done && <Press id="next" main onPress={ask("step", { step: next })}><Say code="engineer.next" params={{ step: say(`engineer.step.${next}`) }} /></Press>}
    </div>
  );
}

function Step({ step, state, line }: { step: StepState; state: Calibration; line: Line }): JSX.Element {
  const on = state.step === step.id;
  const look = on ? "on" : step.done ? "done" : "to";
  return (
    <section class={`step ${look}`} aria-current={on ? "step" : undefined} data-step={step.id}>
      <Icon name={step.done && !on ? "tick" : MARKS[step.id]} />
      <h2><button type="button" data-button={`step.${step.id}`} onClick={() => { void line.ask("step", { step: step.id }); }}><Say code={`engineer.step.${step.id}`} /></button></h2>
      <span class={`figure num ${step.id === "zones" || step.id === "try" ? "" : "ltr"}`}>{figure(step)}</span>
      {step.id === "plane" && (on || step.done) && <Residuals state={state} all={on} />}
      {(!step.done || on || step.id === "camera" || step.id === "lens" || step.id === "plane") && <p>{worded(step.sentence)}</p>}
      {on && step.id === "lens" && state.lens.sentence && state.lens.sentence.code !== step.sentence.code && <p class="now" role="status">{worded(state.lens.sentence)}</p>}
      {on && step.id === "plane" && step.sentence.code === "plane_places" && <Tape markers={state.plane.markers.map((marker) => marker.name)} line={line} />}
      {on && <StepActs state={state} line={line} />}
    </section>
  );
}

/** The figure at the end of a step's line: what is done of what is wanted, or the measure itself. */
function figure(step: StepState): string {
  if (step.id === "zones") return say("engineer.placed", { count: step.count[0], of: step.count[1] });
  if (step.id === "try") return say("engineer.tried", { count: step.count[0], of: step.count[1] });
  return step.figure;
}

function Verdict({ state }: { state: Calibration }): JSX.Element {
  const [word, ...rest] = state.verdict.sentences;
  const told = state.steps.find((step) => step.id === state.step)?.sentence.code;
  const more = [...rest, ...state.warnings].filter((sentence) => sentence.code !== told);
  return (
    <section class={`verdict ${state.verdict.word}`} role="status">
      <b>{worded(word ?? null)}</b>
      <p>{more.map(worded).join(" ")}</p>
    </section>
  );
}

/** What stands between this layout and the next version. */
function missing(state: Calibration): string {
  return state.save.missing.map(worded).filter(Boolean).join(say("engineer.comma"));
}

/** Calibrate a camera: picture, steps, and the save that says what is missing. */
export function CalibrateScreen({ line }: { line: Line }): JSX.Element {
  useEffect(() => { document.title = `${boot.table.toUpperCase()} · ${say("engineer.calibration")}`; }, []);
  const state = line.state.value;
  const refusal = line.refusal.value;
  const print = (what: string) => (): void => {
    void line.ask("print", { what, paper: "a4" }).then((file) => {
      if (file?.["base64"]) keepFile(String(file["name"]), String(file["type"]), String(file["base64"]));
    });
  };
  const untried = state?.save.missing.length === 1 && state.save.missing[0]?.code === "save_try";
  const save = (given: Record<string, unknown>) => (): void => { void line.ask("save", given); };
  const kept = line.kept.value;
  const chosen = state?.zones.find((zone) => zone.chosen);
  const boardFirst = state?.step === "camera" || state?.step === "lens";
  return (
    <div class="eng calibrate" data-step={state?.step}>
      <Top
        line={line} title={say("engineer.calibration")} about={<Say code="engineer.camera_of" params={{ name: boot.table.toUpperCase() }} />}
        facts={state && <span class="version">{state.version > 0 ? <Say code="engineer.version" params={{ version: state.version }} /> : <Say code="engineer.version_none" />}</span>}
        onLeave={() => { void leave(line); }}
      />
      <Over line={line} />
      {state && (
        <>
          <main class="pic">
            <LivePicture width={state.camera.width} height={state.camera.height} label={say("engineer.picture")}>
              {(scale) => <Drawing state={state} line={line} scale={scale} />}
            </LivePicture>
            <div class="over-pic">
              <span><Say code="engineer.live" params={{ count: state.camera.rate }} /></span>
              <span><Say code="engineer.age" params={{ count: pictureAge.value ?? state.camera.age_ms ?? 0 }} /></span>
            </div>
            {chosen && (state.step === "zones" || state.step === "try") && (
              <div class="zone-facts"><b><bdi>{zoneName(chosen.id)}</bdi></b> <Say code="engineer.zone_facts" params={{ wide: Math.round(chosen.size_mm[0]), high: Math.round(chosen.size_mm[1]), px: Math.round(chosen.card_px) }} />{chosen.fault && <em>{worded(chosen.fault)}</em>}</div>
            )}
          </main>
          <aside class="steps">
            {state.steps.map((step) => <Step key={step.id} step={step} state={state} line={line} />)}
            <Verdict state={state} />
          </aside>
          <footer class="foot">
            <Press id="picture" icon="again" reason={state.step === "plane" || state.step === "zones" || state.step === "try" ? "" : say("engineer.picture_later")} onPress={() => { void line.ask("plane"); }}><Say code="engineer.new_picture" /></Press>
            <Press id="undo" icon="undo" reason={state.undo ? "" : say("calibrate.no_undo")} onPress={() => { void line.ask("undo"); }}><Say code="engineer.undo" /></Press>
            {refusal
              ? <p class="refusal" role="alert">{refusalWords(refusal)}</p>
              : state.step === "zones" && <p class="hints"><kbd><Say code="engineer.key.arrows" /></kbd><span><Say code="engineer.key.fine" params={{ n: number(1) }} /></span><kbd>Shift</kbd><span><Say code="engineer.key.coarse" params={{ n: number(10) }} /></span><kbd>Tab</kbd><span><Say code="engineer.key.next" /></span></p>}
            <span class="grow" />
            <Press id="print" onPress={print(boardFirst ? "board" : "markers")}><Say code={boardFirst ? "engineer.print_board" : "engineer.print_markers"} /></Press>
            {untried && <Press id="save.untried" onPress={save({ untried: true })}><Say code="engineer.save_untried" /></Press>}
            <Press id="save" icon="disk" main reason={state.save.allowed ? "" : missing(state)} small={kept ? say("engineer.saved", { version: kept.version ?? 0 }) : undefined} onPress={save({})}>
              <Say code="engineer.save" params={{ version: state.save.version }} />
            </Press>
          </footer>
        </>
      )}
    </div>
  );
}
