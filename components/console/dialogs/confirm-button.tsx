"use client";
// A button, or an entry of a row's menu, for an action that cannot be undone or that affects other users: a dialog
// names the object and the consequences.
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import type { OperationName } from "../../../shared/declared";
import { type ButtonOperation, type OperationState, useOperation } from "../calls/operation";
import { Problems } from "../calls/problems";
import { Button } from "../parts/button";
import { Dialog, type DialogProps } from "./dialog";

export type ConfirmButtonProps<Name extends OperationName> = ButtonOperation<Name> & {
  id: string;
  label: string;
  /** The question, with the name of the object. */
  title: ReactNode;
  /** The consequences. */
  text: ReactNode;
  /** The text of the confirm button; defaults to the label. */
  confirm?: string;
  look?: "danger" | "primary" | "plain";
  triggerLook?: "danger" | "primary" | "plain";
};

export function ConfirmButton<Name extends OperationName>(props: ConfirmButtonProps<Name>) {
  const { id, label, look = "danger", triggerLook = look } = props;
  const [isOpen, setOpen] = useState(false);
  const trigger = { id, label, look: triggerLook };
  return <ConfirmDialog {...props} {...{ trigger, isOpen }} onOpen={setOpen} operation={useOperation<Name>(props)} />;
}

/** The action of a row that has no button: the menu that chooses it opens the dialog, and gets the focus back. */
export function ConfirmFromMenu<Name extends OperationName>(
  props: ConfirmButtonProps<Name> & Pick<ConfirmDialogProps<Name>, "isOpen" | "onOpen"> & { menuId: string },
) {
  const returnTo = () => document.getElementById(props.menuId) ?? undefined;
  return <ConfirmDialog {...props} returnTo={returnTo} operation={useOperation<Name>(props)} />;
}

interface ConfirmDialogProps<Name extends OperationName>
  extends Pick<DialogProps, "trigger" | "returnTo">,
    Pick<ConfirmButtonProps<OperationName>, "id" | "label" | "title" | "text" | "confirm" | "look"> {
  operation: OperationState<Name>;
  isOpen: boolean;
  onOpen(isOpen: boolean): void;
}

function ConfirmDialog<Name extends OperationName>(props: ConfirmDialogProps<Name>) {
  const { id, label, title, text, confirm = label, look = "danger", trigger, returnTo } = props;
  const { operation, isOpen, onOpen } = props;
  const t = useTranslations();
  const act = async () => {
    const answered = await operation.start();
    if (!answered) return;
    onOpen(false);
    operation.goOn(answered);
  };
  const turn = (wanted: boolean) => {
    if (operation.isBusy) return; // the response may be an error
    operation.forget();
    onOpen(wanted);
  };
  return (
    <Dialog title={title} trigger={trigger} returnTo={returnTo} open={isOpen} onOpenChange={turn}>
      <Problems refusal={operation.refusal} />
      <div className="prose">{text}</div>
      <div className="buttons">
        <Button label={t("frame.cancel")} onClick={() => turn(false)} />
        <Button id={`${id}-confirm`} look={look} label={confirm} isDisabled={operation.isBusy} onClick={act} />
      </div>
    </Dialog>
  );
}
