import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { boot } from "../shared/boot";
import { CardWord, Pip, PlayingCard } from "../shared/cards";
import { cardName, known, say } from "../shared/i18n";
import { face } from "../shared/parts";
import { Headline, Say } from "../shared/text";
import type { CardView } from "../shared/view";
import { type CardState, type Enrolment, type ExtraState, RANKS, SUITS, lacking, valuesOf } from "./enrolment";
import { Over, Press, Top, leave, refusalWords } from "./frame";
import type { BenchLine } from "./line";
import { LivePicture, points } from "./picture";

type Line = BenchLine<Enrolment>;

function rankText(rank: string): string {
  return rank === "T" ? "10" : rank;
}

function look(kind: CardView["look"]): CardView {
  return { look: kind, card: "", sideways: false, mark: "" };
}

/** One place of the chart: the card once it is in, a question mark where it is to be shown again. */
function Cell({ code, card, now, asks, line }: { code: string; card: CardState; now: boolean; asks: boolean; line: Line }): JSX.Element {
  const drawn = card.state === "in" ? <PlayingCard view={face(code)} />
    : card.state === "again" ? <><PlayingCard view={look("question")} /><b aria-hidden="true"><CardWord code={code} /></b></>
    : <span class="slot">{rankText(code.charAt(0))}</span>;
  const label = `${cardName(code)}: ${say(`enrol.cell.${card.state}`)}`;
  const name = (): void => { void line.ask("name", { card: code }); };
  return asks
    ? <button type="button" class={`cell ${card.state} ${now ? "now" : ""}`} data-cell={code} data-in={card.state} aria-label={`${label}. ${say("enrol.it_is_this")}`} onClick={name}>{drawn}</button>
    : <span class={`cell ${card.state} ${now ? "now" : ""}`} data-cell={code} data-in={card.state} role="img" aria-label={label}>{drawn}</span>;
}

function Chart({ state, line }: { state: Enrolment; line: Line }): JSX.Element {
  return (
    <div class="chart52" role="group" aria-label={say("enrol.chart")}>
      <span />
      {[...RANKS].map((rank) => <span key={rank} class="ch" aria-hidden="true">{rankText(rank)}</span>)}
      {[...SUITS].map((suit) => [
        <span key={suit} class="rh" aria-hidden="true"><Pip suit={suit} /></span>,
        ...[...RANKS].map((rank) => {
          const code = rank + suit;
          return <Cell key={code} code={code} card={state.cards[code] ?? { state: "missing", why: "", alike: [], taken_for: "" }} now={state.last === code} asks={state.ask !== null} line={line} />;
        }),
      ])}
    </div>
  );
}

/** Back, cut card and jokers, each with what is known of it. */
function Extra({ code, extra, state, line }: { code: "XX" | "CUT" | "JOKER"; extra: ExtraState; state: Enrolment; line: Line }): JSX.Element {
  const shown = extra.state === "in";
  const card = code === "XX" ? <PlayingCard view={look("back")} /> : code === "CUT" ? <PlayingCard view={look("cut")} /> : <span class="slot">J</span>;
  const stands = extra.state === "in" ? (code === "CUT" ? say("enrol.in") : say("enrol.in_views", { count: extra.views }))
    : extra.state === "absent" ? say("enrol.absent")
    : extra.state === "again" ? say("enrol.cell.again") : say(code === "JOKER" ? "enrol.optional" : "enrol.cell.missing");
  return (
    <div class="extra1" data-extra={code} data-in={extra.state}>
      {shown ? card : <span class="slot">{code === "JOKER" ? "J" : ""}</span>}
      <p>
        <b><Say code={`enrol.thing.${code}.title`} /></b>{stands}
        {state.ask !== null && <button type="button" class="link" data-button={`name.${code}`} onClick={() => { void line.ask("name", { card: code }); }}><Say code="enrol.it_is_this" /></button>}
        {state.ask === null && code !== "JOKER" && extra.state === "missing" && <button type="button" class="link" data-button={`absent.${code}`} onClick={() => { void line.ask("absent", { card: code }); }}><Say code={`enrol.none.${code}`} /></button>}
      </p>
    </div>
  );
}

/** The sentence of what just happened, and what to do next. */
function Sentence({ state }: { state: Enrolment }): JSX.Element {
  const { code } = state.say;
  const title = `enrol.say.${code}`;
  const values = valuesOf(state.say);
  return (
    <div class="say" role="status">
      <Headline sizes={[44, 38, 32, 28]} lines={2}>{known(title) ? <Say code={title} params={values} /> : state.say.text}</Headline>
      <p><Say code={known(`${title}.line`) ? `${title}.line` : "enrol.say.next"} params={values} /></p>
    </div>
  );
}

/** What asks for a person: a card that wants a name, or cards to be shown again. */
function Wanted({ state, line }: { state: Enrolment; line: Line }): JSX.Element | null {
  if (state.ask) {
    const names = [state.ask.best, state.ask.second].filter((code, at, all) => code !== "" && all.indexOf(code) === at);
    return (
      <section class="ask" role="alert">
        <b><Say code="enrol.which" /></b>
        <p><Say code={names.length > 0 ? "enrol.which.line" : "enrol.which.any"} /></p>
        <div class="names">
          {names.map((code) => (
            <Press key={code} id={`name.${code}`} onPress={() => { void line.ask("name", { card: code }); }}>
              {known(`enrol.thing.${code}`) ? <Say code={`enrol.thing.${code}`} /> : <CardWord code={code} />}
            </Press>
          ))}
        </div>
      </section>
    );
  }
  if (!state.hint) return null;
  const { code, cards } = state.hint;
  const title = known(`enrol.hint.${code}`) ? <Say code={`enrol.hint.${code}`} params={valuesOf({ cards })} /> : state.hint.text;
  return (
    <section class="ask" role="status">
      <b>{title}</b>
      {known(`enrol.hint.${code}.line`) && <p><Say code={`enrol.hint.${code}.line`} params={valuesOf({ cards })} /></p>}
      {code === "alike" && <div class="names"><Press id="keep" quiet onPress={() => { for (const card of cards) void line.ask("keep", { card }); }}><Say code="enrol.keep" /></Press></div>}
    </section>
  );
}

/** Enrol a deck: picture and one sentence, then the chart that fills. */
export function EnrolScreen({ line }: { line: Line }): JSX.Element {
  const [sure, setSure] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => { document.title = `${boot.table.toUpperCase()} · ${say("engineer.enrolment")}`; }, []);
  const state = line.state.value;
  const refusal = line.refusal.value;
  const again = (): void => {
    clearTimeout(timer.current);
    if (sure) { setSure(false); void line.ask("again"); return; }
    setSure(true);
    timer.current = setTimeout(() => { setSure(false); }, 6000);
  };
  return (
    <div class="eng enrol">
      <Top
        line={line} title={say("engineer.enrolment")} about={<bdi>{state?.file}</bdi>}
        facts={<span><Say code="engineer.camera_of" params={{ name: boot.table.toUpperCase() }} /></span>} onLeave={() => { void leave(line); }}
      />
      <Over line={line} />
      {state && (
        <>
          <main class="left">
            <LivePicture width={state.camera.width} height={state.camera.height} cover label={say("engineer.picture")}>
              {() => {
                const half = state.camera.height / 3;
                const [x, y] = [state.camera.width / 2 - half, state.camera.height / 2 - half * 1.18];
                return (
                  <>
                    <rect class="lay" x={x} y={y} width={half * 2} height={half * 2.36} />
                    {state.quad && <polygon class="found" points={points(state.quad)} />}
                  </>
                );
              }}
            </LivePicture>
            <Sentence state={state} />
            <Wanted state={state} line={line} />
          </main>
          <section class="right">
            <div class="prog">
              <b class="num" data-count={state.count}>{state.count}</b> <span><Say code="enrol.of" params={{ count: state.of }} /></span>
              <div class="key" aria-hidden="true">
                <span><i class="k-in" /><Say code="enrol.in" /></span><span><i class="k-again" /><Say code="enrol.cell.again" /></span><span><i class="k-missing" /><Say code="enrol.cell.missing" /></span>
              </div>
            </div>
            <Chart state={state} line={line} />
            <div class="extra">
              <Extra code="XX" extra={state.back} state={state} line={line} />
              <Extra code="CUT" extra={state.cut} state={state} line={line} />
              <Extra code="JOKER" extra={state.jokers} state={state} line={line} />
            </div>
          </section>
          <footer class="foot">
            <Press id="again" icon="again" onPress={again}><Say code={sure ? "enrol.start_again.sure" : "enrol.start_again"} /></Press>
            {refusal && <p class="refusal" role="alert">{refusalWords(refusal)}</p>}
            <span class="grow" />
            <Press id="save" icon="disk" main reason={lacking(state.save)} small={state.saved && !state.changed ? say("enrol.saved", { code: state.saved.sha256.slice(0, 12) }) : undefined} onPress={() => { void line.ask("save"); }}><Say code="enrol.save" /></Press>
          </footer>
        </>
      )}
    </div>
  );
}
