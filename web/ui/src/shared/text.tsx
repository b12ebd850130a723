import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

import { CardWord } from "./cards";
import { type Params, language, pieces } from "./i18n";
import type { Message } from "./view";

/** A message in words: values isolated, cards drawn with their pips. */
export function Say({ code, params = {} }: { code: string; params?: Params }): JSX.Element {
  return (
    <>
      {pieces(code, params).map((piece, at) => {
        if (piece.kind === "card") return <CardWord key={at} code={piece.card} />;
        if (piece.kind === "value") return <bdi key={at} class="num">{piece.text}</bdi>;
        return piece.text;
      })}
    </>
  );
}

/** A message that came with a view. */
export function SayMessage({ message }: { message: Message | null | undefined }): JSX.Element | null {
  return message ? <Say code={message.code} params={message.params} /> : null;
}

/**
 * A headline that keeps its reading distance: the first of the sizes at which it fits its box.
 *
 * Sizes go from large to small and never under the smallest of their distance (FACES.md 2); what
 * does not fit the smallest wraps. `lines` is how many lines may be taken.
 */
export function Headline({ tag = "h1", sizes, lines, class: name, children }: {
  tag?: "h1" | "h2" | "p"; sizes: number[]; lines: number; class?: string; children: preact.ComponentChildren;
}): JSX.Element {
  const ref = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const fit = (): void => {
      const scale = Number(getComputedStyle(box).getPropertyValue("--far-scale")) || 1;
      for (const size of sizes) {
        box.style.fontSize = `${Math.round(size * scale)}px`;
        const leading = Number.parseFloat(getComputedStyle(box).lineHeight);
        const wide = box.scrollWidth > box.clientWidth + 1;
        const room = box.closest("[data-fit]")?.clientHeight ?? Number.POSITIVE_INFINITY;
        const block = box.parentElement?.getBoundingClientRect().height ?? 0;
        if (!wide && block <= room - 24 && box.getBoundingClientRect().height <= leading * lines + 2) return;
      }
    };
    fit();
    void document.fonts?.ready.then(fit);
  });
  const Tag = tag;
  return <Tag ref={ref} class={name} lang={language.value}>{children}</Tag>;
}
