"use client";
// A form for one operation: sends what is typed as JSON, shows errors beside their fields, and a secret in the answer
// once. Server components can use it, as all its properties are data.
import { type FormEvent, type ReactNode, useState } from "react";
import type { AnswerOf, OperationName } from "./declared";
import { controlsOf, formBody } from "./form-body";
import { type FormOperation, useOperation } from "./operation";
import { Problems, RefusedForm } from "./problems";
import { type Revealed, SecretOnce, secretsIn } from "./secret-once";

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
  /** The fields; see fields.tsx. */
  children?: ReactNode;
  onDone?(): void;
};

export function ActionForm<Name extends OperationName>(props: ActionFormProps<Name>) {
  const { id, submit, look = "primary", reveal, children, beside, isReadOnly, onDone } = props;
  const operation = useOperation<Name>(props);
  const [answered, setAnswered] = useState<Record<string, unknown>>();
  const finish = (answer: Record<string, unknown>) => {
    setAnswered(undefined);
    onDone?.();
    operation.goOn(answer);
  };
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const answer = await operation.start(formBody(controlsOf(form)));
    if (!answer) return;
    if (reveal) return setAnswered(answer);
    finish(answer);
  };
  return (
    <form id={id} className="form" onSubmit={send} aria-busy={operation.isBusy}>
      <Problems refusal={operation.refusal} />
      <fieldset className="bare" disabled={isReadOnly}>
        <RefusedForm value={operation.refusal}>{children}</RefusedForm>
      </fieldset>
      {!isReadOnly && (
        <div className="buttons">
          <button type="submit" id={`${id}-submit`} className={look} aria-disabled={operation.isBusy}>
            {submit}
          </button>
          {beside}
        </div>
      )}
      {reveal && answered && (
        <SecretOnce {...reveal} secrets={secretsIn(answered, reveal.values)} onStored={() => finish(answered)} />
      )}
    </form>
  );
}
