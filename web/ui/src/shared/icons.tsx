import type { JSX } from "preact";

/** Names of the marks and symbols. The first eight are the marks of the states (FACES.md 4). */
export type IconName =
  | "idle" | "betting" | "dealing" | "decision" | "result" | "hold" | "void" | "closed"
  | "bell" | "cutcard" | "hand" | "handsoff" | "faceup" | "facedown" | "arrow" | "person" | "people"
  | "erase" | "tick" | "cross" | "clock" | "across" | "camera" | "back" | "lock" | "signal" | "unequal"
  | "badge" | "save" | "look" | "layback" | "step" | "again" | "undo" | "zones" | "eye" | "disk" | "turn";

const HAND = "M8 12.5V6a1.6 1.6 0 0 1 3.200 0v5 M11.200 11V4a1.6 1.6 0 0 1 3.200 0v7 M14.400 11V5.200a1.6 1.6 0 0 1 3.200 0V13 M17.600 9.500a1.500 1.500 0 0 1 3 0V15c0 4-2.600 7-6.800 7-3.300 0-5-1.500-6.600-4.300L4.300 13c-.9-1.700 1.200-3.200 2.500-1.700L8 12.700";
const HEART = "M12 15.500c-2.600-2-4-3.300-4-5.100C8 9 9 8.200 10 8.200c.9 0 1.600.5 2 1.300.4-.8 1.100-1.300 2-1.300 1 0 2 .8 2 2.200 0 1.800-1.400 3.100-4 5.100Z";

const DRAWINGS: Record<IconName, JSX.Element> = {
  idle: <circle cx="12" cy="12" r="8" />,
  betting: <><circle cx="12" cy="12" r="9" /><circle class="f" cx="12" cy="12" r="3.400" /><path d="M12 3v3.200M12 17.800V21M3 12h3.200M17.800 12H21" /></>,
  dealing: <><rect x="3" y="4.500" width="9.500" height="15" rx="1.500" /><path class="dir" d="M12.500 12H21m-3.300-3.400L21 12l-3.300 3.400" /></>,
  decision: <path d="M12 21v-6.500L5.500 5.500M5 10V5h5M12 14.500l6.500-9M14 5h5v5" />,
  result: <path d="m4 13 5.500 5.500L20.500 6" stroke-width="3" />,
  hold: <><path d="M8.200 2.700h7.600l5.500 5.500v7.600l-5.500 5.500H8.200l-5.500-5.500V8.200Z" /><path d="M9.700 8.300v7.400M14.300 8.300v7.400" stroke-width="2.500" /></>,
  void: <><circle cx="12" cy="12" r="9" /><path d="m8.300 8.300 7.400 7.400m0-7.400-7.400 7.400" stroke-width="2.500" /></>,
  closed: <><rect x="4.500" y="10.500" width="15" height="10" rx="1.500" /><path d="M8 10.500V7.200a4 4 0 0 1 8 0v3.300" /></>,
  lock: <><rect x="4.500" y="10.500" width="15" height="10" rx="1.500" /><path d="M8 10.500V7.200a4 4 0 0 1 8 0v3.300" /></>,
  bell: <path d="M12 3.200a6 6 0 0 1 6 6v4.600l2 3.200H4l2-3.200V9.200a6 6 0 0 1 6-6ZM9.600 20.300a2.500 2.500 0 0 0 4.800 0" />,
  cutcard: <><rect x="3.500" y="6" width="10.500" height="14.500" rx="1.500" /><path d="M18.500 3v18" stroke-width="3.500" /></>,
  hand: <path d={HAND} />,
  handsoff: <><path d={HAND} /><path d="m2.500 2.500 19 19" stroke-width="2.600" /></>,
  faceup: <><rect x="5" y="2.500" width="14" height="19" rx="2" /><path class="f" d={HEART} /></>,
  facedown: <><rect x="5" y="2.500" width="14" height="19" rx="2" /><path d="m8.500 6.500 7 7M15.500 6.500l-7 7M8.500 11l6.500 6.500M15.500 11 9 17.500" stroke-width="1.300" /></>,
  across: <rect x="2.500" y="5" width="19" height="14" rx="2" />,
  arrow: <path class="dir" d="M4 12h16m-6-6 6 6-6 6" />,
  person: <><circle cx="12" cy="8" r="3.600" /><path d="M5 20.500c0-4 3-6.300 7-6.300s7 2.300 7 6.300" /></>,
  people: <><circle cx="8.500" cy="8.500" r="3.200" /><path d="M2.500 19.500c0-3.500 2.600-5.500 6-5.500s6 2 6 5.500M15 5.600a3.200 3.200 0 0 1 0 5.800M17.500 14.500c2.500.6 4 2.400 4 5" /></>,
  erase: <path d="M20.500 5.500H9L3 12l6 6.500h11.500Zm-8.800 4 5 5m0-5-5 5" />,
  tick: <path d="m4.500 13 5 5L19.500 6.500" stroke-width="2.500" />,
  cross: <path d="m6 6 12 12M18 6 6 18" stroke-width="2.500" />,
  clock: <><circle cx="12" cy="12" r="9" /><path d="M12 7v5l3.500 2" /></>,
  camera: <><rect x="2.500" y="6" width="13.500" height="12" rx="2" /><path d="m16 11 5.500-3.200v8.400L16 13Z" /></>,
  back: <path class="dir" d="M20 12H4m6-6-6 6 6 6" />,
  unequal: <path d="M4 9.500h16M4 15h16M16 4 8 20.500" stroke-width="2.600" />,
  badge: <><rect x="4" y="5" width="16" height="16" rx="2" /><path d="M9 5V2.500h6V5" /><circle cx="12" cy="11.500" r="2.300" /><path d="M8 18c0-2.300 1.600-3.500 4-3.500s4 1.200 4 3.500" /></>,
  save: <path d="M12 3.500v11m-4.500-4.500 4.500 4.500 4.500-4.500M4 17v3.500h16V17" />,
  look: <><circle cx="10.500" cy="10.500" r="7" /><path d="m15.800 15.800 5.200 5.200" stroke-width="2.600" /></>,
  layback: <><rect x="8" y="10" width="8.500" height="11.500" rx="1.500" /><path d="M12.200 2v5.500m-3-2.600 3 3 3-3" /></>,
  step: <><path d="M9 20.500V13l-2.500-3.500L8.500 4h7l2 5.500L15 13v7.500" /><path d="M3 21.500h18" stroke-width="2.600" /></>,
  again: <path d="M20 12a8 8 0 1 1-2.500-5.800M20 3v5h-5" />,
  undo: <path d="M4 9h11a5 5 0 0 1 0 10H8M4 9l4-4M4 9l4 4" />,
  zones: <><path d="M4 8 20 5l1 14-18 1Z" /><path d="m11.500 6.500.5 13" /></>,
  eye: <><path d="M2 12c2.500-4.500 6-7 10-7s7.500 2.500 10 7c-2.500 4.500-6 7-10 7s-7.500-2.500-10-7Z" /><circle cx="12" cy="12" r="3" /></>,
  disk: <><path d="M4 4h13l3 3v13H4Z" /><path d="M8 4v5h7V4M8 20v-6h8v6" /></>,
  turn: <><rect x="7.500" y="2.500" width="9" height="13" rx="1.500" /><path d="M3 14.500c0 3.500 4 5.500 9 5.500s9-2 9-5.500m-2.800 1.800 2.800-2.300 1.800 3" /></>,
  signal: <path d="M4 18.500h.1M4 13a5.500 5.500 0 0 1 5.500 5.500M4 8a10.500 10.500 0 0 1 10.500 10.500M3 3l18 18" />,
};

/** A symbol of 24 by 24 in the current colour. */
export function Icon({ name }: { name: IconName }): JSX.Element {
  return <svg class={`i i-${name}`} viewBox="0 0 24 24" aria-hidden="true">{DRAWINGS[name]}</svg>;
}
