"use client";
// The menu of a row: the actions that are needed rarely, or that destroy something, so that they do not repeat as
// buttons in every row. It is loaded when it is opened.
import { useState } from "react";
import { onDemand } from "../parts/on-demand";
import type { RowMenuProps } from "./row-menu-window";

const Window = onDemand(() => import("./row-menu-window").then(({ RowMenuWindow }) => RowMenuWindow));

export function RowMenu(props: RowMenuProps) {
  const [isUsed, setUsed] = useState(false);
  return (
    <Window.Part
      {...props}
      isWanted={isUsed}
      waiting={
        <button
          type="button"
          id={props.id}
          className="plain icon"
          aria-label={props.label}
          aria-haspopup="menu"
          aria-expanded={false}
          onPointerEnter={Window.prepare}
          onFocus={Window.prepare}
          onClick={() => setUsed(true)}
          onKeyDown={({ key }) => (key === "ArrowDown" || key === "ArrowUp") && setUsed(true)}
        >
          <span aria-hidden="true">⋯</span>
        </button>
      }
    />
  );
}
