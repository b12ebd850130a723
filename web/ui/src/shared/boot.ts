/** A language whose catalogue is complete. */
export interface Offered { code: string; name: string; dir: "ltr" | "rtl" }

/**
 * What the server put into the page: `<script type="application/json" id="boot">…</script>`.
 *
 * Every field may be absent, so a page also draws when it is opened by hand.
 */
export interface Boot {
  /** Name of the studio. */
  studio: string;
  /** Policy's profile, as `house`. */
  profile: string;
  /** ISO 4217 code of the tables' currency. */
  currency: string;
  /** Short number of the build, shown in an overlay's preview. */
  build: string;
  /** Language in which the page was asked for. */
  lang: string;
  languages: Offered[];
  person: { name: string; role: string; locale: string; number?: string } | null;
  /** Table of this page; empty on the wall and at sign-in. */
  table: string;
  tables: string[];
  /** What the address asks for beside the table, as an engineer's `view`. */
  params: Record<string, string>;
  /** What an overlay connects with, the delay of its address included. */
  socket: { namespace: string; auth: Record<string, string | number> } | null;
  /** Why this page will not be served; it then connects to nothing. */
  refused: { code: string; text: string } | null;
}

const EMPTY: Boot = {
  studio: "", profile: "", currency: "EUR", build: "", lang: "", languages: [], person: null, table: "", tables: [], params: {},
  socket: null, refused: null,
};

/** Read the block of the page; whatever is missing keeps its empty value. */
export function readBoot(): Boot {
  const text = document.getElementById("boot")?.textContent;
  if (!text) return { ...EMPTY };
  const given = JSON.parse(text) as Partial<Boot>;
  return { ...EMPTY, ...given };
}

/** The boot block of this page, read once. */
export const boot: Boot = typeof document === "undefined" ? { ...EMPTY } : readBoot();
