import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { say } from "../shared/i18n";
import type { BenchLine } from "./line";
import { type Calibration, type ZoneState, feltStep, zoneName } from "./calibration";
import { type Px, points } from "./picture";

const ARROWS: Record<string, Px> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FINE_MM = 1;
const COARSE_MM = 10;
const HANDLE_PX = 9;
/** A finger is wider than the handle that is seen. */
const TOUCH_PX = 24;

interface Dragged { zone: string; handle: number | null; from: Px; to: Px }

/** Where a pointer is on the frame. */
function onFrame(event: PointerEvent): Px {
  const svg = (event.currentTarget as SVGElement).ownerSVGElement ?? (event.currentTarget as SVGSVGElement);
  const matrix = svg.getScreenCTM();
  if (!matrix) return [0, 0];
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return [at.x, at.y];
}

/** A zone's corners while one of its handles is dragged, before the studio has answered. */
export function preview(corners: Px[], handle: number | null, dx: number, dy: number): Px[] {
  const moved = handle === null ? [0, 1, 2, 3] : handle < 4 ? [handle] : [handle - 4, (handle - 3) % 4];
  return corners.map(([x, y], at) => (moved.includes(at) ? [x + dx, y + dy] : [x, y]));
}

/** The eight handles of a four-cornered zone: corners, then the middles of its sides. */
function handlesOf(corners: Px[]): Px[] {
  const middles = corners.map(([x, y], at): Px => { const [x1, y1] = corners[(at + 1) % 4] ?? [x, y]; return [(x + x1) / 2, (y + y1) / 2]; });
  return [...corners, ...middles];
}

/** Choose a zone by the keyboard; its first handle takes the focus. */
function toHandles(line: BenchLine<Calibration>, id: string): void {
  void line.ask("choose", { id }).then(() => {
    requestAnimationFrame(() => { document.querySelector<SVGElement>('[data-handle="0"]')?.focus(); });
  });
}

/** The lower start of a zone, where its name stands. */
function nameAt(corners: Px[]): Px {
  const low = [...corners].sort((a, b) => b[1] - a[1]).slice(0, 2).sort((a, b) => a[0] - b[0]);
  return low[0] ?? [0, 0];
}

/** The zones over the picture; the chosen one can be dragged, by touch, mouse or keys, where `edit`. */
export function Zones({ state, line, scale, edit }: { state: Calibration; line: BenchLine<Calibration>; scale: number; edit: boolean }): JSX.Element {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const grab = (zone: ZoneState, handle: number | null) => (event: PointerEvent): void => {
    if (!edit || event.button !== 0) return;
    if (!zone.chosen) { void line.ask("choose", { id: zone.id }); return; }
    event.stopPropagation();
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    const at = onFrame(event);
    setDragged({ zone: zone.id, handle, from: at, to: at });
  };
  const drag = (event: PointerEvent): void => {
    if (dragged) setDragged({ ...dragged, to: onFrame(event) });
  };
  const drop = (zone: ZoneState) => (): void => {
    if (!dragged) return;
    const [dx, dy] = [dragged.to[0] - dragged.from[0], dragged.to[1] - dragged.from[1]];
    const corners = preview(zone.polygon_px, dragged.handle, dx, dy);
    const handles = dragged.handle === null ? null : handlesOf(corners)[dragged.handle];
    const middle: Px = [corners.reduce((sum, [x]) => sum + x, 0) / corners.length, corners.reduce((sum, [, y]) => sum + y, 0) / corners.length];
    if (Math.hypot(dx, dy) < 1) { setDragged(null); return; }
    const given = dragged.handle === null ? { id: zone.id, to_px: middle } : { id: zone.id, handle: dragged.handle, to_px: handles };
    void line.ask("zone", given).then(() => { setDragged(null); });
  };
  const keys = (zone: ZoneState, handle: number | null) => (event: KeyboardEvent): void => {
    const arrow = ARROWS[event.key];
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); toHandles(line, zone.id); return; }
    if (!arrow || !edit || !zone.chosen) return;
    event.preventDefault();
    const by = event.shiftKey ? COARSE_MM : FINE_MM;
    const [x, y] = feltStep(zone, arrow);
    void line.ask("zone", { id: zone.id, ...(handle === null ? {} : { handle }), by_mm: [x * by, y * by] });
  };
  const cornersOf = (zone: ZoneState): Px[] => (dragged?.zone === zone.id
    ? preview(zone.polygon_px, dragged.handle, dragged.to[0] - dragged.from[0], dragged.to[1] - dragged.from[1]) : zone.polygon_px);
  const pointer = (zone: ZoneState, handle: number | null) => ({
    onPointerDown: grab(zone, handle), onPointerMove: drag, onPointerUp: drop(zone), onPointerCancel: () => { setDragged(null); }, onKeyDown: keys(zone, handle),
  });
  const chosen = edit ? state.zones.find((zone) => zone.chosen) : undefined;
  return (
    <>
      {state.zones.map((zone) => {
        const corners = cornersOf(zone);
        const [x, y] = nameAt(corners);
        const name = zoneName(zone.id);
        const label = say("engineer.zone", { zone: zone.id, wide: Math.round(zone.size_mm[0]), high: Math.round(zone.size_mm[1]) });
        const look = ["zone", zone === chosen && "on", zone.fault && "bad", zone.placed && "placed", zone.tried && "tried"].filter(Boolean).join(" ");
        return (
          <g key={zone.id} class={look} data-zone={zone.id}>
            <polygon class="area" points={points(dragged?.zone === zone.id ? corners : zone.outline_px)} tabindex={edit ? 0 : -1} role="button" aria-label={label} aria-pressed={zone.chosen} {...pointer(zone, null)} />
            <text x={x + 8 * scale} y={y - 9 * scale} font-size={(name.length > 2 ? 16 : 22) * scale}>{name}</text>
          </g>
        );
      })}
      {chosen && handlesOf(cornersOf(chosen)).map(([x, y], handle) => (
        <g key={`${chosen.id}${handle}`} class="handle">
          <circle
            class="touch" cx={x} cy={y} r={TOUCH_PX * scale} tabindex={0} role="button" data-handle={handle}
            aria-label={say(handle < 4 ? "engineer.corner" : "engineer.side", { zone: chosen.id, n: (handle % 4) + 1 })} {...pointer(chosen, handle)}
          />
          <circle class="dot" cx={x} cy={y} r={HANDLE_PX * scale} />
        </g>
      ))}
    </>
  );
}
