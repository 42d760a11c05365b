"use client";
// The first pane of the editor: the messages, and the functions for all texts.
import { useTranslations } from "next-intl";
import { Button } from "../../parts/button";
import { downloadText } from "../../parts/download";
import { ask } from "../ask";
import { MessageList, type MessageListProps } from "../message-list";
import { operationsOn } from "../operations";
import { AllTexts } from "./all-texts";

export interface MessagePaneProps extends MessageListProps {
  mayWrite: boolean;
  onImport(): void;
}

export function MessagePane({ mayWrite, onImport, ...list }: MessagePaneProps) {
  const { scope, current, overview } = list;
  const t = useTranslations();
  const exportAll = async () => {
    const answer = await ask(operationsOn(scope).exportAll);
    if (answer.ok) downloadText(t("texts.fileName"), `${JSON.stringify(answer.body, null, 2)}\n`, "application/json");
  };
  return (
    <>
      <MessageList {...list} />
      <AllTexts scope={scope} language={current.language} languages={overview.languages} mayWrite={mayWrite} />
      <div className="all-texts">
        <Button id="export-texts" look="plain" label={t("texts.export")} onClick={exportAll} />
        {mayWrite && <Button id="import-texts" look="plain" label={t("texts.import")} onClick={onImport} />}
      </div>
    </>
  );
}
