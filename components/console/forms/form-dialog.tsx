"use client";
// A form in a dialog that a button opens, for rare actions.
import { useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import type { OperationName } from "../../../shared/declared";
import { useHasRead } from "../calls/refresh";
import { useToast } from "../calls/toasts";
import { useUndo } from "../calls/undo";
import { UndoButton } from "../calls/undo-button";
import { Dialog } from "../dialogs/dialog";
import { ActionForm, type ActionFormProps, type OperationFormProps } from "./action-form";

export type FormDialogProps<Name extends OperationName> = OperationFormProps<Name> & {
  /** The text of the button that opens the dialog. */
  label: string;
  /** The look of that button. */
  triggerLook?: "primary" | "danger" | "plain";
  /** The title of the dialog; defaults to the label. */
  title?: string;
  description?: ReactNode;
  /** The text of the button that sends the form; defaults to the label. */
  submit?: string;
};

export function FormDialog<Name extends OperationName>(props: FormDialogProps<Name>) {
  const { label, triggerLook, title = label, submit = label, description, id } = props;
  const [isOpen, setOpen] = useState(false);
  const undo = useUndo();
  const isBusy = useRef(false);
  const t = useTranslations();
  const say = useToast();
  const hasRead = useHasRead();
  // The form starts with the values of the page. If the page has not read the last change yet, saving would restore old
  // values.
  const open = async () => ((await hasRead()) ? setOpen(true) : say(t("frame.failed")));
  const close = () => {
    setOpen(false);
    props.onDone?.();
  };
  return (
    <>
      <Dialog
        title={title}
        description={description}
        trigger={{ id, label, look: triggerLook }}
        open={isOpen}
        // The dialog stays open while the request runs: the response may be an error, or a secret that is shown once.
        onOpenChange={(wanted) => {
          if (wanted) void open();
          else if (!isBusy.current) setOpen(false);
        }}
      >
        <ActionForm<Name>
          key={id}
          {...({ ...props, submit } as ActionFormProps<Name>)}
          id={`${id}-form`}
          isInDialog
          undo={undo}
          onBusy={(busy) => {
            isBusy.current = busy;
          }}
          onDone={close}
        />
      </Dialog>
      <UndoButton id={`${id}-undo`} undo={undo} returnTo={id} what={label} />
    </>
  );
}
