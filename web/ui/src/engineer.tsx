import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/kit.css";
import "./styles/engineer.css";

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import { CalibrateScreen } from "./engineer/calibrate";
import type { Calibration } from "./engineer/calibration";
import { EnrolScreen } from "./engineer/enrol";
import type { Enrolment } from "./engineer/enrolment";
import { BenchLine } from "./engineer/line";
import { boot } from "./shared/boot";
import { chooseLanguage, start } from "./shared/shell";

function Opened({ line, children }: { line: BenchLine<never> | BenchLine<Calibration> | BenchLine<Enrolment>; children: JSX.Element }): JSX.Element {
  useEffect(() => { void line.open(); }, []);
  return children;
}

chooseLanguage();
if (boot.params["view"] === "enrol") {
  const line = new BenchLine<Enrolment>("enrol");
  start(<Opened line={line}><EnrolScreen line={line} /></Opened>);
} else {
  const line = new BenchLine<Calibration>("calibrate");
  start(<Opened line={line}><CalibrateScreen line={line} /></Opened>);
}
