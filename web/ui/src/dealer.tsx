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
