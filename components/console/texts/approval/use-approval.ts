// The text changes that await approval, and the one under review, which is shown instead of the fields until it is
// decided or closed.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Answer, Refusal } from "../../../../shared/refusal";
import { bodyOf } from "../../calls/queries";
import type { TextScope } from "../address";
import { ask } from "../ask";
import { DRAFTS_KEY } from "../saved-texts";
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
  const { data, refetch } = useQuery({
    queryKey: DRAFTS_KEY,
    initialData: { result: initial },
    queryFn: async () => bodyOf(await ask(operations.list)),
  });
  const all = data.result;
  const draft = all.find(isOf);
  const [shown, setShown] = useState<TextDraft & { of: string }>();
  const [done, setDone] = useState<Approval["done"]>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [isBusy, setBusy] = useState(false);
  /** Responses may arrive after another text was opened; they are then ignored. */
  const open = useRef(textKey);
  open.current = textKey;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text and each result of an action
  useEffect(() => setDone(undefined), [textKey, texts.lastOutcome]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text
  useEffect(() => setRefusal(undefined), [textKey]);

  const close = () => {
    setShown(undefined);
    setRefusal(undefined);
  };
  const current = shown?.of === textKey ? shown : undefined;
  const decide = async (what: NonNullable<Approval["done"]>, send: (of: TextDraft) => Promise<Answer<unknown>>) => {
    if (isBusy || !current) return;
    setBusy(true);
    const answer = await send(current);
    setBusy(false);
    const isOpen = open.current === textKey;
    if (!answer.ok) return isOpen ? setRefusal(answer.refusal) : undefined;
    close();
    if (isOpen) setDone(what);
    await Promise.all([refetch(), what === "texts.approval.approved" ? texts.readAgain() : undefined]);
  };
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
      const isOpen = open.current === textKey;
      if (answer.ok && isOpen) setShown({ ...answer.body.draft, of: textKey });
      if (!answer.ok && isOpen) setRefusal(answer.refusal);
      if (!answer.ok) await refetch();
    },
    close,
    approve: () =>
      decide("texts.approval.approved", ({ id, sequence, isOvertaken }) => {
        // The approver has seen the newer text too, so the request names it.
        return ask(operations.approve, { at: { id }, ifMatch: isOvertaken ? `"${sequence}"` : undefined });
      }),
    reject: (comment) =>
      decide("texts.approval.wasRejected", ({ id }) => ask(operations.reject, { at: { id }, body: { comment } })),
    withdraw: () => decide("texts.approval.withdrawn", ({ id }) => ask(operations.withdraw, { at: { id } })),
    edit() {
      if (!current) return;
      texts.begin({ values: current.fields, base: current.base, sequence: current.baseSequence });
      close();
    },
  };
}
