import type { JSX } from "preact";

import { cardName, say } from "./i18n";
import type { CardView } from "./view";

/** Outlines of the suits in a box of 100 by 100, drawn for this project. */
const PIPS: Record<string, string> = {
  H: "M50 93C27 73 6 56 6 33 6 18 17 8 29 8c9 0 17 5 21 14 4-9 12-14 21-14 12 0 23 10 23 25 0 23-21 40-44 60Z",
  D: "M50 4c9 17 21 32 37 46-16 14-28 29-37 46-9-17-21-32-37-46C29 36 41 21 50 4Z",
  S: "M50 5c6 18 42 36 42 60 0 12-9 21-20 21-7 0-13-3-18-9 1 8 5 14 12 19H34c7-5 11-11 12-19-5 6-11 9-18 9C17 86 8 77 8 65 8 41 44 23 50 5Z",
  C: "M50 6a20 20 0 0 1 16 32 20 20 0 1 1-11 33c1 10 4 18 11 25H34c7-7 10-15 11-25a20 20 0 1 1-11-33A20 20 0 0 1 50 6Z",
};
/** Emblems of the court cards: a quartered shield for the jack, a coronet, a crown with its cross. */
const COURT: Record<string, string> = {
  J: "M50 4 90 17v34c0 22-16 36-40 45C26 87 10 73 10 51V17Z M44 19 22 26v12h22Z M56 19v19h22V26Z M22 49c1 14 8 22 22 29V49Z M56 49v29c14-7 21-15 22-29Z",
  Q: "M14 78 6 38l22 18L50 26l22 30 22-18-8 40Z M14 84h72v10H14Z M50 8a7 7 0 1 1 0 14 7 7 0 0 1 0-14Z M7 20a6 6 0 1 1 0 12 6 6 0 0 1 0-12Z M93 20a6 6 0 1 1 0 12 6 6 0 0 1 0-12Z",
  K: "M12 78V40l18 14 20-24 20 24 18-14v38Z M12 84h76v10H12Z M46 2h8v7h7v7h-7v9h-8v-9h-7V9h7Z",
};

function rankText(rank: string): string {
  return rank === "T" ? "10" : rank;
}

/** The pip of a suit, for running text. */
export function Pip({ suit }: { suit: string }): JSX.Element {
  return (
    <svg class={`pip ${suit === "H" || suit === "D" ? "red" : ""}`} viewBox="0 0 100 100" aria-hidden="true">
      <path d={PIPS[suit] ?? ""} />
    </svg>
  );
}

/** A card in running text: `4` and its pip, read out as its name. */
export function CardWord({ code }: { code: string }): JSX.Element {
  return (
    <bdi class="cardword" role="img" aria-label={cardName(code)}>
      {rankText(code.charAt(0))}
      <Pip suit={code.charAt(1)} />
    </bdi>
  );
}

function Face({ code }: { code: string }): JSX.Element {
  const [rank, suit] = [code.charAt(0), code.charAt(1)];
  const ink = `var(--ink-${suit}, ${suit === "H" || suit === "D" ? "var(--card-red)" : "var(--card-black)"})`;
  const pip = PIPS[suit] ?? "";
  const court = COURT[rank];
  return (
    <>
      <rect x="1" y="1" width="248" height="348" rx="16" fill="var(--paper)" stroke="#07090A" stroke-opacity=".4" stroke-width="2" />
      <text x={rank === "T" ? 8 : 20} y="132" class="index" fill={ink} letter-spacing={rank === "T" ? "-16" : "0"}>{rankText(rank)}</text>
      <path transform="translate(20 152) scale(.74)" fill={ink} d={pip} />
      {court === undefined
        ? <path transform="translate(100 194) scale(1.36)" fill={ink} d={pip} />
        : <path transform="translate(112 216) scale(1.18)" fill={ink} fill-rule="evenodd" d={court} />}
    </>
  );
}

function Back(): JSX.Element {
  const lines: string[] = [];
  for (let at = -300; at < 240; at += 30) lines.push(`M14 ${14 + at}l222 222`, `M236 ${14 + at}l-222 222`);
  return (
    <>
      <rect x="1" y="1" width="248" height="348" rx="16" fill="var(--paper)" stroke="#07090A" stroke-opacity=".4" stroke-width="2" />
      <svg x="14" y="14" width="222" height="322" viewBox="14 14 222 322">
        <rect x="14" y="14" width="222" height="322" rx="9" fill="var(--back)" />
        <path d={lines.join("")} stroke="var(--back-line)" stroke-width="3" opacity=".7" fill="none" />
        <rect x="14" y="150" width="222" height="50" fill="var(--back)" />
        <rect x="14" y="168" width="222" height="14" fill="var(--back-line)" />
      </svg>
    </>
  );
}

function Unsure(): JSX.Element {
  return (
    <>
      <rect x="5" y="5" width="240" height="340" rx="15" fill="var(--bg-3)" stroke="var(--hold)" stroke-width="9" stroke-dasharray="22 14" />
      <text x="125" y="228" text-anchor="middle" class="index" fill="var(--ink-1)">?</text>
    </>
  );
}

function Cut(): JSX.Element {
  return (
    <>
      <rect x="1" y="1" width="248" height="348" rx="16" fill="var(--cut)" />
      <rect x="22" y="22" width="206" height="306" rx="8" fill="none" stroke="#07090A" stroke-opacity=".5" stroke-width="5" />
      <text x="125" y="196" text-anchor="middle" class="cut" fill="#07090A">CUT</text>
    </>
  );
}

/** How a look is read out. A back tells nothing of what lies under it. */
function spoken(view: CardView): string {
  if (view.look === "face") {
    const name = cardName(view.card);
    return view.mark === "" ? name : `${name}${say("list.comma")}${say(`card.mark.${view.mark}`)}`;
  }
  return say(`card.${view.look}`);
}

/** One card. Third cards of baccarat lie across. `extra` adds a look such as `off` or `ghost`. */
export function PlayingCard({ view, extra = "" }: { view: CardView; extra?: string }): JSX.Element {
  const drawing = view.look === "face" ? <Face code={view.card} />
    : view.look === "back" ? <Back />
    : view.look === "cut" ? <Cut /> : <Unsure />;
  return (
    <span class={`pc ${view.sideways ? "across" : ""} ${view.mark} ${extra}`} role="img" aria-label={spoken(view)}>
      <svg viewBox="0 0 250 350" aria-hidden="true">{drawing}</svg>
    </span>
  );
}
