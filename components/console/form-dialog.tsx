"use client";
// A form behind a button: for what is not done every day.
import { type ReactNode, useState } from "react";
import { ActionForm, type ActionFormProps } from "./action-form";
import { Dialog } from "./dialog";

export interface FormDialogProps extends Omit<ActionFormProps, "onDone"> {
  /** On the button that opens it. */
  label: ReactNode;
  /** Of that button. */
  triggerLook?: "primary" | "danger" | "plain";
  title: ReactNode;
  description?: ReactNode;
}

export function FormDialog({ label, triggerLook, title, description, id, ...form }: FormDialogProps) {
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
