"use client";
// A form for one operation: sends what is typed as JSON, shows errors beside their fields, asks before a link leads away
// from what is not saved, and shows a secret in the answer once. Server components can use it, as all its properties are
// data.
import { useTranslations } from "next-intl";
import { type FormEvent, Fragment, type ReactNode, useRef, useState } from "react";
import type { AnswerOf, OperationName } from "./declared";
import { Dialog } from "./dialog";
import { controlsOf, formBody } from "./form-body";
import { type FormOperation, useOperation } from "./operation";
import { Problems, RefusedForm } from "./problems";
import { type Revealed, SecretOnce, secretsIn } from "./secret-once";
import { useEdits } from "./use-edits";
import { type LeaveGuard, useLeaveGuard } from "./use-leave-guard";
import { useValidity } from "./validity";

export type ActionFormProps<Name extends OperationName> = FormOperation<Name> & {
  id: string;
  submit: string;
  look?: "primary" | "danger" | "plain";
  /** The secret in the answer, which is shown only once. */
  reveal?: Revealed<AnswerOf<Name>>;
  /** Beside the button. */
  beside?: ReactNode;
  /** Whether it only shows the values. */
  isReadOnly?: boolean;
  /** In a dialog, which is left on purpose, nothing asks again. */
  isInDialog?: boolean;
  /** The fields; see fields.tsx. */
  children?: ReactNode;
  onDone?(): void;
};

export function ActionForm<Name extends OperationName>(props: ActionFormProps<Name>) {
  const { id, submit, look = "primary", reveal, children, beside, isReadOnly, isInDialog, onDone } = props;
  const t = useTranslations();
  const operation = useOperation<Name>(props);
  const form = useRef<HTMLFormElement>(null);
  const edits = useEdits(form);
  const validity = useValidity();
  const isUnsaved = edits.isEdited && !isInDialog;
  const guard = useLeaveGuard(isUnsaved);
  const [answered, setAnswered] = useState<Record<string, unknown>>();
  const finish = (answer: Record<string, unknown>) => {
    setAnswered(undefined);
    edits.keep();
    if (props.then !== undefined) guard.release();
    onDone?.();
    operation.goOn(answer);
  };
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = validity(event.currentTarget);
    if (wrong) return operation.refuse(wrong);
    const answer = await operation.start(formBody(controlsOf(event.currentTarget)));
    if (!answer) return;
    if (reveal) return setAnswered(answer);
    finish(answer);
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
        <div className={isUnsaved ? "buttons unsaved-bar" : "buttons"}>
          <button type="submit" id={`${id}-submit`} className={look} aria-disabled={operation.isBusy}>
            {submit}
          </button>
          {isUnsaved && (
            <button type="button" id={`${id}-discard`} onClick={discard}>
              {t("texts.discard")}
            </button>
          )}
          {beside}
          {!isInDialog && (
            <p role="status" className="save-state">
              {isUnsaved && t("frame.changed")}
            </p>
          )}
        </div>
      )}
      <LeaveQuestion guard={guard} />
      {reveal && answered && (
        <SecretOnce {...reveal} secrets={secretsIn(answered, reveal.values)} onStored={() => finish(answered)} />
      )}
    </form>
  );
}

/** Asked before a link leads away from what is not saved. */
function LeaveQuestion({ guard }: { guard: LeaveGuard }) {
  const t = useTranslations();
  return (
    <Dialog
      open={guard.wanted !== undefined}
      onOpenChange={(wanted) => !wanted && guard.stay()}
      title={t("frame.leaveTitle")}
      description={t("frame.leaveText")}
    >
      <div className="buttons">
        <button type="button" id="leave" onClick={guard.leave}>
          {t("texts.leaveNow")}
        </button>
        <button type="button" id="stay" className="primary" onClick={guard.stay}>
          {t("texts.stay")}
        </button>
      </div>
    </Dialog>
  );
}
