"use client";
// Several views of one object on one page; arrow keys switch between them. Views that need their own address are links
// instead (class `views`).
import { Tabs as Parts } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

export interface Tab {
  value: string;
  label: ReactNode;
  content: ReactNode;
}

export interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  /** The current tab, if the parent controls it. */
  value?: string;
  onValueChange?(value: string): void;
}

export function Tabs({ label, tabs, value, onValueChange }: TabsProps) {
  return (
    <Parts.Root
      className="tabs"
      value={value}
      defaultValue={value === undefined ? tabs[0]?.value : undefined}
      onValueChange={(wanted) => onValueChange?.(String(wanted))}
    >
      <Parts.List className="tab-list" aria-label={label}>
        {tabs.map((tab) => (
          <Parts.Tab key={tab.value} value={tab.value} className="tab">
            {tab.label}
          </Parts.Tab>
        ))}
      </Parts.List>
      {tabs.map((tab) => (
        <Parts.Panel key={tab.value} value={tab.value} className="tab-panel">
          {tab.content}
        </Parts.Panel>
      ))}
    </Parts.Root>
  );
}
