"use client";
// What the frame shows about the current page. The frame stays while pages change, so each page brings these facts.
import { createContext, useContext, useLayoutEffect } from "react";
import type { ConsoleAct } from "../../../shared/acts";
import type { ConsolePage } from "../../../shared/pages";

export interface FrameFacts {
  /** Undefined for visitors without a role in an organization. */
  organization: { id: string; name: string } | undefined;
  /** The pages that the visitor may open. */
  pages: readonly ConsolePage[];
  /** What the visitor may do on them, for the command palette. */
  acts: readonly ConsoleAct[];
}

export interface Frame extends FrameFacts {
  /** The path of the current page. */
  path: string;
  /** Takes over the facts of another page. */
  show(facts: FrameFacts): void;
}

/** Provided by the app. */
export const FrameContext = createContext<Frame>({
  organization: undefined,
  pages: [],
  acts: [],
  path: "/console",
  show() {},
});

export const useFrame = (): Frame => useContext(FrameContext);

/** A part of every page that passes its facts to the frame, before the page is painted. */
export function TellFrame({ organization, pages, acts }: FrameFacts) {
  const { show } = useFrame();
  useLayoutEffect(() => {
    show({ organization, pages, acts });
    window.showSelectedTabs?.();
  }, [show, organization, pages, acts]);
  return null;
}

/** Returns whether the facts say the same. */
export function isSameFrame(one: FrameFacts, other: FrameFacts): boolean {
  const listOf = ({ organization, pages, acts }: FrameFacts) =>
    [organization?.id, organization?.name, ...pages, ...acts].join("\n");
  return listOf(one) === listOf(other);
}
