import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { boot } from "./boot";
import { CATALOGUES, NAMES, language, say, useLanguageNow } from "./i18n";
import { Icon } from "./icons";
import { lettersOn, setLetters } from "./keys";
import { signOut } from "./shell";
import { setSound, soundOn } from "./sounds";
import { Say } from "./text";

/** Whether the panel with keys and settings is open. */
export const settingsOpen = signal(false);

/** Whether clubs are green and diamonds blue on this device. */
export function fourColours(): boolean {
  try { return localStorage.getItem("cutcard.suits") === "four"; } catch { return false; }
}

/** Set the colours of the suits on this device. */
export function setFourColours(on: boolean): void {
  try { localStorage.setItem("cutcard.suits", on ? "four" : "two"); } catch { /* storage may be closed to us */ }
  document.documentElement.dataset["suits"] = on ? "four" : "two";
}

function Switch({ code, read, write }: { code: string; read: () => boolean; write: (on: boolean) => void }): JSX.Element {
  const [on, setOn] = useState(read);
  return (
    <button type="button" role="switch" aria-checked={on} class="switch" onClick={() => { write(!on); setOn(!on); }}>
      <span><Say code={code} /></span><i aria-hidden="true" />
    </button>
  );
}

/**
 * Language, this device's settings, the keys, and the way out.
 *
 * `keys` are pairs of a key and what it does; `leave` says why one may not sign out now, or is empty; `out`
 * signs out.
 */
export function Settings({ keys, leave, out = () => { void signOut(); } }: { keys: [string, string][]; leave: string; out?: () => void }): JSX.Element | null {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = settingsOpen.value;
  useEffect(() => {
    if (open && dialog.current && !dialog.current.open) dialog.current.showModal();
  }, [open]);
  if (!open) return null;
  const close = (): void => { settingsOpen.value = false; };
  return (
    <dialog ref={dialog} class="settings" aria-label={say("settings.title")} onClose={close} onClick={(event) => { if (event.target === dialog.current) close(); }}>
      <header>
        <h2><Say code="settings.title" /></h2>
        <button type="button" class="btn" onClick={close}><Icon name="cross" /><span><Say code="settings.close" /></span></button>
      </header>
      <div class="langs" role="group" aria-label={say("signin.language")}>
        {Object.keys(CATALOGUES).map((code) => (
          <button key={code} type="button" class={`btn ${code === language.value ? "on" : ""}`} lang={code} aria-pressed={code === language.value} onClick={() => { useLanguageNow(code, true); }}>{NAMES[code]}</button>
        ))}
      </div>
      <div class="switches">
        <Switch code="settings.sound" read={soundOn} write={setSound} />
        <Switch code="settings.four" read={fourColours} write={setFourColours} />
        <Switch code="settings.letters" read={lettersOn} write={setLetters} />
      </div>
      <dl>
        {keys.map(([key, code]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd><Say code={code} /></dd></div>)}
      </dl>
      {boot.person && (
        <button type="button" class="btn out" aria-disabled={leave !== "" ? "true" : undefined} onClick={() => { if (leave === "") out(); }}>
          <Icon name="person" />
          <span><Say code="settings.sign_out" params={{ name: boot.person.name }} />{leave !== "" && <small>{leave}</small>}</span>
        </button>
      )}
    </dialog>
  );
}
