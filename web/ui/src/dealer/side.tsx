import type { JSX } from "preact";

import { PlayingCard } from "../shared/cards";
import { firstKnown, number, say } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { DealerChips, type Ending, type Share, ShareBar, betName, cutoffCode, dealerResultText, endings, isRound, percentages } from "../shared/lanes";
import { Pace, deviceName } from "../shared/parts";
import { Say } from "../shared/text";
import type { DealerView, ResultView } from "../shared/view";
import { BoardSide } from "./board";
import { score } from "./step";

/** The disc of a result, with its letter. */
export function ResultChip({ code }: { code: string }): JSX.Element {
  return <span class={`chip ${code}`} aria-hidden="true">{say(`letter.${code}`)}</span>;
}

/** Whether and since when the cut card is out. */
export function cutCardText(view: { cut_card: string; last_rounds: number | null }): string {
  if (view.cut_card !== "out") return say("cut.in");
  if (view.last_rounds === 0) return say("cut.last");
  return say("cut.out", { count: view.last_rounds ?? 0 });
}

/** Bets, cards in the shoe, cut card. */
export function Facts({ view }: { view: DealerView }): JSX.Element {
  return (
    <section class="facts panel" aria-label={say("label.facts")}>
      <div><span><Say code="fact.bets" /></span><b class="num">{number(view.bets)}</b></div>
      <div><span><Say code="fact.cards_left" /></span><b class="num">{number(view.cards_left)}</b></div>
      {!view.board && <div><span><Say code="fact.cut_card" /></span><strong>{cutCardText(view)}</strong></div>}
    </section>
  );
}

/** The last round against the dealer and the eight before it. */
function PreviousRounds({ results, newest }: { results: ResultView[]; newest: ResultView }): JSX.Element {
  return (
    <section class="prev rounds panel">
      <h2><Say code="label.last_coup" /></h2>
      <p><span>{dealerResultText(newest)}</span></p>
      <DealerChips results={results.slice(-8)} />
    </section>
  );
}

/** The last result and a row of the last eight. */
function Previous({ results }: { results: ResultView[] }): JSX.Element {
  const newest = results.at(-1);
  if (newest && isRound(results)) return <PreviousRounds results={results} newest={newest} />;
  if (!newest) {
    return <section class="prev panel"><h2><Say code="label.last_coup" /></h2><p class="none"><Say code="label.no_coup" /></p></section>;
  }
  return (
    <section class="prev panel">
      <h2><Say code="label.last_coup" /></h2>
      <p>
        <ResultChip code={newest.code} />
        <span><Say code={`result.${newest.code}`} /></span>
        <span class="num ltr">{score(newest)}</span>
      </p>
      <div class="beads" role="img" aria-label={say("label.last_results", { list: results.slice(-8).map((r) => say(`letter.${r.code}`)).join(" ") })}>
        {results.slice(-8).map((result) => <ResultChip key={result.round_no} code={result.code} />)}
      </div>
    </section>
  );
}

/** The newest accepted card and who agreed on it. */
function LastCard({ view }: { view: DealerView }): JSX.Element {
  if (!view.last_card) {
    return <section class="last panel"><div><h2><Say code="label.last_card" /></h2><p class="none"><Say code="label.no_card" /></p></div></section>;
  }
  const [card, zone, place] = view.last_card;
  const names = view.last_sources.map((source) => view.devices.find((device) => device.name === source || device.kind === source) ?? { name: source, kind: source });
  return (
    <section class="last panel" aria-label={say("label.last_card")}>
      <PlayingCard view={card} />
      <div>
        <h2><Say code="label.last_card" /></h2>
        <p class="to"><Icon name="arrow" /> <span>{say(firstKnown(`zone.${zone}.short`, `zone.${zone}`))}</span></p>
        <ul>
          {names.map((device) => <li key={device.name}><Icon name="tick" /> {deviceName(device)}</li>)}
          <li><span><Say code="label.card_number" params={{ number: place }} /></span></li>
        </ul>
      </div>
    </section>
  );
}

/** Side bets that are closed for this shoe or soon will be, as the dealer tells them. */
function CutOffs({ near }: { near: Ending[] }): JSX.Element {
  return (
    <section class="cutoffs panel" aria-label={say("label.side_bets")}>
      <h2><Say code="label.side_bets" /></h2>
      <ul>
        {near.map(({ bets, left }) => (
          <li key={left}><b>{bets.map((bet) => betName(bet)).join(say("list.comma"))}</b> <span><Say code={cutoffCode(left)} params={{ count: left }} /></span></li>
        ))}
      </ul>
    </section>
  );
}

/** One action and its share. */
function Percent({ row }: { row: Share }): JSX.Element {
  return <span><Say code={`action.${row.action}`} /> <bdi class="num ltr">{number(row.percent)}{"\u00a0"}%</bdi></span>;
}

/** How the players of each lane have chosen. */
function Chosen({ view }: { view: DealerView }): JSX.Element {
  const given = (view.shares ?? []).map((each) => ({ lane: each.lane, ...percentages(each) })).filter((each) => each.all > 0);
  const few = given.length === 1;
  return (
    <section class={`chosen panel ${few ? "one" : ""}`} aria-label={say("label.chosen")}>
      <h2><Say code="label.chosen" /></h2>
      {given.length === 0 && <p class="none"><Say code="label.none_chosen" /></p>}
      <ul>
        {given.map(({ lane, rows }) => (
          <li key={lane}>
            {lane !== "" && <b>{lane}</b>}
            <ShareBar rows={rows} />
            {!few && <span class="lead"><Percent row={[...rows].sort((a, b) => b.count - a.count)[0]!} /></span>}
          </li>
        ))}
      </ul>
      {few && <p class="parts">{given[0]!.rows.filter((row) => row.count > 0).map((row) => <Percent key={row.action} row={row} />)}</p>}
    </section>
  );
}

/** After which lane players choose again. */
function reopens(view: DealerView): string {
  const then = view.hands.filter((hand) => hand.state === "then").at(-1) ?? view.hands.find((hand) => hand.state === "next");
  return view.again && then && then.zone !== "D" ? say("pace.reopen", { zone: then.zone }) : "";
}

/** The two panels beside the next step: what was just accepted while dealing, else the facts. */
export function Side({ view }: { view: DealerView }): JSX.Element {
  const { step } = view;
  if (view.board) return <BoardSide view={view} board={view.board} />;
  const dealing = (step.kind === "deal" || step.kind === "turn") && view.state !== "betting";
  if (view.window && (view.window.kind === "decision" || view.window.kind === "insurance")) return <div class="side"><Chosen view={view} /><Facts view={view} /></div>;
  const near = endings(view.cutoffs ?? []);
  if (!dealing) return <div class="side"><Facts view={view} />{near.length > 0 && view.state === "betting" ? <CutOffs near={near} /> : <Previous results={view.results} />}</div>;
  return (
    <div class="side dealing">
      <LastCard view={view} />
      {step.pace_us > 0
        ? <Pace sinceUs={step.since_us} paceUs={step.pace_us} title={say(step.kind === "turn" ? "pace.turn" : "pace.due")} note={reopens(view) || `${say("fact.cut_card")}: ${cutCardText(view)}`} />
        : <Facts view={view} />}
    </div>
  );
}
