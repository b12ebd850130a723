import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { boot } from "../shared/boot";
import { clock, tick, timeText } from "../shared/clock";
import { CATALOGUES, NAMES, known, language, say, useLanguageNow } from "../shared/i18n";
import { Icon } from "../shared/icons";
import { listenBadge } from "../shared/keys";
import { Edge } from "../shared/parts";
import { Headline, Say } from "../shared/text";

const PIN_DOTS = 6;
const MOST_DIGITS = 12;
const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "erase", "0", "go"];

type Field = "number" | "pin";

interface Problem { code?: string; reason?: string; detail?: string; title?: string }

/** The reason of a refusal in the page's language, or the server's own sentence. */
function worded(problem: Problem): string {
  const code = [problem.code, problem.reason].find((given) => given !== undefined && known(given));
  return code ? say(code) : problem.detail ?? problem.title ?? say("refused.sign_in");
}

async function ask(body: Record<string, string>): Promise<string> {
  try {
    const answer = await fetch("/api/ui/sign-in", {
      method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify(body),
    });
    const given = await answer.json() as Problem & { home?: string };
    if (!answer.ok) return worded(given);
    location.assign(given.home?.startsWith("/") ? given.home : "/");
    return "";
  } catch {
    return say("refused.unreachable");
  }
}

function Clock(): JSX.Element {
  void tick.value;
  return <span class="num">{timeText(clock.nowUs() || Date.now() * 1000)}</span>;
}

function Dots({ count }: { count: number }): JSX.Element {
  return (
    <span class="dots" aria-hidden="true">
      {Array.from({ length: Math.max(PIN_DOTS, count) }, (_, at) => <i key={at} class={at < count ? "f" : ""} />)}
    </span>
  );
}

/** Languages by their own names, only those whose catalogue is complete. */
function Languages(): JSX.Element {
  const offered = boot.languages.length > 0 ? boot.languages.map((each) => each.code) : Object.keys(CATALOGUES);
  return (
    <nav class="lang" aria-label={say("signin.language")}>
      {offered.filter((code) => CATALOGUES[code]).map((code) => (
        <button key={code} type="button" lang={code} class={code === language.value ? "on" : ""} aria-pressed={code === language.value} onClick={() => { useLanguageNow(code, true); }}>
          {NAMES[code]}
        </button>
      ))}
      <span class="grow" />
      <Clock />
    </nav>
  );
}

/** Badge first, a keypad beside it. The keypad is not mirrored. */
export function SignInScreen(): JSX.Element {
  const [field, setField] = useState<Field>("number");
  const [values, setValues] = useState({ number: "", pin: "" });
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState(boot.refused?.text ?? "");
  const inputs = { number: useRef<HTMLInputElement>(null), pin: useRef<HTMLInputElement>(null) };

  const send = (body: Record<string, string>): void => {
    if (busy) return;
    setBusy(true);
    setRefusal("");
    void ask(body).then((text) => {
      setBusy(false);
      if (text === "") return;
      setRefusal(text);
      setValues((kept) => ({ ...kept, pin: "" }));
    });
  };
  const set = (name: Field, text: string): void => {
    setValues((kept) => ({ ...kept, [name]: text.slice(0, name === "pin" ? 64 : MOST_DIGITS) }));
    setRefusal("");
  };
  const go = (): void => {
    if (field === "number" && values.number !== "") {
      setField("pin");
      inputs.pin.current?.focus();
    } else if (values.number !== "" && values.pin !== "") {
      send(values);
    }
  };
  const press = (key: string): void => {
    if (key === "go") go();
    else set(field, key === "erase" ? values[field].slice(0, -1) : values[field] + key);
  };
  useEffect(() => listenBadge((badge) => {
    setValues({ number: "", pin: "" });
    send({ badge });
  }));

  const common = (name: Field) => ({
    ref: inputs[name], name, inputMode: "numeric" as const, maxLength: 64, value: values[name], dir: "ltr" as const,
    onFocus: () => { setField(name); },
    onInput: (event: { currentTarget: HTMLInputElement }) => { set(name, event.currentTarget.value); },
  });
  const labelled = (name: Field, box: JSX.Element): JSX.Element => (
    <label class={field === name ? "on" : ""}>
      <span><Say code={`signin.${name}`} /></span>
      <span class="box">{box}</span>
    </label>
  );
  return (
    <div class="in" data-state="closed">
      <Edge />
      <section class="l">
        <span class="brand">Cutcard</span>
        <main>
          <p class="t"><bdi>{boot.studio}</bdi></p>
          <Headline sizes={[84, 76, 68, 60, 56]} lines={2}><Say code="signin.title" /></Headline>
          <div class="badge">
            <svg viewBox="0 0 132 132" aria-hidden="true">
              <rect x="8" y="36" width="72" height="88" rx="8" /><path d="M34 36V22h20v14" /><circle cx="44" cy="68" r="12" />
              <path d="M24 108c0-14 8-20 20-20s20 6 20 20" /><path class="wave" d="M94 56a30 30 0 0 1 0 48M107 42a50 50 0 0 1 0 76" />
            </svg>
            <p><Say code="signin.line" /><br /><Say code="signin.relief" /></p>
          </div>
        </main>
      </section>
      <form class="r" onSubmit={(event) => { event.preventDefault(); go(); }}>
        <div class="fields">
          {labelled("number", <input {...common("number")} type="text" autocomplete="username" />)}
          {labelled("pin", <><input {...common("pin")} type="password" autocomplete="current-password" /><Dots count={values.pin.length} /></>)}
        </div>
        <p class="refusal" role="alert">{busy ? "" : refusal}</p>
        <div class="pad" role="group" aria-label={say("label.keypad")}>
          {KEYS.map((key) => (
            <button
              key={key} type={key === "go" ? "submit" : "button"} class={`key ${key}`} data-key={key}
              aria-label={key === "erase" ? say("key.erase") : key === "go" ? say("signin.submit") : key} aria-busy={key === "go" && busy}
              onClick={key === "go" ? undefined : () => { press(key); }}
            >
              {key === "erase" ? <Icon name="erase" /> : key === "go" ? <Icon name="tick" /> : key}
            </button>
          ))}
        </div>
      </form>
      <Languages />
    </div>
  );
}
