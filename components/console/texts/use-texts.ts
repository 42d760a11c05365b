// The texts of the editor: the open one, the saved ones, the drafts, and the actions.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import type { Draft } from "./drafts";
import { forgetTexts, readTextAgain, savedTextQuery } from "./saved-texts";
import type { InitialText, TextKind } from "./text-kind";
import type { SavedText, Values } from "./text-state";
import type { SaveOutcome } from "./texts-state";
import { useTextRequests } from "./use-text-requests";
import { useTextsState } from "./use-texts-state";

export interface Texts<Address, Overview> {
  address: Address;
  /** Returns whether the editor shows the texts of a path, too. */
  isHere(path: string): boolean;
  overview: Overview;
  /** Undefined until it is loaded. */
  saved: SavedText | undefined;
  /** The content of the fields. */
  values: Values;
  drafts: ReadonlyMap<string, Draft>;
  isBusy: boolean;
  /** Whether the current draft of the open text is being saved or queued for saving. */
  isTaken: boolean;
  /** The result for the open text, or of a reset of another one that can still be undone. */
  outcome: SaveOutcome<Address> | undefined;
  /** The last result for any text: a response may arrive after another text was opened. */
  lastOutcome: SaveOutcome<Address> | undefined;
  /** The version that another user has saved since this draft was started. */
  conflict: SavedText | undefined;
  open(address: Address): void;
  change(field: string, value: string): void;
  replace(values: Values): void;
  /** Continues an earlier draft. */
  begin(draft: Draft): void;
  discard(): void;
  /**
   * Saves after the current request, if there is one.
   * @param from the values and the version they are based on; defaults to those of the draft
   */
  save(from?: { values: Values; sequence: string }): Promise<void>;
  /** Resets the text after the current request; nothing happens if another user's change was found meanwhile. */
  reset(): Promise<void>;
  /** Confirms the custom text although the built-in text has changed. */
  keep(): Promise<void>;
  /** Undoes a reset after the current request. */
  restore(): Promise<void>;
  forget(): void;
  leaveConflict(): void;
  /** Reads the open text again, after a change of it was approved. */
  readAgain(): Promise<void>;
  /** Reloads everything, after texts were changed elsewhere on the page. */
  reload(overview: Overview): Promise<void>;
}

export function useTexts<Address, Overview>(
  kind: TextKind<Address, Overview>,
  initial: InitialText<Address, Overview>,
  owner: string,
): Texts<Address, Overview> {
  const client = useQueryClient();
  const store = useTextsState(initial, owner);
  const { state, now, dispatch } = store;
  const requests = useTextRequests(kind, store);
  const { address, drafts, conflict } = state;
  const key = kind.keyOf(address);
  const isInitial = key === kind.keyOf(initial.address);
  const { data: saved, error } = useQuery({
    ...savedTextQuery(kind, address),
    initialData: isInitial ? initial.saved : undefined,
  });
  const draft = drafts.get(key);
  const isTaken = draft !== undefined && state.queued.get(key) === draft.values;
  const unread = useMemo(
    () => error && ({ kind: "refused", address, refusal: error.refusal } as const),
    [error, address],
  );
  const lastOutcome = state.outcome ?? unread ?? undefined;

  const show = useCallback(
    (next: Address) => {
      const isOtherText = kind.keyOf(next) !== kind.keyOf(now().address);
      dispatch({ type: "open", address: next, isOtherText });
    },
    [kind, now, dispatch],
  );
  // Handles back and forward, and pages that the browser restored at another address than they were rendered for.
  useEffect(() => {
    const follow = () => show(kind.addressIn(location.pathname) ?? initial.address);
    const here = kind.addressIn(location.pathname);
    if (here && kind.pathOf(here) !== kind.pathOf(initial.address)) show(here);
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, [kind, initial.address, show]);

  const isHere = useCallback((path: string) => kind.addressIn(path) !== undefined, [kind]);
  const edit = (write: (values: Values) => Values) => saved && dispatch({ type: "edit", key, saved, write });
  return {
    address,
    isHere,
    overview: state.overview,
    saved,
    values: draft?.values ?? saved?.own ?? {},
    drafts,
    isBusy: requests.isBusy,
    isTaken,
    outcome: lastOutcome?.kind === "reset" || isOf(lastOutcome, key, kind) ? lastOutcome : undefined,
    lastOutcome: state.outcome,
    conflict: conflict?.key === key ? conflict.theirs : undefined,
    open(next) {
      if (kind.pathOf(next) === kind.pathOf(address)) return;
      history.pushState(null, "", kind.pathOf(next));
      show(next);
    },
    change: (field, value) => edit((values) => ({ ...values, [field]: value })),
    replace: (values) => edit(() => values),
    begin: (begun) => dispatch({ type: "begin", key, draft: begun }),
    discard: () => dispatch({ type: "discard", key }),
    async save(from) {
      const current = now().drafts.get(key);
      const values = from?.values ?? current?.values;
      if (values && (from || now().queued.get(key) !== values)) await requests.save(address, values, from?.sequence);
    },
    reset: () => requests.reset(address),
    keep: () => requests.keep(address),
    async restore() {
      if (state.outcome?.kind === "reset") await requests.restore(state.outcome);
    },
    forget: () => dispatch({ type: "report", outcome: undefined }),
    leaveConflict: () => dispatch({ type: "conflict", conflict: undefined }),
    async readAgain() {
      const text = await readTextAgain(client, kind, address);
      if (text) dispatch({ type: "overview", overview: kind.noted(now().overview, address, text.own) });
    },
    async reload(overview) {
      dispatch({ type: "overview", overview });
      await forgetTexts(client);
    },
  };
}

const isOf = <Address>(
  outcome: SaveOutcome<Address> | undefined,
  key: string,
  { keyOf }: Pick<TextKind<Address, never>, "keyOf">,
): boolean => outcome !== undefined && keyOf(outcome.address) === key;
