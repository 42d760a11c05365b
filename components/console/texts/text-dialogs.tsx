// What the editors of messages and of the page texts ask about the open text, and about leaving it: to reset it,
// to look at its history, to keep it beside a new built-in text, to join two changes.
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { LeaveDialog } from "../leave-dialog";
import type { Answer } from "../refusal";
import type { LeaveGuard } from "../use-leave-guard";
import { BuiltInDialog } from "./built-in-dialog";
import { ConflictDialog } from "./conflict-dialog";
import { type Changes, HistoryDialog } from "./history-dialog";
import { ResetDialog } from "./reset-dialog";
import type { Texts } from "./use-texts";

export interface TextDialogsProps<Address, Overview> {
  texts: Texts<Address, Overview>;
  /** Which text is open: what is chosen in a dialog is forgotten with it. */
  textKey: string;
  name: string;
  language: string;
  /** Undefined at instance level. */
  organizationName: string | undefined;
  open: string | undefined;
  mayWrite: boolean;
  /** What a reset gives up. */
  fields: readonly { name: string; label: string }[];
  /** The order in which fields are shown. */
  order: readonly string[];
  labelOf(field: string): string;
  /** Beside the built-in texts, where a label that is one of them would say it twice. */
  builtInLabelOf?(field: string): string;
  readHistory(): Promise<Answer<Changes> | undefined>;
  onClose(): void;
  guard: LeaveGuard;
  /** What would be lost by leaving. */
  unsaved: ReactNode;
}

export function TextDialogs<Address, Overview>(props: TextDialogsProps<Address, Overview>) {
  const { texts, textKey, name, language, organizationName, open, mayWrite, order, labelOf, onClose } = props;
  const t = useTranslations();
  const { saved, values, conflict } = texts;
  const draft = texts.drafts.get(textKey);
  /** What was confirmed: it comes after what is still being saved, and is not lost to that. */
  const [confirmed, setConfirmed] = useState<"reset" | "keep">();
  const isSent = useRef(false);
  const opened = useRef(open);
  opened.current = open;
  useEffect(() => {
    if (!confirmed || isSent.current || texts.isBusy) return;
    const done = () => {
      isSent.current = false;
      setConfirmed(undefined);
      if (opened.current === confirmed) onClose();
    };
    if (conflict) return done(); // somebody else has saved this text: it is another one than that was confirmed
    isSent.current = true;
    void texts[confirmed]().finally(done);
  });
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
          onReset={() => setConfirmed("reset")}
          onClose={onClose}
        />
      )}
      <HistoryDialog
        key={`${textKey}/${saved?.sequence}`}
        isOpen={open === "history"}
        name={name}
        language={language}
        read={props.readHistory}
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
            setConfirmed("keep");
          }}
          onClose={onClose}
        />
      )}
      {conflict && draft && (
        <ConflictDialog
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
