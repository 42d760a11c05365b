"use client";
// A button for an action that needs no confirmation, as it can be undone.
import type { OperationName } from "./declared";
import { type OperationProps, useOperation } from "./operation";
import { Problems } from "./problems";

export interface ActionButtonProps<Name extends OperationName> extends OperationProps<Name> {
  id: string;
  label: string;
  look?: "primary" | "plain";
}

export function ActionButton<Name extends OperationName>({ id, label, look, ...what }: ActionButtonProps<Name>) {
  const operation = useOperation(what);
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
