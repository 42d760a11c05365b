"use client";
// Something that cannot be undone, or that somebody will notice: a dialog names the object and says what follows.
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Dialog } from "./dialog";
import { type OperationProps, useOperation } from "./operation";
import { Problems } from "./problems";

export interface ConfirmButtonProps extends OperationProps {
  id: string;
  label: string;
  /** The question, with the name of the object. */
  title: ReactNode;
  /** What follows. */
  text: ReactNode;
  /** On the button that does it; the label where it is left out. */
  confirm?: string;
  look?: "danger" | "primary" | "plain";
  triggerLook?: "danger" | "primary" | "plain";
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { id, label, title, text, confirm = label, look = "danger", triggerLook = look, ...what } = props;
  const t = useTranslations();
  const [isOpen, setOpen] = useState(false);
  const operation = useOperation(what);
  const act = async () => {
    const answered = await operation.start();
    if (!answered) return;
    setOpen(false);
    operation.goOn(answered);
  };
  const turn = (wanted: boolean) => {
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
