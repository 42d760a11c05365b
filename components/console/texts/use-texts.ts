// The state of the editor and its actions: the open text, what is saved, the drafts. Nobody's change is overwritten
// unseen: saving names the version that the draft is based on, and is refused if there is a newer one.

import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, Refusal } from "../refusal";
import { addressIn, levelOf, type TextAddress, type TextScope, textAddress } from "./address";
import { ask } from "./ask";
import { type Draft, readDrafts, withDraft, writeDrafts } from "./drafts";
import type { MessageField } from "./messages";
import { operationsOn } from "./operations";
import { type TextsOverview, withCustomized } from "./overview";
import { type ExplainAnswer, type SavedText, savedTextOf, setFields, type Values } from "./text-state";

export const keyOf = ({ type, language }: TextAddress): string => `${type}/${language}`;

export interface InitialText {
  address: TextAddress;
  explanation: ExplainAnswer;
  overview: TextsOverview;
}

/** The result of the last action. */
export type Outcome =
  | { kind: "saved"; address: TextAddress; warnings: number }
  | { kind: "reset"; address: TextAddress; values: Values; sequence: string }
  | { kind: "restored"; address: TextAddress }
  /** Somebody else changed it before. */
  | { kind: "elsewhere"; address: TextAddress }
  | { kind: "refused"; address: TextAddress; refusal: Refusal };

type Changed = { details: { sequence?: string; changeDate?: string }; warnings?: readonly unknown[] };

export interface Texts {
  address: TextAddress;
  overview: TextsOverview;
  /** Undefined until it is loaded. */
  saved: SavedText | undefined;
  /** The content of the fields. */
  values: Values;
  drafts: ReadonlyMap<string, Draft>;
  isBusy: boolean;
  outcome: Outcome | undefined;
  /** What somebody else has saved since this draft was begun. */
  conflict: SavedText | undefined;
  open(address: TextAddress): void;
  change(field: MessageField, value: string): void;
  replace(values: Values): void;
  discard(): void;
  /** @param from the values and the version they are based on; by default those of the draft */
  save(from?: { values: Values; sequence: string }): Promise<void>;
  reset(): Promise<void>;
  /** Undoes a reset. */
  restore(): Promise<void>;
  forget(): void;
  leaveConflict(): void;
  /** Reloads everything, after texts were changed elsewhere on the page. */
  reload(overview: TextsOverview): void;
}

export function useTexts(place: TextScope, initial: InitialText, owner: string): Texts {
  const level = levelOf(place);
  const [address, setAddress] = useState(initial.address);
  const [overview, setOverview] = useState(initial.overview);
  const [texts, setTexts] = useState<ReadonlyMap<string, SavedText>>(
    () => new Map([[keyOf(initial.address), savedTextOf(level, initial.explanation)]]),
  );
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const [isRead, setRead] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const [conflict, setConflict] = useState<SavedText>();
  const reading = useRef<AbortController>(undefined);

  useEffect(() => {
    setDrafts(readDrafts(sessionStorage, owner));
    setRead(true);
  }, [owner]);
  useEffect(() => {
    if (isRead) writeDrafts(sessionStorage, owner, drafts);
  }, [drafts, isRead, owner]);

  const key = keyOf(address);
  const saved = texts.get(key);
  const draft = drafts.get(key);

  const know = useCallback((of: TextAddress, text: SavedText) => {
    setTexts((before) => new Map(before).set(keyOf(of), text));
  }, []);

  const read = useCallback(
    async (of: TextAddress): Promise<SavedText | undefined> => {
      reading.current?.abort();
      reading.current = new AbortController();
      const { signal } = reading.current;
      const answer = await ask(operationsOn(place).explain, { at: of, signal });
      if (answer === undefined) return undefined;
      if (!answer.ok) {
        setOutcome({ kind: "refused", address: of, refusal: answer.refusal });
        return undefined;
      }
      const text = savedTextOf(level, answer.body);
      know(of, text);
      return text;
    },
    [place, level, know],
  );

  const show = useCallback(
    (next: TextAddress) => {
      setAddress(next);
      setOutcome((before) => (before?.kind === "reset" ? before : undefined)); // it can still be undone
      setConflict(undefined);
      void read(next);
    },
    [read],
  );

  // Handles back and forward, and pages restored by the browser at another address than they were rendered for.
  useEffect(() => {
    const follow = () => {
      show(addressIn(place, location.pathname) ?? initial.address);
    };
    const here = addressIn(place, location.pathname);
    if (here && keyOf(here) !== keyOf(initial.address)) show(here);
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, [place, initial.address, show]);

  const rewrite = (write: (before: Values) => Values) => {
    if (!saved) return;
    setOutcome((before) => (before?.kind === "reset" ? before : undefined));
    setDrafts((before) => {
      const { values, ...begun } = before.get(key) ?? { values: saved.own, base: saved.own, sequence: saved.sequence };
      return withDraft(before, key, { ...begun, values: write(values) });
    });
  };

  /** Takes over what the service has saved. */
  const settle = (of: TextAddress, values: Values, { details }: Changed) => {
    const before = texts.get(keyOf(of));
    const { sequence = "0", changeDate } = details;
    const own = setFields(values);
    if (before) know(of, { ...before, own, sequence, changeDate });
    setOverview((known) => withCustomized(known, level, of, own));
    return { own, sequence };
  };

  /** @param values undefined: reset it */
  const send = async (of: TextAddress, sequence: string, values?: Values) => {
    setBusy(true);
    const { set, reset } = operationsOn(place);
    const ifMatch = `"${sequence}"`;
    const answer = await (values
      ? ask(set, { at: of, body: setFields(values), ifMatch })
      : ask(reset, { at: of, ifMatch }));
    const refused = answer?.ok === false ? answer : undefined;
    if (refused?.status === 412) {
      const theirs = await read(of);
      if (drafts.has(keyOf(of))) setConflict(theirs);
      else setOutcome({ kind: "elsewhere", address: of });
    } else if (refused) setOutcome({ kind: "refused", address: of, refusal: refused.refusal });
    setBusy(false);
    return answer as Answer<Changed>;
  };

  return {
    address,
    overview,
    saved,
    values: draft?.values ?? saved?.own ?? {},
    drafts,
    isBusy,
    outcome,
    conflict,
    open(next) {
      if (keyOf(next) === key) return;
      history.pushState(null, "", textAddress(place, next));
      show(next);
    },
    change: (field, value) => rewrite((values) => ({ ...values, [field]: value })),
    replace: (values) => rewrite(() => values),
    discard() {
      setOutcome(undefined);
      setDrafts((before) => without(before, key));
    },
    async save(from = draft) {
      if (!from || isBusy) return;
      const answer = await send(address, from.sequence, from.values);
      if (!answer.ok) return;
      const { own, sequence } = settle(address, from.values, answer.body);
      setConflict(undefined);
      setOutcome({ kind: "saved", address, warnings: answer.body.warnings?.length ?? 0 });
      setDrafts((before) => {
        const since = before.get(key);
        // What was typed during saving becomes a new draft, based on the saved text.
        if (!since || since === draft || since.values === from.values) return without(before, key);
        return withDraft(before, key, { values: since.values, base: own, sequence });
      });
    },
    async reset() {
      if (!saved || isBusy) return;
      const answer = await send(address, saved.sequence);
      if (!answer.ok) return;
      const { sequence } = settle(address, {}, answer.body);
      setDrafts((before) => without(before, key));
      setOutcome({ kind: "reset", address, values: saved.own, sequence });
    },
    async restore() {
      if (outcome?.kind !== "reset" || isBusy) return;
      const { address: of, values, sequence } = outcome;
      const answer = await send(of, sequence, values);
      if (!answer.ok) return;
      settle(of, values, answer.body);
      setOutcome({ kind: "restored", address: of });
    },
    forget: () => setOutcome(undefined),
    leaveConflict: () => setConflict(undefined),
    reload(known) {
      setOverview(known);
      setTexts((before) => new Map([...before].filter(([other]) => other === key)));
      void read(address);
    },
  };
}

function without(drafts: ReadonlyMap<string, Draft>, key: string): Map<string, Draft> {
  const next = new Map(drafts);
  next.delete(key);
  return next;
}
