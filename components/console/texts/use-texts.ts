// The state of the editor and its actions: the open text, the saved texts, the drafts. Changes of other users are never
// overwritten unnoticed: saving names the version that the draft is based on, and is refused if there is a newer one.

import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, Refusal } from "../../../shared/refusal";
import { useInTurn } from "../calls/use-in-turn";
import { type Draft, readDrafts, withDraft, without, withoutSent, writeDrafts } from "./drafts";
import type { InitialText, TextChangeAnswer, TextKind } from "./text-kind";
import { changedFields, filledValues, type SavedText, type Values } from "./text-state";

/** The result of the last action. */
export type SaveOutcome<Address> =
  | { kind: "saved"; address: Address; warnings: number }
  | { kind: "reset"; address: Address; values: Values; sequence: string }
  | { kind: "restored"; address: Address }
  /** The change awaits another user's approval. */
  | { kind: "drafted"; address: Address }
  /** Another user changed the text before. */
  | { kind: "elsewhere"; address: Address }
  | { kind: "refused"; address: Address; refusal: Refusal };

type Reset<Address> = Extract<SaveOutcome<Address>, { kind: "reset" }>;

/** An action that runs after the current request. */
type Wish<Address> =
  /**
   * @property sequence the version that the values are based on; undefined for that of the draft at the time of the
   * request
   */
  { does: "save"; of: Address; values: Values; sequence?: string } | { does: "restore"; reset: Reset<Address> };

export interface Texts<Address, Overview> {
  address: Address;
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
  reload(overview: Overview): void;
}

export function useTexts<Address, Overview>(
  kind: TextKind<Address, Overview>,
  initial: InitialText<Address, Overview>,
  owner: string,
): Texts<Address, Overview> {
  const { keyOf } = kind;
  const [address, setAddress] = useState(initial.address);
  const [overview, setOverview] = useState(initial.overview);
  const [texts, setTexts] = useState<ReadonlyMap<string, SavedText>>(
    () => new Map([[keyOf(initial.address), initial.saved]]),
  );
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const [isRead, setRead] = useState(false);
  /** The values that were last sent, or are queued, for each text. */
  const [taken, setTaken] = useState<ReadonlyMap<string, Values>>(new Map());
  const [outcome, setOutcome] = useState<SaveOutcome<Address>>();
  const [conflict, setConflict] = useState<{ key: string; theirs: SavedText }>();
  /** The running requests by the keys of the texts. */
  const reading = useRef(new Map<string, AbortController>());

  useEffect(() => {
    setDrafts(readDrafts(sessionStorage, owner));
    setRead(true);
  }, [owner]);
  useEffect(() => {
    if (isRead) writeDrafts(sessionStorage, owner, drafts);
  }, [drafts, isRead, owner]);

  const key = keyOf(address);
  /** The open text, because responses may arrive after another one was opened. */
  const open = useRef({ address, key });
  open.current = { address, key };
  const saved = texts.get(key);
  const draft = drafts.get(key);

  const know = useCallback(
    (of: Address, text: SavedText) => setTexts((before) => new Map(before).set(kind.keyOf(of), text)),
    [kind],
  );

  const read = useCallback(
    async (of: Address): Promise<SavedText | undefined> => {
      const key = kind.keyOf(of);
      reading.current.get(key)?.abort();
      const controller = new AbortController();
      reading.current.set(key, controller);
      const answer = await kind.read(of, controller.signal);
      // A response that was requested before a save is outdated and ignored.
      if (answer === undefined || controller.signal.aborted) return undefined;
      if (!answer.ok) {
        setOutcome({ kind: "refused", address: of, refusal: answer.refusal });
        return undefined;
      }
      know(of, answer.body);
      return answer.body;
    },
    [kind, know],
  );

  const show = useCallback(
    (next: Address) => {
      setAddress(next);
      setOutcome((before) => (before?.kind === "reset" ? before : undefined)); // a reset can still be undone
      setConflict(undefined);
      void read(next);
    },
    [read],
  );

  // Handles back and forward, and pages that the browser restored at another address than they were rendered for.
  useEffect(() => {
    const follow = () => {
      show(kind.addressIn(location.pathname) ?? initial.address);
    };
    const here = kind.addressIn(location.pathname);
    if (here && kind.pathOf(here) !== kind.pathOf(initial.address)) show(here);
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, [kind, initial.address, show]);

  const rewrite = (write: (before: Values) => Values) => {
    if (!saved) return;
    setOutcome((before) => (before?.kind === "reset" ? before : undefined));
    setDrafts((before) => {
      const { values, ...begun } = before.get(key) ?? { values: saved.own, base: saved.own, sequence: saved.sequence };
      return withDraft(before, key, { ...begun, values: write(values) });
    });
  };

  /** Stores the result of a successful save. */
  const settle = (of: Address, values: Values, { details }: TextChangeAnswer) => {
    reading.current.get(keyOf(of))?.abort();
    const { sequence = "0", changeDate } = details;
    const own = filledValues(values);
    setTexts((known) => {
      const before = known.get(keyOf(of));
      if (!before) return known;
      // Changed fields replaced the current built-in text; unchanged ones may still have replaced an older one.
      const outdated = Object.entries(before.outdated).filter(([field]) => before.own[field] === own[field]);
      const now = { ...before, own, outdated: Object.fromEntries(outdated), sequence, changeDate };
      return new Map(known).set(keyOf(of), now);
    });
    setOverview((known) => kind.noted(known, of, own));
    return { own, sequence };
  };

  /** @param values undefined to reset the text */
  const send = async (of: Address, sequence: string, values?: Values) => {
    const ifMatch = `"${sequence}"`;
    const answer = await (values ? kind.set(of, filledValues(values), ifMatch) : kind.reset(of, ifMatch));
    const refused = answer?.ok === false ? answer : undefined;
    if (refused?.status === 412) {
      const theirs = await read(of);
      if (drafts.has(keyOf(of))) setConflict(theirs && { key: keyOf(of), theirs });
      else setOutcome({ kind: "elsewhere", address: of });
    } else if (refused) setOutcome({ kind: "refused", address: of, refusal: refused.refusal });
    return answer as Answer<TextChangeAnswer>;
  };

  const save = async ({ of, values, sequence: base }: Extract<Wish<Address>, { does: "save" }>) => {
    const key = keyOf(of);
    const draft = drafts.get(key);
    const basedOn = base ?? draft?.sequence;
    // An earlier request may have saved the draft, or found a change of another user, which must be resolved first.
    if (basedOn === undefined) return;
    if (base === undefined && (conflict?.key === key || changedFields(draft?.base ?? {}, values).length === 0)) return;
    // Undoing a reset must not overwrite the text that has replaced it.
    setOutcome((before) => (before?.kind === "reset" && keyOf(before.address) === key ? undefined : before));
    const answer = await send(of, basedOn, values);
    if (!answer.ok) return;
    const isSent = (since: Draft) => since.values === values || (base !== undefined && since === draft);
    setConflict((now) => (now?.key === key ? undefined : now));
    if (answer.body.draft) {
      setOutcome({ kind: "drafted", address: of });
      setDrafts((before) => {
        const since = before.get(key);
        return !since || isSent(since) ? without(before, key) : before;
      });
      return;
    }
    const { own, sequence } = settle(of, values, answer.body);
    setOutcome({ kind: "saved", address: of, warnings: answer.body.warnings?.length ?? 0 });
    setDrafts((before) => withoutSent(before, key, isSent, { own, sequence }));
  };

  const restore = async ({ address: of, values, sequence }: Reset<Address>) => {
    const answer = await send(of, sequence, values);
    if (!answer.ok) return;
    if (answer.body.draft) return setOutcome({ kind: "drafted", address: of });
    settle(of, values, answer.body);
    setOutcome({ kind: "restored", address: of });
  };

  const textOf = (wish: Wish<Address>) => keyOf(wish.does === "save" ? wish.of : wish.reset.address);
  const { isBusy, wish, alone } = useInTurn<Wish<Address>>(
    (wish) => (wish.does === "save" ? save(wish) : restore(wish.reset)),
    (one, other) => one.does === other.does && textOf(one) === textOf(other),
  );

  const isTaken = isBusy && draft !== undefined && taken.get(key) === draft.values;

  return {
    address,
    overview,
    saved,
    values: draft?.values ?? saved?.own ?? {},
    drafts,
    isBusy,
    isTaken,
    outcome: outcome && (outcome.kind === "reset" || keyOf(outcome.address) === key) ? outcome : undefined,
    lastOutcome: outcome,
    conflict: conflict?.key === key ? conflict.theirs : undefined,
    open(next) {
      if (kind.pathOf(next) === kind.pathOf(address)) return;
      history.pushState(null, "", kind.pathOf(next));
      if (keyOf(next) === key) setAddress(next);
      else show(next);
    },
    change: (field, value) => rewrite((values) => ({ ...values, [field]: value })),
    replace: (values) => rewrite(() => values),
    begin(begun) {
      setOutcome(undefined);
      setDrafts((before) => withDraft(before, key, begun));
    },
    discard() {
      setOutcome(undefined);
      setDrafts((before) => without(before, key));
    },
    async save(from) {
      const { values, sequence } = from ?? { values: draft?.values, sequence: undefined };
      if (!values || (!from && isTaken)) return;
      setTaken((before) => new Map(before).set(key, values));
      await wish({ does: "save", of: address, values, sequence });
    },
    reset: () =>
      alone(async () => {
        if (!saved) return;
        const answer = await send(address, saved.sequence);
        if (!answer.ok) return;
        if (answer.body.draft) return setOutcome({ kind: "drafted", address });
        const { own, sequence } = settle(address, {}, answer.body);
        setDrafts((before) => withoutSent(before, key, (since) => since === draft, { own, sequence }));
        setOutcome({ kind: "reset", address, values: saved.own, sequence });
      }),
    keep: () =>
      alone(async () => {
        if (!saved) return;
        const answer = await kind.keep(address);
        if (answer?.ok === false) setOutcome({ kind: "refused", address, refusal: answer.refusal });
        else await read(address);
      }),
    async restore() {
      if (outcome?.kind === "reset") await wish({ does: "restore", reset: outcome });
    },
    forget: () => setOutcome(undefined),
    leaveConflict: () => setConflict(undefined),
    async readAgain() {
      const text = await read(address);
      if (text) setOverview((known) => kind.noted(known, address, text.own));
    },
    reload(known) {
      setOverview(known);
      setTexts((before) => new Map([...before].filter(([other]) => other === open.current.key)));
      void read(open.current.address);
    },
  };
}
