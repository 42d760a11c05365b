"use client";
// A button for an action that cannot be undone or that affects other users: a dialog names the object and the
// consequences.
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import type { OperationName } from "../../../shared/declared";
import { type ButtonOperation, useOperation } from "../calls/operation";
import { Problems } from "../calls/problems";
import { Dialog } from "./dialog";

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
  const { id, label, title, text, confirm = label, look = "danger", triggerLook = look } = props;
  const t = useTranslations();
  const [isOpen, setOpen] = useState(false);
  const operation = useOperation<Name>(props);
  const act = async () => {
    const answered = await operation.start();
    if (!answered) return;
    setOpen(false);
    operation.goOn(answered);
  };
  const turn = (wanted: boolean) => {
    if (operation.isBusy) return; // the response may be an error
    operation.forget();
    setOpen(wanted);
  };
  return (
    <Dialog title={title} trigger={{ id, label, look: triggerLook }} open={isOpen} onOpenChange={turn}>
      <Problems refusal={operation.refusal} />
      <div className="prose">{text}</div>
      <div className="buttons">
        <button type="button" onClick={() => turn(false)}>
          {t("frame.cancel")}
        </button>
        <button type="button" id={`${id}-confirm`} className={look} aria-disabled={operation.isBusy} onClick={act}>
          {confirm}
        </button>
      </div>
    </Dialog>
  );
}
