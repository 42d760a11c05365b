// Keeps the state of the editor of texts, and its drafts in this tab of the browser.
import { useCallback, useEffect, useRef, useState } from "react";
import { readDrafts, writeDrafts } from "./drafts";
import { reduceTexts, type TextsAction, type TextsState } from "./texts-state";

export interface TextsStore<Address, Overview> {
  state: TextsState<Address, Overview>;
  /** Returns the state with all actions applied; a response may arrive before the page is rendered again. */
  now(): TextsState<Address, Overview>;
  dispatch(action: TextsAction<Address, Overview>): void;
}

export function useTextsState<Address, Overview>(
  { address, overview }: Pick<TextsState<Address, Overview>, "address" | "overview">,
  owner: string,
): TextsStore<Address, Overview> {
  const [state, setState] = useState<TextsState<Address, Overview>>({
    address,
    overview,
    drafts: new Map(),
    queued: new Map(),
    outcome: undefined,
    conflict: undefined,
  });
  const latest = useRef(state);
  const now = useCallback(() => latest.current, []);
  const dispatch = useCallback((action: TextsAction<Address, Overview>) => {
    latest.current = reduceTexts(latest.current, action);
    setState(latest.current);
  }, []);
  useEffect(() => {
    const drafts = readDrafts(sessionStorage, owner);
    if (drafts.size + now().drafts.size > 0) dispatch({ type: "load", drafts });
  }, [owner, now, dispatch]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after the drafts of this owner were read
  useEffect(() => writeDrafts(sessionStorage, owner, now().drafts), [state.drafts, owner, now]);
  return { state, now, dispatch };
}
