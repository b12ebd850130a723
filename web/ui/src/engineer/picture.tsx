import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { boot } from "../shared/boot";

/** Milliseconds between two pictures that are asked for: five a second. */
const PICTURE_MS = 200;

/** Age of the newest picture in milliseconds; null before the first. */
export const pictureAge: Signal<number | null> = signal(null);

/** Point on the frame in pixels. */
export type Px = [number, number];

/**
 * The live picture with a drawing over it in the frame's own pixels. It is never mirrored (FACES.md 9).
 *
 * `cover` fills the box and cuts what is outside; else the whole frame is seen. The drawing is given how many
 * pixels of the frame one pixel of the screen is.
 */
export function LivePicture({ width, height, cover = false, label, children }: {
  width: number; height: number; cover?: boolean; label: string; children: (scale: number) => ComponentChildren;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<[number, number]>([0, 0]);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => { if (entry) setSize([entry.contentRect.width, entry.contentRect.height]); });
    if (box.current) watch.observe(box.current);
    return () => { watch.disconnect(); };
  }, []);
  useEffect(() => {
    let going = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const address = `/engineer/${encodeURIComponent(boot.table)}/live.jpg`;
    const next = async (): Promise<void> => {
      try {
        const answer = await fetch(address, { cache: "no-store" });
        if (answer.ok && canvas.current) {
          const picture = await createImageBitmap(await answer.blob());
          const [wide, high] = [picture.width, picture.height];
          if (canvas.current.width !== wide || canvas.current.height !== high) Object.assign(canvas.current, { width: wide, height: high });
          canvas.current.getContext("2d")?.drawImage(picture, 0, 0);
          picture.close();
          pictureAge.value = Number(answer.headers.get("Cutcard-Age-Ms") ?? 0);
        }
      } catch { /* the line tells that the studio does not answer */ }
      if (going) timer = setTimeout(() => { void next(); }, PICTURE_MS);
    };
    void next();
    return () => { going = false; clearTimeout(timer); };
  }, []);
  const [frameWide, frameHigh] = width > 0 ? [width, height] : [1280, 720];
  const ratios = [frameWide / (size[0] || 1), frameHigh / (size[1] || 1)];
  const scale = cover ? Math.min(...ratios) : Math.max(...ratios);
  return (
    <div ref={box} class={`live ${cover ? "cover" : ""}`} dir="ltr">
      <canvas ref={canvas} width={frameWide} height={frameHigh} />
      <svg viewBox={`0 0 ${frameWide} ${frameHigh}`} preserveAspectRatio={cover ? "xMidYMid slice" : "xMidYMid meet"} role="group" aria-label={label}>
        {children(scale)}
      </svg>
    </div>
  );
}

/** Points as an SVG attribute. */
export function points(all: Px[]): string {
  return all.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
}
