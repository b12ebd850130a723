import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/kit.css";
import "./styles/felt.css";
import "./styles/overlay.css";

import { signal } from "@preact/signals";

import { numeralsFor, readAddress } from "./overlay/address";
import { OverlayScreen } from "./overlay/screen";
import { boot } from "./shared/boot";
import { Feed, Line } from "./shared/feed";
import { CATALOGUES, language, numerals, useLanguageNow } from "./shared/i18n";
import { start } from "./shared/shell";
import type { OverlayView } from "./shared/view";

const address = readAddress(location.search);
useLanguageNow([address.lang, boot.lang, document.documentElement.lang].find((lang) => CATALOGUES[lang]) ?? "en");
numerals.value = numeralsFor(language.value, address.numerals);
document.body.classList.add("air");

const query = new URLSearchParams({ token: address.token, delay_ms: String(address.delayMs) });
const line = boot.refused === null
  ? new Line("overlay", boot.socket?.auth ?? { table: boot.table, token: address.token, delay_ms: address.delayMs }) : null;
const feed = line?.add(new Feed<OverlayView>(line, boot.table, "overlay", `/api/ui/view/${encodeURIComponent(boot.table)}/overlay?${query.toString()}`)) ?? null;

const ready = signal(false);
/** The family beside Inter that a language is set in, and a word that has the browser fetch it. */
const SCRIPTS: Record<string, [font: string, sample: string]> = {
  ur: ["700 44px \"Noto Nastaliq Urdu\"", "اردو"], ar: ["700 44px \"Noto Sans Arabic\"", "العربية ٠١٢"],
};
const script = SCRIPTS[language.value];
void Promise.all([document.fonts.load("700 96px Inter", "A"), ...(script ? [document.fonts.load(...script)] : [])])
  .finally(() => { ready.value = true; });

/** Fit the 1920 by 1080 picture to a browser source of another size. */
function fit(): void {
  document.documentElement.style.setProperty("--fit", String(Math.min(innerWidth / 1920, innerHeight / 1080)));
}
addEventListener("resize", fit);
fit();

function Face(): preact.JSX.Element | null {
  if (feed === null) return null;
  return <OverlayScreen source={feed} address={address} studio={boot.studio} version={boot.build} fontsReady={ready.value} />;
}
if (boot.refused) console.error(boot.refused.text);
start(<Face />);
