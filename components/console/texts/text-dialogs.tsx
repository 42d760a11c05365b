// The dialogs of the editors about the open text, and about leaving it: reset, history, a changed built-in text, and a
// conflict of two changes.
import { useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import type { Answer } from "../../../shared/refusal";
import { LeaveDialog } from "../forms/leave-dialog";
import type { LeaveGuard } from "../forms/use-leave-guard";
import { dialogOnDemand, onDemand } from "../parts/on-demand";
import type { Changes } from "./history-dialog";
import type { Texts } from "./use-texts";

const BuiltInDialog = dialogOnDemand(() => import("./built-in-dialog").then((part) => part.BuiltInDialog));
const HistoryDialog = dialogOnDemand(() => import("./history-dialog").then((part) => part.HistoryDialog));
const ResetDialog = dialogOnDemand(() => import("./reset-dialog").then((part) => part.ResetDialog));
const Conflict = onDemand(() => import("./conflict-dialog").then((part) => part.ConflictDialog));

export interface TextDialogsProps<Address, Overview> {
  texts: Texts<Address, Overview>;
  /** Identifies the open text: choices in a dialog are reset with it. */
  textKey: string;
  name: string;
  language: string;
  /** Undefined at instance level. */
  organizationName: string | undefined;
  open: string | undefined;
  mayWrite: boolean;
  /** The fields that a reset discards. */
  fields: readonly { name: string; label: string }[];
  /** The fields in the order of display. */
  order: readonly string[];
  labelOf(field: string): string;
  /** Replaces `labelOf` next to the built-in texts, if the label is one of them and would repeat it. */
  builtInLabelOf?(field: string): string;
  /** The address of the audit log. */
  logHref: string;
  history(): Promise<Answer<Changes>>;
  onClose(): void;
  guard: LeaveGuard;
  /** The content that would be lost by leaving. */
  unsaved: ReactNode;
}

export function TextDialogs<Address, Overview>(props: TextDialogsProps<Address, Overview>) {
  const { texts, textKey, name, language, organizationName, open, mayWrite, order, labelOf, onClose } = props;
  const t = useTranslations();
  const { saved, values, conflict } = texts;
  const draft = texts.drafts.get(textKey);
  const [confirmed, setConfirmed] = useState<"reset" | "keep">();
  const opened = useRef(open);
  opened.current = open;
  /** Acts after a running save. */
  const confirm = async (action: "reset" | "keep") => {
    setConfirmed(action);
    await texts[action]();
    setConfirmed(undefined);
    if (opened.current === action) onClose();
  };
  return (
    <>
      {saved && (
        <ResetDialog
          isOpen={open === "reset"}
          message={name}
          language={language}
          organization={organizationName}
          fields={props.fields}
          saved={saved}
          isBusy={confirmed === "reset"}
          onReset={() => void confirm("reset")}
          onClose={onClose}
        />
      )}
      <HistoryDialog
        isOpen={open === "history"}
        name={name}
        language={language}
        textKey={`${textKey}/${saved?.sequence}`}
        logHref={props.logHref}
        read={props.history}
        labelOf={labelOf}
        onRestore={
          mayWrite
            ? (restored) => {
                onClose();
                texts.replace(restored);
              }
            : undefined
        }
        onClose={onClose}
      />
      {saved && (
        <BuiltInDialog
          isOpen={open === "built-in"}
          saved={saved}
          values={values}
          language={language}
          labelOf={props.builtInLabelOf ?? labelOf}
          mayWrite={mayWrite}
          onRevert={(field) => texts.change(field, "")}
          onKeep={() => {
            onClose();
            void confirm("keep");
          }}
          onClose={onClose}
        />
      )}
      {conflict && draft && (
        <Conflict.Part
          key={conflict.sequence}
          draft={draft}
          theirs={conflict}
          language={language}
          order={order}
          labelOf={labelOf}
          onSave={(merged) => void texts.save(merged)}
          onTakeTheirs={() => {
            texts.discard();
            texts.leaveConflict();
          }}
          onClose={texts.leaveConflict}
        />
      )}
      <LeaveDialog guard={props.guard} title={t("texts.leaveTitle")} text={t("texts.leaveText")}>
        {props.unsaved}
      </LeaveDialog>
    </>
  );
}
