"use client";
// The second pane of both editors: the actions on the open text, its languages as tabs, its fields, and saving.
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect } from "react";
import type { Refusal } from "../../../../shared/refusal";
import { Button } from "../../parts/button";
import { useLanguageNames } from "../../parts/known-languages";
import type { Level } from "../../parts/level";
import { onDemand } from "../../parts/on-demand";
import { DraftNotice } from "../approval/draft-notice";
import type { Approval } from "../approval/use-approval";
import { spanAt } from "../braces";
import { BuiltInNotice } from "../built-in-notice";
import { LanguageTabs } from "../language-tabs";
import type { CustomizedOverview } from "../overview";
import { SaveBar } from "../save-bar";
import type { SaveOutcome } from "../texts-state";
import type { Texts } from "../use-texts";

const Review = onDemand(() => import("../approval/review").then((part) => part.Review));

export interface EditorPaneProps<Address> {
  texts: Texts<Address, unknown>;
  approval: Approval;
  level: Level;
  /** The fields, and what is customized of them. */
  message: CustomizedOverview;
  languages: readonly string[];
  heading: ReactNode;
  /** The id of the panel that the tabs control. */
  panel: string;
  mayWrite: boolean;
  mayReset: boolean;
  /** Content before the built-in notice, such as why the text is read-only. */
  banner: ReactNode;
  /** Content between the notices and the fields. */
  lead: ReactNode;
  /** The fields; a change under review is shown instead. */
  fields: ReactNode;
  /** The id of the button of the history. */
  historyId: string;
  /** Further actions: before and after the history. */
  actions?: readonly [ReactNode, ReactNode];
  about?: ReactNode;
  /** Returns the address of the text in another language. */
  addressIn(language: string): Address;
  keyOf(address: Address): string;
  labelOf(field: string): string;
  nameOf(address: Address): string;
  linesOf(refusal: Refusal): string[];
  onDialog(dialog: "reset" | "history" | "built-in"): void;
}

export function EditorPane<Address extends { language: string }>(props: EditorPaneProps<Address>) {
  const { texts, approval, panel, mayWrite, mayReset, addressIn, keyOf, labelOf, onDialog } = props;
  const t = useTranslations();
  const { endonymOf, isAdded } = useLanguageNames();
  const { address, saved } = texts;
  const { language } = address;
  const [before, after] = props.actions ?? [];
  const isEditable = mayWrite && !approval.shown;
  return (
    <>
      <div className="head">
        {props.heading}
        <div className="text-actions">
          {isEditable && before}
          <Button id={props.historyId} look="plain" label={t("texts.history")} onClick={() => onDialog("history")} />
          {after}
          {isEditable && (
            <button
              type="button"
              className="plain danger"
              id="reset-text"
              aria-disabled={!mayReset}
              onClick={() => mayReset && onDialog("reset")}
            >
              {t("texts.reset")}
            </button>
          )}
        </div>
      </div>
      {props.about}
      <LanguageTabs
        languages={props.languages}
        message={props.message}
        level={props.level}
        current={language}
        panel={panel}
        isUnsaved={(one) => texts.drafts.has(keyOf(addressIn(one)))}
        onOpen={(one) => texts.open(addressIn(one))}
      />
      <section role="tabpanel" id={panel} aria-labelledby={`language-${language}`} className="text-panel">
        <h3 className="hidden">{endonymOf(language)}</h3>
        {isAdded(language) && <p className="hint">{t("texts.addedLanguage")}</p>}
        {props.banner}
        <BuiltInNotice saved={saved} onReview={() => onDialog("built-in")} />
        {props.lead}
        <DraftNotice approval={approval} />
        {approval.shown && (
          <Review.Part approval={approval} draft={approval.shown} saved={saved} labelOf={labelOf} mayWrite={mayWrite} />
        )}
        {props.fields}
      </section>
      {isEditable && (
        <SaveBar
          texts={texts}
          isUnsaved={texts.drafts.has(keyOf(address))}
          nameOf={props.nameOf}
          linesOf={props.linesOf}
        />
      )}
    </>
  );
}

/** Moves the focus to the position of a refusal. @param idOf returns the id of a field's text area */
export function useRefusalFocus<Address>(
  outcome: SaveOutcome<Address> | undefined,
  idOf: (field: string) => string,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each result of an action
  useEffect(() => {
    if (outcome?.kind !== "refused") return;
    const { field, position } = outcome.refusal.problems.find((problem) => problem.field) ?? {};
    const area = field && document.getElementById(idOf(field));
    if (!(area instanceof HTMLTextAreaElement)) return;
    area.blur(); // closes the list above it
    area.focus();
    const { from, to } = spanAt(area.value, position ?? 0);
    area.setSelectionRange(from, to);
  }, [outcome]);
}
