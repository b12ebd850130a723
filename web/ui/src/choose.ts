import { listenKeys } from "./shared/keys";

/** The page where a dealer chooses among tables: `1`–`9` opens a table, arrows go along, `L` is the next language. */
const tiles = [...document.querySelectorAll<HTMLAnchorElement>(".tables a")];

function along(step: number): void {
  const at = tiles.findIndex((tile) => tile === document.activeElement);
  tiles[(at + step + tiles.length) % tiles.length]?.focus();
}

function nextLanguage(): void {
  const offered = [...document.querySelectorAll<HTMLAnchorElement>("nav a[lang]")];
  const at = offered.findIndex((each) => each.hasAttribute("aria-current"));
  offered[(at + 1) % offered.length]?.click();
}

listenKeys(() => ({
  KeyL: nextLanguage,
  ArrowDown: () => { along(1); }, ArrowRight: () => { along(1); }, ArrowUp: () => { along(-1); }, ArrowLeft: () => { along(-1); },
  ...Object.fromEntries(tiles.slice(0, 9).flatMap((tile, at) => {
    const open = (): void => { tile.click(); };
    return [[`Digit${at + 1}`, open], [`Numpad${at + 1}`, open]];
  })),
}));
