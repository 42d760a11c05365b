"use client";
// A form for one operation. It sends its fields as JSON, shows errors next to their fields, asks before unsaved input
// is lost by navigation, and shows a secret in the response once.
// A form with `review` shows what will change before it is saved, and can undo the change afterwards.
// Server components can use it because all its properties are data.
import { useTranslations } from "next-intl";
import { type FormEvent, Fragment, type ReactNode, useRef, useState } from "react";
import type { AnswerOf, OperationName } from "../../../shared/declared";
import { type FormOperation, useOperation } from "../calls/operation";
import { Problems, RefusedForm } from "../calls/problems";
import { stepBack, type Undo, useUndo, type WayBack } from "../calls/undo";
import { type Revealed, SecretOnce, secretsIn } from "../dialogs/secret-once";
import { type Control, controlsOf, formBody } from "./form-body";
import { changesBetween, type Effects, type Fact, factsOf } from "./form-facts";
import { LeaveDialog } from "./leave-dialog";
import { SaveButtons } from "./save-buttons";
import { useEdits } from "./use-edits";
import { useLeaveGuard } from "./use-leave-guard";
import { useValidity } from "./validity";
import { type ShownChange, WillChange } from "./will-change";

/** The review of a form that changes existing values. */
export interface ActionReview {
  /** A version that differs whenever the displayed values differ. */
  version?: string;
  effects?: Effects;
  wayBack?: WayBack;
}

export type ActionFormProps<Name extends OperationName> = FormOperation<Name> & {
  id: string;
  submit: string;
  look?: "primary" | "danger" | "plain";
  /** The secret in the answer, which is shown only once. */
  reveal?: Revealed<AnswerOf<Name>>;
  /** Content next to the button. */
  beside?: ReactNode;
  /** Whether the form only displays the values. */
  isReadOnly?: boolean;
  /** Whether the form is in a dialog; a dialog is closed on purpose, so it does not ask again. */
  isInDialog?: boolean;
  review?: ActionReview;
  /** The place that offers undo if the form is gone by then. */
  undo?: Undo;
  /** The fields; see fields.tsx. */
  children?: ReactNode;
  /** Called when the form is submitted, and again when the response arrives. */
  onBusy?(isBusy: boolean): void;
  onDone?(): void;
};

/** The content of the form when it was sent. */
interface Sent {
  controls: readonly Control[];
  facts: readonly Fact[];
}

export function ActionForm<Name extends OperationName>(props: ActionFormProps<Name>) {
  const {
    id,
    submit,
    look = "primary",
    reveal,
    children,
    beside,
    isReadOnly,
    isInDialog,
    review,
    onBusy,
    onDone,
  } = props;
  const t = useTranslations();
  const operation = useOperation<Name>(props);
  const form = useRef<HTMLFormElement>(null);
  const facts = useRef<readonly Fact[]>([]);
  const sentFacts = useRef<readonly Fact[]>([]);
  const [changes, setChanges] = useState<readonly ShownChange[]>([]);
  const ownUndo = useUndo();
  const undo = props.undo ?? ownUndo;
  const words = { on: t("settings.on"), off: t("settings.off"), nothing: t("settings.nothing") };
  const edits = useEdits(form, {
    version: review?.version,
    onLook(form, kept) {
      if (!review) return;
      const now = factsOf(form, words);
      if (kept) facts.current = kept === "sent" ? sentFacts.current : factsOf(form, words, kept === "first");
      setChanges(changesBetween(facts.current, now, review.effects ?? {}, words));
    },
  });
  const validity = useValidity();
  const isUnsaved = edits.isEdited && !isInDialog;
  const guard = useLeaveGuard(isUnsaved);
  const [answered, setAnswered] = useState<{ answer: Record<string, unknown>; sent: Sent }>();
  const finish = (answer: Record<string, unknown>, { controls, facts }: Sent) => {
    setAnswered(undefined);
    if (review?.wayBack) {
      const { body, operation, organizationId } = props;
      const [before, sent] = [edits.kept(), controls].map((said) => ({ ...body, ...formBody(said) }));
      const step = stepBack(review.wayBack, { operation, organizationId, before: before ?? {}, sent: sent ?? {} });
      if (step) void undo.offer(step);
      else undo.forget(); // the undo of an earlier change would overwrite this one
    }
    sentFacts.current = facts;
    edits.keep(controls);
    if (props.then !== undefined) guard.release();
    onDone?.();
    operation.goOn(answer);
  };
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = validity(event.currentTarget);
    if (wrong) return operation.refuse(wrong);
    // Input typed while the request is running is not saved by it.
    const sent = { controls: controlsOf(event.currentTarget), facts: factsOf(event.currentTarget, words) };
    onBusy?.(true);
    const answer = await operation.start(formBody(sent.controls));
    onBusy?.(false);
    if (!answer) return;
    if (reveal) return setAnswered({ answer, sent });
    finish(answer, sent);
  };
  const discard = () => {
    operation.forget();
    edits.discard();
  };
  return (
    <form id={id} className="form" ref={form} noValidate onSubmit={send} aria-busy={operation.isBusy}>
      <Problems refusal={operation.refusal} />
      <fieldset className="bare" disabled={isReadOnly}>
        <RefusedForm value={operation.refusal}>
          <Fragment key={edits.round}>{children}</Fragment>
        </RefusedForm>
      </fieldset>
      {!isReadOnly && (
        <SaveButtons
          ids={{ submit: `${id}-submit`, discard: `${id}-discard`, undo: `${id}-undo` }}
          submit={submit}
          look={look}
          isUnsaved={isUnsaved}
          isDisabled={operation.isBusy}
          onDiscard={discard}
          undo={ownUndo}
          changes={review && edits.isEdited && <WillChange changes={changes} />}
        >
          {beside}
        </SaveButtons>
      )}
      <LeaveDialog guard={guard} title={t("frame.leaveTitle")} text={t("frame.leaveText")} />
      {reveal && answered && (
        <SecretOnce
          {...reveal}
          secrets={secretsIn(answered.answer, reveal.values)}
          onStored={() => finish(answered.answer, answered.sent)}
        />
      )}
    </form>
  );
}
