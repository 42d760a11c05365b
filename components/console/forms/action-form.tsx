"use client";
// A form for one operation. It sends its fields as JSON, shows errors next to their fields, asks before unsaved input
// is lost by navigation, and shows a secret in the response once.
// A form with `review` shows what will change before it is saved, and can undo the change afterwards.
// Server components can use it because all its properties are data.
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useState } from "react";
import type { AnswerOf, OperationName } from "../../../shared/declared";
import { type FormOperation, useOperation } from "../calls/operation";
import { Problems, RefusedForm } from "../calls/problems";
import { stepBack, type Undo, useUndo, type WayBack } from "../calls/undo";
import { type Revealed, SecretOnce, secretsIn } from "../dialogs/secret-once";
import { changesBetween, type Effects } from "./form-facts";
import { FormContext, type FormValues, useFields } from "./form-state";
import { LeaveDialog } from "./leave-dialog";
import { SaveButtons } from "./save-buttons";
import { useLeaveGuard } from "./use-leave-guard";
import { useValidity } from "./validity";
import { WillChange } from "./will-change";

/** The review of a form that changes existing values. */
export interface ActionReview {
  /** Differs whenever the saved values have changed, also if they have changed back since the page read them. */
  version?: string;
  effects?: Effects;
  wayBack?: WayBack;
}

export type ActionFormProps<Name extends OperationName> = { submit: string } & OperationFormProps<Name>;

export type OperationFormProps<Name extends OperationName> = FormOperation<Name> & {
  id: string;
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
  /** Called with the response before its secret is shown. */
  onReveal?(answer: AnswerOf<Name>): void;
  onDone?(): void;
};

export function ActionForm<Name extends OperationName>(props: ActionFormProps<Name>) {
  const { id, submit, look = "primary", reveal, review, isReadOnly, isInDialog, onBusy, onDone } = props;
  const t = useTranslations();
  const operation = useOperation<Name>(props);
  const fields = useFields(review?.version);
  const ownUndo = useUndo();
  const undo = props.undo ?? ownUndo;
  const validity = useValidity(fields.labelOf);
  const isUnsaved = fields.isEdited && !isInDialog;
  const guard = useLeaveGuard(isUnsaved);
  const [answered, setAnswered] = useState<{ answer: FormValues; sent: FormValues }>();
  const offerUndo = (wayBack: WayBack, values: FormValues) => {
    const { body, operation, organizationId } = props;
    const before = { ...body, ...fields.body(fields.saved.values) };
    const sent = { ...body, ...fields.body(values) };
    const step = stepBack(wayBack, { operation, organizationId, before, sent });
    if (step) void undo.offer(step);
    else undo.forget(); // the undo of an earlier change would overwrite this one
  };
  const finish = (answer: FormValues, sent: FormValues) => {
    setAnswered(undefined);
    if (review?.wayBack) offerUndo(review.wayBack, sent);
    fields.keep(sent);
    if (props.then !== undefined) guard.release();
    onDone?.();
    operation.goOn(answer);
  };
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = validity(event.currentTarget);
    if (wrong) return operation.refuse(wrong);
    const sent = fields.values(); // input typed while the request is running is not saved by it
    onBusy?.(true);
    const answer = await operation.start(fields.body(sent));
    onBusy?.(false);
    if (!answer) return;
    if (reveal) {
      props.onReveal?.(answer as AnswerOf<Name>);
      return setAnswered({ answer, sent });
    }
    finish(answer, sent);
  };
  const discard = () => {
    operation.forget();
    fields.discard();
  };
  const changes = () =>
    changesBetween(fields.saved.facts, fields.facts, review?.effects ?? {}, { nothing: t("settings.nothing") });
  return (
    <form id={id} className="form" noValidate onSubmit={send} aria-busy={operation.isBusy}>
      <Problems refusal={operation.refusal} labelOf={fields.labelOf} />
      <fieldset className="bare" disabled={isReadOnly}>
        <RefusedForm value={operation.refusal}>
          <FormContext value={fields.form}>{props.children}</FormContext>
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
          changes={review && fields.isEdited && <WillChange changes={changes()} />}
        >
          {props.beside}
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
