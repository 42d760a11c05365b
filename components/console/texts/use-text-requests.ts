// The requests that change texts. They run one after another, each with the state of its time. A save names the version
// that the draft is based on, and is refused if there is a newer one: changes of other users are not overwritten.
import { type QueryClient, useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { Draft } from "./drafts";
import { DRAFTS_KEY, readTextAgain, savedTextQuery, withOwn } from "./saved-texts";
import type { TextChangeAnswer, TextKind } from "./text-kind";
import { changedFields, filledValues, type Values } from "./text-state";
import type { SaveOutcome, UndoableReset } from "./texts-state";
import type { TextsStore } from "./use-texts-state";

const QUEUE = "texts";

export function useTextRequests<Address, Overview>(
  kind: TextKind<Address, Overview>,
  store: TextsStore<Address, Overview>,
) {
  const client = useQueryClient();
  const isBusy = useIsMutating({ mutationKey: [QUEUE] }) > 0;
  const { mutateAsync: run } = useMutation({
    mutationKey: [QUEUE],
    scope: { id: QUEUE }, // one after another
    mutationFn: (request: () => Promise<void>) => request(),
  });
  const { save, reset, keep, restore } = textRequests(client, kind, store);
  /** A reset is undone once. */
  const undone = useRef<UndoableReset<Address>>(undefined);
  return {
    isBusy,
    /** @param from the version that the values are based on; defaults to that of the draft */
    async save(address: Address, values: Values, from?: string) {
      store.dispatch({ type: "queue", key: kind.keyOf(address), values });
      await run(() => save(address, values, from));
    },
    reset: (address: Address) => run(() => reset(address)),
    keep: (address: Address) => run(() => keep(address)),
    async restore(from: UndoableReset<Address>) {
      if (undone.current === from) return;
      undone.current = from;
      await run(() => restore(from));
      undone.current = undefined;
    },
  };
}

function textRequests<Address, Overview>(
  client: QueryClient,
  kind: TextKind<Address, Overview>,
  { now, dispatch }: TextsStore<Address, Overview>,
) {
  /** @param values undefined to reset the text */
  const send = async (of: Address, sequence: string, values?: Values): Promise<TextChangeAnswer | undefined> => {
    const [key, ifMatch] = [kind.keyOf(of), `"${sequence}"`];
    const answer = await (values ? kind.set(of, filledValues(values), ifMatch) : kind.reset(of, ifMatch));
    if (answer.ok) return answer.body;
    if (answer.status !== 412) {
      dispatch({ type: "report", outcome: { kind: "refused", address: of, refusal: answer.refusal } });
      return undefined;
    }
    const theirs = await readTextAgain(client, kind, of);
    if (now().drafts.has(key)) dispatch({ type: "conflict", conflict: theirs && { key, theirs } });
    else dispatch({ type: "report", outcome: { kind: "elsewhere", address: of } });
    return undefined;
  };

  /** Stores the result of an accepted change. */
  const settle = async (
    values: Values,
    { details, draft }: TextChangeAnswer,
    outcome: SaveOutcome<Address>,
    isSent?: (draft: Draft) => boolean,
  ) => {
    void client.invalidateQueries({ queryKey: DRAFTS_KEY });
    const { address } = outcome;
    const key = kind.keyOf(address);
    if (draft) return dispatch({ type: "settle", key, outcome: { kind: "drafted", address }, isSent });
    const { queryKey } = savedTextQuery(kind, address);
    const { sequence = "0", changeDate } = details;
    const own = filledValues(values);
    await client.cancelQueries({ queryKey }); // its response would be outdated
    client.setQueryData(queryKey, (text) => text && withOwn(text, own, { sequence, changeDate }));
    const overview = kind.noted(now().overview, address, own);
    dispatch({ type: "settle", key, outcome, saved: { own, sequence }, overview, isSent });
  };

  const save = async (address: Address, values: Values, from?: string) => {
    const key = kind.keyOf(address);
    const { queued, drafts, conflict, outcome } = now();
    if (queued.get(key) !== values) return; // a later save of this text has replaced this one
    const draft = drafts.get(key);
    const sequence = from ?? draft?.sequence;
    // An earlier request may have saved the draft, or found a change of another user, which must be resolved first.
    const isOver = conflict?.key === key || changedFields(draft?.base ?? {}, values).length === 0;
    if (sequence !== undefined && (from !== undefined || !isOver)) {
      // Undoing a reset must not overwrite the text that has replaced it.
      const isUndoable = outcome?.kind === "reset" && kind.keyOf(outcome.address) === key;
      if (isUndoable) dispatch({ type: "report", outcome: undefined });
      const body = await send(address, sequence, values);
      const isSent = (since: Draft) => since.values === values || (from !== undefined && since === draft);
      const saved = { kind: "saved", address, warnings: body?.warnings?.length ?? 0 } as const;
      if (body) await settle(values, body, saved, isSent);
    }
    dispatch({ type: "dequeue", key, values });
  };

  const reset = async (address: Address) => {
    const key = kind.keyOf(address);
    const { drafts, conflict } = now();
    const saved = client.getQueryData(savedTextQuery(kind, address).queryKey);
    // After a conflict, the text is not the one whose reset was confirmed.
    if (!saved || conflict?.key === key) return;
    const body = await send(address, saved.sequence);
    if (!body) return;
    const outcome = { kind: "reset", address, values: saved.own, sequence: body.details.sequence ?? "0" } as const;
    const draft = drafts.get(key);
    await settle({}, body, outcome, body.draft ? undefined : (since) => since === draft);
  };

  const keep = async (address: Address) => {
    const answer = await kind.keep(address);
    if (answer.ok) await readTextAgain(client, kind, address);
    else dispatch({ type: "report", outcome: { kind: "refused", address, refusal: answer.refusal } });
  };

  const restore = async ({ address, values, sequence }: UndoableReset<Address>) => {
    const body = await send(address, sequence, values);
    if (body) await settle(values, body, { kind: "restored", address });
  };

  return { save, reset, keep, restore };
}
