/** The parts of an overlay that may be on the air. */
export type Layer = "cards" | "countdown" | "roads" | "result" | "slate";

/** All layers, the default. */
export const LAYERS: Layer[] = ["cards", "countdown", "roads", "result", "slate"];

/** What an overlay's address asks for (CONTRACTS.md 8). */
export interface OverlayAddress {
  token: string;
  layers: Set<Layer>;
  lang: string;
  delayMs: number;
  preview: boolean;
  numerals: string;
}

const LONGEST_DELAY_MS = 60_000;

/** Read an address; what is not understood is left out, and a layer that does not exist is ignored. */
export function readAddress(search: string): OverlayAddress {
  const given = new URLSearchParams(search);
  const asked = given.getAll("layer").flatMap((part) => part.split(",")).filter((part): part is Layer => (LAYERS as string[]).includes(part));
  const delay = Number(given.get("delay_ms") ?? 0);
  const numerals = given.get("numerals") ?? "";
  return {
    token: given.get("token") ?? "",
    layers: new Set(asked.length > 0 ? asked : LAYERS),
    lang: given.get("lang") ?? "",
    delayMs: Number.isFinite(delay) ? Math.max(0, Math.min(LONGEST_DELAY_MS, Math.round(delay))) : 0,
    preview: given.get("preview") === "1",
    numerals: ["latn", "arab", "beng", "arabext", "deva"].includes(numerals) ? numerals : "",
  };
}

/** Figures of an overlay by its language (FACES.md 10). */
export function numeralsFor(lang: string, asked: string): string {
  return asked || { bn: "beng", ar: "arab", sd: "arab" }[lang] || "latn";
}
