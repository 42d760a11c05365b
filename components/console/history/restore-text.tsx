"use client";
// Restores a text to what it was before a change in the audit log, with the possibility to undo that.
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { Answer, Refusal } from "../../../shared/refusal";
import { Problems } from "../calls/problems";
import { useRefresh } from "../calls/refresh";
import { useToast } from "../calls/toasts";
import { useUndo } from "../calls/undo";
import { UndoButton } from "../calls/undo-button";
import { Dialog } from "../dialogs/dialog";
import { Button } from "../parts/button";
import type { TextScope } from "../texts/address";
import { ask } from "../texts/ask";
import type { Changes } from "../texts/history-dialog";
import { messageKind } from "../texts/message-kind";
import type { MessageType } from "../texts/messages";
import { operationsOn } from "../texts/operations";
import { wordOperationsOn, wordsKind } from "../texts/pages/words-kind";
import { textBefore } from "../texts/text-before";
import type { TextChangeAnswer } from "../texts/text-kind";
import { filledValues, type SavedText, type Values } from "../texts/text-state";

export interface EventText {
  scope: TextScope;
  /** Undefined for page texts. */
  type?: MessageType;
  language: string;
  /** The address of the editor. */
  href: string;
}

/** The requests for one text. */
interface TextAccess {
  history(): Promise<Answer<Changes>>;
  read(): Promise<Answer<SavedText>>;
  set(values: Values, ifMatch: string): Promise<Answer<TextChangeAnswer>>;
  reset(ifMatch: string): Promise<Answer<TextChangeAnswer>>;
}

function accessTo({ scope, type, language }: EventText): TextAccess {
  const { signal } = new AbortController();
  if (type === undefined) {
    const [kind, address] = [wordsKind(scope), { page: "", language }];
    return {
      history: () => ask(wordOperationsOn(scope).history, { at: { language } }),
      read: () => kind.read(address, signal),
      set: (values, ifMatch) => kind.set(address, values, ifMatch),
      reset: (ifMatch) => kind.reset(address, ifMatch),
    };
  }
  const [kind, address] = [messageKind(scope), { type, language }];
  return {
    history: () => ask(operationsOn(scope).history, { at: address }),
    read: () => kind.read(address, signal),
    set: (values, ifMatch) => kind.set(address, values, ifMatch),
    reset: (ifMatch) => kind.reset(address, ifMatch),
  };
}

/** Writes the level's own text; without any field it is reset. */
const write = ({ set, reset }: TextAccess, values: Values, ifMatch: string): Promise<Answer<TextChangeAnswer>> =>
  Object.keys(values).length === 0 ? reset(ifMatch) : set(values, ifMatch);

const inOrder = (values: Values): string => JSON.stringify(Object.entries(filledValues(values)).sort());

export interface RestoreTextProps {
  text: EventText;
  /** The sequence of the event. */
  sequence: string;
}

export function RestoreText({ text, sequence }: RestoreTextProps) {
  const t = useTranslations();
  const say = useToast();
  const refresh = useRefresh();
  const undo = useUndo();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  /** The text to restore although it was changed again. */
  const [later, setLater] = useState<Values>();
  const access = accessTo(text);

  const restore = async (before: Values) => {
    setLater(undefined);
    const saved = await access.read();
    if (!saved.ok) return setRefusal(saved.refusal);
    const { own, sequence: current } = saved.body;
    if (inOrder(own) === inOrder(before)) return say(t("history.restoreNone"));
    const answer = await write(access, before, `"${current}"`);
    if (!answer.ok) return setRefusal(answer.refusal);
    const { draft, details } = answer.body;
    say(draft ? t("history.restoreDrafted") : t("history.restored"));
    refresh();
    if (draft) return;
    await undo.offer({
      async read() {
        const now = await access.read();
        return now.ok ? inOrder(now.body.own) : undefined;
      },
      revert: () => write(access, own, `"${details.sequence}"`),
    });
  };
  const start = async () => {
    setRefusal(undefined);
    const history = await access.history();
    if (!history.ok) return setRefusal(history.refusal);
    const { changes } = history.body;
    const before = textBefore(changes, sequence);
    if (!before) return say(t("history.restoreGone"));
    if (changes[0]?.sequence === sequence) await restore(before);
    else setLater(before);
  };
  const act = async (action: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    await action();
    setBusy(false);
  };
  return (
    <>
      <Button id="restore-text" label={t("history.restore")} isDisabled={isBusy} onClick={() => void act(start)} />
      <UndoButton id="undo-restore" undo={undo} returnTo="restore-text" />
      <Problems refusal={refusal} />
      <Dialog
        title={t("history.restore")}
        open={later !== undefined}
        onOpenChange={(isOpen) => !isOpen && setLater(undefined)}
      >
        <p>{t("history.restoreLater")}</p>
        <div className="buttons">
          <Button
            id="restore-text-anyway"
            look="primary"
            label={t("history.restore")}
            onClick={() => void (later && act(() => restore(later)))}
          />
          <Button label={t("frame.cancel")} onClick={() => setLater(undefined)} />
        </div>
      </Dialog>
    </>
  );
}
