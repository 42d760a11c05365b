"use client";
// A form in a dialog, opened by a button, for rare actions.
import { type ReactNode, useState } from "react";
import { ActionForm, type ActionFormProps } from "./action-form";
import type { OperationName } from "./declared";
import { Dialog } from "./dialog";

export interface FormDialogProps<Name extends OperationName> extends Omit<ActionFormProps<Name>, "onDone"> {
  /** The content of the button that opens it. */
  label: ReactNode;
  /** The look of that button. */
  triggerLook?: "primary" | "danger" | "plain";
  title: ReactNode;
  description?: ReactNode;
}

export function FormDialog<Name extends OperationName>({
  label,
  triggerLook,
  title,
  description,
  id,
  ...form
}: FormDialogProps<Name>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog
      title={title}
      description={description}
      trigger={{ id, label, look: triggerLook }}
      open={isOpen}
      onOpenChange={setOpen}
    >
      <ActionForm {...form} id={`${id}-form`} onDone={() => setOpen(false)} />
    </Dialog>
  );
}
