import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/kit.css";
import "./styles/felt.css";
import "./styles/dealer.css";

import { DealerScreen } from "./dealer/screen";
import { boot } from "./shared/boot";
import { Commander } from "./shared/commands";
import { Feed, Line } from "./shared/feed";
import { chooseLanguage, start } from "./shared/shell";
import type { DealerView } from "./shared/view";

chooseLanguage();
const line = new Line("dealer", { table: boot.table });
const feed = line.add(new Feed<DealerView>(line, boot.table, "dealer", `/api/ui/view/${encodeURIComponent(boot.table)}/dealer`));
start(<DealerScreen source={feed} commander={Commander.over(line, () => feed)} />);

/** A console at a table does not go dark while somebody deals; browsers allow that only where they trust the page. */
async function stayAwake(): Promise<void> {
  if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
  try { await navigator.wakeLock.request("screen"); } catch { /* the screen may go dark: the feed mends itself */ }
}

document.addEventListener("visibilitychange", () => { void stayAwake(); });
void stayAwake();
