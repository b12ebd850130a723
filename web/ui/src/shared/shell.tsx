import type { ComponentChildren, JSX } from "preact";
import { render } from "preact";

import { boot } from "./boot";
import { ageText, startTicking, tick } from "./clock";
import type { Source } from "./feed";
import { CATALOGUES, currency, known, language, rememberedLanguage, say, useLanguageNow } from "./i18n";
import { Icon } from "./icons";
import { Say } from "./text";

/** Choose the language of a console: this device's choice, the person's, the page's. */
export function chooseLanguage(): void {
  const wishes = [rememberedLanguage(), boot.person?.locale ?? "", boot.lang, document.documentElement.lang];
  useLanguageNow(wishes.find((lang) => CATALOGUES[lang]) ?? "en");
  currency.value = boot.currency;
  try {
    if (localStorage.getItem("cutcard.suits") === "four") document.documentElement.dataset["suits"] = "four";
  } catch { /* storage may be closed to us */ }
}

/** The complete language that comes after the page's own; the first one after the last. */
export function languageAfter(): string {
  const all = Object.keys(CATALOGUES);
  return all[(all.indexOf(language.value) + 1) % all.length] ?? "en";
}

/** Go on to the next complete language, and remember it on this device. */
export function nextLanguage(): void {
  useLanguageNow(languageAfter(), true);
}

/** Draw a face into the page and start its clock. */
export function start(what: JSX.Element): void {
  startTicking();
  const root = document.getElementById("app") ?? document.body.appendChild(document.createElement("div"));
  root.replaceChildren();
  render(what, root);
}

/** End the session and go back to signing in. */
export async function signOut(): Promise<void> {
  try {
    await fetch("/api/ui/sign-out", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
  } finally {
    location.assign("/");
  }
}

/** A refusal in words: a code of the catalogue, or the server's own sentence. */
export function refusalText(refusal: string): string {
  if (known(refusal)) return say(refusal);
  return refusal.startsWith("refused.") ? say("refused.not_served") : refusal;
}

/**
 * What lies around every console: first load, lost signal, refusal (FACES.md 12).
 *
 * While nothing is heard the last view stays, dimmed and inert, under a band that says so.
 */
export function Listening<V>({ source, children }: { source: Source<V>; children: ComponentChildren }): JSX.Element {
  void tick.value;
  if (source.ear.hearing.value === "refused") {
    return (
      <div class="sentence" role="alert">
        <p>{refusalText(source.ear.refusal.value)}</p>
        <a class="btn main" href="/"><Say code="signin.go" /></a>
      </div>
    );
  }
  if (source.envelope.value === null) {
    return <div class="fetching" role="status"><p><Say code="load.fetching" params={{ table: boot.table.toUpperCase() || boot.studio }} /></p></div>;
  }
  const silent = source.ear.hearing.value === "silent";
  return (
    <>
      <div class={silent ? "dimmed" : undefined} {...(silent ? { inert: true } : {})}>{children}</div>
      {silent && (
        <div class="nosignal" role="alert">
          <p>
            <Icon name="signal" /> <Say code="signal.lost" params={{ age: ageText((performance.now() - source.ear.heardAt.value) * 1000) }} />
            <small><Say code="signal.lost.line" /></small>
          </p>
        </div>
      )}
    </>
  );
}
