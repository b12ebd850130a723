import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/kit.css";
import "./styles/felt.css";
import "./styles/supervisor.css";
import "./styles/case.css";

import { boot } from "./shared/boot";
import { Commander } from "./shared/commands";
import { Feed, Line } from "./shared/feed";
import { chooseLanguage, start } from "./shared/shell";
import type { SupervisorView, WallView } from "./shared/view";
import { SupervisorScreen } from "./supervisor/screen";
import { Desk } from "./supervisor/state";

chooseLanguage();
const line = new Line("supervisor", { table: boot.table });
const wall = line.add(new Feed<WallView>(line, "", "wall", "/api/ui/wall"));
const desk = new Desk(wall, line, (table) => line.add(
  new Feed<SupervisorView>(line, table, "supervisor", `/api/ui/view/${encodeURIComponent(table)}/supervisor`),
));
desk.commander = Commander.over(line, () => desk.feed.value);
desk.open(boot.table, false);
addEventListener("popstate", () => { desk.open(decodeURIComponent(location.pathname.split("/")[2] ?? ""), false); });
start(<SupervisorScreen desk={desk} />);
