/** Runs when its key is pressed. The key is `KeyboardEvent.code`, with `Shift+` before it if held. */
export type KeyMap = Record<string, () => void>;

const BURST_MS = 40;
const MIN_BADGE = 4;

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable], [data-typing]") !== null;
}

/** Whether single-letter keys are on; a person may switch them off on this device (WCAG 2.1.4). */
export function lettersOn(): boolean {
  try { return localStorage.getItem("cutcard.keys") !== "off"; } catch { return true; }
}

/** Switch single-letter keys on or off on this device. */
export function setLetters(on: boolean): void {
  try { localStorage.setItem("cutcard.keys", on ? "on" : "off"); } catch { /* storage may be closed to us */ }
}

/**
 * Obey keys by their place on the keyboard, whatever script is in use. Gives the way to stop.
 *
 * Nothing acts while a text field has the focus, with a modifier, or on a key that repeats.
 */
export function listenKeys(keys: () => KeyMap): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    document.documentElement.dataset["input"] = "keys";
    if (typing(event.target) && event.code !== "Escape") return;
    const onButton = event.target instanceof HTMLElement && event.target.closest("button, a") !== null;
    if (document.querySelector("dialog[open]") !== null) return;
    if (onButton && (event.code === "Enter" || event.code === "Space" || event.code === "NumpadEnter")) return;
    if (/^Key/.test(event.code) && !lettersOn()) return;
    const act = keys()[`${event.shiftKey ? "Shift+" : ""}${event.code}`];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const onTouch = (): void => { document.documentElement.dataset["input"] = "touch"; };
  document.addEventListener("keydown", onKey);
  document.addEventListener("pointerdown", onTouch);
  return () => {
    document.removeEventListener("keydown", onKey);
    document.removeEventListener("pointerdown", onTouch);
  };
}

/** Catch a badge reader: a burst of keys faster than any hand, ended by Enter. Gives the way to stop. */
export function listenBadge(read: (badge: string) => void, now: () => number = () => performance.now()): () => void {
  let burst = "";
  let last = Number.NEGATIVE_INFINITY;
  const onKey = (event: KeyboardEvent): void => {
    const at = now();
    if (at - last > BURST_MS) burst = "";
    last = at;
    if (event.key === "Enter") {
      if (burst.length >= MIN_BADGE) {
        event.preventDefault();
        event.stopImmediatePropagation();
        read(burst);
      }
      burst = "";
    } else if (event.key.length === 1) {
      burst += event.key;
    }
  };
  document.addEventListener("keydown", onKey, true);
  return () => { document.removeEventListener("keydown", onKey, true); };
}
