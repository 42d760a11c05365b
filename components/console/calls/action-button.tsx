"use client";
// A button for an operation that needs no confirmation because it can be undone.
import type { OperationName } from "../../../shared/declared";
import { type ButtonOperation, useOperation } from "./operation";
import { Problems } from "./problems";

export type ActionButtonProps<Name extends OperationName> = ButtonOperation<Name> & {
  id: string;
  label: string;
  look?: "primary" | "plain";
};

export function ActionButton<Name extends OperationName>(props: ActionButtonProps<Name>) {
  const { id, label, look } = props;
  const operation = useOperation<Name>(props);
  const act = async () => {
    const answered = await operation.start();
    if (answered) operation.goOn(answered);
  };
  return (
    <span className="action">
      <button type="button" className={look} id={id} aria-disabled={operation.isBusy} onClick={act}>
        {label}
      </button>
      <Problems refusal={operation.refusal} />
    </span>
  );
}
