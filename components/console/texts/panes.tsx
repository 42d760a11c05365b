"use client";
// Messages, text and preview side by side, or as tabs in a narrow window. All panes are always rendered, and the style
// sheet selects by width, so that nothing moves when the script starts.
import { useTranslations } from "next-intl";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { useNarrow } from "./use-narrow";

const PANES = ["messages", "text", "preview"] as const;
export type Pane = (typeof PANES)[number];

export interface PanesProps {
  shown: Pane;
  onShow(pane: Pane): void;
  /** The content of the first pane. */
  first?: "messages" | "pages";
  contents: Readonly<Record<Pane, ReactNode>>;
}

export function Panes({ shown, onShow, first = "messages", contents }: PanesProps) {
  const t = useTranslations();
  const isNarrow = useNarrow();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
    const step = { ArrowRight: isRtl ? -1 : 1, ArrowLeft: isRtl ? 1 : -1 }[event.key];
    const next = step === undefined ? undefined : PANES[(PANES.indexOf(shown) + step + PANES.length) % PANES.length];
    if (!next) return;
    event.preventDefault();
    onShow(next);
    list.current?.querySelector<HTMLElement>(`#pane-${next}-tab`)?.focus();
  };
  return (
    <div className="texts">
      <div role="tablist" aria-label={t("texts.panes")} className="pane-tabs" ref={list} onKeyDown={onKeyDown}>
        {PANES.map((pane) => (
          <button
            key={pane}
            type="button"
            role="tab"
            className="tab"
            id={`pane-${pane}-tab`}
            aria-controls={`pane-${pane}`}
            aria-selected={pane === shown}
            data-active={pane === shown ? "" : undefined}
            tabIndex={pane === shown ? 0 : -1}
            onClick={() => onShow(pane)}
          >
            {t(`texts.by.pane.${pane === "messages" ? first : pane}`)}
          </button>
        ))}
      </div>
      {PANES.map((pane) => (
        <div
          key={pane}
          id={`pane-${pane}`}
          className={`pane pane-${pane}`}
          data-shown={pane === shown ? "" : undefined}
          {...(isNarrow && { role: "tabpanel", "aria-labelledby": `pane-${pane}-tab` })}
        >
          {contents[pane]}
        </div>
      ))}
    </div>
  );
}
