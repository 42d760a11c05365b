"use client";
// The changes that await approval: their number, and a link to each text.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Name } from "../../../ui/user-text";
import { Dialog } from "../../dialogs/dialog";
import { Button } from "../../parts/button";
import { useLanguageNames } from "../../parts/known-languages";
import { Moment } from "../../parts/moment";
import { type TextScope, textAddress } from "../address";
import { wordsAddress } from "../page-address";
import { useTextLabels } from "../text-labels";
import { calledBy, type TextDraftSummary } from "./operations";

/** The page that is opened first for page texts. */
const FIRST_PAGE = "sign-in";

export function WaitingList({ scope, drafts }: { scope: TextScope; drafts: readonly TextDraftSummary[] }) {
  const t = useTranslations();
  const words = useTextLabels();
  const { endonymOf } = useLanguageNames();
  const [isOpen, setOpen] = useState(false);
  const count = drafts.filter(({ rejection }) => !rejection).length;
  if (drafts.length === 0) return null;
  return (
    <>
      <Button
        id="waiting-texts"
        look="plain"
        label={t("texts.approval.waiting", { count })}
        onClick={() => setOpen(true)}
      />
      <Dialog open={isOpen} onOpenChange={setOpen} title={t("texts.approval.title")}>
        <ul className="plan waiting-texts">
          {drafts.map(({ id, type, language, author, creationDate, rejection }) => (
            <li key={id}>
              <a
                href={
                  type === undefined
                    ? wordsAddress(scope, { page: FIRST_PAGE, language })
                    : textAddress(scope, { type, language })
                }
              >
                {type === undefined ? t("pages.words") : words.message(type)},{" "}
                <bdi lang={language}>{endonymOf(language)}</bdi>
              </a>{" "}
              <span className="quiet">
                <Name>{calledBy(author)}</Name> · <Moment at={Date.parse(creationDate)} />
              </span>{" "}
              {rejection && <span className="state warned">{t("texts.approval.rejectedBadge")}</span>}
            </li>
          ))}
        </ul>
        <div className="buttons">
          <Button label={t("frame.close")} onClick={() => setOpen(false)} />
        </div>
      </Dialog>
    </>
  );
}
