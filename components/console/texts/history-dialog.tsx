"use client";
// The history of a text from the audit log: who changed it, when and how. Restoring a version makes it a draft, which
// is checked and saved like any other.
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";

import type { Schemas } from "../../../server/api/generated/operations";
import type { Answer } from "../../../shared/refusal";
import { bdi, Name, plainName } from "../../ui/user-text";
import { bodyOf } from "../calls/queries";
import { Dialog } from "../dialogs/dialog";
import { withQuery } from "../lists/pager";
import { Button } from "../parts/button";
import { useLanguageNames } from "../parts/known-languages";
import { Moment } from "../parts/moment";
import { Difference } from "./difference";
import type { Values } from "./text-state";

export type Changes = Schemas["TextHistory"];

export interface HistoryDialogProps {
  isOpen: boolean;
  /** Identifies the text and its version. */
  textKey: string;
  /** The name of the text. */
  name: string;
  language: string;
  /** The address of the audit log. */
  logHref: string;
  read(): Promise<Answer<Changes>>;
  labelOf(field: string): string;
  /** Undefined for visitors who may only read. */
  onRestore: ((fields: Values) => void) | undefined;
  onClose(): void;
}

export function HistoryDialog(props: HistoryDialogProps) {
  const { isOpen, name, language, logHref, labelOf, onRestore, onClose } = props;
  const t = useTranslations();
  const { endonymOf } = useLanguageNames();
  const { data, error } = useQuery({
    queryKey: ["history", props.textKey],
    enabled: isOpen,
    gcTime: 0,
    queryFn: async () => bodyOf(await props.read()),
  });
  const changes = data?.changes;
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      title={t("texts.historyTitle", { message: name, language: endonymOf(language) })}
    >
      <div role="status">
        {error && <p className="problem">{t("frame.failed")}</p>}
        {changes?.length === 0 && <p>{t("texts.historyEmpty")}</p>}
      </div>
      {changes && (
        <ol className="text-history">
          {changes.map((change, index) => (
            <li key={change.sequence}>
              <p>
                <strong>{t(`texts.by.historyKind.${change.kind}`)}</strong> ·{" "}
                <Name>{change.actor.name ?? change.actor.id}</Name>
                {change.author && (
                  <>
                    {" "}
                    (
                    {t.rich("texts.historyAuthor", {
                      ...bdi,
                      name: plainName(change.author.name ?? change.author.id),
                    })}
                    )
                  </>
                )}{" "}
                · <Moment at={Date.parse(change.creationDate)} />
              </p>
              <dl>
                {change.changes.map(({ field, from = "", to = "" }) => (
                  <div key={field}>
                    <dt>{labelOf(field)}</dt>
                    <dd>
                      <Difference before={from} after={to} language={language} />
                    </dd>
                  </div>
                ))}
              </dl>
              <a href={withQuery(logHref, { event: change.position })}>{t("history.inLog")}</a>
              {onRestore && index > 0 && change.kind === "set" && (
                <button type="button" className="plain restore" onClick={() => onRestore(change.fields)}>
                  {t("texts.restore")}
                </button>
              )}
            </li>
          ))}
        </ol>
      )}
      <div className="buttons">
        <Button label={t("frame.close")} onClick={onClose} />
      </div>
    </Dialog>
  );
}
