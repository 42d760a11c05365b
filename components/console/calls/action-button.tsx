"use client";
// A button for an operation that needs no confirmation because it can be undone.
import type { OperationName } from "../../../shared/declared";
import { Button } from "../parts/button";
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
      <Button id={id} look={look} label={label} isDisabled={operation.isBusy} onClick={act} />
      <Problems refusal={operation.refusal} />
    </span>
  );
}
