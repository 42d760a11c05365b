// The text changes that await approval, and the one under review, which is shown instead of the fields until it is
// decided or closed.
import { useEffect, useRef, useState } from "react";
import type { Refusal } from "../../../../shared/refusal";
import { useTurn } from "../../calls/use-turn";
import type { TextScope } from "../address";
import { ask } from "../ask";
import type { Texts } from "../use-texts";
import { draftOperationsOn, type TextDraft, type TextDraftSummary } from "./operations";

export interface Approval {
  /** All changes of the level. */
  all: readonly TextDraftSummary[];
  /** The change of the open text. */
  draft: TextDraftSummary | undefined;
  isMine: boolean;
  /** The change under review. */
  shown: TextDraft | undefined;
  /** The last action. */
  /** The message about the last decision: the key of a text. */
  done: "texts.approval.approved" | "texts.approval.wasRejected" | "texts.approval.withdrawn" | undefined;
  refusal: Refusal | undefined;
  isBusy: boolean;
  review(): Promise<void>;
  close(): void;
  approve(): Promise<void>;
  reject(comment: string): Promise<void>;
  withdraw(): Promise<void>;
  /** Loads the author's own change into the fields again. */
  edit(): void;
}

interface Wanted<Address> {
  scope: TextScope;
  userId: string;
  /** The drafts that the page has read. */
  initial: readonly TextDraftSummary[];
  texts: Texts<Address, unknown>;
  /** Whether a draft changes the open text. */
  isOf(draft: TextDraftSummary): boolean;
  /** A key that differs for each text. */
  textKey: string;
}

export function useApproval<Address>({ scope, userId, initial, texts, isOf, textKey }: Wanted<Address>): Approval {
  const operations = draftOperationsOn(scope);
  const [all, setAll] = useState(initial);
  const [shown, setShown] = useState<TextDraft & { of: string }>();
  const [done, setDone] = useState<Approval["done"]>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [isBusy, setBusy] = useState(false);
  const draft = all.find(isOf);
  /** Responses may arrive after another text was opened; they are then ignored. */
  const open = useRef(textKey);
  open.current = textKey;
  const begin = useTurn();

  const list = async () => {
    const isLast = begin();
    const answer = await ask(operations.list);
    if (answer?.ok && isLast()) setAll(answer.body.result);
  };
  /** Each save may add or remove a draft. */
  const { lastOutcome: outcome } = texts;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each outcome
  useEffect(() => {
    if (outcome === undefined) return;
    setDone(undefined);
    if (outcome.kind === "drafted" || outcome.kind === "saved") void list();
  }, [outcome]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text
  useEffect(() => {
    setDone(undefined);
    setRefusal(undefined);
  }, [textKey]);

  const close = () => {
    setShown(undefined);
    setRefusal(undefined);
  };
  const decide = async (what: NonNullable<Approval["done"]>, act: () => ReturnType<typeof ask>) => {
    if (isBusy) return;
    setBusy(true);
    const answer = await act();
    setBusy(false);
    const isOpen = open.current === textKey;
    if (answer && !answer.ok) {
      if (isOpen) setRefusal(answer.refusal);
      return;
    }
    close();
    if (isOpen) setDone(what);
    await Promise.all([list(), what === "texts.approval.approved" ? texts.readAgain() : undefined]);
  };
  const current = shown?.of === textKey ? shown : undefined;
  return {
    all,
    draft,
    isMine: draft?.author.id === userId,
    shown: current,
    done,
    refusal,
    isBusy,
    async review() {
      if (!draft) return;
      setDone(undefined);
      const answer = await ask(operations.find, { at: { id: draft.id } });
      if (answer?.ok && open.current !== textKey) return;
      if (answer?.ok) setShown({ ...answer.body.draft, of: textKey });
      else {
        if (answer && open.current === textKey) setRefusal(answer.refusal);
        await list();
      }
    },
    close,
    async approve() {
      if (!current) return;
      const { id, sequence, isOvertaken } = current;
      // The approver has seen the newer text too, so the request names it.
      const ifMatch = isOvertaken ? `"${sequence}"` : undefined;
      await decide("texts.approval.approved", () => ask(operations.approve, { at: { id }, ifMatch }));
    },
    async reject(comment) {
      if (!current) return;
      const { id } = current;
      await decide("texts.approval.wasRejected", () => ask(operations.reject, { at: { id }, body: { comment } }));
    },
    async withdraw() {
      if (!current) return;
      const { id } = current;
      await decide("texts.approval.withdrawn", () => ask(operations.withdraw, { at: { id } }));
    },
    edit() {
      if (!current) return;
      texts.begin({ values: current.fields, base: current.base, sequence: current.baseSequence });
      close();
    },
  };
}
