/**
 * Draws a still view without a studio: `/dev/?face=dealer&view=betting&lang=ur`.
 *
 * The views come from `fixtures/make.py`. This page is not part of the build.
 */
import { signal } from "@preact/signals";
import { render } from "preact";

import { relief } from "../src/dealer/relief";
import { DealerScreen } from "../src/dealer/screen";
import { CalibrateScreen } from "../src/engineer/calibrate";
import type { Calibration } from "../src/engineer/calibration";
import { EnrolScreen } from "../src/engineer/enrol";
import type { Enrolment } from "../src/engineer/enrolment";
import { BenchLine } from "../src/engineer/line";
import { pictureAge } from "../src/engineer/picture";
import { numeralsFor, readAddress } from "../src/overlay/address";
import { OverlayScreen } from "../src/overlay/screen";
import { boot } from "../src/shared/boot";
import { clock, startTicking } from "../src/shared/clock";
import { Commander } from "../src/shared/commands";
import type { Ear, Hearing, Source } from "../src/shared/feed";
import { numerals, useLanguageNow } from "../src/shared/i18n";
import { settingsOpen } from "../src/shared/settings";
import type { DealerView, Envelope, OverlayView, SupervisorView, WallView } from "../src/shared/view";
import { SignInScreen } from "../src/signin/screen";
import { setEvidenceRoot } from "../src/supervisor/frames";
import { SupervisorScreen } from "../src/supervisor/screen";
import { Desk } from "../src/supervisor/state";

import "../src/styles/fonts.css";
import "../src/styles/tokens.css";
import "../src/styles/kit.css";

const asked = new URLSearchParams(location.search);
const face = asked.get("face") ?? "dealer";
const stills = import.meta.glob<Envelope<unknown>>("../fixtures/*.json", { import: "default" });

async function still<V>(name: string): Promise<Source<V>> {
  const envelope = await stills[`../fixtures/${name}.json`]?.() as Envelope<V>;
  clock.freeze(envelope.now_us + Number(asked.get("later") ?? 0) * 1_000_000);
  const ear: Ear = { hearing: signal((asked.get("hearing") ?? "live") as Hearing), heardAt: signal(performance.now() - 7000), refusal: signal("refused.signed_out") };
  return { ear, envelope: signal<Envelope<V> | null>(envelope), seq: 1 };
}

useLanguageNow(asked.get("lang") ?? "en");
startTicking();
const root = document.getElementById("app")!;
const commander = new Commander((body, answer) => {
  console.log(JSON.stringify(body));
  if (asked.has("reject")) setTimeout(() => { answer({ status: "rejected", code: "refused.cards_on_felt", text: "", seq: 1 }); }, 50);
}, () => 1);
const view = asked.get("view") ?? "betting";

if (face === "dealer") {
  await import("../src/styles/felt.css");
  await import("../src/styles/dealer.css");
  const source = await still<DealerView>(`dealer-${view.replace(/^relief.*/, "open-bets")}`);
  if (view.startsWith("relief")) {
    Object.assign(boot, { person: { name: view === "relief-leave" ? "Imran S." : "Sara Mir", role: "dealer", locale: "en" } });
    setTimeout(() => { relief.value = view === "relief-leave" ? "leave" : "take"; }, 150);
  }
  render(<DealerScreen source={source} commander={commander} />, root);
} else if (face === "overlay") {
  await import("../src/styles/felt.css");
  await import("../src/styles/overlay.css");
  document.body.classList.add("air");
  if (asked.has("felt")) document.documentElement.style.background = "radial-gradient(#3d6f64, #0f2a25)";
  const address = readAddress(location.search);
  numerals.value = numeralsFor(asked.get("lang") ?? "en", address.numerals);
  const source = await still<OverlayView>(`overlay-${view}`);
  render(<OverlayScreen source={source} address={address} studio="Studio One" version="dev" fontsReady />, root);
}
if (face === "signin") {
  await import("../src/styles/signin.css");
  render(<SignInScreen />, root);
}
if (face === "engineer") {
  await import("../src/styles/engineer.css");
  Object.assign(boot, { studio: "Studio One", table: "bb1", person: { name: "Tomas E.", number: "4001", role: "engineer", locale: "en" } });
  const given: unknown = await stills[`../fixtures/engineer-${view}.json`]?.();
  if (view === "enrol") {
    const line = new BenchLine<Enrolment>("enrol");
    line.state.value = given as Enrolment;
    render(<EnrolScreen line={line} />, root);
  } else {
    const line = new BenchLine<Calibration>("calibrate");
    line.state.value = given as Calibration;
    render(<CalibrateScreen line={line} />, root);
  }
  pictureAge.value = 11;
}
if (face === "supervisor") {
  await import("../src/styles/felt.css");
  await import("../src/styles/supervisor.css");
  await import("../src/styles/case.css");
  const other = asked.has("other");
  Object.assign(boot, { studio: "Studio One", profile: "house", person: other ? { name: "Yusuf Rahman", number: "3001", role: "pit-boss", locale: "en" } : { name: "Amina Khalid", number: "2001", role: asked.get("role") ?? "supervisor", locale: "en" } });
  setEvidenceRoot("/fixtures/evidence");
  const drawn: Record<string, string> = { void: "hold", correct: "hold", receipt: "hold", frames: "hold", "void-asked": "asked", cards: "hold", change: "past", roads: "shoes", "bb-void": "bb-hold", "bb-change": "bb-past" };
  const bb = view.includes("bb");
  const bl = view.includes("bl-") || view === "wall-bl";
  const walls = view.startsWith("wall");
  const table = walls ? null : await still<SupervisorView>(`supervisor-${drawn[view] ?? view}`);
  const desk = new Desk(await still<WallView>(view === "wall-big" ? view : bb ? "wall-bb" : bl ? "wall-bl" : "wall"), null, () => table as Source<SupervisorView>);
  desk.commander = commander;
  if (table) desk.open(bb ? "bb1" : bl ? "bl1" : "ba1", false);
  if (view.startsWith("void") || view === "bb-void") { desk.turn("void"); desk.fill({ reason: "reason.dealing_error" }); }
  if (view === "correct") desk.fill({ option: "CorrectCard", index: 2, card: "4C" });
  if (view === "bl-qayd") desk.fill({ option: "DecideQayd", against: "0" });
  if (view === "cards") desk.fill({ option: "KeyInCard", card: "4S", reason: "reason.card_identity" });
  if (view === "frames") desk.look("frames");
  if (view === "roads") desk.look("shoes");
  if (view === "recover") desk.fill({ option: "RescanRound", felt: [["P", ["KD", "4S", "TH"]], ["B", ["2C", "5H"]]] });
  if (view === "change") { desk.turn("correct"); desk.past.value = "r-30"; desk.fill({ felt: [["P", ["KD", "7S"]], ["B", ["2C", "5H"]]], reason: "reason.camera_proves" }); }
  if (view === "bb-change") { desk.turn("correct"); desk.past.value = "r-22"; desk.fill({ felt: [["D", ["6D", "TC", "2H"]], ["M", ["8S", "7C", "2D", "5S"]], ["L", ["TH"]], ["R", ["3C", "7D"]]], reason: "reason.camera_proves" }); }
  if (view === "receipt") desk.voided.value = { round: 31, roundId: "", accepted: 2431000, returned: 2431000 };
  render(<SupervisorScreen desk={desk} />, root);
}
if (asked.has("settings")) settingsOpen.value = true;
await document.fonts.ready;
await new Promise((done) => { setTimeout(done, 300); });
document.documentElement.dataset["ready"] = "yes";
