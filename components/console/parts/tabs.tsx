"use client";
// Several views of one object on one page; arrow keys move between them, Enter shows one. Views that need their own
// address are links instead (class `views`).
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";

export interface Tab {
  value: string;
  label: ReactNode;
  content: ReactNode;
}

export interface TabsProps {
  label: string;
  tabs: readonly Tab[];
}

export function Tabs({ label, tabs }: TabsProps) {
  const id = useId();
  const [wanted, setWanted] = useState<string>();
  const shown = tabs.find(({ value }) => value === wanted) ?? tabs[0];
  return (
    <div className="tabs">
      <div role="tablist" className="tab-list" aria-label={label} onKeyDown={moveFocus}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            className="tab"
            aria-selected={tab === shown}
            aria-controls={tab === shown ? id : undefined}
            data-active={tab === shown ? "" : undefined}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => setWanted(tab.value)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {shown && (
        <div
          key={shown.value}
          role="tabpanel"
          id={id}
          className="tab-panel"
          aria-labelledby={`${id}-${shown.value}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: some panels have nothing else that the keyboard reaches
          tabIndex={0}
        >
          {shown.content}
        </div>
      )}
    </div>
  );
}

/** Moves the focus in a list of tabs by the arrow keys, in the direction of the text. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
  const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
  const here = tabs.indexOf(document.activeElement as HTMLElement);
  const steps: Record<string, number> = {
    ArrowRight: here + (isRtl ? -1 : 1),
    ArrowLeft: here + (isRtl ? 1 : -1),
    Home: 0,
    End: tabs.length - 1,
  };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  tabs[(step + tabs.length) % tabs.length]?.focus();
}
