"use client";
// A search over the texts of all messages and pages; each result links to its place in the editors.
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { Schemas } from "../../../../server/api/generated/operations";
import { AdminService_SearchTexts, ManagementService_SearchTexts } from "../../../../shared/generated/operations";
import { operationQuery } from "../../calls/queries";
import { Dialog } from "../../dialogs/dialog";
import { useLanguageNames } from "../../parts/known-languages";
import { type TextScope, textAddress } from "../address";
import type { MessageField } from "../messages";
import { wordsAddress } from "../page-address";
import { Segments } from "../segments";
import { useTextLabels } from "../text-labels";
import { useSettled } from "../use-settled";

/** The delay after a keystroke in milliseconds. */
const PAUSE = 250;

type FoundText = Schemas["FoundText"];

export interface SearchDialogProps {
  isOpen: boolean;
  scope: TextScope;
  language: string;
  onClose(): void;
}

export function SearchDialog({ isOpen, scope, language, onClose }: SearchDialogProps) {
  const t = useTranslations();
  const words = useTextLabels();
  const { endonymOf, writingOf } = useLanguageNames();
  const [wanted, setWanted] = useState("");
  const [extent, setExtent] = useState<"this" | "all">("this");
  const query = useSettled(wanted.trim(), PAUSE);
  const operation = scope.organizationId === undefined ? AdminService_SearchTexts : ManagementService_SearchTexts;
  const body = { query, ...(extent === "this" && { language: language as FoundText["language"] }) };
  const { data, error } = useQuery({ ...operationQuery(operation, { body }), enabled: query !== "", gcTime: 0 });
  // Results for other words are not shown below the current ones.
  const isCurrent = query === wanted.trim();
  const found = isCurrent ? data : undefined;
  return (
    <Dialog open={isOpen} onClose={onClose} title={t("texts.searchAll")}>
      <input
        type="search"
        id="search-all"
        aria-label={t("texts.searchAll")}
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
      />
      <Segments
        name="extent"
        label={t("texts.languages")}
        value={extent}
        options={{ this: endonymOf(language), all: t("texts.everyLanguage") }}
        onChoose={setExtent}
      />
      <div role="status">
        {isCurrent && error && <p className="problem">{t("frame.failed")}</p>}
        {found?.result.length === 0 && <p>{t("frame.nothingFound")}</p>}
        {found?.isMore && <p className="hint">{t("texts.moreFound", { count: found.result.length })}</p>}
      </div>
      <ul className="plan found-texts">
        {found?.result.map(({ language: of, type, field, text, layer }) => (
          <li key={`${of}/${type}/${field}`}>
            <a
              href={
                type === undefined
                  ? `${wordsAddress(scope, { page: "sign-in", language: of })}?word=${field}`
                  : textAddress(scope, { type, language: of })
              }
            >
              {type === undefined
                ? t("pages.words")
                : `${words.message(type)} · ${t(`texts.by.field.${field as MessageField}`)}`}
            </a>
            <span className="quiet">
              <bdi lang={of}>{endonymOf(of)}</bdi> ·{" "}
              {t(`texts.by.state.${layer === "organization" ? "customized" : layer}`)}
            </span>
            <span className="found-text" lang={of} dir={writingOf(of)}>
              {text}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
