"use client";
// What a control without words does, when it is pointed at or focused. The control has the same words as its name: a
// tooltip is never the only place they stand.
import { Tooltip as Parts } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";

export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Parts.Provider>
      <Parts.Root>
        <Parts.Trigger render={children} />
        <Parts.Portal>
          <Parts.Positioner className="over" sideOffset={6}>
            <Parts.Popup className="tooltip">{text}</Parts.Popup>
          </Parts.Positioner>
        </Parts.Portal>
      </Parts.Root>
    </Parts.Provider>
  );
}
